"""What the player needs in the last hand, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from haiyomi.review.catalogue import flat
from haiyomi.review.words import Words

if TYPE_CHECKING:
    from haiyomi.game.needs import Need


def needs_said(needs: Sequence[Need], dealer: int, words: Words) -> Iterator[str]:
    """A line for each place, such as ``To finish in 1st place: 2,000/4,000 by own draw, 8,000 by
    ron``; ``dealer`` is an absolute seat."""
    texts = flat(words.language, "needs")
    for place, group in groupby(needs, lambda need: need.place):
        mine = list(group)
        off = [need for need in mine if need.payer is not None]
        ways = [texts["tsumo"].format(points=_drawn(n, words)) for n in mine if n.payer is None]
        if len(off) == 3 and len({need.points for need in off}) == 1:
            ways.append(texts["ron"].format(points=f"{off[0].points[0]:,}"))
        else:
            for need in off:
                assert need.payer is not None
                who = words.hands.winds[(need.payer - dealer) % 4]
                ways.append(texts["off"].format(points=f"{need.points[0]:,}", who=who))
        yield texts["row"].format(place=words.places[place], ways=words.and_.join(ways))


def _drawn(need: Need, words: Words) -> str:
    """``1,000/2,000``, or ``2,000 all`` of a dealer."""
    points = "/".join(f"{each:,}" for each in need.points)
    every = len(need.points) == 1
    return flat(words.language, "needs")["all"].format(points=points) if every else points
