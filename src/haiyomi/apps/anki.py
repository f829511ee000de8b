"""Drill cards as a text file that Anki imports.

The format is that of Anki's manual, "Importing / Text files": lines of fields after headers such as
``#separator:tab``. It needs no library and no knowledge of Anki's database, which changes between
versions. ``#guid column`` makes a second import update the notes of the first. Tiles are drawn in
the text itself: Anki would look for a picture with an address among its media files.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from haiyomi.apps.drills import Card
from haiyomi.json_types import KnownJson
from haiyomi.review.catalogue import Tree, section
from haiyomi.review.columns import clean
from haiyomi.review.html.tileset import HEIGHT, WIDTH, drawings
from haiyomi.review.words import words_of

HEADERS: Final = (
    "#separator:tab",
    "#html:true",
    "#notetype:Basic",
    "#deck:haiyomi",
    "#guid column:1",
)
_TILES: Final = re.compile(r"(\d+)([mpsz])")
_USED: Final = re.compile(r'"#haiyomi-(..)"')


def anki_text(cards: Sequence[Card], lang: str) -> str:
    """The file: a line of id, question and answer for each card."""
    lines = [
        "\t".join((f"haiyomi-{c.id}", _front(c.data, lang), _back(c.data, lang))) for c in cards
    ]
    return "\n".join((*HEADERS, *lines)) + "\n"


def _front(card: KnownJson, lang: str) -> str:
    """Hand, melds and offer of the viewer, the indicators, and each river."""
    d, page = card["d"], section(lang, "page")
    b = d["b"]
    name = words_of(lang).hand(card["k"], card["h"])
    parts = [f"<b>{name}</b> {_pictures(b['i'])}"]
    for seat, player in enumerate(b["p"]):
        who = page["you"] if seat == 0 else card["names"][(card["seat"] + seat) % 4]
        river = [token[:2] for token in player.get("v", "").split()]
        melds = " ".join(_pictures(meld[1]) for meld in player.get("m", ()))
        riichi = f" <b>{page['riichi']}</b>" if player.get("r") else ""
        parts.append(
            f"{html.escape(clean(str(who)))} {player['sc']:,}{riichi}<br>{_pictures(river)} {melds}"
        )
    drawn = [] if b["drawn"] is None else [b["drawn"]]
    parts.append(f"{_pictures(b['hand'])} &nbsp; {_pictures(drawn)}")
    if "of" in d:
        who = card["names"][(card["seat"] + d["of"][1]) % 4]
        text = str(page["offered"]).format(name=who)
        parts.append(f"{html.escape(clean(text))} {_pictures([d['of'][0]])}")
    return _with_drawings("<br><br>".join(parts))


def _back(card: KnownJson, lang: str) -> str:
    """The better option, what was done, and every option's points, win and deal-in."""
    d, page = card["d"], section(lang, "page")
    columns = page["optionCol"]
    assert isinstance(columns, dict)
    head = "".join(f"<th>{columns[key]}</th>" for key in ("option", "ev", "win", "dealIn"))
    rows = "".join(_row(row, d["dn"], page) for row in d["op"])
    best = _option(d["op"][d["v"][5]][0], page)
    why = html.escape(d.get("why", {}).get(lang, ""))
    return _with_drawings(f"{best}<br>{why}<table align=center><tr>{head}</tr>{rows}</table>")


def _row(row: list[Any], done: str, page: Mapping[str, Tree]) -> str:
    option, points, _, win, deal_in = row[:5]
    name = _option(str(option), page) + (f" ({page['done']})" if option == done else "")
    return f"<tr><td>{name}</td><td>{points:+,}</td><td>{win:.1%}</td><td>{deal_in:.1%}</td></tr>"


def _option(text: str, page: Mapping[str, Tree]) -> str:
    """The act in words, which a discard needs none of, and its tiles."""
    acts = page["act"]
    assert isinstance(acts, Mapping)
    act, _, tiles = text.rpartition(" ")
    if not _TILES.fullmatch(tiles):
        return html.escape(str(acts[text]))
    pictures = _pictures(list(_named(tiles)))
    return pictures if act == "discard" else f"{html.escape(str(acts[act]))} {pictures}"


def _named(text: str) -> Iterator[str]:
    for digits, suit in _TILES.findall(text):
        yield from (digit + suit for digit in digits)


def _pictures(tiles: Sequence[str]) -> str:
    return "".join(map(_picture, tiles))


def _picture(tile: str) -> str:
    return (
        f'<svg width="30" height="40" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{tile}"><use href="#haiyomi-{tile}"/></svg>'
    )


def _with_drawings(side: str) -> str:
    """A side of a card with the drawings of its tiles, each once, which the pictures use."""
    tiles = sorted(set(_USED.findall(side)))
    drawn = "".join(f'<g id="haiyomi-{tile}">{drawings()[tile]}</g>' for tile in tiles)
    return f'{side}<svg width="0" height="0"><defs>{drawn}</defs></svg>'
