"""The draw after an own kan: who is tenpai without riichi wins by it as often as tiles are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.game.position import Position
from haiyomi.outcomes import forecast
from haiyomi.outcomes.corrections.kan_draws import KAN_DRAWS, RIICHI_KANS, with_kan_draws
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.joint import JOINT
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.stated_decision import decision_at
from haiyomi.seeds import generator
from haiyomi.tiles import parse_tiles

OTHERS = {name: {"river": "4z 9p 2z 1z 3z"} for name in "WN"}
CLOSED = {"hand": "111m234p56s99s555z", "own": {"river": "9s 1s 8p 6z 9m"}}
ADDED = {
    "hand": "112m678p34s55p",
    "own": {"river": "9s 1z 9p 2z 4p", "melds": ["pon 2m22m from E"]},
}


def position(case: Mapping[str, Any], drawn: str, left: int) -> Position:
    called = "2m^S" if "melds" in case["own"] else "1s"
    east = {"river": f"4z 9p 2z {called} 3z 6z"}
    return Position.from_json({
        "seat": "S", "indicators": "4z", "hand": case["hand"], "drawn": drawn, "draws_left": left,
        "players": OTHERS | {"E": east, "S": case["own"]},
    })  # fmt: skip


def moved(at: Position, kan: str) -> tuple[np.ndarray, np.ndarray]:
    """(33,) probabilities of a kan before and after; those of other options stay as they are."""
    block = OptionBlock.of([decision_at(at)])
    p = generator(1, "kan").dirichlet(np.ones(33), (1, len(block.act))).transpose(2, 0, 1)
    found = with_kan_draws(block, p)
    i = block.flat.index(Option.parse(kan))
    others = np.arange(len(block.act)) != i
    np.testing.assert_array_equal(found[:, :, others], p[:, :, others])
    return p[:, 0, i], found[:, 0, i]


@pytest.mark.parametrize("left", [2, 5, 8, 30])
@pytest.mark.parametrize(
    ("case", "kan", "drawn", "waits"),
    [(CLOSED, "ankan 1m", "1m", "47s"), (ADDED, "kakan 2m", "1m", "25s")],
)
def test_a_kan_that_leaves_the_hand_tenpai_may_win_at_once(
    case: Mapping[str, Any], kan: str, drawn: str, waits: str, left: int
) -> None:
    at = position(case, drawn, left)
    before, after = moved(at, kan)
    unseen = sum(at.unseen[tile.kind] for tile in parse_tiles(waits))
    draw = unseen / sum(at.unseen) * min(left / KAN_DRAWS, 1)
    own = [joint.ending is Ending.TSUMO for joint in JOINT]
    np.testing.assert_allclose(after, before * (1 - draw) + draw * np.array(own))


def test_short_of_tenpai_nothing_moves() -> None:
    case = {**CLOSED, "hand": "111m234p58s99s555z"}
    before, after = moved(position(case, "1m", 30), "ankan 1m")
    np.testing.assert_array_equal(after, before)


def test_a_kan_in_riichi_wins_by_its_live_tiles() -> None:
    """Eight 4s and 7s are live. The ways of winning keep their shares, and so do the others."""
    at = position({**CLOSED, "own": {"river": "9s 1s 8p 6z 9m!"}}, "1m", 30)
    assert sum(at.unseen[tile.kind] for tile in parse_tiles("47s")) == 8
    before, after = moved(at, "ankan 1m")
    win = before[:4].sum()
    first, slope, tiles, draws = RIICHI_KANS
    odds = np.exp(first + slope * np.log(win / (1 - win)) + tiles * np.log(8 / 5) + draws * 30)
    assert after[:4].sum() == pytest.approx(odds / (1 + odds))
    np.testing.assert_allclose(after[:4] / after[:4].sum(), before[:4] / win)
    np.testing.assert_allclose(after[4:] / after[4:].sum(), before[4:] / (1 - win))


def test_a_kan_in_riichi_that_waits_in_furiten_stays_as_it_is() -> None:
    at = position({**CLOSED, "own": {"river": "9s 4s 8p 6z 9m!"}}, "1m", 30)
    before, after = moved(at, "ankan 1m")
    np.testing.assert_array_equal(after, before)


def test_a_forecast_has_the_draw_after_a_kan(monkeypatch: pytest.MonkeyPatch) -> None:
    at = position(ADDED, "1m", 30)

    def own_draws() -> float:
        (found,) = outcomes_of(Models(), [decision_at(at)], "points")
        kan = next(o for o in found if o.option == Option.parse("kakan 2m"))
        return kan.probability(Ending.TSUMO)

    now = own_draws()
    monkeypatch.setattr(forecast, "with_kan_draws", lambda _, p: p)
    unseen = sum(at.unseen[tile.kind] for tile in parse_tiles("25s"))
    assert now > own_draws() + 0.7 * unseen / sum(at.unseen)
