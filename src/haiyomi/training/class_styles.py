"""The style vectors of classes of players, from those that a fit learned of single players.

A class's vector is the mean over its players' (at least ``LEAST_PLAYERS``), by their games: no
player's own is written. A player's class follows from their hanchan in the train split
(``styles.classes``).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.styles.classes import StyleClasses
from haiyomi.styles.sums_table import Tallies, vectors

LEAST_PLAYERS: Final = 3


def class_vectors(
    classes: StyleClasses, tallies: Tallies, players: tuple[str, ...], of_player: Singles
) -> tuple[dict[str, Singles], dict[str, int]]:
    """(vector by class, players behind it) of players' vectors (players, STYLE)."""
    place = {name: i for i, name in enumerate(players)}
    found = vectors(tallies)
    belongs = classes.assign(found.values, found.occasions)
    out: dict[str, Singles] = {}
    behind: dict[str, int] = {}
    for number, name in enumerate(classes.names):
        mine = [
            i for i, player in enumerate(found.players) if player in place and belongs[i] == number
        ]
        if len(mine) < LEAST_PLAYERS:
            continue
        weight = found.games[mine].astype(np.float64)
        each = of_player[[place[found.players[i]] for i in mine]].astype(np.float64)
        out[name] = ((each * weight[:, None]).sum(axis=0) / weight.sum()).astype(np.float32)
        behind[name] = len(mine)
    return out, behind
