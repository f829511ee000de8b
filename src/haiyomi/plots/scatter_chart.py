"""A scatter chart: groups of points, each in a colour and a mark of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haiyomi.plots.picture import COLOURS, MARKS, Picture, look, new_picture, plain

Point = tuple[float, float]


def scatter_chart(
    title: str,
    x_name: str,
    y_name: str,
    groups: Mapping[str, Sequence[Point]],
    marked: Mapping[str, Point] | None = None,
) -> Picture:
    """Each group is named at the right with its number of points; ``marked`` points are crosses
    with their names."""
    with look():
        picture = new_picture(title, x_name, y_name)
        axes = picture.axes
        for number, (name, points) in enumerate(groups.items()):
            axes.scatter(
                [x for x, _ in points],
                [y for _, y in points],
                s=18,
                color=COLOURS[number % len(COLOURS)],
                marker=MARKS[number % len(MARKS)],
                alpha=0.8,
                linewidths=0,
                label=plain(f"{name} ({len(points)})"),
            )
        low, high = axes.get_xlim()
        for name, (x, y) in (marked or {}).items():
            axes.plot([x], [y], marker="+", markersize=11, markeredgewidth=2, color="black")
            left = x > (low + high) / 2
            axes.annotate(
                plain(name),
                (x, y),
                xytext=(-7 if left else 7, 5),
                textcoords="offset points",
                ha="right" if left else "left",
                weight="bold",
                bbox={"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5},
            )
        if groups:
            picture.figure.legend(loc="outside right upper")
        return picture.finished()
