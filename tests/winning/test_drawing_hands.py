"""Hands about to draw: a closed tenpai hand may declare riichi with any draw."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.winning.convention import find_convention
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import win_table

HANDS = (
    "123m456p789s1122z",
    "34m567p345678s11z",
    "123m456p78s11222z",
    "1133m5577p2244s6z",
    "19m19p19s1234567z",
)


@pytest.mark.parametrize("hand", HANDS)
def test_a_tenpai_hand_is_worth_something_at_every_turn(hand: str) -> None:
    """A named case: where more tiles helped than the wall had, the hand itself was taken
    for one that cannot be held, and was worth nothing at turns 2 to 14."""
    result = win_table(WinQuestion.parse(hand)).to_json()
    win, points = np.array(result["win"]["draw"]), np.array(result["points"]["draw"])
    assert (np.diff(win) < 0).all()
    assert (np.diff(points[:-1]) < 0).all()
    useful_only = find_convention("default").but(extra=0)
    plain = win_table(WinQuestion.parse(hand), useful_only).to_json()["win"]["draw"]
    # No exchange helps these waits: any draw that does not win is thrown again.
    assert win == pytest.approx(np.array(plain), abs=1e-12)
