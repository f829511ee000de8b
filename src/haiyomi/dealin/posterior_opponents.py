"""The opponents of one position by a posterior over tenpai hands: their risks, points and waits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from haiyomi.arrays import Bytes, Floats, Ints32
from haiyomi.dealin.agreeing_hands import agreeing_weights
from haiyomi.dealin.answer import Waits, ZeroReason
from haiyomi.dealin.grid import deal_in_by_grid
from haiyomi.dealin.possible import FLOOR, furiten_reason
from haiyomi.dealin.ron_hands import ron_kinds
from haiyomi.dealin.tenpai_posterior import Reading
from haiyomi.game.position import Position
from haiyomi.kernels.posterior import RonCells, ron_cells
from haiyomi.seeds import generator

if TYPE_CHECKING:
    from haiyomi.networks.opponents import OpponentOutputs

SAMPLES: Final = 1200
"""Hands drawn for the points of a ron of probability p: this times the square root of p (the
allocation of least variance for a fixed total), at least LEAST and at most MOST."""
LEAST: Final = 16
MOST: Final = 220
POOL, POOL_A_HAND = 512, 8
"""Hands of which those to be shown are taken, at least and for each of them."""


@dataclass(frozen=True, slots=True, eq=False)
class PosteriorOpponents:
    """The three opponents of one position: their ``rows``, ``tenpai`` (3,) and ``ron`` (3, 34)
    probabilities with the rules' zeros set.

    ``seen``: what the network has said of the opponents, which other models may take.
    """

    model_name: str
    position: Position
    chankan: bool
    rows: tuple[Reading, ...]
    tenpai: Floats
    ron: Floats
    seen: OpponentOutputs

    def chances(self) -> Floats:
        """(3, 34) P(ron), without points."""
        return self.ron

    def reason(self, seat: int, kind: int) -> ZeroReason | None:
        """Why a relative seat cannot win on a kind; None where it might."""
        if self.ron[seat - 1, kind] > 0:
            return None
        return furiten_reason(kind, self.position.players[seat]) or "no-hand"

    def ron_cells(self, kinds: Sequence[int]) -> Floats:
        """(3, n, 14, 12) probabilities of a ron on n kinds by (han, fu) cell."""
        return self._rons(kinds, math.inf).cells

    def cells_and_waits(self, kinds: Sequence[int], waits_from: float) -> tuple[Floats, Waits]:
        """``ron_cells``, and the waits of probabilities of at least ``waits_from``, in the hands
        drawn for the points: a share has a standard error of at most .5 / samples ** .5."""
        found = self._rons(kinds, waits_from)
        if not len(found.waits):
            return found.cells, {}
        from haiyomi.dealin.explain import shares_of

        return found.cells, shares_of(found.waits, kinds)

    def _rons(self, kinds: Sequence[int], waits_from: float) -> RonCells:
        p = self.ron.take(kinds, axis=1)
        posteriors = [row.posterior for row in self.rows]
        shown = self.seen.shown(self.position.rules, self.chankan)
        return ron_cells(posteriors, shown, kinds, samples_for(p), p, waits_from)

    deal_in = deal_in_by_grid

    def hands_by_risk(self, seat: int, n: int, seed: int) -> Bytes:
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


def samples_for(p: Floats) -> Ints32:
    """How many hands to draw for the points of rons of such probabilities, if above 0."""
    few: Floats = np.sqrt(p)
    few *= SAMPLES
    np.minimum(np.maximum(few, LEAST, out=few), MOST, out=few)
    return few.astype(np.int32)
