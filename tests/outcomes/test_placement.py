"""Where a game ends: the rules against every case, and the network against what must hold."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haiyomi.corpus import Corpus
from haiyomi.errors import HaiyomiError, ModelError
from haiyomi.events import by_place, final_scores
from haiyomi.game.game_end import game_over, may_go_on, places_of
from haiyomi.kernels.replay import HandEnd, replay
from haiyomi.outcomes.placement import (
    COLUMNS,
    LAYERS,
    PAIRS,
    PLACE_MARKS,
    WIDTH_IN,
    PlacementModel,
    inputs,
    shipped,
)
from haiyomi.outcomes.starts import HandEnds, Starts
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset
from haiyomi.seeds import generator
from haiyomi.storage.model_file import float16_text, write_model

RULES = (TENHOU, TENHOU_EAST, TENHOU.but(tobi=False))
SCORES = [
    (40000, 30000, 30000, 0),
    (30000, 30000, 20000, 20000),
    (29900, 29900, 29900, 10300),
    (20000, 20000, 20000, 40000),
    (20000, 30000, 30000, 20000),
    (-100, 50100, 25000, 25000),
    (25000, 25000, 25000, 25000),
]


def every_end() -> list[HandEnd]:
    kinds = ("win", "abort", "exhaustive")
    return [
        HandEnd(kind, renchan, scores, sticks, kyoku, 0)
        for kind, renchan, scores, sticks, kyoku in product(
            kinds, (False, True), SCORES, (0, 2), range(14)
        )
    ]


@pytest.mark.parametrize("rules", RULES)
def test_the_columns_follow_the_rules_of_one_hand(rules: Ruleset) -> None:
    ends = every_end()
    columns = HandEnds.of(ends)
    assert columns.over(rules).tolist() == [game_over(end, rules) for end in ends]
    assert columns.final().tolist() == [list(final_scores(e.scores, e.sticks)) for e in ends]
    order = np.argsort(places_of(columns.scores), axis=1)
    assert order.tolist() == [list(by_place(end.scores)) for end in ends]


def test_real_and_made_games_end_where_the_columns_say(root: Path) -> None:
    for _, game in Corpus(root / "tests" / "samples"):
        ends = [replay(hand, game.header.rules)[0] for hand in game]
        over = HandEnds.of(ends).over(game.header.rules)
        assert not over[:-1].any()
        assert over[-1] == (game.header.final is not None)


@pytest.mark.corpus
def test_every_game_of_valid_ends_where_the_columns_say(corpus: Path) -> None:
    for name, game in Corpus(corpus / "valid.zip"):
        rules = game.header.rules
        ends = [replay(hand, rules)[0] for hand in game]
        columns = HandEnds.of(ends)
        early = [end for end, over in zip(ends[:-1], columns.over(rules)[:-1], strict=True) if over]
        assert all(may_go_on(end, rules) for end in early), name
        assert columns.over(rules)[-1], name
        assert tuple(columns.final()[-1].tolist()) == game.header.final, name


def starts_of(rows: list[tuple[int, int, int, int, tuple[int, int, int, int]]]) -> Starts:
    numbers = np.array([row[:4] for row in rows], np.int32).reshape(-1, 4)
    return Starts(*numbers.T, np.array([row[4] for row in rows], np.int32).reshape(-1, 4))


@given(
    st.lists(
        st.tuples(
            st.integers(1, 2),
            st.integers(0, 11),
            st.integers(0, 9),
            st.integers(0, 6),
            st.tuples(*[st.integers(0, 600).map(lambda n: 100 * n)] * 4),
        ),
        max_size=5,
    )
)
def test_places_sum_to_one_by_seat_and_by_place(rows: list[object]) -> None:
    starts = starts_of(rows)  # type: ignore[arg-type]
    found = shipped().starts(starts)
    assert found.places.shape == (len(rows), 4, 4)
    assert np.allclose(found.places.sum(axis=1), 1, atol=1e-9, rtol=0)
    assert np.allclose(found.places.sum(axis=2), 1, atol=1e-9, rtol=0)
    total = starts.scores.sum(axis=1) + 1000 * starts.sticks
    assert np.allclose(found.final.sum(axis=1), total)


def test_one_start_is_a_batch_of_one() -> None:
    rows = [(2, k, k % 3, k % 2, (31000 - 100 * k, 22000, 27000, 20000)) for k in range(12)]
    whole = shipped().starts(starts_of(rows))
    for number, row in enumerate(rows):
        alone = shipped().starts(starts_of([row]))
        assert alone.places[0].tolist() == whole.places[number].tolist()
        assert alone.final[0].tolist() == whole.final[number].tolist()


def test_a_finished_game_is_certain_and_an_unfinished_one_is_not() -> None:
    won = HandEnd("win", False, (30000, 30000, 20000, 20000), 0, 8, 0)
    aborted = HandEnd("abort", True, (30000, 30000, 20000, 20000), 0, 7, 1)
    found = shipped().ends(HandEnds.of([won, aborted]), TENHOU)
    assert found.places[0].tolist() == np.eye(4).tolist()  # ties go to the earlier seat
    assert found.final[0].tolist() == [30000, 30000, 20000, 20000]
    assert ((found.places[1] > 0) & (found.places[1] < 1)).all()


def test_the_deposits_go_to_the_first_of_a_finished_game() -> None:
    end = HandEnd("exhaustive", False, (30100, 29900, 19000, 18000), 3, 8, 1)
    found = shipped().ends(HandEnds.of([end]), TENHOU)
    assert found.final[0].tolist() == [33100, 29900, 19000, 18000]


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (3, 0, 1, 2), (2, 3, 1, 0)])
def test_the_network_treats_the_seats_alike(order: tuple[int, ...]) -> None:
    """Seats in another order have their places in that order."""
    rows = [
        (2, k, k % 3, k % 2, (31000 - 700 * k, 22000, 27000 + 700 * k, 20000)) for k in range(8)
    ]
    x = inputs(starts_of(rows))
    number = {(int(i), int(j)): at for at, (i, j) in enumerate(PAIRS)}
    moved = x[:, [number[order[i], order[j]] for i, j in PAIRS]]
    p, gain = shipped().orders(x)
    q, gained = shipped().orders(np.ascontiguousarray(moved))
    assert np.allclose(gained, gain[:, list(order)], atol=1e-5)
    places = (p @ PLACE_MARKS.T).reshape(-1, 4, 4)[:, list(order)]
    assert np.allclose((q @ PLACE_MARKS.T).reshape(-1, 4, 4), places, atol=1e-5)


def test_the_inputs_are_what_the_columns_say() -> None:
    """Kyoku beyond the extra round, more honba and sticks than count, ties, and scores that are no
    hundreds."""
    rows = [
        (2, 7, 9, 6, (25000, 25000, 30100, 19900)),
        (1, 0, 1, 1, (-3000, 90000, 12345, 655)),
        (2, 13, 0, 0, (200000, -99900, 0, -100)),
    ]
    x = inputs(starts_of(rows))
    assert x.shape == (3, 12, WIDTH_IN)
    for found, (rounds, kyoku, honba, sticks, scores) in zip(x, rows, strict=True):
        hand = min(max(4 * rounds + 3 - kyoku, 0), 11)
        for numbers, (i, j) in zip(found, PAIRS.tolist(), strict=True):
            apart = scores[i] - scores[j]
            expected = [
                *np.tanh(apart / np.array([1000, 4000, 12000])),
                1 if (apart, j) > (0, i) else -1,
                (scores[i] - 25000) / 10000, (scores[j] - 25000) / 10000,
                *np.eye(4)[(i - kyoku) % 4], *np.eye(4)[(j - kyoku) % 4],
                *np.eye(12)[hand],
                rounds - 1, min(honba, 6) / 3, min(sticks, 5) / 2,
            ]  # fmt: skip
            np.testing.assert_allclose(numbers, expected, rtol=1e-6)


def test_the_turn_from_the_dealer_on_tells_seats_apart() -> None:
    """In East 1 the dealer gains most and the seats are no longer alike."""
    starts = starts_of([(2, 0, 0, 0, (25000,) * 4), (2, 1, 0, 0, (25000,) * 4)])
    final = shipped().starts(starts).final
    assert final.std(axis=1).min() > 1
    x = inputs(starts)
    turns = x[:, :, COLUMNS["turns"]]
    assert (turns.sum(axis=2) == 2).all()
    assert (x[0][:, COLUMNS["turns"]] != x[1][:, COLUMNS["turns"]]).any()


def test_more_points_are_never_worse() -> None:
    """The second of a hanchan's last hand gains on the first, step by step."""
    rows = [(2, 7, 0, 0, (30000 - d, 20000 + d, 26000, 24000)) for d in range(0, 9000, 500)]
    first = shipped().starts(starts_of(rows)).places[:, 1, 0]
    assert (np.diff(first) > 0).all()
    assert first[0] < 0.1
    assert first[-1] > 0.3


