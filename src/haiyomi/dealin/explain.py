"""The waits that a tile's risk is made of, each with its share, by the posterior.

The hands that could win on the tile are drawn exactly from the posterior, given that they win
on it; each is read as the wait that the tile completes. Shares are of the opponent's risk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import WaitShare
from haiyomi.dealin.tenpai_posterior import Reading
from haiyomi.dealin.waits import N_WAITS, WAITS
from haiyomi.kernels.posterior import Given
from haiyomi.kernels.scoring import MeldType, no_melds, score
from haiyomi.kernels.tenpai_hands import wait_names
from haiyomi.tiles import Kind

DRAWS = 100
"""Hands drawn; a share's standard error is at most 3.5%."""


def wait_shares(queries: Sequence[tuple[Reading, int]]) -> list[tuple[WaitShare, ...]]:
    """For each opponent and kind, all of one game, the waits that win on the kind, by share."""
    if not queries:
        return []
    given = [reading.given for reading, _ in queries]
    drawn = [
        reading.posterior.sample(DRAWS, 11, kind, about.furiten)
        for (reading, kind), about in zip(queries, given, strict=True)
    ]
    if not any(map(len, drawn)):
        return [()] * len(queries)
    hands = np.concatenate(drawn)
    of = np.repeat(np.arange(len(queries)), [len(each) for each in drawn])
    kinds = np.array([kind for _, kind in queries])[of]
    # No hand can be drawn where every unseen copy is already used.
    melded = np.array(
        [_in_melds(about.melds, kind) for (_, kind), about in zip(queries, given, strict=True)]
    )
    fits = hands[np.arange(len(hands)), kinds] + melded[of] < 4
    if not fits.all():
        hands, kinds, of = hands[fits], kinds[fits], of[fits]
    names, wins = wait_names(hands, kinds), _wins(hands, kinds, of, given)
    of = of[wins]
    found, first, count = np.unique(
        of * _NAMES + names[wins], return_index=True, return_counts=True
    )
    total = np.bincount(of, minlength=len(queries))
    out: list[list[WaitShare]] = [[] for _ in queries]
    # The likeliest first; of as likely ones that which was drawn first.
    order = np.lexsort((first, -count))
    for name, n in zip(found[order].tolist(), count[order].tolist(), strict=True):
        i, name = divmod(name, _NAMES)
        out[i].append(WaitShare(*_named(name, queries[i][1]), n / int(total[i])))
    return [tuple(each) for each in out]


def _wins(
    hands: NDArray[np.uint8],
    kinds: NDArray[np.int64],
    of: NDArray[np.int64],
    given: Sequence[Given],
) -> NDArray[np.bool_]:
    """Which hands have a yaku with the tile; all of an opponent where none is found to."""
    out = np.array([about.certain_yaku for about in given])[of]
    at = np.flatnonzero(~out)
    if not len(at):
        return out
    melds, winds = no_melds(len(given)), np.zeros((len(given), 2), np.uint8)
    for i, about in enumerate(given):
        winds[i] = about.round_wind, about.seat_wind
        for j, meld in enumerate(about.melds):
            melds[i, j] = meld
    won = hands[at]
    won[np.arange(len(at)), kinds[at]] += 1
    found = score(
        won, kinds[at], melds=melds[of[at]], round_wind=winds[of[at], 0],
        seat_wind=winds[of[at], 1], rules=given[0].rules,
    )  # fmt: skip
    out[at] = found.has_yaku
    some = np.bincount(of, weights=out, minlength=len(given)) > 0
    return out | ~some[of]


def _in_melds(melds: Iterable[Sequence[int]], kind: int) -> int:
    """How many tiles of a kind some melds hold, rows of (``MeldType``, kind - the lowest of a
    chi)."""
    copies = 0
    for shape, first in melds:
        if shape == MeldType.CHI:
            copies += first <= kind <= first + 2
        elif first == kind:
            copies += 3 if shape == MeldType.PON else 4
    return copies


_NAMES = (N_WAITS + 1) ** 2


@lru_cache(maxsize=4096)
def _named(name: int, kind: int) -> tuple[str, tuple[Kind, ...], tuple[Kind, ...]]:
    """Shape, wins and held tiles of a number of ``wait_names``."""
    first, other = divmod(name, N_WAITS + 1)
    if first == N_WAITS:
        return "orphans", (Kind(kind),), ()
    wait = WAITS[first]
    if wait.shape != "shanpon":
        return wait.shape, wait.wins, wait.held
    pairs = () if other == N_WAITS else WAITS[other].wins
    return "shanpon", (Kind(kind), *pairs), (Kind(kind), Kind(kind))
