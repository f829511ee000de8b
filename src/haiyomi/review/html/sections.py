"""What each room adds to a decision on the page: the seam for what is not deal-in risk.

A section answers for one Assessment with a JSON value, or None where it has nothing to say;
the page draws the sections that it finds. The values that the page knows:

``win``     {"d": [[tile, P(win), expected points], ...], "tsumo": 1 if own draws alone count}
``hands``   [[34 mean counts, [kind names of the likeliest hand]] or None for seats 1, 2, 3]
``styles``  [[class name, [[tile, share], ...]], ...]
``waits``   {tile: [[[words, share], ...] for seats 1, 2, 3]}, the shares of that risk
"""

from __future__ import annotations

from typing import Any, Protocol

from haiyomi.review.assessment import Assessment


class Section(Protocol):
    """A named addition to every decision."""

    @property
    def name(self) -> str: ...

    def of(self, assessment: Assessment) -> Any:
        """The value to show for one position, None for nothing."""
        ...


SECTIONS: tuple[Section, ...] = ()
"""Those that are shown, in this order."""
