"""The final scores of a whole game whose record does not state them."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import (
    AbortiveDraw,
    ExhaustiveDraw,
    FourScores,
    Hand,
    RiichiAccepted,
    Win,
    by_place,
    final_scores,
)
from haiyomi.rules import DEPOSIT, Ruleset


def final_scores_of(hands: Sequence[Hand], rules: Ruleset) -> FourScores | None:
    """What the rules make of some hands; None unless they are a whole game: from East 1 to the
    first hand after which ``rules`` end it. Where nobody says whether the dealer of a draw was
    tenpai, the game ends with the last hand if it can, and with no earlier one."""
    first = hands[0].start
    if first.kyoku or first.honba or first.sticks or set(first.scores) != {rules.start_points}:
        return None
    if any(all(_ends(hand, rules)) for hand in hands[:-1]):
        return None
    passed, stayed = _ends(hands[-1], rules)
    return passed or stayed


def _ends(hand: Hand, rules: Ruleset) -> tuple[FourScores | None, FourScores | None]:
    """The final scores if the game ends with a hand, None if it goes on: where an untold dealer was
    noten, and was tenpai."""
    return _end(hand, rules, False), _end(hand, rules, True)


def _end(hand: Hand, rules: Ruleset, untold: bool) -> FourScores | None:
    """The final scores if the game ends with a hand, None if it goes on. ``untold``: whether the
    dealer of a draw was tenpai where the record does not say so."""
    start = hand.start
    scores, sticks = list(start.scores), start.sticks
    renchan = aborted = False
    for event in hand.events:
        match event:
            case RiichiAccepted(seat=seat):
                scores[seat] -= DEPOSIT
                sticks += 1
            case Win(seat=seat, deltas=deltas):
                scores = [a + b for a, b in zip(scores, deltas, strict=True)]
                sticks = 0
                renchan |= seat == start.dealer
            case ExhaustiveDraw(deltas=deltas, tenpai=tenpai):
                scores = [a + b for a, b in zip(scores, deltas, strict=True)]
                renchan = untold if tenpai is None else tenpai[start.dealer]
            case AbortiveDraw():
                renchan = aborted = True
    kyoku = start.kyoku + (not renchan)
    leads = by_place(scores)[0]
    if not rules.ends_game(aborted, renchan, min(scores), max(scores), leads, kyoku):
        return None
    a, b, c, d = scores
    return final_scores((a, b, c, d), sticks)
