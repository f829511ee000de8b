"""What the last hand asks: named cases worked out by hand, and the places that the wins bring."""

from __future__ import annotations

import pathlib
from collections import Counter
from itertools import combinations_with_replacement, islice, product

import numpy as np
import pytest

from haiyomi.corpus import Corpus
from haiyomi.events import FourScores, Riichi, Start, Win, by_place
from haiyomi.game.needs import Need, needs
from haiyomi.kernels.scoring import NO_MELD, MeldType, payments, score
from haiyomi.rules import TENHOU, TENHOU_EAST, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import Seat, Tile


def start(kyoku: int, scores: FourScores, honba: int = 0, sticks: int = 0) -> Start:
    return Start(kyoku, honba, sticks, scores, Tile.parse("1m"))


def usual(place: int, payer: int | None, points: tuple[int, ...]) -> Need:
    return Need(place, payer, points, points)


def test_a_third_place_in_south_4() -> None:
    """Seat 2 has 15,700; of equal points the earlier seat is higher, so 4,500 off seat 0 is short
    of seat 1 by the tie."""
    scores = (13800, 20200, 15700, 50300)
    assert needs(TENHOU, start(7, scores), 2) == (
        usual(0, None, (6000, 12000)),
        usual(0, 3, (24000,)),
        usual(1, None, (1000, 2000)),
        usual(1, 0, (5200,)),
        usual(1, 1, (2300,)),
        usual(1, 3, (5200,)),
    )


def test_a_dealer_needs_the_lead_and_the_target() -> None:
    """2,600 all make 29,800, second by 200: the game would go on."""
    scores = (33000, 24800, 20000, 22000)
    found = needs(TENHOU, start(7, scores), 3)
    assert {need.place for need in found} == {0}
    assert found[0] == Need(0, None, (2900,), (3200,))  # two han of 90 fu, or 100


def test_honba_and_deposits_count() -> None:
    scores = (26000, 25000, 24000, 25000)
    without = needs(TENHOU_EAST, start(3, scores), 2)
    more = needs(TENHOU_EAST, start(3, scores, 2, 2), 2)
    assert usual(0, 0, (6400,)) in without  # 30,400: the target
    # One han of 110 fu, or two of 60; and 600 for honba, 2,000 deposited.
    assert Need(0, 0, (3600,), (3900,)) in more


def test_the_first_and_earlier_hands_need_nothing() -> None:
    assert needs(TENHOU, start(7, (50000, 20000, 20000, 10000)), 0) == ()
    assert needs(TENHOU, start(6, (50000, 20000, 20000, 10000)), 3) == ()


@pytest.mark.parametrize("seed", range(50))
def test_every_win_brings_its_place(seed: int) -> None:
    rng = generator(seed, "needs")
    x, y, z = (int(score) for score in rng.integers(200, 300, 3) * 100)
    scores = x, y, z, 100000 - x - y - z
    seat, honba = int(rng.integers(4)), int(rng.integers(3))
    for place, payer, points, _ in needs(TENHOU, start(7, scores, honba), seat):
        after = list(scores)
        for other in range(4):
            if other == seat or payer not in (None, other):
                continue
            paid = points[0] + 300 * honba
            if payer is None:
                paid = points[-1 if other == 3 else 0] + 100 * honba
            after[other] -= paid
            after[seat] += paid
        a, b, c, d = after
        assert by_place((a, b, c, d)).index(Seat(seat)) <= place
        assert max(after) >= 30000 or min(after) < 0
        assert sum(after) == sum(scores)


def brought(
    rules: Ruleset, hand: Start, seat: int, payer: int | None, han: int, fu: int
) -> tuple[tuple[int, ...], int | None]:
    """What a win pays as in ``Need``, and the place that it brings, if the game is over then."""
    dealer = hand.kyoku % 4
    ron, by_dealer, each = payments(han, fu, dealer=seat == dealer, rules=rules)
    after = list(hand.scores)
    for other in {0, 1, 2, 3} - {seat} if payer is None else {payer}:
        paid = ron + 300 * hand.honba
        if payer is None:
            paid = (by_dealer if other == dealer else each) + 100 * hand.honba
        after[other] -= paid
        after[seat] += paid
    after[seat] += 1000 * hand.sticks
    place = by_place(after).index(Seat(seat))
    over = min(after) < 0 or max(after) >= rules.target_points
    over &= seat != dealer or place == 0 or min(after) < 0
    drawn = (each,) if seat == dealer else (each, by_dealer)
    return (ron,) if payer is not None else drawn, place if over else None


