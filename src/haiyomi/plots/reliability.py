"""A reliability diagram: observed against predicted in bins."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from haiyomi.plots.picture import COLOURS, Picture, look, new_picture, percent

Bin = tuple[float, float, float, float]
"""Mean prediction, observed share, and the ends of its interval."""
SIDE = 4.0
"""Inches."""
_TICKS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability_diagram(title: str, bins: Sequence[Bin]) -> Picture:
    """Both axes are square roots, so that small probabilities can be distinguished."""
    top = min(1.05 * max([0.02, *(max(p, high) for p, _, _, high in bins)]), 1.0)
    with look():
        picture = new_picture(title, "predicted", "observed", SIDE, SIDE)
        axes = picture.axes
        axes.plot([0, top], [0, top], color="#999999", linestyle="--", linewidth=1)
        for predicted, _, low, high in bins:
            axes.plot([predicted, predicted], [max(low, 0.0), high], color=COLOURS[0], linewidth=1)
        axes.plot([b[0] for b in bins], [b[1] for b in bins], "o", color=COLOURS[0], clip_on=False)
        for axis, bound in ((axes.xaxis, axes.set_xlim), (axes.yaxis, axes.set_ylim)):
            scale = axes.set_xscale if axis is axes.xaxis else axes.set_yscale
            scale("function", functions=(_root, _square))
            bound(0.0, top)
            axis.set_major_locator(FixedLocator(_marks(top)))
            axis.set_minor_locator(NullLocator())
            axis.set_major_formatter(FuncFormatter(percent))
        axes.set_aspect("equal")
        return picture.finished()


def _root(value):  # type: ignore[no-untyped-def]  # Matplotlib passes an array
    return abs(value) ** 0.5


def _square(value):  # type: ignore[no-untyped-def]
    return value**2


def _marks(top: float) -> list[float]:
    """From the right: what would run into its neighbour is left out."""
    shown: list[float] = []
    for mark in reversed(_TICKS):
        if mark <= top and (not shown or (shown[-1] / top) ** 0.5 - (mark / top) ** 0.5 > 0.11):
            shown.append(mark)
    return shown[::-1]
