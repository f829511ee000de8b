"""Win probability by turn, one line a discard."""

from __future__ import annotations

from typing import Final

from haiyomi.plots.line_chart import line_chart
from haiyomi.plots.picture import Picture
from haiyomi.tiles import format_tiles
from haiyomi.winning.question import TURNS
from haiyomi.winning.table import WinTable

MOST_LINES: Final = 8


def win_curves(table: WinTable) -> Picture:
    """x: the turn of the discard; y: the chance to have won by the last turn. The eight best
    discards; those with equal values share a line."""
    question = table.question
    lines: dict[tuple[float, ...], list[str]] = {}
    for row in table.rows:
        lines.setdefault(tuple(round(v, 9) for v in row.win), []).append(row.name)
    first = question.turn
    return line_chart(
        f"{format_tiles(question.hand)}: chance to win by own draw",
        "turn of the discard",
        "chance to win",
        range(first, TURNS + 1),
        {
            " ".join(names[:3]) + (" ..." if len(names) > 3 else ""): values[first - 1 :]
            for values, names in list(lines.items())[:MOST_LINES]
        },
        shares=True,
    )