def possible(rules: Ruleset, tsumo: bool, most_fu: int) -> list[tuple[int, int]]:
    """Every han and fu that a win may have; of 80 fu and more as the test below says."""
    plain = [(han, fu) for han in range(1, 14) for fu in range(30, most_fu + 1, 10)]
    if tsumo or rules.wind_pair_fu < 4:
        plain = [each for each in plain if each != (1, 110)]
    seven = [(han, 25) for han in range(3 if tsumo else 2, 14)]
    return plain + seven + ([(han, 20) for han in range(2, 14)] if tsumo else [])


@pytest.mark.parametrize("seed", range(60))
def test_no_win_that_pays_less_brings_the_place(seed: int) -> None:
    """Wins of 80 fu and more were left out."""
    rng = generator(seed, "least wins")
    x, y, z = (int(score) for score in rng.integers(50, 350, 3) * 100)
    scores = x, y, z, 100000 - x - y - z
    rules = TENHOU.but(kiriage=seed % 3 == 1, wind_pair_fu=2 if seed % 3 else 4)
    hand = start(7, scores, int(rng.integers(3)), int(rng.integers(2)))
    seat = int(rng.integers(4))
    found = needs(rules, hand, seat)
    for payer in {None, 0, 1, 2, 3} - {seat}:
        named = {need.place: need for need in found if need.payer == payer}
        last = None
        for place in range(by_place(scores).index(Seat(seat))):
            least, common = (
                min((pays for pays, got in (brought(rules, hand, seat, payer, *each)
                     for each in possible(rules, payer is None, most))
                     if got is not None and got <= place), default=None)
                for most in (110, 80)
            )  # fmt: skip
            due = None if least is None else Need(place, payer, least, common or least)
            if due is None or due[1:] != last:
                assert named.get(place) == due
                last = due and due[1:]
            else:
                assert place not in named


@pytest.mark.parametrize("tsumo", [True, False])
@pytest.mark.parametrize("pair_fu", [2, 4])
def test_which_han_and_fu_there_are_of_80_and_more(tsumo: bool, pair_fu: int) -> None:
    """Every hand of these sets and a pair of the double wind, which are those of the most fu."""
    kinds = [Tile.parse(text).kind for text in ("1m", "9m", "9s", "5z")]
    same = (None, MeldType.PON, MeldType.DAIMINKAN, MeldType.ANKAN)
    runs = (0, Tile.parse("3p").kind)
    sets = [*product(same, kinds, [1]), *product((None, MeldType.CHI), runs, [3])]
    hands, melds, wins = [], [], []
    for chosen in combinations_with_replacement(sets, 4):
        every, hand = np.zeros(34, np.uint8), np.zeros(34, np.uint8)
        for meld, kind, width in chosen:
            tiles = 1 if width == 3 else 4 if meld in same[2:] else 3
            every[kind : kind + width] += tiles
            hand[kind : kind + width] += tiles * (meld is None)
        if every.max() > 4:
            continue
        hand[27] = 2
        shown = [(int(meld), kind) for meld, kind, _ in chosen if meld is not None]
        for win in np.flatnonzero(hand):
            hands.append(hand)
            melds.append(shown + [(NO_MELD, NO_MELD)] * (4 - len(shown)))
            wins.append(win)
    rules, found = TENHOU.but(wind_pair_fu=pair_fu), set()
    for riichi in (0, 1):
        scores = score(
            np.array(hands), np.array(wins), melds=np.array(melds, np.uint8), riichi=riichi,
            tsumo=tsumo, rules=rules,
        )  # fmt: skip
        worth = zip(scores.han.tolist(), scores.fu.tolist(), strict=True)
        found |= {(han, fu) for han, fu in worth if han in (1, 2) and fu >= 80}
    assert found == {each for each in possible(rules, tsumo, 110) if each[0] < 3 and each[1] >= 80}


@pytest.mark.corpus
def test_the_records_end_as_the_needs_say(corpus: pathlib.Path) -> None:
    """The final scores of records: who wins enough has the place. Who wins less has it where others
    deposited in the hand, which nobody knew when it began."""
    found: Counter[tuple[bool, bool]] = Counter()
    for _, game in islice(Corpus([corpus / "valid.zip"]), 200):
        hand = game.hands[-1]
        wins = [event for event in hand.events if isinstance(event, Win)]
        if len(wins) != 1 or game.header.final is None:
            continue
        win = wins[0]
        least = needs(game.header.rules, hand.start, win.seat)
        riichi = any(isinstance(event, Riichi) for event in hand.events)
        for place, payer, points, _ in least:
            if payer != (None if win.tsumo else win.target):
                continue
            due = points[0]
            if payer is None:
                due = 2 * points[0] + points[1] if len(points) == 2 else 3 * points[0]
            has = by_place(game.header.final).index(win.seat) <= place
            assert has == (win.points >= due) or (has and riichi)
            found[has, win.points >= due] += 1
    assert found[True, True] > 20
    assert found[False, False] > 20
