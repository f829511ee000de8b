"""A player among the classes of players."""

from __future__ import annotations

import numpy as np

from haiyomi.plots.picture import Picture
from haiyomi.plots.scatter_chart import scatter_chart
from haiyomi.styles.answer import PlayerStyle
from haiyomi.styles.classes import StyleClasses
from haiyomi.styles.sums_table import Tallies, vectors


def style_map(style: PlayerStyle, tallies: Tallies, model: StyleClasses, least: int) -> Picture:
    """The centres of the classes and the player by name; without names everybody else
    with at least ``least`` games in these records."""
    found = vectors(tallies, least)
    others = np.array([name != style.player for name in found.players], dtype=bool)
    values, behind = found.values[others], found.occasions[others]
    drawn = model.drawn(model.place(values, behind))
    labels = model.assign(values, behind)
    groups = {
        name: [(float(x), float(y)) for x, y in drawn[labels == number]]
        for number, name in enumerate(model.names)
    }
    centres = {
        f"[{name}]": (float(x), float(y))
        for name, (x, y) in zip(model.names, model.drawn(np.array(model.centres)), strict=True)
    }
    x, y = model.drawn(np.array(style.coordinates))
    return scatter_chart(
        f"Styles: {style.player} is nearest to {style.style}",
        "first component",
        "second component",
        groups,
        centres | {style.player: (float(x), float(y))},
    )
