"""Players with a style vector of their own during a fit: those with enough games."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haiyomi.training.policy_rows import PolicyRows


def players_of(rows: PolicyRows, games: int) -> tuple[str, ...]:
    """The names with at least so many games, sorted."""
    names, counts = np.unique(rows.names[np.unique(rows.game)], return_counts=True)
    return tuple(n for n, c in zip(names.tolist(), counts.tolist(), strict=True) if c >= games)


def player_codes(rows: PolicyRows, players: tuple[str, ...]) -> NDArray[np.int64]:
    """(n,) each row's player as 1 plus the index into ``players``, 0 for all others."""
    place = {name: i for i, name in enumerate(players, 1)}
    table = np.array(
        [[place.get(n, 0) for n in four] for four in rows.names.tolist()], np.int64
    ).reshape(-1, 4)
    return table[rows.game, rows.seat]
