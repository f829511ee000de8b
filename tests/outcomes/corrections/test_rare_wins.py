"""Wins in furiten, without a yaku and without a tile: few come, and nothing else moves."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.game.decision_record import as_bytes
from haiyomi.game.position import Position
from haiyomi.kernels.option_inputs import CoreOptions
from haiyomi.kernels.scoring import MeldType, score_one
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.corrections.rare_wins import (
    FAR_FROM_YAKU,
    UNKNOWN,
    RareWins,
    no_yaku_part,
    open_no_yaku_part,
)
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision
from haiyomi.play.stated_decision import decision_at
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator
from haiyomi.tiles import TILES, kind_counts

OPEN = {"river": "9s 1z 9p 2z 4p", "melds": ["chi 1s23s from E"]}
OTHERS = {name: {"river": "4z 9p 2z 1z 3z"} for name in "WN"} | {
    "E": {"river": "4z 9p 2z 1s^S 3z 6z"}
}


def test_only_the_options_with_rare_wins_move_and_probabilities_sum_to_one() -> None:
    before = generator(1, "rare").dirichlet(np.ones(33), (2, 4))
    by_draw, by_ron = np.array([1.0, 1.0, 0.5, 0.0]), np.array([1.0, 0.0, 0.25, 0.0])
    after = RareWins(by_draw, by_ron).apply(before)
    np.testing.assert_array_equal(after[:, 0], before[:, 0])
    np.testing.assert_allclose(after.sum(axis=2), 1)
    assert (after[:, 1, 1:4] == 0).all()
    assert (after[:, 3, :4] == 0).all()
    # Among the other endings nothing is more or less likely than before.
    np.testing.assert_allclose(
        after[..., 4:] / after[..., 4:].sum(axis=2, keepdims=True),
        before[..., 4:] / before[..., 4:].sum(axis=2, keepdims=True),
    )
    np.testing.assert_allclose(after[:, 2, :4], before[:, 2, :4] * [0.5, 0.25, 0.25, 0.25])


def may_win(decision: RecordedDecision, option: Option, kuitan: bool) -> list[int]:
    """The unseen tiles that complete the hand after a discard with a yaku, by own draw and by ron,
    scored one by one; of the first the dora, honours, ends, seconds and thirds; -1 without
    tenpai."""
    position, own = decision.position, decision.position.players[0]
    left = list(position.hand)
    left.remove(option.tiles[0])
    counts = np.array([kind_counts(left)], np.uint8)
    if int(shanten(counts)[0]):
        return [-1] * 7
    mask = int(waits(counts)[0])
    found = [0] * 7
    melds = [(MeldType[meld.kind.upper()], meld.base) for meld in own.melds]
    for kind in (k for k in range(34) if mask >> k & 1):
        by_draw, by_ron = (
            score_one(
                [tile.kind for tile in left] + [kind], kind, melds=melds, tsumo=tsumo,
                round_wind=position.round_wind, seat_wind=27 + (4 - position.dealer) % 4,
                riichi=int(own.riichi or option.act == "riichi"), rules=TENHOU.but(kuitan=kuitan),
            ).has_yaku
            for tsumo in (True, False)
        )  # fmt: skip
        number = str(TILES[kind])[0]
        wins = [by_draw, by_ron, by_draw and position.dora[kind] > 0, by_draw and kind >= 27]
        wins += [by_draw and kind < 27 and number in ends for ends in ("19", "28", "37")]
        found = [n + position.unseen[kind] * win for n, win in zip(found, wins, strict=True)]
    return found


@pytest.mark.parametrize("kuitan", [True, False])
def test_the_tiles_that_win_are_those_that_score(kuitan: bool) -> None:
    found = [d for seed in range(4) for d in played(seed) if d.offer is None]
    block = OptionBlock.of(found)
    actions = block.actions
    rows = CoreOptions(
        as_bytes(block.records), actions.row, actions.sort, actions.kind, actions.red.view(np.uint8)
    )
    tiles = rows.win_tiles(kuitan)
    seen = {"closed": 0, "open": 0, "without a yaku": 0, "dora": 0, "ends": 0}
    for i in np.flatnonzero(block.does("discard", "riichi")).tolist():
        decision, option = found[block.row[i]], block.flat[i]
        due = may_win(decision, option, kuitan)
        assert tiles[i].tolist() == due, (decision.position, option)
        if due[0] >= 0:
            seen["open" if decision.position.players[0].open_melds else "closed"] += 1
            seen["without a yaku"] += due[1] == 0
            seen["dora"] += due[2] > 0
            seen["ends"] += min(due[4], due[5]) > 0 or due[6] > 0
    assert min(seen.values()) > 3


def outcomes(position: dict[str, object]) -> dict[Option, Outcome]:
    (found,) = outcomes_of(Models(), [decision_at(Position.from_json(position))], "points")
    return {outcome.option: outcome for outcome in found}


@pytest.mark.parametrize("draws_left", [30, 48])
def test_an_open_hand_without_a_yaku_hardly_wins(draws_left: int) -> None:
    """The same wait with 123 in three suits and without."""
    wins = []
    for hand in ("123m123p56m55p", "123m678p56m55p"):
        found = outcomes({
            "seat": "S", "indicators": "4z", "hand": hand, "drawn": "9m", "draws_left": draws_left,
            "players": OTHERS | {"S": OPEN},
        })  # fmt: skip
        wins.append(found[Option.parse("discard 9m")].win)
    assert wins[0] > 0.2
    assert wins[1] < wins[0] / 2.5


def test_open_all_simples_hardly_win_where_they_are_no_yaku() -> None:
    """They won as often under all rules."""
    wins = []
    for kuitan in (True, False):
        found = outcomes({
            "seat": "S", "indicators": "4z", "hand": "345m678p56m55p", "drawn": "9m",
            "draws_left": 30, "rules": {"kuitan": kuitan},
            "players": OTHERS | {
                "E": {"river": "4z 9p 2z 2s^S 3z 6z"}, "S": OPEN | {"melds": ["chi 2s34s from E"]},
            },
        })  # fmt: skip
        wins.append(found[Option.parse("discard 9m")].win)
    assert wins[0] > 0.2
    assert wins[1] < wins[0] / 2


def test_a_riichi_on_tiles_that_are_all_seen_never_wins() -> None:
    found = outcomes({
        "seat": "S", "indicators": "7p", "hand": "123m456m789s99s46p", "drawn": "1z",
        "draws_left": 30,
        "players": {
            "E": {"river": "5p 9p 2z 1z 3z 6z"}, "W": {"river": "5p 9p 2z 1z 3z"},
            "N": {"river": "5p 0p 2z 4z 3z"}, "S": {"river": "2z 6z 3z 7z 4z"},
        },
    })  # fmt: skip
    riichi = found[Option.parse("riichi 1z")]
    assert riichi.win == 0
    assert riichi.probability(Ending.DRAW_TENPAI) > 0


@pytest.mark.parametrize("riichi", [False, True])
def test_a_kan_in_furiten_hardly_wins_by_ron(riichi: bool) -> None:
    rons, draws = [], []
    for thrown in ("8p", "7s"):
        found = outcomes({
            "seat": "S", "indicators": "4z", "hand": "111m234p56s99s555z", "drawn": "1m",
            "draws_left": 30,
            "players": OTHERS | {
                "E": {"river": "4z 9p 2z 1s 3z 6z"},
                "S": {"river": f"9s 1s {thrown} 6z 9m{'!' if riichi else ''}"},
            },
        })  # fmt: skip
        kan = found[Option.parse("ankan 1m")]
        rons.append(kan.probability(Ending.RON))
        draws.append(kan.probability(Ending.TSUMO))
    assert rons[0] > 0.1
    assert rons[1] == 0 if riichi else rons[1] < rons[0] / 3
    assert draws[1] > draws[0] / 2


def test_damaten_in_furiten_wins_by_ron_less_often_than_by_own_draw() -> None:
    found = outcomes({
        "seat": "S", "indicators": "4z", "hand": "123456m45678p99s", "drawn": "1z",
        "draws_left": 14,
        "players": {
            "E": {"river": "4z 9p 2s 8s 1m 9m 1z 2z 9s 3z 7z 6z"},
            "S": {"river": "2z 6p 3z 7z 4z 1s 9m 6z 5z 1s 3z"},
            "W": {"river": "3z 1s 2z 7s 8s 5z 7z 1p 9m 2s 1m"},
            "N": {"river": "1s 4z 2z 5z 9m 1p 1z 7z 6z 9p 2m"},
        },
    })  # fmt: skip
    riichi, damaten = (found[Option.parse(f"{act} 1z")] for act in ("riichi", "discard"))
    assert riichi.probability(Ending.RON) == 0
    assert damaten.probability(Ending.RON) < damaten.probability(Ending.TSUMO) / 2
    assert riichi.win > damaten.win - 0.03


def test_a_win_on_the_last_tile_needs_no_other_yaku() -> None:
    assert no_yaku_part(np.array([1, 2, 4, 10, 75])) == pytest.approx([1.0, 1.0, 0.5, 0.2, 1.0])


def test_what_an_open_hand_lacks_for_a_yaku_counts_early() -> None:
    left = np.array([2, 6, 14, 22, 28, 60])
    one, two = np.ones(6, np.int64), np.full(6, 2)
    everybody, nobody = np.ones(6), np.zeros(6)
    found = open_no_yaku_part(left, one, everybody)
    assert found == pytest.approx([1.0, 1 / 3, 0.2, 0.5, 1.0, 1.0])
    assert open_no_yaku_part(left, one, nobody)[3:] == pytest.approx(found[3:] * (1 - UNKNOWN))
    for share in (everybody, nobody):
        assert open_no_yaku_part(left, two, share)[2:] == pytest.approx([FAR_FROM_YAKU] * 4)
