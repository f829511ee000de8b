"""A line chart as SVG text: several series over one axis, made from the results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 40, 50
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#d98e04", "#4a4a4a", "#16a0a0", "#a0522d")
DASHES = ("", "6 3", "2 3", "8 3 2 3")


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers that cover a range."""
    if high <= low:
        high = low + 1.0
    rough = (high - low) / about
    power = 10.0 ** len(str(int(rough))) / 10.0 if rough >= 1 else 1.0
    while power > rough:
        power /= 10.0
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = int(low / step) - (low < 0 and low % step != 0)
    out = []
    value = first * step
    while value < high + step * 0.999:
        out.append(round(value, 10))
        value += step
    return out


def line_chart(
    title: str,
    x_name: str,
    y_name: str,
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
) -> str:
    """The chart. ``series`` are as long as ``x``; each is drawn in a colour and a dash of its
    own, with a mark at each point, and named at the right."""
    values = [v for line in series.values() for v in line]
    y_ticks = ticks(min(values, default=0.0), max(values, default=1.0))
    x_ticks = [v for v in ticks(min(x, default=0.0), max(x, default=1.0), 9) if v <= max(x)]
    x_low, x_high = min(x), max(max(x), min(x) + 1e-9)
    y_low, y_high = y_ticks[0], y_ticks[-1]

    def across(v: float) -> float:
        return LEFT + (v - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT)

    def up(v: float) -> float:
        return HEIGHT - BOTTOM - (v - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" fill="#222222">{escape(title)}</text>',
    ]
    for v in y_ticks:
        y = up(v)
        out.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>'
        )
        out.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#444444">{v:g}</text>'
        )
    for v in x_ticks:
        if v < x_low:
            continue
        out.append(
            f'<text x="{across(v):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" '
            f'fill="#444444">{v:g}</text>'
        )
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle" '
        f'fill="#222222">{escape(x_name)}</text>'
    )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(
        f'<text x="16" y="{middle:.0f}" text-anchor="middle" fill="#222222" '
        f'transform="rotate(-90 16 {middle:.0f})">{escape(y_name)}</text>'
    )
    for i, (name, line) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        dash = DASHES[i // len(COLOURS) % len(DASHES)]
        points = [(across(a), up(b)) for a, b in zip(x, line, strict=True)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        out.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'
        )
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{colour}"/>' for a, b in points]
        y = TOP + 10 + 20 * i
        out.append(
            f'<line x1="{WIDTH - RIGHT + 14}" x2="{WIDTH - RIGHT + 38}" y1="{y}" y2="{y}" '
            f'stroke="{colour}" stroke-width="2"{dashed}/>'
        )
        out.append(
            f'<text x="{WIDTH - RIGHT + 44}" y="{y + 4}" fill="#222222">{escape(name)}</text>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"
