"""How often a policy takes each option, and the numbers of options, which the core works out.

Of n decisions with b options, those of a decision side by side; ``outcomes.option_actions`` and
``outcomes.option_inputs`` say what the numbers mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from haiyomi import _core
from haiyomi.arrays import Bytes, Floats, Ints, Singles


@dataclass(frozen=True, slots=True, eq=False)
class CoreOptions:
    """``records`` (n, bytes) as ``game.decision_record.as_bytes`` gives them; of each option its
    decision ``row`` (b,), ascending, and ``sort``, ``kind`` and ``red`` (b,) as in
    ``OptionActions``."""

    records: Bytes
    row: Ints
    sort: Bytes
    kind: Bytes
    red: Bytes

    def shares(self, discards: Singles, kans: Singles, acts: Singles) -> Floats:
        """(b,) how often a policy takes each option, by its logits (n, 34), (n, 34), (n, 9). Raises
        ValueError for a damaged record and for options that are not of these decisions."""
        return _core.option_shares(
            self.records, self.row, self.sort, self.kind, self.red,
            *map(np.ascontiguousarray, (discards, kans, acts)),
        )  # fmt: skip

    def inputs(
        self, share: Floats, ron: Singles, tenpai: Singles, han: Singles
    ) -> tuple[Singles, Floats]:
        """(b, 45) the numbers of the options, and (b, 3) P that opponents 1, 2, 3 win on the tile
        at once; from the shares and the network's (n, 3, 34) and (n, 3) log odds and (n, 3, 34, 8)
        logits. Raises ValueError as ``shares``."""
        return _core.option_inputs(
            self.records, self.row, self.sort, self.kind, self.red, share,
            *map(np.ascontiguousarray, (ron, tenpai, han)),
        )  # fmt: skip

    def win_tiles(self, kuitan: bool) -> Ints:
        """(b, 7) the unseen tiles on which the hand that an option leaves tenpai may win later: by
        own draw and by ron; and of those by own draw: dora by the indicators, honours, ones and
        nines, twos and eights, threes and sevens. -1 of other options, and of kans and calls, after
        which the waits depend on the next discard. Open tanyao counts with ``kuitan``; yaku of the
        last tile, of a kan and of the first turn do not. Raises ValueError as ``shares``."""
        return _core.option_win_tiles(
            self.records, self.row, self.sort, self.kind, self.red, kuitan
        )

    def open_steps(self, kuitan: bool) -> Ints:
        """(b, 3) the tiles that an open hand lacks after a discard: for a complete hand; for one
        with a yakuhai, simples (with ``kuitan``), one suit with honours, or triplets; and for one
        with these, a straight, a run in three suits, or outside. Zeros of other options and of
        closed hands. Bounds from below: whether a tile is left is asked of yakuhai, straights and
        runs in three suits alone. Raises ValueError as ``shares``."""
        return _core.option_steps(self.records, self.row, self.sort, self.kind, self.red, kuitan)
