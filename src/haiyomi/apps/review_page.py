"""The page of a review, and the hidden truth that a review may show beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from haiyomi.events import Game
from haiyomi.review.columns import clean
from haiyomi.review.decisions import Revealed, Review
from haiyomi.review.summary import EVERY, Shown
from haiyomi.review.verdicts import USUAL, Margins
from haiyomi.tiles import Kind, Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models


def page_analyzer(models: Models) -> Analyzer:
    """Computes what a page shows, and no more."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.value import PARTS
    from haiyomi.review.html.data import WAITS_FROM

    parts = [part for part in PARTS if part != "own_wins"]
    return Analyzer(models, parts, details=["all_waits"], waits_from=WAITS_FROM)


def page_of(
    review: Review,
    lang: str,
    record: str = "",
    back: str = "",
    margins: Margins = USUAL,
    shown: Shown = EVERY,
) -> str:
    """The page of a review; ``record`` names the game, ``back`` is the address of the list that
    the page stands in; ``margins`` make a mistake, ``shown`` are those that it lists at first."""
    from haiyomi.review.html.data import review_data
    from haiyomi.review.html.document import page_html

    data = review_data(review, margins, shown) | {"lang": lang}
    data |= {key: text for key, text in (("record", record), ("list", back)) if text}
    names = ["haiyomi", clean(review.name(0)) or f"seat {review.seat}", clean(record)]
    return page_html("review", data, " - ".join(filter(None, names)), lang)


def revealed(game: Game, seat: Seat, hands: Iterable[int]) -> Mapping[tuple[int, int], Revealed]:
    """The hidden truth at each decision of a seat, by (hand, event index)."""
    from haiyomi.game.truth import truth_of

    out: dict[tuple[int, int], Revealed] = {}
    for index in hands:
        hand = truth_of(game.hands[index], game.header.rules)
        for rows in (hand.discards, hand.kakans):
            for i in range(len(rows)):
                if rows.seat[i] != seat:
                    continue
                others = [(seat + r) % 4 for r in (1, 2, 3)]
                a, b, c = (_kinds(int(rows.ron[i, s])) for s in others)
                x, y, z = (_kinds(int(rows.waits[i, s])) for s in others)
                u, v, w = (_tiles(rows.concealed[i, s].tolist()) for s in others)
                out[index, int(rows.event[i])] = Revealed((a, b, c), (x, y, z), (u, v, w))
    return out


def _kinds(mask: int) -> tuple[Kind, ...]:
    return tuple(Kind(k) for k in range(34) if mask >> k & 1)


def _tiles(counts: list[int]) -> tuple[Kind, ...]:
    return tuple(Kind(k) for k in range(34) for _ in range(counts[k]))
