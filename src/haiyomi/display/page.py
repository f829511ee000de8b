"""The pieces of an HTML answer: a frame, tables, escaped text, numbers and bars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from haiyomi.display.tile_row import Placed, row, sprite

_STYLE = (
    "<style>"
    ".haiyomi{font:14px/1.5 system-ui,sans-serif;color:inherit}"
    ".haiyomi table{border-collapse:collapse;margin:.4em 0;background:none;color:inherit}"
    ".haiyomi tr,.haiyomi tbody tr:nth-child(odd){background:none}"
    ".haiyomi th,.haiyomi td{border:0;border-bottom:1px solid rgba(128,128,128,.45);"
    "padding:.2em .7em;text-align:left;vertical-align:middle;white-space:nowrap;"
    "background:none;color:inherit}"
    ".haiyomi th{font-weight:600}"
    ".haiyomi .n{text-align:right;font-variant-numeric:tabular-nums}"
    ".haiyomi .small{font-size:.86em;opacity:.85}"
    ".haiyomi .wrap{white-space:normal}"
    ".haiyomi svg{vertical-align:middle}"
    "</style>"
)
_USED = re.compile(r'href="#haiyomi-(\w+)"')


class Html(str):
    """Text that is HTML already; ``cell`` escapes every other text."""

    __slots__ = ()


def page(*parts: str) -> str:
    """One self-contained ``<div>`` with the style and the tile drawings that the parts refer to."""
    body = "".join(parts)
    names = set(_USED.findall(body))
    return f'<div class="haiyomi">{_STYLE}{sprite(names) if names else ""}{body}</div>'


def heading(value: str, note: str = "") -> Html:
    """A line that says what follows, and a smaller note behind it."""
    behind = f' <span class="small">{escape(note)}</span>' if note else ""
    return Html(f"<div><strong>{escape(value)}</strong>{behind}</div>")


def tiles(placed: Sequence[Placed], height: int = 30) -> Html:
    """A row of tiles; the page around it has their drawings."""
    return Html(row(placed, height))


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """A table; numbers stand right. A cell that is no Html is escaped."""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(map(_cell, cells))}</tr>" for cells in rows)
    return Html(f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def percent(share: float | None) -> str:
    """A share 0 to 1 as a percentage, a dash for None."""
    return "-" if share is None else f"{100 * share:.1f}%"


def bar(share: float) -> Html:
    """A share 0 to 1 as a bar and a percentage."""
    wide = min(max(share, 0.0), 1.0) * 60
    return Html(
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="9" aria-hidden="true">'
        '<rect width="60" height="9" rx="2" fill="currentColor" opacity=".15"/>'
        f'<rect width="{wide:.1f}" height="9" rx="2" fill="currentColor" opacity=".7"/></svg>'
        f" {100 * share:.1f}%"
    )


def _cell(value: object) -> str:
    if isinstance(value, Html):
        return f"<td>{value}</td>"
    if isinstance(value, int | float):
        return f'<td class="n">{value:,}</td>'
    return f"<td>{escape(str(value))}</td>"
