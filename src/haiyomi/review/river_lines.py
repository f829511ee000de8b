"""What the opponents have discarded and called at a mistake, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haiyomi.game.player_view import PlayerView, RiverTile
from haiyomi.review.columns import Line, wrap
from haiyomi.review.words import Words


def river_lines(
    player: PlayerView, name: str, melds: Sequence[str], words: Words
) -> Iterator[Line]:
    """The ``melds`` and the discards of a player in order: after an asterisk the one that declared
    riichi, in brackets one that was called."""
    items: list[Line] = [((meld, ""),) for meld in melds]
    if player.river:
        items.append(((" ".join(_thrown(each, words) for each in player.river), ""),))
    if items:
        yield from wrap(items, ((f"     {name} ", "dim"),))


def _thrown(thrown: RiverTile, words: Words) -> str:
    text = f"{'*' * thrown.riichi}{words.tile(thrown.tile)}"
    return text if thrown.called_by is None else f"({text})"
