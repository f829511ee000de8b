"""Win probability by turn as an SVG picture, one line a discard."""

from __future__ import annotations

from html import escape

from haiyomi.tiles import format_tiles
from haiyomi.winning.question import TURNS
from haiyomi.winning.table import WinTable

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 60, 130, 50, 50
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8e6c8a", "#e0911b", "#3d3d3d", "#00a0a0", "#b0522d")
MOST_LINES = 8


def win_plot(table: WinTable) -> str:
    """An SVG text: x the turn of the discard, y the chance to have won by the last turn.

    The eight best discards; those with equal values share a line.
    """
    question = table.question
    lines: dict[tuple[float, ...], list[str]] = {}
    for row in table.rows:
        lines.setdefault(tuple(round(v, 9) for v in row.win), []).append(row.name)
    shown = list(lines.items())[:MOST_LINES]
    first = question.turn
    top = _round_up(max((max(values[first - 1 :]) for values, _ in shown), default=1.0))
    span = max(TURNS - first, 1)

    def at(turn: float, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (turn - first) / span
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top
        return f"{x:.1f},{y:.1f}"

    title = f"{format_tiles(question.hand)}: chance to win by own draw"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="28" font-size="16">{escape(title)}</text>',
    ]
    for i in range(5):
        value = top * i / 4
        x, y = at(first, value).split(",")
        end = at(TURNS, value).split(",")[0]
        out.append(f'<line x1="{x}" y1="{y}" x2="{end}" y2="{y}" stroke="#ddd"/>')
        out.append(
            f'<text x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{100 * value:g}%</text>'
        )
    for turn in range(first, TURNS + 1):
        x = at(turn, 0).split(",")[0]
        out.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{turn}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(
        f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">turn of the discard</text>'
    )
    for i, (values, names) in enumerate(shown):
        colour = COLOURS[i]
        points = " ".join(at(t, values[t - 1]) for t in range(first, TURNS + 1))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y_label = TOP + 12 + 22 * i
        x_label = WIDTH - RIGHT + 14
        label = f"{' '.join(names[:3])}{' ...' if len(names) > 3 else ''}"
        out.append(
            f'<line x1="{x_label}" y1="{y_label - 4}" x2="{x_label + 18}" y2="{y_label - 4}" '
            f'stroke="{colour}" stroke-width="3"/>'
            f'<text x="{x_label + 24}" y="{y_label}">{escape(label)}</text>'
        )
    return "\n".join([*out, "</svg>", ""])


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 8, 12, 20, 40, 60, 80, 100 percent."""
    for step in (0.01, 0.02, 0.04, 0.08, 0.12, 0.2, 0.4, 0.6, 0.8):
        if value <= step:
            return step
    return 1.0
