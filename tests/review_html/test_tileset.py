"""The tile set: every tile there, drawn as paths, each with a picture and a word."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from haiyomi.review.html.strokes import CHARACTERS, outline
from haiyomi.review.html.tileset import drawings, symbols
from haiyomi.tiles import TILES

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"rect", "path", "circle", "g"}


def test_every_tile_and_the_back_is_a_symbol() -> None:
    root = ElementTree.fromstring(symbols())
    found = [symbol.get("id") for symbol in root.iter(f"{SVG}symbol")]
    assert sorted(found) == sorted([*(f"t-{tile}" for tile in TILES), "t-back"])
    assert len(found) == 38


@pytest.mark.parametrize("name", sorted(drawings()))
def test_a_tile_needs_no_font_and_nothing_from_outside(name: str) -> None:
    root = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{drawings()[name]}</svg>')
    for node in root.iter():
        assert node.tag.removeprefix(SVG) in DRAWN | {"svg"}
        assert not [a for a in node.attrib if "href" in a or "font" in a or a.startswith("on")]


def test_no_two_tiles_look_alike() -> None:
    assert len(set(drawings().values())) == 38


@pytest.mark.parametrize("character", sorted(CHARACTERS))
def test_a_character_stays_inside_its_box(character: str) -> None:
    data = outline(character, (10, 20, 40, 60), 4)
    numbers = [p.split() for p in data.replace("z", "").replace("M", "L").split("L") if p]
    for x, y in numbers:
        assert 10 - 3 <= float(x) <= 50 + 3
        assert 20 - 3 <= float(y) <= 80 + 3
    assert data.count("M") == len(CHARACTERS[character])


def test_the_page_says_the_same_names_as_python() -> None:
    """The page names tiles for the screen reader; one table must not drift from the other."""
    from haiyomi.review.html.document import script_of

    script = script_of("review")
    for word in (
        "characters",
        "circles",
        "bamboo",
        "White",
        "Green",
        "Red",
        "萬",
        "筒",
        "索",
        "發",
    ):
        assert word in script
