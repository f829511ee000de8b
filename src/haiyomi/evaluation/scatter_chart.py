"""A scatter chart as SVG text: groups of points, each in a colour and a mark of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from haiyomi.evaluation.line_chart import (
    BOTTOM,
    COLOURS,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    ticks,
)

Point = tuple[float, float]
LETTER = 7.5
"""Width of a bold letter, about."""


def scatter_chart(
    title: str,
    x_name: str,
    y_name: str,
    groups: Mapping[str, Sequence[Point]],
    marked: Mapping[str, Point] | None = None,
) -> str:
    """The chart. Each group is named at the right with its number of points; ``marked`` points
    are drawn as crosses with their names."""
    given = [p for points in groups.values() for p in points] + list((marked or {}).values())
    x_ticks = ticks(min((x for x, _ in given), default=0.0), max((x for x, _ in given), default=1))
    y_ticks = ticks(min((y for _, y in given), default=0.0), max((y for _, y in given), default=1))

    def across(v: float) -> float:
        share = (v - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def up(v: float) -> float:
        share = (v - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" fill="#222222">{escape(title)}</text>',
    ]
    for v in y_ticks:
        out.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(v):.1f}" y2="{up(v):.1f}" '
            f'stroke="#dddddd"/><text x="{LEFT - 8}" y="{up(v) + 4:.1f}" text-anchor="end" '
            f'fill="#444444">{v:g}</text>'
        )
    for v in x_ticks:
        out.append(
            f'<line x1="{across(v):.1f}" x2="{across(v):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
            f'stroke="#eeeeee"/><text x="{across(v):.1f}" y="{HEIGHT - BOTTOM + 18}" '
            f'text-anchor="middle" fill="#444444">{v:g}</text>'
        )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle" '
        f'fill="#222222">{escape(x_name)}</text><text x="16" y="{middle:.0f}" '
        f'text-anchor="middle" fill="#222222" transform="rotate(-90 16 {middle:.0f})">'
        f"{escape(y_name)}</text>"
    )
    for i, (name, points) in enumerate(groups.items()):
        colour = COLOURS[i % len(COLOURS)]
        out += [_mark(i, across(x), up(y), colour) for x, y in points]
        line = TOP + 10 + 20 * i
        out.append(_mark(i, WIDTH - RIGHT + 24, line, colour))
        out.append(
            f'<text x="{WIDTH - RIGHT + 38}" y="{line + 4}" fill="#222222">{escape(name)} '
            f"({len(points)})</text>"
        )
    for name, (x, y) in (marked or {}).items():
        a, b = across(x), up(y)
        # A name that would run into the list of groups stands at the left of its cross.
        fits = a + 9 + LETTER * len(name) < WIDTH - RIGHT + 14
        at, anchor = (a + 9, "start") if fits else (a - 9, "end")
        out.append(
            f'<path d="M{a - 7:.1f} {b:.1f}H{a + 7:.1f}M{a:.1f} {b - 7:.1f}V{b + 7:.1f}" '
            f'stroke="#000000" stroke-width="2.5"/><text x="{at:.1f}" y="{b - 6:.1f}" '
            f'text-anchor="{anchor}" font-weight="bold" fill="#000000" stroke="#ffffff" '
            f'stroke-width="3" paint-order="stroke">{escape(name)}</text>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"


def _mark(number: int, x: float, y: float, colour: str) -> str:
    """A dot, square, diamond or triangle: groups differ without colour too."""
    style = f'fill="{colour}" fill-opacity="0.85"'
    shape = number % 4
    if shape == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {style}/>'
    if shape == 1:
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {style}/>'
    corners = {
        2: ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
        3: ((0, -5.5), (5, 4), (-5, 4)),
    }[shape]
    points = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners)
    return f'<polygon points="{points}" {style}/>'
