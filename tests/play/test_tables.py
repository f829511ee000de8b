"""Many tables: the games of ``haiyomi play``, rewards that add up, and observations without
secrets."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError
from haiyomi.events import (
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    RiichiAccepted,
    Start,
    visible_to,
)
from haiyomi.game.decision_record import DECISION
from haiyomi.kernels.network import CONTEXT, KIND
from haiyomi.play.actions import ACTION_NAMES, N_ACTIONS, PASS, legal_mask
from haiyomi.play.match import play_game
from haiyomi.play.packed_decision import (
    decision_of,
    features,
    pack_decision,
    unpack_decisions,
)
from haiyomi.play.random_player import RandomPlayer
from haiyomi.play.tables import HandStart, Pending, Step, Tables
from haiyomi.play.wall import Wall
from haiyomi.rules import TENHOU_EAST
from haiyomi.seeds import generator
from haiyomi.styles.policy import shipped_policy
from haiyomi.styles.policy_actions import policy_actions
from haiyomi.tiles import Seat, Tile


def by_chance(pending: Pending, rng: np.random.Generator) -> NDArray[np.int64]:
    """A legal action for each row."""
    return (rng.random(pending.legal.shape) * pending.legal).argmax(axis=1)


def play_out(tables: Tables, seed: int = 0) -> list[Step]:
    """Random legal actions until no decision is open."""
    rng = np.random.default_rng(seed)
    pending, steps = tables.reset(), []
    while len(pending):
        steps.append(tables.step(by_chance(pending, rng)))
        pending = steps[-1].pending
    return steps


@pytest.mark.parametrize("reward", ["hand", "game"])
def test_rewards_add_up_to_the_games_points(reward: str) -> None:
    tables = Tables(3, seed=4, rules=TENHOU_EAST, reward=reward, auto_reset=False, record=True)  # type: ignore[arg-type]
    steps = play_out(tables)
    total = sum(step.rewards for step in steps)
    games = [tables.game(i) for i in range(3)]
    for i, game in enumerate(games):
        assert game is not None
        assert game.header.final is not None
        assert total[i].tolist() == [p - 25_000 for p in game.header.final]
        assert sum(step.hand_ended[i] for step in steps) == len(game.hands)
        (ended,) = (step for step in steps if step.game_ended[i])
        ranked = sorted(range(4), key=lambda s: (-game.header.final[s], s))  # type: ignore[index]
        assert [ended.places[i][s] for s in ranked] == [1, 2, 3, 4]


def test_a_table_does_not_depend_on_the_others() -> None:
    alone = Tables(1, seed=4, first=2, rules=TENHOU_EAST, auto_reset=False, record=True)
    among = Tables(4, seed=4, rules=TENHOU_EAST, auto_reset=False, record=True)
    first = alone.reset()
    while len(first):
        first = alone.step(first.legal.argmax(axis=1)).pending
    every = among.reset()
    while len(every):
        every = among.step(every.legal.argmax(axis=1)).pending
    assert alone.game(0) == among.game(2)
    assert among.game(2) != among.game(3)


def test_a_table_that_resets_plays_the_next_games_of_the_seed() -> None:
    tables = Tables(2, seed=4, rules=TENHOU_EAST)
    pending = tables.reset()
    while True:
        step = tables.step(pending.legal.argmax(axis=1))
        pending = step.pending
        if step.game_ended[1]:
            break
    (row,) = np.flatnonzero(pending.table == 1)[:1]
    other = Tables(1, seed=4, first=3, rules=TENHOU_EAST)
    other.reset()
    assert tables.records()[row] == other.records()[0]


def test_a_record_has_the_decision_of_its_row() -> None:
    tables = Tables(5, seed=6, rules=TENHOU_EAST, record=True)
    rng = np.random.default_rng(1)
    pending = tables.reset()
    answers = 0
    for _ in range(150):
        records = tables.records()
        assert records.dtype == DECISION
        assert records["observation"]["seat"].tolist() == pending.seat.tolist()
        assert (pending.legal.sum(axis=1) >= 2).all()
        made = [pack_decision(tables.decision(row)) for row in range(len(pending))]
        assert records.tobytes() == unpack_decisions(b"".join(made)).tobytes()
        offered = records["from"] != 255
        assert (offered == pending.legal[:, PASS]).all()
        answers += int(offered.sum())
        for row in range(len(pending)):
            assert (legal_mask(tables.decision(row).choices) == pending.legal[row]).all()
        pending = tables.step(by_chance(pending, rng)).pending
    assert answers > 20


def test_the_walls_are_those_of_games_played_from_the_seed() -> None:
    tables = Tables(1, seed=9, first=5, rules=TENHOU_EAST, auto_reset=False, record=True)
    play_out(tables)
    game = tables.game(0)
    players = [RandomPlayer(generator(1, s)) for s in range(4)]
    other = play_game(players, 9, 5, rules=TENHOU_EAST)
    assert game is not None
    assert game.hands[0].events[:2] == other.hands[0].events[:2]


def test_threads_change_nothing() -> None:
    whole = [Tables(9, seed=2, rules=TENHOU_EAST, threads=threads) for threads in (1, 3)]
    pending = [tables.reset() for tables in whole]
    for _ in range(60):
        assert whole[0].records().tobytes() == whole[1].records().tobytes()
        pending = [
            tables.step(p.legal.argmax(axis=1)).pending
            for tables, p in zip(whole, pending, strict=True)
        ]


def test_the_features_are_those_of_the_records() -> None:
    tables = Tables(3, seed=4, record=True)
    m = len(tables.reset())
    x, context = tables.features()
    assert x.shape == (m, 34, KIND) == (m, 34, 90)
    assert context.shape == (m, CONTEXT) == (m, 168)
    assert x.dtype == context.dtype == np.float32
    assert x.any(axis=(1, 2)).all()
    for records in (tables.records()[1:2], decision_of(tables.decision(1))):
        alone = features(records)
        assert np.array_equal(x[1], alone[0][0])
        assert np.array_equal(context[1], alone[1][0])


def test_the_features_of_what_are_no_records_are_refused() -> None:
    for records, sentence in (
        (np.zeros((2, 792), np.uint8), r"records of shape \(2, 792\) and 1 bytes each: expected"),
        (np.zeros((), DECISION), r"expected \(n,\) of DECISION"),
        (np.full(792, 255, np.uint8).view(DECISION), "decision record 0 is damaged"),
    ):
        with pytest.raises(HaiyomiError, match=sentence):
            features(records)


def test_uniforms_of_ones_own_choose_as_the_policy_does_and_repeat() -> None:
    tables = Tables(8, seed=4)
    pending, policy = tables.reset(), shipped_policy()
    rng, again = np.random.default_rng(5), np.random.default_rng(5)
    kinds = set()
    for _ in range(150):
        records = tables.records()
        logits = policy.logits(records)
        uniforms = rng.random((len(pending), 5))
        actions = tables.choose(logits.discards, logits.kans, logits.acts, 1.0, uniforms)
        same = policy_actions(policy, records, pending.legal, None, 1.0, again)
        assert actions.tolist() == same.tolist()
        repeated = tables.choose(logits.discards, logits.kans, logits.acts, 1.0, uniforms)
        assert np.array_equal(actions, repeated)
        kinds |= {ACTION_NAMES[a].split()[0] for a in actions.tolist()}
        pending = tables.step(actions).pending
    assert {"discard", "tsumogiri", "pass", "riichi"} <= kinds


def test_without_uniforms_each_seat_draws_from_the_games_seed() -> None:
    games = []
    for _ in range(2):
        tables = Tables(2, seed=4, rules=TENHOU_EAST, auto_reset=False, record=True)
        pending = tables.reset()
        while len(pending):
            m = len(pending)
            flat = np.zeros((m, 34)), np.full((m, 34), -3.0), np.full((m, 9), -2.0)
            pending = tables.step(tables.choose(*flat)).pending
        games.append([tables.game(0), tables.game(1)])
    assert games[0] == games[1]
    assert games[0][0] != games[0][1]


def test_logits_and_uniforms_that_do_not_fit_are_refused() -> None:
    tables = Tables(2, seed=4)
    m = len(tables.reset())
    discards, kans, acts = np.zeros((m, 34)), np.zeros((m, 34)), np.zeros((m, 9))
    for uniforms in (
        np.ones((m, 5)),
        np.full((m, 5), np.nan),
        np.zeros((m + 1, 5)),
        np.zeros((m, 4)),
    ):
        with pytest.raises(HaiyomiError, match="do not fit"):
            tables.choose(discards, kans, acts, 1.0, uniforms)
    with pytest.raises(HaiyomiError, match="do not fit"):
        tables.choose("all", kans, acts)  # type: ignore[arg-type]
    for wrong in (discards[:-1], discards[:, :-1], discards[0]):
        with pytest.raises(HaiyomiError, match=r"of 2 open decisions: expected \(2, 34\), .* 9\)$"):
            tables.choose(wrong, kans, acts)
    for part in (discards, kans, acts):
        part[1, 3] = np.inf
        with pytest.raises(HaiyomiError, match=r"do not fit: a logit is \+inf$"):
            tables.choose(discards, kans, acts)
        part[:] = 0
    legal = tables.pending.legal
    kinds = sorted({c if c < 34 else (4, 13, 22)[c - 34] for c in np.flatnonzero(legal[1]) % 37})
    discards[1, kinds] = kans[1] = acts[1] = -np.inf
    with pytest.raises(HaiyomiError, match=r"row 1: all its legal discards have -inf$"):
        tables.choose(discards, kans, acts)
    discards[1, kinds[-1]] = -9
    chosen = tables.choose(discards, kans, acts)[1]
    assert chosen % 37 == kinds[-1] or chosen % 37 >= 34
    discards[:] = 0
    for temperature in (-1.0, float("nan")):
        with pytest.raises(HaiyomiError, match="expected 0 or more"):
            tables.choose(discards, kans, acts, temperature)


def test_a_game_of_one_hand_ends_with_it() -> None:
    tables = Tables(4, seed=2, hands=1, auto_reset=False, record=True)
    for step in play_out(tables):
        assert (step.hand_ended == step.game_ended).all()
    after = tables.step([])
    assert len(after.pending) == 0
    assert not after.game_ended.any()
    with pytest.raises(HaiyomiError, match=r"^no open decision 0: there are 0, numbered from 0$"):
        tables.decision(0)
    for i in range(4):
        game = tables.game(i)
        assert game is not None
        assert len(game.hands) == 1


def test_play_goes_on_from_the_middle_of_a_hand() -> None:
    whole = Tables(1, seed=7, hands=1, auto_reset=False, record=True)
    pending = whole.reset()
    taken, starts = [], []
    while len(pending):
        starts.append(HandStart(*whole.recorded(0)[0]))
        taken.append(pending.legal.argmax(axis=1))
        pending = whole.step(taken[-1]).pending
    middle = len(taken) // 2
    again = Tables.from_hands([starts[middle]], record=True)
    for actions in taken[middle:]:
        step = again.step(actions)
    assert step.game_ended.all()
    assert again.game(0) == whole.game(0)
    before = again.pending
    assert len(before) == 0


def test_a_hand_that_its_wall_does_not_give_is_refused() -> None:
    tables = Tables(1, seed=7, hands=1, record=True)
    tables.reset()
    events, wall = tables.recorded(0)[0]
    other = (*wall[:14], *reversed(wall[14:]))
    with pytest.raises(HaiyomiError, match="hand 1: the wall has another deal"):
        Tables.from_hands([HandStart(events, wall), HandStart(events, other)])
    with pytest.raises(HaiyomiError, match="hand 0"):
        Tables.from_hands([HandStart(events[:1], wall)])
    for none in ((), wall[:-1], (*wall[:-1], 300), (*wall[:-1], -1), tuple(t + 0.5 for t in wall)):
        with pytest.raises(HaiyomiError, match="hand 1: its wall is no order of the tile ids"):
            Tables.from_hands([HandStart(events, wall), HandStart(events, none)])  # type: ignore[arg-type]
    hidden = tuple(visible_to(event, Seat(0)) for event in events)
    with pytest.raises(HaiyomiError, match="hand 1, event 1: this event cannot be replayed"):
        Tables.from_hands([HandStart(events, wall), HandStart(hidden, wall)])


def test_a_hidden_tile_changes_no_observation() -> None:
    """The tiles still to be drawn, and those of the other hands, are dealt anew."""
    tables = Tables(1, seed=8, hands=1, auto_reset=False, record=True)
    rng = np.random.default_rng(2)
    pending = tables.reset()
    compared = 0
    while len(pending):
        events, wall = tables.recorded(0)[0]
        for row, seat in enumerate(pending.seat.tolist()):
            for _ in range(3):
                made = dealt_anew(events, wall, seat, rng)
                if made is None:
                    continue
                other = Tables.from_hands([made])
                # Another seat may now have a choice as well.
                same = np.flatnonzero(other.pending.seat == seat)
                assert len(same) == 1
                assert other.records()[same[0]] == tables.records()[row]
                assert (other.pending.legal[same[0]] == pending.legal[row]).all()
                compared += 1
        pending = tables.step(by_chance(pending, rng)).pending
    assert compared > 40


def dealt_anew(
    events: Sequence[Event], wall: Sequence[int], seat: int, rng: np.random.Generator
) -> HandStart | None:
    """The hand with the tiles that a seat has not seen shuffled; None where another seat's later
    acts no longer fit its hand."""
    placed = Wall(wall)
    hands = placed.deal(Seat(events[0].kyoku % 4))  # type: ignore[union-attr]
    seen = {placed.indicator(0), *hands[seat]}
    shown = 1
    own_draws = 0
    drawn = 0
    for event in events:
        if isinstance(event, Draw):
            tile = placed.replacement() if event.rinshan else placed.draw()
            drawn += 1
            if event.seat == seat:
                seen.add(tile)
                own_draws += 1
            else:
                hands[event.seat].append(tile)
        elif isinstance(event, DoraReveal):
            seen.add(placed.indicator(shown))
            shown += 1
        elif isinstance(event, Start | Deal | RiichiAccepted):
            continue
        elif isinstance(event, Discard):
            if event.seat != seat:
                held = [t for t in hands[event.seat] if Tile.from_id(t) == event.tile]
                tile = hands[event.seat][-1] if event.tsumogiri else held[0]
                seen.add(tile)
                hands[event.seat].remove(tile)
        else:
            return None  # calls and riichi fix what the others hold
    hidden = [i for i, tile in enumerate(wall) if tile not in seen]
    moved = rng.permutation(hidden)
    tiles = list(wall)
    for place, source in zip(hidden, moved.tolist(), strict=True):
        tiles[place] = wall[source]
    fresh = Wall(tiles)
    dealt = tuple(
        tuple(Tile.from_id(t) for t in hand)
        for hand in fresh.deal(Seat(events[0].kyoku % 4))  # type: ignore[union-attr]
    )
    made: list[Event] = []
    for event in events:
        if isinstance(event, Deal):
            made.append(Deal(dealt))  # type: ignore[arg-type]
        elif isinstance(event, Draw):
            tile = fresh.replacement() if event.rinshan else fresh.draw()
            made.append(Draw(event.seat, Tile.from_id(tile), event.rinshan))
        else:
            made.append(event)
    return HandStart(tuple(made), tuple(tiles))


def test_wrong_actions_are_refused_and_nothing_is_played() -> None:
    tables = Tables(2, seed=1)
    with pytest.raises(HaiyomiError, match="call reset first"):
        tables.step([0, 0])
    pending = tables.reset()
    before = tables.records().tobytes()
    good = pending.legal.argmax(axis=1)
    for actions, sentence in (
        ([0], "expected one integer for each of 2 open decisions"),
        (good.astype(float), "float64"),
        ([int(good[0]), N_ACTIONS], r"row 1 \(table 1, seat 0\): action 207 is not legal"),
        ([-1, int(good[1])], "row 0"),
        ([[1], [1, 2]], "actions has lists of different lengths: expected integers"),
        ([int(good[0]), PASS], "action 206 is not legal"),
    ):
        with pytest.raises(HaiyomiError, match=sentence):
            tables.step(actions)
    assert tables.records().tobytes() == before
    with pytest.raises(HaiyomiError, match="n is 0, expected 1 or more"):
        Tables(0)
    with pytest.raises(HaiyomiError, match="n is 1000000000, expected at most 1,000,000"):
        Tables(10**9)
    for seed in (-1, 2**64):
        with pytest.raises(HaiyomiError, match=rf"seed is {seed}: expected 0 to 2\*\*64 - 1"):
            Tables(1, seed=seed)
        with pytest.raises(HaiyomiError, match=f"seed is {seed}"):
            tables.reset(seed)
    for name in ("n", "seed", "first", "hands", "threads"):
        with pytest.raises(HaiyomiError, match=f"{name} is nan: expected a whole number"):
            Tables(**{"n": 1, name: float("nan")})  # type: ignore[arg-type]
        with pytest.raises(HaiyomiError, match=f"{name} is True: expected a whole number"):
            Tables(**{"n": 1, name: True})
    with pytest.raises(HaiyomiError, match="first is -1, expected 0 or more"):
        Tables(1, first=-1)
    with pytest.raises(HaiyomiError, match="first is 18446744073709551615, expected at most"):
        Tables(1, first=2**64 - 1)
    with pytest.raises(HaiyomiError, match="hands is 4294967296, expected at most"):
        Tables(1, hands=2**32)
    assert tables.records().tobytes() == before
    with pytest.raises(HaiyomiError, match="record=True"):
        tables.game(0)
    with pytest.raises(HaiyomiError, match="'hand' or 'game'"):
        Tables(1, reward="place")  # type: ignore[arg-type]


def test_a_row_that_is_no_whole_number_is_named() -> None:
    tables = Tables(2, seed=1, record=True)
    tables.reset()
    for name, ask in (("open decision", tables.decision), ("table", tables.game)):
        with pytest.raises(HaiyomiError, match=rf"^{name} is 1\.5: expected a whole number$"):
            ask(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [99, -1])
def test_a_number_that_there_is_none_of_is_named(number: int) -> None:
    tables = Tables(2, seed=1, record=True)
    with pytest.raises(HaiyomiError, match="call reset first"):
        tables.game(number)
    tables.reset()
    there = "there are 2, numbered from 0$"
    with pytest.raises(HaiyomiError, match=f"^no open decision {number}: {there}"):
        tables.decision(number)
    with pytest.raises(HaiyomiError, match=f"^no table {number}: {there}"):
        tables.game(number)
    with pytest.raises(HaiyomiError, match=f"^no table {number}: {there}"):
        tables.recorded(number)  # the core's own error before


def play_on(tables: Tables, table: int) -> list[float]:
    """Points of the game of one table, played on by chance; those of the others by the first legal
    action."""
    rng, rewards = np.random.default_rng(8), np.zeros(4)
    while len(pending := tables.pending):
        rows = pending.table == table
        actions = np.argmax(pending.legal, axis=1)
        asked = Pending(pending.table[rows], pending.seat[rows], pending.legal[rows])
        actions[rows] = by_chance(asked, rng)
        rewards += tables.step(actions).rewards[table]
    return rewards.tolist()


def test_a_copy_stands_where_the_table_stood_and_goes_on_apart() -> None:
    """The same actions lead to the same points, whatever is done at the table and at other copies;
    and the same logits choose the same."""
    tables = Tables(2, seed=5, reward="game", record=True)
    rng, pending = np.random.default_rng(3), tables.reset()

    def chosen(of: Tables) -> list[int]:
        flat = (np.zeros((len(of.pending), n), np.float32) for n in (34, 34, 9))
        return of.choose(*flat).tolist()

    for _ in range(300):
        chosen(tables)
        pending = tables.step(by_chance(pending, rng)).pending
    one, three, all_ = tables.copy([1]), tables.copy([1, 0, 1]), tables.copy()
    row = pending.table == 1
    before = tables.records()
    assert (one.records() == before[row]).all()
    assert (one.pending.legal == pending.legal[row]).all()
    assert one.recorded(0) == three.recorded(0) == all_.recorded(1) == tables.recorded(1)
    assert chosen(all_) == (drawn := chosen(tables))
    assert chosen(one) == np.array(drawn)[row].tolist()
    points = play_on(one, 0)
    assert any(points)
    assert points == play_on(three, 2) == play_on(all_, 1)
    assert (tables.records() == before).all()
    assert one.game(0) == all_.game(1)
    assert one.game(0) is not None


@pytest.mark.parametrize("at", [[2], [-1], [0, 1, 7], [2**40]])
def test_a_copy_of_no_table_is_refused(at: list[int]) -> None:
    tables = Tables(2)
    with pytest.raises(HaiyomiError, match="not begun"):
        tables.copy()
    tables.reset()
    with pytest.raises(HaiyomiError, match=f"no table {at[-1]}: there are 2"):
        tables.copy(at)


@pytest.mark.parametrize("at", [[0.5], [True, False], [float("nan")], [2**70], "a"])
def test_a_copy_of_what_is_no_number_is_refused(at: list[int]) -> None:
    tables = Tables(2)
    tables.reset()
    with pytest.raises(HaiyomiError, match="expected the numbers of tables"):
        tables.copy(at)


def test_a_copy_goes_on_by_itself() -> None:
    """``copy.copy`` shared what is played: a step of one moved both."""
    tables = Tables(1, seed=3)
    pending = tables.reset()
    other = copy.copy(tables)
    tables.step(pending.legal.argmax(axis=1))
    assert np.array_equal(other.pending.legal, pending.legal)


def test_a_deep_copy_goes_on_as_the_tables_do() -> None:
    """With the next games of the seed, which a plain copy does not begin."""
    tables = Tables(2, seed=5, hands=1)
    other = copy.deepcopy(tables)
    for one in (tables, other):
        one.reset()
    for n in range(200):
        if n == 20:
            other = copy.deepcopy(tables)
            held = other.pending.legal.copy()
            tables.step(tables.pending.legal.argmax(axis=1))
            assert np.array_equal(other.pending.legal, held)
            other.step(other.pending.legal.argmax(axis=1))
        actions = tables.pending.legal.argmax(axis=1)
        mine, theirs = (one.step(actions) for one in (tables, other))
        assert np.array_equal(mine.pending.legal, theirs.pending.legal)
        assert np.array_equal(mine.rewards, theirs.rewards)
    assert np.array_equal(tables._numbers, other._numbers)
    assert tables._numbers.min() >= 2
