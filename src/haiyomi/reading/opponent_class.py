"""The class of an opponent: in riichi, or by its open melds. Models and tables are split by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Ints
from haiyomi.game.observation import Observations, observations_of, open_melds
from haiyomi.game.player_view import PlayerView
from haiyomi.game.position import Position

CLASSES: Final = ("riichi", "3 melds", "2 melds", "1 meld", "closed")
"""Four open melds count as three, concealed kans as none."""
CLOSED: Final = len(CLASSES) - 1


def class_of(observations: Observations, opponent: NDArray[Any]) -> Ints:
    """(n,) index into CLASSES of each row's relative seat ``opponent``."""
    return class_of_players(observations["players"][np.arange(len(observations)), opponent])


def class_of_players(players: NDArray[Any]) -> Ints:
    """(n,) index into CLASSES of players (n,) of ``observation.PLAYER``."""
    by_melds = CLOSED - np.minimum(open_melds(players), 3)
    out: Ints = np.where(players["riichi"] >= 0, 0, by_melds)
    return out


def totals_of(observations: Observations, opponent: NDArray[Any]) -> Bytes:
    """(n,) concealed tiles of the opponent."""
    out: Bytes = observations["players"]["concealed"][np.arange(len(observations)), opponent]
    return out


def class_of_player(player: PlayerView) -> int:
    """Index into CLASSES."""
    return 0 if player.riichi else CLOSED - min(player.open_melds, 3)


def opponents_of(positions: Sequence[Position]) -> tuple[Observations, Ints]:
    """(3n,) observations of n positions and the relative seats that they are of, 1 to 3."""
    return np.repeat(observations_of(positions), 3), np.tile(np.array([1, 2, 3]), len(positions))
