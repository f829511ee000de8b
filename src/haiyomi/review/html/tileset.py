"""The tile set: every tile as an SVG symbol of 60 x 80 units, drawn here as paths.

``symbols()`` is one hidden SVG to put at the top of a page; a tile is then
``<svg viewBox="0 0 60 80"><use href="#t-5m"/></svg>``. Names are those of ``Tile.parse``
(``0m`` the red five), and ``t-back`` for a tile face down. A face must differ from others
at 24 px of height, so pips are few and large and red fives have a tinted face.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from haiyomi.review.html.strokes import outline
from haiyomi.tiles import TILES, Tile

WIDTH, HEIGHT = 60, 80
INK, RED, GREEN, BLUE = "#1c2733", "#c4161c", "#12713f", "#1d4a9b"
FACE, RED_FACE, EDGE, RIM = "#fdfbf3", "#ffe9e4", "#d9d2bd", "#a89f86"
BACK, BACK_DARK = "#e0a13a", "#b97a1b"

_NUMERALS = "一二三四五六七八九"
_HONOURS = "東南西北白發中"


def symbols() -> str:
    """One SVG element with all 38 symbols."""
    inner = "".join(
        f'<symbol id="t-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</symbol>'
        for name, body in drawings().items()
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" class="sprite" '
        f'aria-hidden="true" focusable="false"><defs>{inner}</defs></svg>'
    )


@lru_cache(maxsize=1)
def drawings() -> dict[str, str]:
    """The inner SVG of each tile by name, ``back`` included."""
    out = {str(tile): _face(tile) for tile in TILES}
    out["back"] = _back()
    return out


def _body(face: str, edge: str, rim: str) -> str:
    return (
        f'<rect x="1" y="1" width="58" height="78" rx="7" fill="{edge}" stroke="{rim}" '
        f'stroke-width="1.6"/><rect x="2" y="2" width="56" height="72" rx="6" fill="{face}"/>'
    )


def _path(data: str, fill: str) -> str:
    return f'<path d="{data}" fill="{fill}"/>'


def _face(tile: Tile) -> str:
    suit, rank = divmod(int(tile.kind), 9)
    body = _body(RED_FACE if tile.red else FACE, EDGE, RIM)
    if suit == 0:
        return body + _man(rank, tile.red)
    if suit == 1:
        return body + _pin(rank + 1, tile.red)
    if suit == 2:
        return body + _sou(rank + 1, tile.red)
    return body + _honour(rank)


def _man(rank: int, red: bool) -> str:
    number = outline(_NUMERALS[rank], (11, 6, 38, 30), 5.2)
    unit = outline("萬", (10, 39.5, 40, 32.5), 3.3)
    return _path(number, RED if red else INK) + _path(unit, RED)


def _honour(rank: int) -> str:
    if rank == 4:
        frame = (
            '<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}" fill="none" '
            'stroke="{c}" stroke-width="{s}"/>'
        )
        return frame.format(x=9, y=9, w=42, h=58, r=3, c="#3f6fb5", s=3) + frame.format(
            x=15, y=15, w=30, h=46, r=1, c="#8fb0dc", s=1.5
        )
    colour = {5: GREEN, 6: RED}.get(rank, INK)
    brush = {5: 4.6, 6: 7.4}.get(rank, 5.6)
    return _path(outline(_HONOURS[rank], (8, 9, 44, 58), brush), colour)


# -- circles -------------------------------------------------------------------------------

_C = 30.0
_PIN: dict[int, tuple[float, tuple[tuple[float, float, str], ...]]] = {
    2: (13.0, ((_C, 21, GREEN), (_C, 55, BLUE))),
    3: (10.8, ((16, 17, BLUE), (_C, 38, RED), (44, 59, GREEN))),
    4: (12.0, ((17, 21, BLUE), (43, 21, GREEN), (17, 55, GREEN), (43, 55, BLUE))),
    5: (
        10.2,
        ((15, 17, BLUE), (45, 17, GREEN), (_C, 38, RED), (15, 59, GREEN), (45, 59, BLUE)),
    ),
    6: (
        9.6,
        tuple((x, y, GREEN if y < 20 else RED) for y in (15, 40, 61) for x in (18, 42)),
    ),
    7: (
        8.2,
        (
            (13, 12, GREEN),
            (_C, 19.5, GREEN),
            (47, 27, GREEN),
            *((x, y, RED) for y in (45.5, 63) for x in (19, 41)),
        ),
    ),
    8: (8.3, tuple((x, y, BLUE) for y in (12.2, 29.6, 47, 64.4) for x in (19, 41))),
    9: (
        8.4,
        tuple((x, y, c) for y, c in ((14, BLUE), (38, RED), (62, GREEN)) for x in (12, _C, 48)),
    ),
}


def _pin(number: int, red: bool) -> str:
    if number == 1:
        return _great_pin()
    radius, pips = _PIN[number]
    return "".join(_pip(x, y, radius, RED if red else colour) for x, y, colour in pips)


def _pip(x: float, y: float, r: float, colour: str) -> str:
    ring = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{colour}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{r * 0.66:.2g}" fill="none" stroke="#fff" '
        f'stroke-width="{r * 0.17:.2g}"/>'
    )
    return ring + f'<circle cx="{x:g}" cy="{y:g}" r="{r * 0.24:.2g}" fill="#fff"/>'


def _great_pin() -> str:
    petals = []
    for i in range(12):
        a = 2 * pi * i / 12
        petals.append(
            f'<circle cx="{30 + 13.4 * cos(a):.4g}" cy="{38 + 13.4 * sin(a):.4g}" r="2.7"/>'
        )
    return (
        f'<circle cx="30" cy="38" r="21" fill="{GREEN}"/>'
        '<circle cx="30" cy="38" r="18" fill="#fff"/>'
        f'<g fill="{BLUE}">{"".join(petals)}</g>'
        f'<circle cx="30" cy="38" r="8.4" fill="{RED}"/>'
        '<circle cx="30" cy="38" r="4.9" fill="none" stroke="#fff" stroke-width="1.5"/>'
        '<circle cx="30" cy="38" r="1.9" fill="#fff"/>'
    )


# -- bamboo --------------------------------------------------------------------------------


def _stick(x: float, y: float, length: float, colour: str, turn: float = 0, wide: float = 9) -> str:
    """A cane with a knot at both ends and in the middle, around (x, y)."""
    w, h = wide / 2, length / 2
    n = w * 0.66
    cane = (
        f"M{x - w:.4g} {y - h:.4g}h{2 * w:.4g}l{-(w - n):.3g} 3v{h - 5:.4g}l{w - n:.3g} 2"
        f"l{-(w - n):.3g} 2v{h - 5:.4g}l{w - n:.3g} 3h{-2 * w:.4g}l{w - n:.3g} -3v{-(h - 5):.4g}"
        f"l{-(w - n):.3g} -2l{w - n:.3g} -2v{-(h - 5):.4g}z"
    )
    x_shine = x - n * 0.15
    shine = f"M{x_shine:.4g} {y - h + 4:.4g}v{h - 7:.4g}M{x_shine:.4g} {y + 3:.4g}v{h - 7:.4g}"
    turned = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
    return (
        f'<g{turned}><path d="{cane}" fill="{colour}" stroke="{colour}" stroke-width="1" '
        f'stroke-linejoin="round"/><path d="{shine}" stroke="#fff" stroke-opacity=".75" '
        'stroke-width="1.1" stroke-linecap="round" fill="none"/></g>'
    )


def _row(y: float, length: float, places: tuple[tuple[float, str], ...], red: bool) -> str:
    return "".join(_stick(x, y, length, RED if red else c) for x, c in places)


def _sou(number: int, red: bool) -> str:
    if number == 1:
        return _bird()
    g, r, b = GREEN, RED, BLUE
    if number == 2:
        return _stick(30, 21, 29, g, wide=10.5) + _stick(30, 55, 29, b, wide=10.5)
    if number == 3:
        return _stick(30, 21, 29, b, wide=10.5) + _row(55, 29, ((17, g), (43, g)), red)
    if number == 4:
        return _row(21, 29, ((17, b), (43, g)), red) + _row(55, 29, ((17, g), (43, b)), red)
    if number == 5:
        return (
            _row(21, 29, ((13, g), (47, b)), red)
            + _stick(30, 38, 29, r, wide=10)
            + _row(55, 29, ((13, b), (47, g)), red)
        )
    if number == 6:
        return _row(21, 29, tuple((x, g) for x in (13, 30, 47)), red) + _row(
            55, 29, tuple((x, b) for x in (13, 30, 47)), red
        )
    if number == 7:
        return (
            _stick(30, 14, 20, r)
            + _row(37, 21, ((13, g), (30, b), (47, g)), red)
            + _row(61, 21, ((13, g), (30, b), (47, g)), red)
        )
    if number == 8:
        return (
            _stick(11.5, 21, 29, g, wide=7.8)
            + _stick(24, 20, 25, g, 26, 7.8)
            + _stick(36, 20, 25, g, -26, 7.8)
            + _stick(48.5, 21, 29, g, wide=7.8)
            + _stick(11.5, 55, 29, b, wide=7.8)
            + _stick(24, 56, 25, b, -26, 7.8)
            + _stick(36, 56, 25, b, 26, 7.8)
            + _stick(48.5, 55, 29, b, wide=7.8)
        )
    colours = ((13, g), (30, r), (47, b))
    return "".join(_row(y, 20.5, colours, red) for y in (14, 38, 62))


def _bird() -> str:
    """A peacock seen from the side, its tail hanging down."""
    tail = "".join(
        f'<path d="M33 42Q{cx} {cy} {x} {y}" stroke="{c}" stroke-width="2.6" fill="none" '
        f'stroke-linecap="round"/><circle cx="{x}" cy="{y}" r="4" fill="{c}"/>'
        f'<circle cx="{x}" cy="{y}" r="1.7" fill="#fff"/>'
        for cx, cy, x, y, c in (
            (47, 40, 51, 52, GREEN),
            (44, 48, 45, 62, BLUE),
            (36, 52, 34, 68, GREEN),
        )
    )
    return (
        tail + f'<path d="M24 57l-2 11m-4 0h7m5-12l1 11m-4 0h6" stroke="{RED}" stroke-width="2" '
        'fill="none" stroke-linecap="round"/>'
        f'<path d="M20 17C27 17 28 25 26 30C31 33 42 34 42 44C42 54 33 60 25 59C15 58 11 50 13 41'
        f'C14 35 16 31 15 26C14 21 16 17 20 17z" fill="{GREEN}"/>'
        f'<path d="M21 40C29 37 39 40 37 47C34 55 24 54 21 49C19 46 19 42 21 40z" fill="{BLUE}"/>'
        '<path d="M25 44q5-1 9 1m-9 4q4 1 7 0" stroke="#fff" stroke-width="1.4" fill="none" '
        'stroke-linecap="round"/>'
        f'<path d="M15 22L7 26l8 1.5z" fill="{RED}"/>'
        '<circle cx="19.5" cy="22.5" r="2" fill="#fff"/>'
        f'<circle cx="19" cy="22.5" r="1" fill="{INK}"/>'
        f'<path d="M20 16q-1-5-5-7m6 7q1-5 0-9m2 10q3-4 6-6" stroke="{RED}" stroke-width="1.8" '
        'fill="none" stroke-linecap="round"/>'
    )


def _back() -> str:
    return _body(BACK, BACK_DARK, "#8f5c10") + (
        '<rect x="8" y="8" width="44" height="60" rx="4" fill="none" stroke="#f6d596" '
        'stroke-width="2"/><path d="M30 22l12 16-12 16-12-16z" fill="#f6d596" fill-opacity=".55"/>'
    )
