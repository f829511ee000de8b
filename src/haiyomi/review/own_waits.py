"""What the own hand waits on after an option that leaves it tenpai."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from haiyomi.kernels.waits import KIND_BITS, waits
from haiyomi.outcomes.tenpai_worth import wins_without_riichi
from haiyomi.tiles import N_KINDS, TILES, Tile, kind_counts

if TYPE_CHECKING:
    from haiyomi.game.position import Position
    from haiyomi.outcomes.option import Option


class OwnWait(NamedTuple):
    """After the discard of ``tile`` the hand waits on the kinds ``on``, of which the seat does not
    see ``left`` tiles; whether it is in ``furiten``, and whether it can win by ron as it is
    (``ron``): in silence only with a yaku."""

    tile: Tile
    on: tuple[Tile, ...]
    left: int
    furiten: bool
    ron: bool


def own_wait(position: Position, option: Option) -> OwnWait | None:
    """The wait after a discard or a riichi of a tile of the hand, None where it leaves no tenpai
    and of other options."""
    hand = list(position.hand)
    if option.act not in ("discard", "riichi") or option.tiles[0] not in hand:
        return None
    tile = option.tiles[0]
    hand.remove(tile)
    own = position.players[0]
    melded = [each for meld in own.melds for each in meld.tiles]
    counts = np.array([kind_counts(hand), kind_counts(melded)], np.uint8)
    mask = int(waits(*counts))
    if not mask:
        return None
    kinds = [kind for kind in range(N_KINDS) if mask >> kind & 1]
    passed = own.riichi_mask if own.riichi else 0
    furiten = mask & (own.river_mask | passed | int(KIND_BITS[tile.kind])) != 0
    declared = own.riichi or option.act == "riichi"
    return OwnWait(
        tile,
        tuple(TILES[kind] for kind in kinds),
        sum(position.unseen[kind] for kind in kinds),
        furiten,
        not furiten and (declared or wins_without_riichi(position, tile)),
    )
