"""From the win program's values to ``OwnWin``."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.analysis.value import OwnWin
from haiyomi.winning.own import Own


def own_wins_of(owns: Sequence[Own]) -> tuple[OwnWin, ...]:
    """Of each discard that the program follows, likeliest to win first."""
    return tuple(OwnWin(o.tile, o.win, o.tenpai, o.points) for o in owns if o.followed)
