"""Wins at once on the tile that an option discards, or adds to a triplet: whose, and how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.dealin.answer import TileRisk
from haiyomi.kernels.option_endings import wins_at_once
from haiyomi.outcomes.option_block import OptionBlock

Risks: TypeAlias = tuple[TileRisk, TileRisk, TileRisk]
"""Of one tile against each opponent."""


@dataclass(frozen=True, slots=True, eq=False)
class WinsAtOnce:
    """Wins at once on the tiles of b options. ``first`` (b, 3): P that opponent 1, 2 or 3 is the
    first winner in turn; ``lost`` (b, 3) the mean points lost then, to all winners; ``classes``
    (b, 3, 9) P of the class of that winner's hand; ``aborted`` (b,) P that three win, where the
    rules abort the hand."""

    first: Floats
    lost: Floats
    classes: Floats
    aborted: Floats

    @property
    def nobody(self) -> Floats:
        """(b,) P that nobody wins on the tile."""
        a, b, c = self.first.T
        out: Floats = 1 - (a + b + c) - self.aborted
        return out


def at_once(block: OptionBlock, risks: Sequence[Risks | None]) -> WinsAtOnce:
    """Of options, by the risks of those that discard a tile or add one to a triplet. The three
    opponents' wins are taken as independent."""
    positions = [decision.position for decision in block.decisions]
    honba = 300 * np.array([p.honba for p in positions])[block.row]
    dealer = np.array([p.dealer for p in positions])[block.row]
    found = [
        (3 * i + r, risk)
        for i, three in enumerate(risks)
        if three is not None
        for r, risk in enumerate(three)
        if risk.probability > 0
    ]
    cells = [risk.rows.cells for _, risk in found]
    return WinsAtOnce(
        *wins_at_once(
            np.array([at for at, _ in found], np.int64),
            np.array([risk.probability for _, risk in found], np.float64),
            np.array([risk.rows.expected_loss for _, risk in found], np.float64),
            np.array([len(each) for each in cells], np.int64),
            np.concatenate([np.zeros((0, 4)), *cells]),
            honba,
            dealer,
            positions[0].rules.triple_ron,
        )
    )
