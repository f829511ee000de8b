"""What each room adds to a decision on the page: the seam for what is not deal-in risk.

A section answers for one Assessment with a JSON value, or None where it has nothing to say;
the page draws the sections that it finds. The values that the page knows:

``win``     {"d": [[tile, P(win), expected points], ...], "tsumo": 1 if own draws alone count}
``hands``   [[34 expected counts in hundredths, a hand in notation], ...] for seats 1, 2, 3
``styles``  [[class name, [[tile, share], ...]], ...]
``waits``   {tile: [[[shape, kinds, thousandths of the risk], ...] for seats 1, 2, 3]}; the shapes
            are those of ``dealin.waits``, ``pairs`` and ``orphans``
"""

from __future__ import annotations

from typing import Any, Protocol

from haiyomi.review.assessment import Assessment
from haiyomi.tiles import format_tiles


class Section(Protocol):
    """A named addition to every decision."""

    @property
    def name(self) -> str: ...

    def of(self, assessment: Assessment) -> Any:
        """The value to show for one position, None for nothing."""
        ...


class Hands:
    """What each opponent may hold, by the chain of ``reading``; not asked once in riichi."""

    name = "hands"

    def of(self, assessment: Assessment) -> Any:
        """Three of [expected copies of each kind in hundredths, the best hand's notation]."""
        import numpy as np

        from haiyomi.reading.answer import tiles_of
        from haiyomi.reading.chain import shipped, totals_of
        from haiyomi.reading.decode import best_agreement
        from haiyomi.reading.sights import sights_of

        position = assessment.position
        if len(position.discards) < 2:
            return None
        sights, opponent = np.repeat(sights_of([position]), 3), np.array([1, 2, 3])
        marginals = shipped().marginals(sights, opponent)
        best = best_agreement(marginals, totals_of(sights, opponent))
        expected = np.rint(100 * (marginals @ np.arange(5.0))).astype(int).tolist()
        return [[expected[i], format_tiles(tiles_of(best[i]))] for i in range(3)]


SECTIONS: tuple[Section, ...] = (Hands(),)
"""Those that are shown, in this order."""
