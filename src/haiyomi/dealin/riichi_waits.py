"""The waits behind the risk that ``kurita-hoki`` sees in a riichi, or in a closed hand.

Its probabilities of waits (5.3) say more than their sum on a tile: which waits, and how much of
the risk each is. Of an opponent with open melds the model knows hands, not waits: no answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from haiyomi.dealin.kurita_hoki import KuritaHoki
from haiyomi.dealin.waits import WAITS, Wait
from haiyomi.game.position import Position


@dataclass(frozen=True, slots=True)
class WaitPart:
    """A wait and its share of the risk of one tile against one opponent."""

    wait: Wait
    share: float


def wait_parts(model: KuritaHoki, position: Position, seat: int) -> dict[int, list[WaitPart]]:
    """For each kind, the waits that win on it by relative seat 1-3, likeliest first; the shares
    of a kind sum to one. Empty for an opponent with open melds that is not in riichi.
    """
    player = position.players[seat]
    if player.open_melds and not player.riichi:
        return {}
    river = player.river
    if player.riichi_index is not None:
        river = river[: player.riichi_index + 1]
    p = model.riichi.wait_probabilities(river, player.furiten_mask, position.unseen)
    found: dict[int, list[WaitPart]] = {}
    for m in np.argsort(-p, kind="stable").tolist():
        if p[m] <= 0:
            break
        for kind in WAITS[m].wins:
            found.setdefault(int(kind), []).append(WaitPart(WAITS[m], float(p[m])))
    return {kind: _shares(parts) for kind, parts in found.items()}


def _shares(parts: list[WaitPart]) -> list[WaitPart]:
    total = sum(part.share for part in parts)
    return [WaitPart(part.wait, part.share / total) for part in parts]
