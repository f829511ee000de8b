"""The opponents of one position by a posterior over tenpai hands: their risks, points and waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.agreeing_hands import agreeing_weights
from haiyomi.dealin.answer import DealIn, ZeroReason
from haiyomi.dealin.grid import RonGrid, deal_in_by_grid
from haiyomi.dealin.possible import FLOOR, zero_reason
from haiyomi.dealin.ron_hands import ron_kinds
from haiyomi.dealin.tenpai_posterior import Reading
from haiyomi.game.position import Position
from haiyomi.kernels.posterior import Worth
from haiyomi.seeds import generator
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.networks.opponents import Seen

SAMPLES: Final = 1600
"""Hands drawn for the points of a ron of probability p: this times the square root of p (the
allocation of least variance for a fixed total), at least LEAST and at most MOST."""
LEAST: Final = 16
MOST: Final = 400
POOL, POOL_A_HAND = 512, 8
"""Hands of which those to be shown are taken, at least and for each of them."""
Floats = NDArray[np.float64]
_BITS: Final = 1 << np.arange(34, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PosteriorOpponents:
    """The three opponents of one position: their ``rows``, ``tenpai`` (3,) and ``ron`` (3, 34)
    probabilities with the rules' zeros set, and the reason for each zero.

    ``seen``: what the network has said of the opponents, which other models may take.
    """

    model_name: str
    position: Position
    chankan: bool
    rows: tuple[Reading, ...]
    tenpai: Floats
    ron: Floats
    reasons: tuple[list[ZeroReason | None], ...]
    seen: Seen | None = None

    def chances(self) -> Floats:
        """(3, 34) P(ron), without points."""
        return self.ron

    def ron_grid(self, seat: int) -> RonGrid:
        """The relative seat's cells, for the kinds that the viewer holds; the others' stay zero."""
        kinds = sorted({t.kind for t in self.position.hand})
        ron = np.zeros((34, 14, 12))
        ron[kinds] = self._cells(kinds, [seat - 1])[0]
        return RonGrid(float(self.tenpai[seat - 1]), ron, self.reasons[seat - 1])

    def ron_cells(self, kinds: Sequence[int]) -> Floats:
        """(3, n, 14, 12) probabilities of a ron on n kinds by (han, fu) cell."""
        return self._cells(kinds, range(3))

    def _cells(self, kinds: Sequence[int], opponents: Sequence[int]) -> Floats:
        """(m, n, 14, 12) probabilities of a ron of m opponents, 0 to 2, on n kinds."""
        wanted, who = list(kinds), list(opponents)
        p = self.ron[who][:, wanted]
        samples = np.zeros((len(who), 34), np.int32)
        samples[:, wanted] = np.where(p > 0, np.clip(SAMPLES * np.sqrt(p), LEAST, MOST), 0)
        cells = np.empty((*p.shape, 14, 12))
        for drawn, out, i in zip(samples, cells, who, strict=True):
            reading = self.rows[i]
            worth = worth_of(self.position, i + 1, self.chankan)
            points = reading.posterior.points(drawn, reading.given, worth, i + 1)
            np.take(points, wanted, axis=0, out=out)
        unknown = (p > 0) & ~cells.any(axis=(2, 3))
        cells[unknown, 1, 3] = 1.0
        cells *= p[:, :, None, None]
        return cells

    def deal_in(self, tiles: Sequence[Tile] | None = None) -> DealIn:
        """The answer for the given tiles, by default the distinct tiles of the viewer's hand."""
        return deal_in_by_grid(self, tiles)

    def hands_by_risk(self, seat: int, n: int, seed: int) -> NDArray[np.uint8]:
        """(n, 34) tenpai hands of a relative seat, drawn so that they win on each kind by ron as
        often as its risk says; none if it cannot be tenpai. They are taken from a pool of exact
        draws (``agreeing_hands``), so that one may come twice."""
        pool = self.rows[seat - 1].posterior.sample(max(POOL, POOL_A_HAND * n), seed)
        if not len(pool):
            return pool
        wins = ron_kinds(self.rows[seat - 1], self.position.players[seat], pool)
        tenpai = max(float(self.tenpai[seat - 1]), FLOOR)
        weights = agreeing_weights(wins, self.ron[seat - 1] / tenpai)
        return pool[generator(seed, 1).choice(len(pool), n, p=weights)]


def ruled(
    positions: Sequence[Position], ron: Floats, wait: Floats
) -> tuple[Floats, list[list[ZeroReason | None]]]:
    """(3n, 34) P(ron) of the opponents of n positions with the rules' zeros, and the reason for
    each; ``wait`` (3n, 34) is zero where no tenpai hand waits on the kind."""
    open_ = wait > 0
    possible = (open_ * _BITS).sum(axis=1).tolist()
    players = [player for position in positions for player in position.players[1:]]
    furiten = np.array([player.furiten_mask for player in players])
    may = open_ & ((furiten[:, None] & _BITS) == 0)
    reasons: list[list[ZeroReason | None]] = []
    for i, row in enumerate(may):
        why: list[ZeroReason | None] = [None] * 34
        unseen = positions[i // 3].unseen
        for k in np.flatnonzero(~row).tolist():
            why[k] = zero_reason(k, players[i], unseen, possible[i])
        reasons.append(why)
    return np.where(may, np.maximum(ron, FLOOR), 0.0), reasons


def worth_of(position: Position, seat: int, chankan: bool = False) -> Worth:
    """What the points of a relative seat's ron depend on besides its hand."""
    player = position.players[seat]
    riichi = 0
    if player.riichi_index is not None:
        riichi = 2 if player.riichi_index == 0 and not position.players[seat].melds else 1
    return Worth(
        position.unseen,
        position.dora,
        ~position.reds_seen & 7,
        sum(tile.red for m in player.melds for tile in m.tiles),
        riichi,
        len(position.indicators) if riichi else 0,
        player.ippatsu,
        position.draws_left == 0 and not chankan,
        chankan,
    )
