"""Tiles in a row as SVG.

``svg`` is a whole image with the drawings of its own tiles. A page of many rows holds each drawing
once: ``rows`` draws them with references and ``sprite`` is what they refer to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from haiyomi.review.html.tileset import HEIGHT, WIDTH, drawings
from haiyomi.tiles import Tile

BACK = "back"
"""The name of a tile that lies face down."""
_GAP = 16
_SPACE = 3


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile of a row: its name (``Tile.parse``'s, or BACK) and how it lies.

    ``rotated``: on its side, as a riichi tile. ``faint``: drawn weaker. ``apart``: after a space.
    """

    name: str
    rotated: bool = False
    faint: bool = False
    apart: bool = False


def upright(tiles: Iterable[Tile]) -> list[Placed]:
    """Tiles that all stand."""
    return [Placed(str(tile)) for tile in tiles]


def svg(tiles: Sequence[Placed]) -> str:
    """A whole SVG image of a row, its tiles 48 pixels high."""
    return _row(tiles, 48, f"<defs>{_symbols(t.name for t in tiles)}</defs>")


def row(tiles: Sequence[Placed], height: int = 30) -> str:
    """A row for a page that has the ``sprite`` of its tiles."""
    return _row(tiles, height, "")


def sprite(names: Iterable[str]) -> str:
    """The drawings of some tiles, invisible, for the rows of one page to refer to."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" '
        f'style="position:absolute"><defs>{_symbols(names)}</defs></svg>'
    )


def _symbols(names: Iterable[str]) -> str:
    return "".join(
        f'<symbol id="haiyomi-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawings()[name]}</symbol>'
        for name in sorted(set(names))
    )


def _row(tiles: Sequence[Placed], height: int, defs: str) -> str:
    at = 0
    drawn = []
    for tile in tiles:
        at += _GAP * tile.apart
        place = f"translate({at} {HEIGHT}) rotate(-90)" if tile.rotated else f"translate({at} 0)"
        faint = ' opacity=".6"' if tile.faint else ""
        drawn.append(
            f'<use href="#haiyomi-{tile.name}" width="{WIDTH}" height="{HEIGHT}" '
            f'transform="{place}"{faint}/>'
        )
        at += (HEIGHT if tile.rotated else WIDTH) + _SPACE
    wide = max(at - _SPACE, 1)
    label = escape(" ".join(tile.name for tile in tiles) or "no tiles")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="{max(round(wide * height / HEIGHT), 1)}" height="{height}" '
        f'viewBox="0 0 {wide} {HEIGHT}">{defs}{"".join(drawn)}</svg>'
    )
