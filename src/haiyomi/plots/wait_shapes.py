"""Which tile of a hand deals in to whom, and to which shape of wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from haiyomi.analysis.value import Analysis, DiscardRisk
from haiyomi.analysis.waits import FROM_OPPONENT
from haiyomi.errors import HaiyomiError
from haiyomi.plots.picture import COLOURS, HEIGHT, WIDTH, Picture, look, percent, plain
from haiyomi.tiles import Seat

SHAPES: Final = ("two-sided", "shanpon", "kanchan", "penchan", "tanki", "orphans", "others")
"""``kanchan``: a tile between two; ``penchan``: the outer tile of 12 or 89; ``orphans``: thirteen
orphans; ``others``: what the model does not attribute."""
FROM: Final = FROM_OPPONENT
"""The risk against one opponent from which a tile is drawn."""


def wait_shapes(title: str, names: Sequence[str], analysis: Analysis) -> Picture:
    """One panel an opponent who can win on some tile of the hand; a bar's height is the risk of
    the tile, its parts the shapes of the waits. ``names`` of the relative seats 1, 2, 3; the
    analysis has the part ``waits`` of every tile. Raises HaiyomiError where no tile is dangerous.
    """
    tables = {seat: _bars(analysis, seat) for seat in (1, 2, 3)}
    shown = {seat: bars for seat, bars in tables.items() if bars}
    if not shown:
        raise HaiyomiError("no tile of this hand is dangerous: there is no wait to draw")
    used = [s for s in SHAPES if any(s in parts for b in shown.values() for _, parts in b)]
    with look():
        figure = Figure(figsize=(WIDTH, 0.6 * HEIGHT * len(shown) + 0.5))
        panels = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
        for panel, (seat, bars) in zip(panels, shown.items(), strict=True):
            base = [0.0] * len(bars)
            places = range(len(bars))
            for shape in used:
                heights = [parts.get(shape, 0.0) for _, parts in bars]
                colour = COLOURS[SHAPES.index(shape)]
                panel.bar(places, heights, bottom=base, color=colour, label=shape, width=0.7)
                base = [a + b for a, b in zip(base, heights, strict=True)]
            panel.set_xticks(places, [name for name, _ in bars])
            panel.set_title(
                plain(f"{names[seat - 1]}, tenpai {analysis.risks.tenpai[seat - 1]:.0%}")
            )
            panel.set_ylabel("deal-in risk")
            panel.yaxis.set_major_formatter(FuncFormatter(percent))
            panel.grid(visible=False, axis="x")
        figure.suptitle(plain(title), x=0.01, ha="left", fontsize=11)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper")
        return Picture(figure, panels[0]).finished()


def _bars(analysis: Analysis, seat: int) -> list[tuple[str, dict[str, float]]]:
    """(tile, shape -> risk) of the tiles that a relative seat can win on, the riskiest first."""
    found = []
    for choice in analysis.risks.choices:
        risk = choice.by_opponent[seat - 1].probability
        if risk >= FROM:
            found.append((risk, str(choice.tile), _parts(analysis, choice, Seat(seat), risk)))
    return [(tile, parts) for _, tile, parts in sorted(found, key=lambda f: (-f[0], f[1]))]


def _parts(analysis: Analysis, choice: DiscardRisk, seat: Seat, risk: float) -> dict[str, float]:
    parts: dict[str, float] = {}
    waits = analysis.waits_of(choice.tile)
    for wait in waits.by_opponent[seat - 1] if waits is not None else ():
        shape = shape_name(wait.shape, wait.held)
        parts[shape] = parts.get(shape, 0.0) + risk * wait.share
    left = risk - sum(parts.values())
    if left > 1e-9:
        parts["others"] = parts.get("others", 0.0) + left
    return parts


def shape_name(shape: str, held: Sequence[int]) -> str:
    """One of SHAPES; ``shape`` as in ``WaitShare``. A wait between or beside two held tiles is
    kanchan or penchan by their gap."""
    if shape == "edge-closed":
        return "kanchan" if held[1] - held[0] == 2 else "penchan"
    return "tanki" if shape == "single" else shape
