"""Drill cards as a text file that Anki imports.

The format is that of Anki's manual, "Importing / Text files": lines of fields after headers such as
``#separator:tab``. It needs no library and no knowledge of Anki's database, which changes between
versions. ``#guid column`` makes a second import update the notes of the first.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from haiyomi.apps.drills import Card, Json
from haiyomi.game.rounds import round_name
from haiyomi.review.catalogue import section
from haiyomi.review.html.tileset import HEIGHT, WIDTH, drawings

HEADERS: Final = (
    "#separator:tab",
    "#html:true",
    "#notetype:Basic",
    "#deck:haiyomi",
    "#guid column:1",
)
_TILES: Final = re.compile(r"(\d+)([mpsz])")


def anki_text(cards: Sequence[Card], lang: str) -> str:
    """The file: a line of id, question and answer for each card."""
    lines = [
        "\t".join((f"haiyomi-{c.id}", _front(c.data, lang), _back(c.data, lang))) for c in cards
    ]
    return "\n".join((*HEADERS, *lines)) + "\n"


def _front(card: Json, lang: str) -> str:
    """Hand, melds and offer of the viewer, the indicators, and each river."""
    d, page = card["d"], section(lang, "page")
    b = d["b"]
    name = round_name(card["k"]) + (f".{card['h']}" if card["h"] else "")
    parts = [f"<b>{name}</b> {_pictures(b['i'])}"]
    for seat, player in enumerate(b["p"]):
        who = page["you"] if seat == 0 else card["names"][(card["seat"] + seat) % 4]
        river = [token[:2] for token in player.get("v", "").split()]
        melds = " ".join(_pictures(meld[1]) for meld in player.get("m", ()))
        riichi = f" <b>{page['riichi']}</b>" if player.get("r") else ""
        parts.append(
            f"{html.escape(str(who))} {player['sc']:,}{riichi}<br>{_pictures(river)} {melds}"
        )
    drawn = [] if b["drawn"] is None else [b["drawn"]]
    parts.append(f"{_pictures(b['hand'])} &nbsp; {_pictures(drawn)}")
    if "of" in d:
        who = card["names"][(card["seat"] + d["of"][1]) % 4]
        text = str(page["offered"]).format(name=who)
        parts.append(f"{html.escape(text)} {_pictures([d['of'][0]])}")
    return "<br><br>".join(parts)


def _back(card: Json, lang: str) -> str:
    """The better option, what was done, and every option's points, win and deal-in."""
    d, page = card["d"], section(lang, "page")
    columns = page["optionCol"]
    assert isinstance(columns, dict)
    head = "".join(f"<th>{columns[key]}</th>" for key in ("option", "ev", "win", "dealIn"))
    rows = "".join(_row(row, d["dn"], str(page["done"])) for row in d["op"])
    best = _option(d["op"][d["v"][5]][0])
    why = html.escape(d.get("why", {}).get(lang, ""))
    return f"{best}<br>{why}<table><tr>{head}</tr>{rows}</table>"


def _row(row: list[Any], done: str, mark: str) -> str:
    option, points, _, win, deal_in = row[:5]
    name = _option(str(option)) + (f" ({mark})" if option == done else "")
    return f"<tr><td>{name}</td><td>{points:+,}</td><td>{win:.1%}</td><td>{deal_in:.1%}</td></tr>"


def _option(text: str) -> str:
    act, _, tiles = text.rpartition(" ")
    if not _TILES.fullmatch(tiles):
        return html.escape(text)
    return f"{act} {_pictures(list(_named(tiles)))}"


def _named(text: str) -> Iterator[str]:
    for digits, suit in _TILES.findall(text):
        yield from (digit + suit for digit in digits)


def _pictures(tiles: Sequence[str]) -> str:
    return "".join(map(_picture, tiles))


def _picture(tile: str) -> str:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{drawings()[tile]}</svg>"
    )
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{tile}" width="30" height="40" src="data:image/svg+xml;base64,{data}">'
