"""The kernel against the recurrences written out, and against played-out hands."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from winning.slow_dp import DECK, Hand, SlowTable, changed, complete, shanten

from haiyomi.errors import HaiyomiError, TileError
from haiyomi.kernels.scoring import score
from haiyomi.kernels.shanten import shanten as fast_shanten
from haiyomi.kernels.winning import DRAW, GraphRules, WinHands, win_values
from haiyomi.tiles import Kind, Tile
from haiyomi.winning.convention import CONVENTIONS, DEFAULT
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import win_table

USEFUL = GraphRules()


def _near_hands(seed: int, n: int, tiles: int, furthest: int) -> list[Hand]:
    """Hands of so many tiles within some shanten: winning ones with tiles exchanged."""
    rng = np.random.default_rng(seed)
    found: list[Hand] = []
    while len(found) < n:
        sets = tiles // 3
        hand = np.zeros(DECK, dtype=int)
        for _ in range(sets):
            run = rng.random() < 0.7
            first = (
                int(rng.integers(27)) // 9 * 9 + int(rng.integers(7))
                if run
                else int(rng.integers(34))
            )
            hand[[first, first + 1, first + 2] if run else [first]] += 1 if run else 3
        hand[rng.integers(34)] += 2
        for _ in range(int(rng.integers(1, furthest + 2))):
            hand[rng.choice(np.flatnonzero(hand > 0))] -= 1
            hand[rng.integers(34)] += 1
        while hand.sum() > tiles:
            hand[rng.choice(np.flatnonzero(hand > 0))] -= 1
        if hand.max() > 4 or hand.sum() != tiles:
            continue
        row = hand.astype(np.uint8)[None]
        if 0 <= int(fast_shanten(row)[0]) <= furthest:
            found.append(tuple(int(x) for x in hand))
    return found


def _ask(
    hand: Hand, live: np.ndarray, wall: np.ndarray, graph: GraphRules
) -> dict[int, np.ndarray]:
    counts = np.array([hand], dtype=np.uint8)
    hands = WinHands(
        counts, live[None].astype(np.uint8), np.zeros((1, 6), bool), wall[None].astype(float)
    )
    found = win_values(hands, graph)
    return {int(c): v for c, v in zip(found.codes[0], found.values[0], strict=True) if c >= 0}


@pytest.mark.parametrize(("tiles", "seed"), [(4, 1), (5, 2), (7, 3), (8, 4)])
def test_the_kernel_is_the_recurrence(tiles: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for hand in _near_hands(seed, 12, tiles, 1):
        live = np.array([int(rng.integers(0, 5 - n)) for n in hand])
        wall = np.maximum(live.sum() + 1 - np.arange(1, 19), 0)
        # The definition's own shanten for the smallest hands; it takes seconds for larger ones.
        distance = shanten if tiles < 6 else shanten_of
        slow = SlowTable(tuple(live.tolist()), tuple(wall.tolist()), hand, distance=distance)
        for code, values in _ask(hand, live, wall, USEFUL).items():
            root = hand if code == DRAW else changed(hand, code, -1)
            expected = [slow.draws(root, t) for t in range(1, 19)]
            np.testing.assert_allclose(values[0], expected, rtol=0, atol=1e-12)
            assert 0 <= min(expected) <= max(expected) <= 1


def test_points_are_the_recurrence() -> None:
    graph = GraphRules(points=True, ura=False)

    def pay(hand: Hand, kind: int) -> float:
        won = score(np.array([hand], dtype=np.uint8), kind, tsumo=True)
        return float(3 * won.tsumo_other[0])

    for hand in _near_hands(9, 6, 13, 0) + _near_hands(10, 3, 14, 0):
        live = 4 - np.array(hand)
        wall = 123 - np.arange(1, 19)
        slow = SlowTable(tuple(live.tolist()), tuple(wall.tolist()), hand, pay, distance=shanten_of)
        for code, values in _ask(hand, live, wall, graph).items():
            root = hand if code == DRAW else changed(hand, code, -1)
            expected = [slow.draws(root, t) for t in range(1, 19)]
            np.testing.assert_allclose(values[2], expected, rtol=1e-12)


def test_the_slow_shanten_is_the_kernels() -> None:
    for hand in _near_hands(5, 20, 4, 1) + _near_hands(5, 3, 7, 1):
        assert shanten(hand) == int(fast_shanten(np.array([hand], dtype=np.uint8))[0])


def test_played_out_hands_win_as_often() -> None:
    """The best discards by the table, drawn by the model's weights: within four sigma."""
    rng = np.random.default_rng(77)
    games, turns = 1500, 18
    known: dict[tuple[Hand, Hand], dict[int, np.ndarray]] = {}
    for hand in _near_hands(6, 50, 14, 2):
        live = 4 - np.array(hand)
        wall = live.sum() + 1 - np.arange(1, 19)

        def table(now: Hand, seen: Hand) -> dict[int, np.ndarray]:
            if (now, seen) not in known:
                left = 4 - np.array(now) - np.array(seen)
                known[now, seen] = _ask(now, left, wall, USEFUL)  # noqa: B023
            return known[now, seen]

        nothing = (0,) * DECK
        first = table(hand, nothing)
        thrown = max(first, key=lambda code: first[code][0, 0])
        expected = first[thrown][0, 0]
        won = 0
        for _ in range(games):
            now, turn = changed(hand, thrown, -1), 1
            distance = shanten_of(now)
            while turn < turns:
                # A draw is useful, or leaves the hand as it is.
                ticket = rng.random() * wall[turn - 1]
                turn += 1
                drawn = None
                for kind in _useful(now):
                    ticket -= 4 - now[kind]
                    if ticket < 0:
                        drawn = kind
                        break
                if drawn is None:
                    continue
                after = changed(now, drawn, 1)
                if distance == 0:
                    won += 1
                    break
                values = table(after, nothing)
                best = max(values, key=lambda code: values[code][0, turn - 1])
                stay = _stay(now, nothing, table, turn)
                if values[best][0, turn - 1] > stay:
                    now, distance = changed(after, best, -1), distance - 1
        sigma = (expected * (1 - expected) / games) ** 0.5
        assert abs(won / games - expected) <= 4 * sigma + 1e-12, (hand, won / games, expected)


