"""The list of a batch of reviews: one page, a row for each review, sorted and searched in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haiyomi.review.balance import MARGIN as BALANCE_MARGIN
from haiyomi.review.html.document import page_html

MOST_GAMES = 10_000
"""So many are listed: some 4 MB. The manifest names all."""
MOST_LEFT_OUT = 500
NUMBERS = (
    "discards", "deal_ins", "expected_deal_ins", "points_lost", "expected_loss", "mistakes",
    "mistake_cost",
)  # fmt: skip
"""The columns of a review, of ``stats_out.tally_json``."""


def index_page(games: Mapping[str, Mapping[str, Any]], model: str, lang: str) -> str:
    """The page that leads to the reviews of some games: by folder, what its ``review.json`` has."""
    told = {folder: game for folder, game in games.items() if game["pages"]}
    left = [
        [game["record"], game["skipped"].removeprefix(f"{game['record']}: ")]
        for game in games.values()
        if game["skipped"]
    ]
    data = {
        "kind": "batch",
        "lang": lang,
        "model": model,
        "margin": BALANCE_MARGIN,
        "games": [_game(folder, told[folder]) for folder in list(told)[:MOST_GAMES]],
        "more": max(0, len(told) - MOST_GAMES),
        "left": left[:MOST_LEFT_OUT],
        "leftMore": max(0, len(left) - MOST_LEFT_OUT),
    }
    title = "牌譜検討の一覧" if lang == "ja" else "haiyomi reviews"
    return page_html("batch", data, title, lang)


def _game(folder: str, game: Mapping[str, Any]) -> dict[str, Any]:
    """``f`` its folder, ``r`` the record, ``n`` the names, ``s`` of each review the seat and
    NUMBERS."""
    seats = [
        [total["seat"], *(round(total[name], 2) for name in NUMBERS)]
        for total in game["totals"].values()
    ]
    return {"f": folder, "r": game["record"], "n": game["names"], "s": seats}
