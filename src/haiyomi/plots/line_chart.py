"""A line chart: several series over one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.ticker import FuncFormatter, MaxNLocator

from haiyomi.plots.picture import COLOURS, MARKS, Picture, look, new_picture, percent, plain


def line_chart(
    title: str,
    x_name: str,
    y_name: str,
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    shares: bool = False,
) -> Picture:
    """Each of ``series`` is as long as ``x`` and named at the right. ``shares``: the values are
    shares of one and are shown as percentages from zero."""
    with look():
        picture = new_picture(title, x_name, y_name)
        axes = picture.axes
        for number, (name, values) in enumerate(series.items()):
            axes.plot(
                x,
                values,
                color=COLOURS[number % len(COLOURS)],
                marker=MARKS[number % len(MARKS)],
                linestyle=("-", "--", ":")[number // len(COLOURS) % 3],
                label=plain(name),
            )
        axes.xaxis.set_major_locator(
            MaxNLocator("auto", integer=all(float(v).is_integer() for v in x))
        )
        if shares:
            axes.yaxis.set_major_formatter(FuncFormatter(percent))
            axes.set_ylim(bottom=0.0)
        if series:
            picture.figure.legend(loc="outside right upper")
        return picture.finished()
