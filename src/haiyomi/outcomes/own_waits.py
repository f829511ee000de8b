"""What the own hand waits on after the options of a block that leave it tenpai."""

from __future__ import annotations

import numpy as np

from haiyomi.outcomes.answer import OwnWait
from haiyomi.outcomes.excluded import furiten_after, waits_after
from haiyomi.outcomes.option_actions import option_rows
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.tiles import N_KINDS, TILES


def own_waits(block: OptionBlock) -> dict[int, OwnWait]:
    """The wait of each discard and riichi that leaves the hand tenpai, by the option's number."""
    some = np.flatnonzero((block.shanten == 0) & block.does("discard", "riichi"))
    if not len(some):
        return {}
    row = block.row[some].tolist()
    waited = waits_after(block, some)
    furiten = furiten_after(block, some, waited).tolist()
    by_ron = option_rows(block.records, block.actions).win_tiles()[some, 1] > 0
    riichi = block.does("riichi")[some].tolist()
    found = {}
    for i, number in enumerate(some.tolist()):
        position = block.decisions[row[i]].position
        kinds = [kind for kind in range(N_KINDS) if int(waited[i]) >> kind & 1]
        left = sum(position.unseen[kind] for kind in kinds)
        declared = riichi[i] or position.players[0].riichi
        ron = not furiten[i] and (declared or bool(by_ron[i]))
        found[number] = OwnWait(tuple(TILES[kind] for kind in kinds), left, furiten[i], ron)
    return found