@cache
def shanten_of(hand: Hand) -> int:
    return int(fast_shanten(np.array([hand], dtype=np.uint8))[0])


_USEFUL: dict[Hand, list[int]] = {}


def _useful(hand: Hand) -> list[int]:
    if hand not in _USEFUL:
        from haiyomi.kernels.shanten import useful

        mask = int(useful(np.array([hand], dtype=np.uint8))[0])
        _USEFUL[hand] = [k for k in range(DECK) if mask >> k & 1 and hand[k] < 4]
    return _USEFUL[hand]


def _stay(now: Hand, seen: Hand, table: object, turn: int) -> float:
    assert callable(table)
    return float(table(now, seen)[DRAW][0, turn - 1])


# -- properties ---------------------------------------------------------------------------


def test_values_fall_from_turn_to_turn() -> None:
    for hand in _near_hands(11, 8, 14, 2):
        tiles = tuple(Tile(Kind(k)) for k, n in enumerate(hand) for _ in range(n))
        for row in win_table(WinQuestion(tiles)).rows:
            for values in (row.win, row.tenpai, row.points or ()):
                assert all(a >= b - 1e-9 for a, b in pairwise(values))
            assert 0 <= min(row.win) <= max(row.win) <= 1
            assert all(w <= t + 1e-12 for w, t in zip(row.win, row.tenpai, strict=True))


@pytest.mark.parametrize("name", ["default", "neko-D", "tomo-main1"])
def test_permuting_suits_changes_nothing(name: str) -> None:
    convention = CONVENTIONS[name]
    rng = np.random.default_rng(12)
    for hand in _near_hands(13, 5, 14, 2):
        order = rng.permutation(3)
        moved = np.array(hand)
        move = [int(order[k // 9]) * 9 + k % 9 if k < 27 else k for k in range(DECK)]
        for k in range(DECK):
            moved[move[k]] = hand[k]
        seen = [k for k in range(DECK) if hand[k] < 3 and rng.random() < 0.2]
        dora = int(rng.choice([k for k in range(DECK) if hand[k] < 2 and k not in seen]))
        tables = [
            win_table(
                WinQuestion(
                    tuple(Tile(Kind(k)) for k, n in enumerate(h) for _ in range(n)),
                    seen=tuple(Tile(Kind(f[k])) for k in seen),
                    indicators=(Tile(Kind(f[dora])),),
                ),
                convention,
            )
            for h, f in ((hand, list(range(DECK))), (moved.tolist(), move))
        ]
        first = {move[int(r.tile.kind)]: r for r in tables[0].rows if r.tile}
        second = {int(r.tile.kind): r for r in tables[1].rows if r.tile}
        assert first.keys() == second.keys()
        for kind, row in first.items():
            np.testing.assert_allclose(row.win, second[kind].win, atol=1e-12)
            np.testing.assert_allclose(row.points or (), second[kind].points or (), atol=1e-7)


def test_more_useful_tiles_than_wall_stay_probabilities() -> None:
    hand = np.array([1 if k in range(0, 26, 2) else 0 for k in range(DECK)])
    live = 4 - hand
    for wall in (np.full(18, 20.0), np.arange(18, 0, -1.0), np.zeros(18)):
        for values in _ask(tuple(hand.tolist()), live, wall, USEFUL).values():
            assert (values[:2] >= 0).all()
            assert (values[:2] <= 1).all()


def test_one_exchange_more_never_hurts() -> None:
    less = DEFAULT.but(tegawari=False, back=False, extra=0)
    for hand in _near_hands(15, 4, 14, 1):
        tiles = tuple(Tile(Kind(k)) for k, n in enumerate(hand) for _ in range(n))
        more_rows = {r.name: r for r in win_table(WinQuestion(tiles)).rows}
        for row in win_table(WinQuestion(tiles), less).rows:
            assert more_rows[row.name].win[0] >= row.win[0] - 1e-12


def test_complete_hands_and_no_draws() -> None:
    assert complete((3, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0, 2, *[0] * 21))
    table = win_table(WinQuestion.parse("123m456p789s11122z", last=18, turn=18))
    assert table.shanten == -1
    none = win_table(WinQuestion.parse("123m456p789s1112z", last=0))
    assert all(v == 0 for v in none.rows[0].win)


@pytest.mark.parametrize(
    ("hand", "given", "message"),
    [
        ("123m", {}, "less three for each meld; 123m has 3"),
        ("11111m22223333p1s", {}, "only four"),
        ("123m456p789s1122", {}, "have no suit letter"),
        ("123m456p789s1122z", {"seen": "1111z"}, "only four"),
        ("123m456p789s11z", {"melds": "77z"}, "is no meld"),
        ("123m456p789s11z", {"melds": "777z,555z"}, "melds beside these tiles is 1, not 2"),
        ("123m456p789s1122z", {"turn": 19}, "no turn 19"),
    ],
)
def test_what_cannot_be_is_one_sentence(hand: str, given: dict[str, object], message: str) -> None:
    with pytest.raises((HaiyomiError, TileError), match=message):
        win_table(WinQuestion.parse(hand, **given))  # type: ignore[arg-type]
