"""Rons in furiten: none after riichi, few after damaten, and nothing else moves."""

from __future__ import annotations

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.game.position import Position
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.furiten import with_furiten
from haiyomi.outcomes.option import Option
from haiyomi.play.stated_decision import decision_at
from haiyomi.seeds import generator


def test_only_the_options_in_furiten_move_and_probabilities_sum_to_one() -> None:
    before = generator(1, "furiten").dirichlet(np.ones(33), (2, 4))
    furiten, riichi = np.array([0, 1, 1, 1], bool), np.array([1, 1, 0, 0], bool)
    after = with_furiten(before, furiten, np.array([40.0, 40.0, 40.0, 8.0]), riichi)
    np.testing.assert_array_equal(after[:, 0], before[:, 0])
    np.testing.assert_allclose(after.sum(axis=2), 1)
    assert (after[:, 1, 1:4] == 0).all()
    # Among the other endings nothing is more or less likely than before.
    others = [0, *range(4, 33)]
    np.testing.assert_allclose(
        after[..., others] / after[..., others].sum(axis=2, keepdims=True),
        before[..., others] / before[..., others].sum(axis=2, keepdims=True),
    )
    odds = (p[..., 1:4].sum(axis=2) / p[..., others].sum(axis=2) for p in (after, before))
    ratio = np.divide(*odds)
    np.testing.assert_allclose(ratio[:, 2:], [[0.25, 0.05]] * 2)


def test_damaten_in_furiten_wins_by_ron_less_often_than_by_own_draw() -> None:
    position = Position.from_json({
        "seat": "S", "indicators": "4z", "hand": "123456m45678p99s", "drawn": "1z",
        "draws_left": 14,
        "players": {
            "E": {"river": "4z 9p 2s 8s 1m 9m 1z 2z 9s 3z 7z 6z"},
            "S": {"river": "2z 6p 3z 7z 4z 1s 9m 6z 5z 1s 3z"},
            "W": {"river": "3z 1s 2z 7s 8s 5z 7z 1p 9m 2s 1m"},
            "N": {"river": "1s 4z 2z 5z 9m 1p 1z 7z 6z 9p 2m"},
        },
    })  # fmt: skip
    (found,) = outcomes_of(Models(), [decision_at(position)], "points")
    by = {outcome.option: outcome for outcome in found}
    riichi, damaten = (by[Option.parse(f"{act} 1z")] for act in ("riichi", "discard"))
    assert riichi.probability(Ending.RON) == 0
    assert damaten.probability(Ending.RON) < damaten.probability(Ending.TSUMO) / 2
    assert riichi.win > damaten.win - 0.03
