"""Why a tile is dangerous, or safe: the waits that its risk is made of, each with its share.

The hands that could win on the tile are drawn exactly from the posterior, given that they win
on it; each is read as the wait that the tile completes. Shares are of the opponent's risk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import ZeroReason
from haiyomi.dealin.posterior_model import PosteriorModel
from haiyomi.dealin.tenpai_reading import Reading
from haiyomi.dealin.waits import N_WAITS, WAITS, WaitShape
from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, no_melds, score
from haiyomi.kernels.tenpai_hands import wait_names
from haiyomi.tiles import Kind, Seat, Tile

DRAWS = 600
"""Hands drawn; a share's standard error is at most 2%."""


@dataclass(frozen=True, slots=True)
class WaitShare:
    """A wait and its share of the risk. ``wins``: the kinds it waits on; of a shanpon both
    pairs, the tile's own first. ``held``: the kinds of the part that the tile completes.
    ``shape`` ``orphans``: thirteen orphans."""

    shape: WaitShape | str
    wins: tuple[Kind, ...]
    held: tuple[Kind, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Why:
    """One opponent's risk of a tile explained: ``waits`` by share, likeliest first, together
    one; or ``reason`` why there is none."""

    opponent: Seat
    tenpai: float
    probability: float
    waits: tuple[WaitShare, ...]
    reason: ZeroReason | None


def explain(
    model: PosteriorModel, position: Position, tile: Tile, draws: int = DRAWS
) -> tuple[Why, Why, Why]:
    """Why the tile carries the risk it does, against relative seats 1, 2 and 3."""
    found = model.opponents(position)
    kind = int(tile.kind)
    out = []
    for i in range(3):
        reason = found.reasons[i][kind]
        p = float(found.ron[i, kind])
        shares: tuple[WaitShare, ...] = ()
        if reason is None:
            shares = wait_shares(found.readings.rows[i], kind, draws)
        out.append(Why(Seat(i + 1), float(found.tenpai[i]), p, shares, reason))
    return out[0], out[1], out[2]


def wait_shares(reading: Reading, kind: int, draws: int = DRAWS) -> tuple[WaitShare, ...]:
    """The waits that win on a kind, by share."""
    return wait_shares_of([(reading, kind)], draws)[0]


def wait_shares_of(
    asked: Sequence[tuple[Reading, int]], draws: int = DRAWS
) -> list[tuple[WaitShare, ...]]:
    """``wait_shares`` of opponents and kinds, all of one game: many at once cost less."""
    drawn = [
        reading.posterior.sample(draws, 11, kind, reading.given.furiten) for reading, kind in asked
    ]
    if not any(map(len, drawn)):
        return [()] * len(asked)
    hands = np.concatenate(drawn)
    of = np.repeat(np.arange(len(asked)), [len(each) for each in drawn])
    kinds = np.array([kind for _, kind in asked])[of]
    # Who has all four of a kind that the viewer lacks can be dealt none.
    melded = np.array([_in_melds(reading.given.melds, kind) for reading, kind in asked])
    fits = hands[np.arange(len(hands)), kinds] + melded[of] < 4
    if not fits.all():
        hands, kinds, of = hands[fits], kinds[fits], of[fits]
    names, wins = wait_names(hands, kinds), _wins(hands, kinds, of, asked)
    of = of[wins]
    found, first, count = np.unique(
        of * _NAMES + names[wins], return_index=True, return_counts=True
    )
    total = np.bincount(of, minlength=len(asked))
    out: list[list[WaitShare]] = [[] for _ in asked]
    # The likeliest first; of as likely ones that which was drawn first.
    order = np.lexsort((first, -count))
    for name, n in zip(found[order].tolist(), count[order].tolist(), strict=True):
        i, name = divmod(name, _NAMES)
        out[i].append(WaitShare(*_named(name, asked[i][1]), n / int(total[i])))
    return [tuple(each) for each in out]


def _wins(
    hands: NDArray[np.uint8],
    kinds: NDArray[np.int64],
    of: NDArray[np.int64],
    asked: Sequence[tuple[Reading, int]],
) -> NDArray[np.bool_]:
    """Which hands have a yaku with the tile; all of an opponent where none is found to."""
    out = np.array([reading.given.certain_yaku for reading, _ in asked])[of]
    at = np.flatnonzero(~out)
    if not len(at):
        return out
    melds, winds = no_melds(len(asked)), np.zeros((len(asked), 2), np.uint8)
    for i, (reading, _) in enumerate(asked):
        winds[i] = reading.given.round_wind, reading.given.seat_wind
        for j, meld in enumerate(reading.given.melds):
            melds[i, j] = meld
    won = hands[at]
    won[np.arange(len(at)), kinds[at]] += 1
    found = score(
        won, kinds[at], melds=melds[of[at]], round_wind=winds[of[at], 0],
        seat_wind=winds[of[at], 1], rules=asked[0][0].given.rules,
    )  # fmt: skip
    out[at] = found.has_yaku
    some = np.bincount(of, weights=out, minlength=len(asked)) > 0
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
