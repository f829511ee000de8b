"""When a game ends: the rules between two hands, public to every seat."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haiyomi.arrays import Ints
from haiyomi.events import by_place
from haiyomi.kernels.replay import HandEnd
from haiyomi.rules import Ruleset


def rows_by_place(scores: NDArray[np.integer]) -> Ints:
    """(n, 4) the seats of ``by_place``, of n rows of four scores."""
    return np.argsort(-scores, axis=1, kind="stable")


def places_of(scores: NDArray[np.integer]) -> Ints:
    """(n, 4) the place 0-3 of each seat, of n rows of four scores."""
    return np.argsort(rows_by_place(scores), axis=1, kind="stable")


def honba_after(honba: int, won: ArrayLike, renchan: ArrayLike) -> Ints:
    """Of each end of a hand, ``won`` or drawn, the honba of the next hand: one more, but none after
    a win that passes the deal on."""
    return np.where(np.logical_and(won, np.logical_not(renchan)), 0, honba + 1)


def game_over(end: HandEnd, rules: Ruleset) -> bool:
    """Whether the game ends after a hand that ended so (``Ruleset.ends_game``)."""
    scores = end.scores
    first, aborted = by_place(scores)[0], end.kind == "abort"
    return bool(
        rules.ends_game(aborted, end.renchan, min(scores), max(scores), first, end.next_kyoku)
    )


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
