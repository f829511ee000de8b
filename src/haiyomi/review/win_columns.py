"""The chance to win by own draws, and the points of those wins, beside the risk of each discard.

They count wins by own draw alone, without calls, so they tell discards apart rather than say how
often the hand will win. Left out after riichi, where there is nothing to choose, and for discards
that leave the graph of hand changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.review.assessment import Assessment
    from haiyomi.review.words import Words


@dataclass(frozen=True, slots=True)
class WinAfter:
    """What a discard leaves: the probabilities to win by own draw and to come tenpai by the end,
    and the points of those wins on average, None beyond 4-shanten.
    """

    win: float
    tenpai: float
    score: float | None


def win_after(assessment: Assessment) -> dict[Tile, WinAfter]:
    """By tile; empty where nothing is computed."""
    position = assessment.position
    if not position.to_act or assessment.shanten is None or len(position.discards) < 2:
        return {}
    from haiyomi.winning.convention import DEFAULT
    from haiyomi.winning.question import WinQuestion
    from haiyomi.winning.table import wins_now

    rules = position.rules
    convention = DEFAULT.but(rules=rules, reds=rules.red_fives)
    found = wins_now(WinQuestion.from_position(position), convention)
    return {tile: WinAfter(*now) for tile, now in found.items() if tile is not None}


def win_rows(
    assessment: Assessment, tiles: Sequence[Tile], words: Words
) -> Iterator[tuple[str, list[str]]]:
    """The label and the texts of the rows under a decision's table; none where none is computed."""
    found = win_after(assessment)
    if not found:
        return
    after = [found.get(tile) for tile in tiles]
    yield words.win, ["-" if a is None else _percent(a.win) for a in after]
    if any(a is not None and a.score is not None for a in after):
        yield (
            words.gain,
            ["-" if a is None or a.score is None else f"{a.score:.0f}" for a in after],
        )


def with_win(assessment: Assessment, tiles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tiles' JSON values with ``win``, ``tenpai`` and ``score`` added, null where unknown."""
    found = win_after(assessment)
    for choice, value in zip(assessment.choices, tiles, strict=True):
        after = found.get(choice.tile)
        value["win"] = None if after is None else after.win
        value["tenpai"] = None if after is None else after.tenpai
        value["score"] = None if after is None else after.score
    return tiles


def _percent(probability: float) -> str:
    return "100%" if probability >= 0.9995 else f"{100 * probability:.1f}%"
