"""The waits behind the risk that ``kurita-hoki`` sees in a riichi, or in a closed hand.

Its probabilities of waits (5.3) say more than their sum on a tile: which waits, and how much of
the risk each is. Of an opponent with open melds the model knows hands, not waits: no answer.
"""

from __future__ import annotations

import numpy as np

from haiyomi.dealin.answer import WaitShare
from haiyomi.dealin.riichi import RiichiTables
from haiyomi.dealin.waits import WAITS, Wait
from haiyomi.game.position import Position


def shares_by_kind(
    tables: RiichiTables, position: Position, seat: int
) -> dict[int, tuple[WaitShare, ...]]:
    """For each kind, the waits that win on it by relative seat 1-3, likeliest first; the shares
    of a kind sum to one. Empty for an opponent with open melds that is not in riichi.
    """
    player = position.players[seat]
    if player.open_melds and not player.riichi:
        return {}
    river = player.river
    if player.riichi_index is not None:
        river = river[: player.riichi_index + 1]
    p = tables.wait_probabilities(river, player.furiten_mask, position.unseen)
    found: dict[int, list[tuple[Wait, float]]] = {}
    for m in np.argsort(-p, kind="stable").tolist():
        if p[m] <= 0:
            break
        for kind in WAITS[m].wins:
            found.setdefault(int(kind), []).append((WAITS[m], float(p[m])))
    return {kind: _shares(waits) for kind, waits in found.items()}


def _shares(waits: list[tuple[Wait, float]]) -> tuple[WaitShare, ...]:
    total = sum(p for _, p in waits)
    return tuple(WaitShare(wait.shape, wait.wins, wait.held, p / total) for wait, p in waits)
