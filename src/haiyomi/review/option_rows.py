"""The outcomes of a decision by the tile that goes, as rows of a review's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from haiyomi.analysis.value import Analysis
from haiyomi.review.columns import chance
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.outcomes.option import Act


def by_discard(analysis: Analysis) -> dict[Tile, dict[Act, Outcome]]:
    """The options that discard each tile, by ``discard`` and ``riichi``."""
    found: dict[Tile, dict[Act, Outcome]] = {}
    for outcome in analysis.outcomes or ():
        if outcome.option.act in ("discard", "riichi"):
            found.setdefault(outcome.option.tiles[0], {})[outcome.option.act] = outcome
    return found


def option_rows(
    labels: tuple[str, str, str], options: Sequence[Outcome | None]
) -> Iterator[tuple[str, list[str]]]:
    """The label and the texts of P(win), the expected points, and how many strong players choose
    each option, where that is known; None has no text."""
    win, ev, strong = labels
    yield win, ["-" if each is None else chance(each.win) for each in options]
    yield ev, ["-" if each is None else f"{each.points:z.0f}" for each in options]
    shares = [None if each is None else each.share for each in options]
    if any(share is not None for share in shares):
        yield strong, ["-" if share is None else f"{100 * share:.0f}%" for share in shares]
