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
from haiyomi.game.game_end import final_scores, game_over, may_go_on, places
from haiyomi.kernels.replay import HandEnd, replay
from haiyomi.outcomes.placement import COLUMNS, PlacementModel, inputs, shipped
from haiyomi.outcomes.starts import HandEnds, Starts, places_of
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset
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
    assert order.tolist() == [list(places(end.scores)) for end in ends]


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
        assert np.allclose(alone.places[0], whole.places[number], atol=1e-6)


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


def test_only_the_turn_from_the_dealer_on_tells_seats_apart() -> None:
    """The same table with its seats renamed, the deal with them, has the same places."""
    scores = (26100, 31000, 22000, 20900)
    here = starts_of([(2, 4, 1, 0, scores)])
    renamed = Starts(
        *(getattr(here, name) for name in ("rounds", "kyoku", "honba", "sticks")),
        np.roll(here.scores, 1, axis=1),
    )
    x, y = inputs(here)[0], inputs(renamed)[0]
    turn = COLUMNS["turn"]
    assert x[: turn.start].tolist() == y[: turn.start].tolist()
    assert np.roll(x[turn].reshape(4, 4), 1, axis=1).tolist() == y[turn].reshape(4, 4).tolist()
    assert x[turn.stop :].tolist() == y[turn.stop :].tolist()


def test_other_rules_are_refused_by_name() -> None:
    ends = HandEnds.of([HandEnd("win", False, (30000, 30000, 20000, 20000), 0, 8, 0)])
    shipped().ends(ends, MAHJONG_SOUL)
    with pytest.raises(HaiyomiError, match="tobi True, not False"):
        shipped().ends(ends, TENHOU.but(tobi=False))
    with pytest.raises(HaiyomiError, match="not for 4 rounds"):
        shipped().ends(ends, TENHOU.but(rounds=4))


def test_a_file_with_layers_that_do_not_fit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    layer = [float16_text(np.zeros((3, 28))), float16_text(np.zeros(28))]
    write_model(file, "placement", 1, {"layers": [layer]}, {})
    with pytest.raises(ModelError, match=r"small\.json: a layer of shape \(3, 28\)"):
        PlacementModel.load(file)
