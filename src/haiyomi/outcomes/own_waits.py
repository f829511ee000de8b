"""What the own hand waits on after the options of a block that leave it tenpai."""

from __future__ import annotations

import numpy as np

from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, score_one
from haiyomi.outcomes.answer import OwnWait
from haiyomi.outcomes.excluded import furiten_after, waits_after
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.tiles import N_KINDS, TILES, Tile


def own_waits(block: OptionBlock) -> dict[int, OwnWait]:
    """The wait of each discard, riichi and own kan that leaves the hand tenpai, by the option's
    number; none of a hand that waits only on kinds of which it holds all four."""
    some = np.flatnonzero((block.shanten == 0) & block.does("discard", "riichi", "ankan", "kakan"))
    if not len(some):
        return {}
    waited = waits_after(block, some)
    some, waited = some[waited > 0], waited[waited > 0]
    row, options = block.row[some].tolist(), block.flat
    furiten = furiten_after(block, some, waited).tolist()
    riichi = block.does("riichi")[some].tolist()
    found = {}
    for i, number in enumerate(some.tolist()):
        position = block.decisions[row[i]].position
        own, option = position.players[0], options[number]
        kinds = on = ron = [kind for kind in range(N_KINDS) if int(waited[i]) >> kind & 1]
        # Whoever wins on the last tile of the hand has a yaku.
        if not (riichi[i] or own.riichi or position.draws_left == 1):
            ron = [kind for kind in kinds if _has_yaku(position, option, kind)]
        able = kinds
        if own.open_melds:
            able = [kind for kind in kinds if _has_yaku(position, option, kind, True)]
            on = able or kinds
        # A hand without any yaku has nothing to be furiten of.
        barred = furiten[i] and bool(able or ron)
        if barred:
            ron = []
        found[number] = OwnWait(*_tiles(position, on), barred, *_tiles(position, ron))
    return found


def _tiles(position: Position, kinds: list[int]) -> tuple[tuple[Tile, ...], int]:
    """Some kinds as tiles, and how many of them are not seen."""
    return tuple([TILES[kind] for kind in kinds]), sum([position.unseen[kind] for kind in kinds])


def _has_yaku(position: Position, option: Option, kind: int, tsumo: bool = False) -> bool:
    """Whether the hand that an option leaves may win on a kind without riichi."""
    hand, tile = list(position.hand), option.tiles[0]
    melds = [(MeldType[meld.kind.upper()], meld.base) for meld in position.players[0].melds]
    if option.act == "ankan":
        hand = [other for other in hand if other.kind != tile.kind]
        melds.append((MeldType.ANKAN, tile.kind))
    else:
        hand.remove(tile)
    return score_one(
        [*hand, kind],
        kind,
        melds=melds,
        round_wind=position.round_wind,
        seat_wind=position.seat_wind(0),
        tsumo=tsumo,
        rules=position.rules,
    ).has_yaku