def test_other_rules_are_refused_by_name() -> None:
    ends = HandEnds.of([HandEnd("win", False, (30000, 30000, 20000, 20000), 0, 8, 0)])
    shipped().ends(ends, MAHJONG_SOUL)
    with pytest.raises(HaiyomiError, match="tobi True, not False"):
        shipped().ends(ends, TENHOU.but(tobi=False))
    with pytest.raises(HaiyomiError, match="not for 4 rounds"):
        shipped().ends(ends, TENHOU.but(rounds=4))


def test_a_file_with_layers_that_do_not_fit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    layers = {
        name: [float16_text(np.zeros((3, 28))), float16_text(np.zeros(28))] for name in LAYERS
    }
    write_model(file, "placement", 1, layers, {})
    with pytest.raises(ModelError, match=r"small\.json: layer pair has the shape \(3, 28\)"):
        PlacementModel.load(file)
    write_model(file, "placement", 1, {"pair": layers["pair"]}, {})
    with pytest.raises(ModelError, match=r"small\.json"):
        PlacementModel.load(file)


def test_a_network_fits_what_it_is_shown(tmp_path: Path) -> None:
    """Where the leader always wins, a fit of a minute learns it, and the file says the same."""
    pytest.importorskip("torch")
    from haiyomi.training.fit_placement import PlacementSettings, fit_network, place_loss
    from haiyomi.training.placement_rows import PlacementRows

    rng = generator(3, "made")
    scores = 100 * rng.multinomial(1000, [0.25] * 4, size=6000).astype(np.int32)
    ones = np.ones(6000, np.int32)
    starts = Starts(2 * ones, 7 * ones, 0 * ones, 0 * ones, scores)
    rows = PlacementRows(np.arange(6000, dtype=np.int32), starts, scores)
    model = fit_network(rows, PlacementSettings(pair=16, seat=16, epochs=6, batch=128, rate=2e-2))
    loss = place_loss(model.starts(starts).places, rows.place)
    assert loss.mean() < 0.2 < np.log(4)
