"""What a notebook shows: whole, inert, escaped HTML and SVG."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.analysis.value import PARTS, Part
from haiyomi.display.position import meld_row
from haiyomi.display.tile_row import BACK
from haiyomi.game.player_view import Meld
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.review.reviewer import review_game
from haiyomi.review.summary import summary_of
from haiyomi.styles.answer import style_of
from haiyomi.tiles import TILES, Seat, Tile, Tiles, parse_tiles
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import win_table

HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>"
_VOID = {"img", "br", "hr", "input", "link", "meta"}


class _Strict(HTMLParser):
    """Collects elements, attributes and text; every element must be closed in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src", "xmlns")}
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> _Strict:
    """Parse an answer, and check what every answer must keep to."""
    found = _Strict()
    found.feed(html)
    found.close()
    assert not found.open
    assert not found.elements & {"script", "img", "link", "iframe", "object", "foreignobject"}
    assert not [name for name in found.attributes if name.startswith("on")]
    defined = set(re.findall(r'id="(haiyomi-\w+)"', html))
    for link in found.links - {"http://www.w3.org/2000/svg"}:
        assert link.removeprefix("#") in defined
    assert "url(" not in html
    assert "@import" not in html
    return found


@pytest.fixture(scope="module")
def position() -> Position:
    """The last decision of the demo's first seat that has a meld and a riichi before it."""
    game = demo_game()
    found = [
        p
        for hand in game.hands
        for _, _, p in positions(hand.events, Seat(0))
        if any(player.melds for player in p.players) and any(player.riichi for player in p.players)
    ]
    return found[-1]


def test_tiles_are_a_whole_svg_with_every_drawing_once() -> None:
    svg = parse_tiles("1111m05s")._repr_svg_()
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    assert [s.get("id") for s in root.iter(f"{space}symbol")] == [
        "haiyomi-0s", "haiyomi-1m", "haiyomi-5s",
    ]  # fmt: skip
    assert [u.get("href") for u in root.iter(f"{space}use")] == (
        ["#haiyomi-1m"] * 4 + ["#haiyomi-0s", "#haiyomi-5s"]
    )


def test_every_tile_and_an_empty_row_can_be_shown() -> None:
    for tile in TILES:
        ElementTree.fromstring(tile._repr_svg_())
    ElementTree.fromstring(Tiles()._repr_svg_())


@pytest.mark.parametrize("text", ["", "1m", "340m0p", "1z1m1z", "5055p", "123m406p789s1122z"])
def test_tiles_keep_their_order_in_print(text: str) -> None:
    tiles = parse_tiles(text)
    assert str(tiles) == text
    assert eval(repr(tiles), {"parse_tiles": parse_tiles}) == tiles
    assert tiles == tuple(tiles)


def test_a_position_shows_every_tile_that_lies_open(position: Position) -> None:
    html = position._repr_html_()
    found = read(html)
    drawn = re.findall(r'<use href="#haiyomi-(\w+)"', html)
    expected = [str(t) for t in (*position.hand, *position.indicators)]
    for player in position.players:
        expected += [str(t.tile) for t in player.river if t.called_by is None]
        expected += [str(t) for meld in player.melds if meld.open for t in meld.tiles]
    closed = [m for p in position.players for m in p.melds if not m.open]
    expected += [name for m in closed for name in (BACK, str(m.tiles[1]), str(m.tiles[2]), BACK)]
    assert sorted(drawn) == sorted(expected)
    for player in position.players:
        assert f"{player.score:,}" in found.text


@pytest.mark.parametrize(("target", "place"), [(1, 2), (2, 1), (3, 0)])
def test_a_called_tile_lies_on_the_side_it_came_from(target: int, place: int) -> None:
    five = Tile.parse("5p")
    meld = Meld("pon", (five, five, Tile.parse("0p")), five, Seat(target))
    assert [t.rotated for t in meld_row(meld, 0)].index(True) == place


def test_answers_are_whole_and_inert(position: Position) -> None:
    table = win_table(WinQuestion.parse("789m14568p67s5557z", seen="9s", turn=5))
    shown = read(table._repr_html_())
    assert f"{100 * table.rows[0].win[4]:.1f}%" in shown.text
    readings = read_hands(position, samples=2, seed=1)
    for reading in readings:
        assert f"{100 * reading.holds.max():.1f}%" in read(reading._repr_html_()).text


def test_an_analysis_shows_each_number_of_its_parts(position: Position) -> None:
    analysis = Analyzer(samples=1).analyze([position])[0]
    text = read(analysis._repr_html_()).text
    assert analysis.outcomes
    assert analysis.own_wins is not None
    for choice in analysis.risks.choices:
        assert f"{100 * choice.risk:.1f}%" in text
        assert f"{round(choice.expected_loss):,}" in text
    for outcome in analysis.outcomes:
        if outcome.option.act == "discard":
            assert f"{100 * outcome.win:.1f}%" in text
            assert f"{round(outcome.points):,}" in text
    for own in analysis.own_wins:
        assert f"{100 * own.win:.1f}%" in text
    assert "What players would do" in text


@pytest.mark.parametrize("part", PARTS)
def test_an_analysis_of_one_part_shows_that_part(position: Position, part: Part) -> None:
    analysis = Analyzer(parts=[part]).analyze([position])[0]
    text = read(analysis._repr_html_()).text
    assert ("expected points" in text) == (part == "outcomes")
    assert ("Hidden hands" in text) == (part == "hidden_hands")
    assert ("win by own draws" in text) == (part == "own_wins")
    assert ("expected loss" in text) == (part in ("deal_in", "waits", "outcomes"))


def test_a_review_shows_its_totals_and_its_dangerous_discards() -> None:
    review = review_game(demo_game(), Seat(1), Analyzer(parts=["deal_in"]), hands=[2, 9])
    summary = summary_of(review)
    found = read(review._repr_html_())
    assert f"{round(summary.totals.expected_loss):,}" in found.text
    assert f"{100 * summary.most_dangerous[0][1].chosen.risk:.1f}%" in found.text
    bare = review_game(demo_game(), Seat(1), Analyzer(parts=["own_wins"]), hands=[0])
    assert "analysed without risks" in read(bare._repr_html_()).text
    hostile = replace(review, names=(HOSTILE,) * 4)
    assert f"Review of {HOSTILE}" in read(hostile._repr_html_()).text


def test_a_hostile_name_stays_text() -> None:
    game = demo_game()
    style = style_of([game], game.header.names[0])
    shown = read(replace(style, player=HOSTILE)._repr_html_())
    assert HOSTILE in shown.text


def test_colours_follow_the_page() -> None:
    """Outside the tiles nothing sets a colour or a background of its own."""
    game = demo_game()
    html = style_of([game], game.header.names[0])._repr_html_()
    style = re.findall(r"<style>(.*?)</style>", html)[0]
    assert set(re.findall(r"(?:^|[;{])(?:color|background):([^;}]+)", style)) == {"inherit", "none"}
