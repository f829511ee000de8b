"""Rows of the imitation: the decisions of each seat and their labels, on made games."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from training.policy_rows import PolicyRows, game_rows

from haiyomi.events import Absence, Chi, Discard, Game, Pon, Riichi, Win
from haiyomi.game.decision_record import CHI_HIGH, CHI_LOW, PON, RIICHI, RON, TSUMO
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.tiles import Seat


@pytest.fixture(scope="module")
def game() -> Game:
    return simulate_rule_players(
        5, 2, styles=[RULE_STYLES[n] for n in ("balanced", "caller", "bold", "timid")]
    )


@pytest.fixture(scope="module")
def rows(game: Game) -> PolicyRows:
    return game_rows("made", game)


def _free_discards(game: Game) -> int:
    """Discards not forced by one's own riichi."""
    n = 0
    for hand in game.hands:
        riichi: set[int] = set()
        declaring = None
        for event in hand.events:
            if isinstance(event, Riichi):
                declaring = event.seat
            if isinstance(event, Discard):
                n += event.seat not in riichi
                if declaring is not None:
                    riichi.add(declaring)
                    declaring = None
    return n


def test_every_free_discard_is_a_row(game: Game, rows: PolicyRows) -> None:
    free = rows.labels["discard"] < 34
    riichi = rows.decisions["observation"]["players"]["riichi"][:, 0] >= 0
    assert int((free & ~riichi).sum()) == _free_discards(game)


def test_what_was_chosen_was_legal(rows: PolicyRows) -> None:
    labels, decisions = rows.labels, rows.decisions
    assert not (labels["chosen"] & ~labels["decided"]).any()
    assert not (labels["decided"] & ~decisions["legal"]).any()
    free = np.flatnonzero(labels["discard"] < 34)
    bit = decisions["discards"][free] >> labels["discard"][free].astype(np.uint64)
    assert (bit & np.uint64(1)).all()
    assert (rows.code[free] < 37).all()


def test_calls_and_wins_are_all_there(game: Game, rows: PolicyRows) -> None:
    events = [e for hand in game.hands for e in hand.events]
    chosen = rows.labels["chosen"]

    def of(*acts: int) -> int:
        return int(sum((chosen >> a & 1).sum() for a in acts))

    assert of(CHI_LOW, CHI_LOW + 1, CHI_HIGH) == sum(isinstance(e, Chi) for e in events)
    assert of(PON) == sum(isinstance(e, Pon) for e in events)
    assert of(RIICHI) == sum(isinstance(e, Riichi) for e in events)
    wins = [e for e in events if isinstance(e, Win)]
    assert of(TSUMO) == sum(w.tsumo for w in wins)
    assert of(RON) == sum(not w.tsumo for w in wins)


def test_a_dropped_line_is_left_out(game: Game, rows: PolicyRows) -> None:
    away = dataclasses.replace(game, absences=(Absence(1, 0, Seat(2)),))
    left = game_rows("away", away)
    mine = (rows.seat == 2) & (rows.hand >= 1)
    assert len(left) == len(rows) - int(mine.sum())
    assert mine.any()
