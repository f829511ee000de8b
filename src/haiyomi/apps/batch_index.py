"""The list of a batch of reviews: one page, a row for each review, sorted and searched in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from haiyomi.review.catalogue import flat
from haiyomi.review.html.document import page_html
from haiyomi.review.verdicts import MARGIN

MOST_GAMES = 10_000
"""So many are listed: about 4 MB. The manifest names all."""
MOST_LEFT_OUT = 500
NUMBERS = (
    "discards", "deal_ins", "expected_deal_ins", "points_lost", "expected_loss", "mistakes",
    "mistake_cost",
)  # fmt: skip
"""The columns of a review, of ``stats_out.tally_json``."""


def index_page(games: Iterable[tuple[str, Mapping[str, Any]]], model: str, lang: str) -> str:
    """The page that leads to the reviews of some games: (folder, the facts of its seal)."""
    listed: list[dict[str, object]] = []
    left: list[list[str]] = []
    more = left_more = 0
    for folder, game in games:
        if game["files"] and len(listed) < MOST_GAMES:
            listed.append(_game(folder, game))
        elif game["files"]:
            more += 1
        if game["skipped"] and len(left) < MOST_LEFT_OUT:
            left.append([game["record"], game["skipped"]])
        elif game["skipped"]:
            left_more += 1
    data = {
        "kind": "batch",
        "lang": lang,
        "model": model,
        "margin": round(MARGIN),
        "games": listed,
        "more": more,
        "left": left,
        "leftMore": left_more,
    }
    title = "haiyomi: " + flat(lang, "server")["reviews"]
    return page_html("batch", data, title, lang)


def _game(folder: str, game: Mapping[str, Any]) -> dict[str, object]:
    """``f`` its folder, ``r`` the record, ``n`` the names, ``s`` of each review the seat and
    NUMBERS."""
    seats = [
        [total["seat"], *(round(total[name], 2) for name in NUMBERS)]
        for total in game["totals"].values()
    ]
    return {"f": folder, "r": game["record"], "n": game["names"], "s": seats}
