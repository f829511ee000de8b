"""How hands ended: rare endings by hand, and the games of records."""

from __future__ import annotations

from pathlib import Path

import pytest
from game.small_hands import DRAW, TENPAI, hand
from game.test_endings import FOUR_READY, FOUR_RIICHI, THREE, wins
from outcomes.hand_outcome import outcome_of

from haiyomi.corpus import Corpus
from haiyomi.errors import TruncatedError
from haiyomi.events import AbortiveDraw, ExhaustiveDraw, Hand, Win
from haiyomi.outcomes.ending import Ending
from haiyomi.play.decision import decisions
from haiyomi.rules import TENHOU


def test_there_are_fourteen_endings_with_words() -> None:
    assert [e.value for e in Ending] == list(range(14))
    assert len({e.text for e in Ending}) == 14
    assert Ending.DEAL_IN_LEFT.text == "deal-in to the player to the left"
    assert Ending.TSUMO_ACROSS.text == "tsumo of the player across"
    assert [e for e in Ending if e.wins] == [Ending.TSUMO, Ending.RON]
    assert [e.value for e in Ending if e.deals_in] == [2, 3, 4]


def test_two_rons_of_one_tile_as_each_seat_sees_them() -> None:
    outcome = outcome_of(hand(THREE, "7z", "0+5p 0-5p!", *wins(1, 3, sticks=2), sticks=2), TENHOU)
    assert [outcome.seen_by(s) for s in range(4)] == [
        Ending.DEAL_IN_RIGHT,
        Ending.RON,
        Ending.RON_LEFT,  # the first in turn is seat 1, to the left of seat 2
        Ending.RON,
    ]
    assert outcome.changes == (-2600, 1300 + 2000, 0, 1300)
    assert outcome.end.sticks == 0


def test_an_aborted_hand_costs_the_deposits() -> None:
    outcome = outcome_of(
        hand(FOUR_READY, "7z", FOUR_RIICHI + "3r", AbortiveDraw("four-riichi")), TENHOU
    )
    assert {outcome.seen_by(s) for s in range(4)} == {Ending.ABORTED}
    assert outcome.changes == (-1000,) * 4


def test_an_exhaustive_draw_names_who_was_tenpai() -> None:
    outcome = outcome_of(DRAW, TENHOU)
    assert [outcome.seen_by(s) == Ending.DRAW_TENPAI for s in range(4)] == list(TENPAI)
    last = DRAW.events[-1]
    assert isinstance(last, ExhaustiveDraw)
    unnamed = Hand((*DRAW.events[:-1], ExhaustiveDraw(last.deltas, None)))
    with pytest.raises(TruncatedError, match="does not name the tenpai seats"):
        outcome_of(unnamed, TENHOU)


def agree(path: Path, step: int) -> int:
    """Hands whose outcome is what decisions and payments of the record say."""
    n = 0
    for _, game in list(Corpus(path))[::step]:
        outcomes = [outcome_of(each, game.header.rules) for each in game]
        for each, outcome in zip(game, outcomes, strict=True):
            start, end = each.start, outcome.end
            assert sum(outcome.changes) == 1000 * (start.sticks - end.sticks)
            won = tuple(e.seat for e in each.events if isinstance(e, Win))
            assert outcome.winners == won
            for seat in range(4):
                ending = outcome.seen_by(seat)
                assert ending.wins == (seat in won)
                if ending.wins:
                    assert outcome.changes[seat] > 0
                elif ending is Ending.ABORTED or ending >= Ending.RON_RIGHT:
                    assert outcome.changes[seat] >= -8000  # noten, a nagashi mangan, a deposit
                else:
                    assert outcome.changes[seat] < 0
            n += 1
        for decision in decisions(game):
            scores = [0] * 4
            for relative, player in enumerate(decision.position.players):
                scores[decision.position.absolute(relative)] = player.score
            a, b, c, d = scores
            change = outcomes[decision.hand].change_from((a, b, c, d))
            assert change[decision.seat] == decision.gain
    return n


def test_the_outcomes_of_made_games_are_what_their_payments_say(root: Path) -> None:
    assert agree(root / "tests" / "samples", 1) > 20


@pytest.mark.corpus
def test_the_outcomes_of_real_games_are_what_their_payments_say(corpus: Path) -> None:
    assert agree(corpus / "valid.zip", 40) > 40
