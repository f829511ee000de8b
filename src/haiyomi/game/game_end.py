"""When a game ends, and its final scores: the rules between two hands, public to every seat."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haiyomi.arrays import Ints
from haiyomi.events import FourScores, by_place
from haiyomi.kernels.replay import HandEnd
from haiyomi.rules import DEPOSIT, Ruleset

EXTRA_ROUND = 4
"""Hands of the extra round, played while nobody has reached the target."""
LAST_KYOKU = 15
"""North 4, after which no rules play on."""


def rows_by_place(scores: NDArray[np.integer]) -> Ints:
    """(n, 4) the seats of ``by_place``, of n rows of four scores."""
    return np.argsort(-scores, axis=1, kind="stable")


def places_of(scores: NDArray[np.integer]) -> Ints:
    """(n, 4) the place 0-3 of each seat, of n rows of four scores."""
    return np.argsort(rows_by_place(scores), axis=1, kind="stable")


def final_scores(scores: FourScores, sticks: int) -> FourScores:
    """Scores at the game's end: deposits left on the table go to the first place."""
    first = by_place(scores)[0]
    a, b, c, d = (p + DEPOSIT * sticks * (s == first) for s, p in enumerate(scores))
    return a, b, c, d


def honba_after(honba: int, won: ArrayLike, renchan: ArrayLike) -> Ints:
    """Of each end of a hand, ``won`` or drawn, the honba of the next hand: one more, but none after
    a win that passes the deal on."""
    return np.where(np.logical_and(won, np.logical_not(renchan)), 0, honba + 1)


def game_over(end: HandEnd, rules: Ruleset) -> bool:
    """Whether the game ends after a hand that ended so.

    It ends when someone falls below zero (tobi); after the last hand of the last round, or
    of a hand of the extra round, if someone has the target; when the dealer of such a hand
    wins or is tenpai, has the target and leads; and with the extra round, or North 4. Abortive
    draws decide nothing, deposits on the table do not count.
    """
    scores = end.scores
    first, aborted = by_place(scores)[0], end.kind == "abort"
    return bool(
        ends_game(rules, aborted, end.renchan, min(scores), max(scores), first, end.next_kyoku)
    )


def ends_game(
    rules: Ruleset, aborted: Any, renchan: Any, least: Any, most: Any, first: Any, next_kyoku: Any
) -> Any:
    """The rule of ``game_over``, of one end of a hand or of arrays (n,): the ``least`` and the
    ``most`` points of a seat, the seat that leads, and what ``HandEnd`` has."""
    last = 4 * rules.rounds - 1
    reached = most >= rules.target_points
    stays = renchan & reached & (first == next_kyoku % 4)
    passes = (reached & (next_kyoku > last)) | (next_kyoku > min(last + EXTRA_ROUND, LAST_KYOKU))
    late = (next_kyoku >= last) & (aborted ^ True)
    return (rules.tobi & (least < 0)) | (late & (stays | ((renchan ^ True) & passes)))


def may_go_on(end: HandEnd, rules: Ruleset) -> bool:
    """Whether an older record may continue where ``game_over`` ends the game.

    Tenhou's games of 2009 went on after a draw with a leading tenpai dealer in the last hand,
    and after an extra round that nobody won; those of 2020 and later end there.
    """
    if rules.tobi and min(end.scores) < 0:
        return False
    if end.renchan:
        return end.kind == "exhaustive"
    return max(end.scores) < rules.target_points
