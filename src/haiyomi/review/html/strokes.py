"""The characters on the tiles, as brush strokes on a 100 x 100 square, and the brush.

A stroke is a centre line and a manner: how thick the brush is along it. The outline of a
stroke is one filled path, so that a tile needs no font.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot, sqrt
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]


class Stroke(NamedTuple):
    """``manner``: ``h`` across, ``v`` down, ``l`` sweep to the left, ``r`` sweep to the right,
    ``d`` dot, ``b`` bend (straight pieces), ``k`` curve that ends in a hook.
    """

    manner: str
    points: tuple[Point, ...]


_PROFILES: dict[str, tuple[float, ...]] = {
    "h": (1.0, 0.78, 0.74, 0.82, 1.12),
    "v": (1.12, 1.0, 0.96, 0.98, 1.06),
    "l": (1.12, 1.04, 0.9, 0.62, 0.16),
    "r": (0.5, 0.72, 1.0, 1.3, 0.22),
    "d": (0.34, 0.86, 1.2, 1.24, 0.7),
    "b": (1.0, 0.86, 1.0, 1.0, 1.0),
    "k": (1.08, 1.0, 1.0, 0.96, 0.3),
}
"""Thickness along a stroke, at five even steps, as a multiple of the brush."""
_SMOOTH = frozenset("lrdk")


def _stroke(text: str) -> Stroke:
    manner, *numbers = text.split()
    pairs = (n.split(",") for n in numbers)
    return Stroke(manner, tuple((float(x), float(y)) for x, y in pairs))


def _strokes(text: str) -> tuple[Stroke, ...]:
    return tuple(_stroke(part) for part in text.split(";"))


CHARACTERS: dict[str, tuple[Stroke, ...]] = {
    name: _strokes(text)
    for name, text in {
        "一": "h 8,52 92,49",
        "二": "h 22,27 78,25;h 8,77 92,74",
        "三": "h 18,17 82,15;h 26,49 74,47;h 8,83 92,80",
        "四": "v 14,22 19,84;b 14,23 86,22 81,84;l 40,24 39,46 26,62;"
        "k 60,24 60,50 64,56 76,55;h 19,78 81,78",
        "五": "h 14,15 86,13;v 50,15 36,84;b 20,46 72,45 67,84;h 5,86 95,84",
        "六": "d 46,4 55,21;h 6,36 94,34;l 37,50 29,72 11,92;r 60,50 74,66 90,91",
        "七": "h 7,50 93,37;k 43,8 42,66 48,84 78,85 91,80 93,62",
        "八": "l 37,18 32,52 6,90;r 54,10 64,52 96,90",
        "九": "l 41,5 39,44 8,93;k 12,34 67,31 62,70 66,88 84,90 95,84 96,66",
        "萬": "h 5,14 95,13;v 32,3 34,24;v 68,3 66,24;v 24,31 26,59;b 24,32 76,31 74,59;"
        "h 26,45 74,45;h 26,58 74,58;v 11,68 11,98;b 11,69 89,68 88,95 79,92;v 50,32 50,85;"
        "h 29,87 66,81;d 62,75 74,90",
        "東": "h 10,19 90,18;v 22,33 24,64;b 22,34 78,33 76,64;h 24,48 76,48;h 24,62 76,62;"
        "v 50,3 50,98;l 46,63 33,79 5,93;r 53,62 70,80 96,92",
        "南": "h 8,18 92,17;v 50,3 50,36;v 13,37 13,98;b 13,38 87,37 87,95 77,91;"
        "d 34,43 42,55;l 68,42 64,50 58,55;h 30,60 70,59;h 26,77 74,76;v 50,60 50,97",
        "西": "h 7,13 93,12;v 13,36 16,95;b 13,37 87,36 84,95;l 38,14 37,50 23,67;"
        "k 62,14 62,56 66,63 79,61;h 16,87 84,87",
        "北": "h 7,35 38,33;v 38,8 38,95;r 4,86 22,78 39,66;l 92,26 80,38 61,45;"
        "k 60,7 60,72 66,88 84,90 95,84 96,64",
        "發": "b 12,12 42,11 41,15;l 41,12 32,30 4,46;d 15,22 29,34;r 56,4 68,24 96,46;"
        "l 84,6 78,15 66,21;l 94,19 87,28 75,34;b 11,53 43,52 42,65;h 14,66 43,65;"
        "b 14,66 11,80 44,79 40,97 28,93;l 61,52 60,62 49,71;b 61,53 81,52 81,66 94,68;"
        "b 52,75 84,74 82,78;l 83,75 71,90 48,99;r 57,79 72,92 96,99",
        "中": "v 13,27 16,65;b 13,28 87,27 84,65;h 16,62 84,62;v 50,2 50,99",
    }.items()
}


def outline(character: str, box: tuple[float, float, float, float], brush: float) -> str:
    """SVG path data of a character drawn into ``box`` (x, y, width, height).

    ``brush`` is the thickness in the units of the box, the same in both directions.
    """
    return "".join(_outline(stroke, box, brush) for stroke in CHARACTERS[character])


def _outline(stroke: Stroke, box: tuple[float, float, float, float], brush: float) -> str:
    x, y, w, h = box
    placed = [(x + px * w / 100, y + py * h / 100) for px, py in stroke.points]
    line = _curve(placed) if stroke.manner in _SMOOTH and len(placed) > 2 else _dense(placed)
    reach = [0.0]
    for a, b in pairwise(line):
        reach.append(reach[-1] + hypot(b[0] - a[0], b[1] - a[1]))
    total = reach[-1]
    left: list[Point] = []
    right: list[Point] = []
    for i, (px, py) in enumerate(line):
        before, after = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = hypot(dx, dy) or 1.0
        half = brush / 2 * _thickness(stroke.manner, reach[i] / total)
        # At a corner the mean direction needs a wider offset to keep the thickness.
        half *= _corner(before, (px, py), after)
        nx, ny = -dy / length * half, dx / length * half
        left.append((px + nx, py + ny))
        right.append((px - nx, py - ny))
    cap = brush / 2 * 0.35
    first = _beyond(line[1], line[0], cap * _thickness(stroke.manner, 0.0))
    last = _beyond(line[-2], line[-1], cap * _thickness(stroke.manner, 1.0))
    ring = [first, *left, last, *reversed(right)]
    return "M" + "L".join(f"{_n(px)} {_n(py)}" for px, py in ring) + "z"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _thickness(manner: str, share: float) -> float:
    profile = _PROFILES[manner]
    at = min(max(share, 0.0), 1.0) * (len(profile) - 1)
    i = min(int(at), len(profile) - 2)
    return profile[i] + (profile[i + 1] - profile[i]) * (at - i)


def _corner(a: Point, b: Point, c: Point) -> float:
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    size = hypot(ux, uy) * hypot(vx, vy)
    if size == 0:
        return 1.0
    cosine = max(-0.2, (ux * vx + uy * vy) / size)
    return min(1.45, sqrt(2 / (1 + cosine)))


def _beyond(a: Point, b: Point, by: float) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy) or 1.0
    return b[0] + dx / length * by, b[1] + dy / length * by


def _dense(points: list[Point]) -> list[Point]:
    """Straight pieces with a point near each end, where the brush presses."""
    out: list[Point] = [points[0]]
    for a, b in pairwise(points):
        out.extend((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in (0.25, 0.75))
        out.append(b)
    return out


def _curve(points: list[Point]) -> list[Point]:
    """Catmull-Rom through all points, five steps from one to the next."""
    steps = 5
    out: list[Point] = [points[0]]
    for i in range(len(points) - 1):
        p0, p1 = points[max(i - 1, 0)], points[i]
        p2, p3 = points[i + 1], points[min(i + 2, len(points) - 1)]
        for s in range(1, steps + 1):
            t = s / steps
            out.append(
                (_blend(p0[0], p1[0], p2[0], p3[0], t), _blend(p0[1], p1[1], p2[1], p3[1], t))
            )
    return out


def _blend(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )
