"""Ron by an opponent in riichi: probabilities of waits instead of hands, (19)-(34).

The shape of the wait comes from the number of live suji (26)-(28), the wait within its shape
from three factors (29)-(34), its han and fu from the points of riichi deal-ins (23)-(24).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.dealin.waits import N_LOCAL, N_WAITS, SHAPE_SLICES, SHAPES, WAITS, live_suji
from haiyomi.game.player_view import RiverTile

N_CONDITIONS = 19
"""Of each suit: a red five thrown; rank 1-9 thrown; rank 1-9 thrown, then a tedashi honour."""
N_HAN, N_FU = 14, 12
"""Cells of a ron: han 0-13 (13 and more, a limit hand), fu / 10 (2 = 25 fu, 0 = limit hand)."""
ALPHA = {"two-sided": 1.0, "edge-closed": 1.0, "shanpon": 2.0, "single": 1.0}

# (wait, winning kind) pairs: 18 two-sided waits have two, the others one.
_PAIRS = [(m, int(win)) for m, wait in enumerate(WAITS) for win in wait.wins]
_PAIR_WAIT = np.array([m for m, _ in _PAIRS])
_PAIR_KIND = np.array([k for _, k in _PAIRS])
_PAIR_TILES = np.zeros((len(_PAIRS), 34))
for _i, (_m, _k) in enumerate(_PAIRS):
    _PAIR_TILES[_i, _k] += 1
    for _h in WAITS[_m].held:
        _PAIR_TILES[_i, _h] += 1
_PAIR_SHANPON = np.array([WAITS[m].shape == "shanpon" for m, _ in _PAIRS])
LOCAL_WAITS = np.array([m for m, w in enumerate(WAITS) if w.local >= 0])
LOCAL_SUIT = np.array([WAITS[m].suit for m in LOCAL_WAITS])
LOCAL_INDEX = np.array([WAITS[m].local for m in LOCAL_WAITS])
_WIN_MASKS = np.array([sum(1 << k for k in w.wins) for w in WAITS], dtype=np.int64)
# The kinds a wait needs, and how many of each: two columns (a pair needs two of one).
_NEED_KIND = np.array([[w.held[0], w.held[-1]] for w in WAITS])
_NEED_COPIES = np.array([[2, 2] if w.shape == "shanpon" else [1, 1] for w in WAITS], dtype=np.int64)
AVAILABILITY = np.array([0.0, 0.5, 0.8, 1.0])
"""Factor (29) by wait margin -1, 0, 1, 2."""
_SHAPE_OF = np.zeros(N_WAITS, dtype=np.int64)
for _i, _shape in enumerate(SHAPES):
    _SHAPE_OF[SHAPE_SLICES[_shape]] = _i
_SHAPE_STARTS = np.array([SHAPE_SLICES[s].start for s in SHAPES])
_ALPHA_OF = np.array([ALPHA[s] for s in SHAPES])[_SHAPE_OF]


def conditions(river: Sequence[RiverTile]) -> Bools:
    """(3, 19): which of the naive-Bayes conditions of (30) hold in each suit.

    ``river``: the discards up to the declaration, that tile included: it was chosen together
    with the wait.
    """
    active = np.zeros((3, N_CONDITIONS), dtype=np.bool_)
    thrown: list[tuple[int, int]] = []
    for discard in river:
        kind = discard.tile.kind
        suit, rank = divmod(kind, 9)
        if suit < 3:
            active[suit, 1 + rank] = True
            thrown.append((suit, rank))
            if discard.tile.red:
                active[suit, 0] = True
        elif not discard.tsumogiri:
            for s, r in thrown:
                active[s, 10 + r] = True
    return active


def shift_by_pair(dora: Sequence[int], yakuhai: Sequence[int]) -> Ints:
    """s of (23) for each (wait, winning kind): dora among their tiles, and yakuhai of a shanpon.

    ``dora`` han by kind; ``yakuhai`` han that a triplet of each kind brings the opponent.
    """
    shift = _PAIR_TILES @ np.asarray(dora, dtype=np.float64)
    shift = shift + np.where(_PAIR_SHANPON, np.asarray(yakuhai, dtype=np.float64)[_PAIR_KIND], 0)
    out: Ints = shift.astype(np.int64)
    return out


@lru_cache(maxsize=512)
def _shifts(dora: tuple[int, ...], yakuhai: tuple[int, ...]) -> Ints:
    return shift_by_pair(dora, yakuhai)


def wait_margins(furiten_mask: int, unseen: Sequence[int]) -> Ints:
    """(113,): how many more of the scarcest tile a wait holds could be seen before the wait is
    impossible: 0, 1, 2 (or more); -1 if it is impossible already, or furiten.
    """
    left = np.asarray(unseen, dtype=np.int64)
    margin = np.clip((left[_NEED_KIND] - _NEED_COPIES).min(axis=1), -1, 2)
    margin[(_WIN_MASKS & furiten_mask) != 0] = -1
    out: Ints = margin
    return out


@dataclass(frozen=True, slots=True)
class RiichiTables:
    """What is fitted for riichi.

    ``two_sided`` (19,): share of two-sided riichi by live suji, (26). ``rest`` (4,): shares
    of the shapes among riichi hands that are not two-sided, (28) (two-sided 0). ``prior``
    (113,): the part of (33) without conditions, (31). ``ratio`` (19, 33): what a condition
    multiplies a local wait by, (32). ``han`` (14,), ``fu`` (12,): (24), han less its shift.
    """

    two_sided: Floats
    rest: Floats
    prior: Floats
    ratio: Floats
    han: Floats
    fu: Floats
    log_ratio: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "log_ratio", np.log(self.ratio))

    def wait_probabilities(
        self, river: Sequence[RiverTile], furiten_mask: int, unseen: Sequence[int]
    ) -> Floats:
        """(113,): P(m | u) of (19)-(22), with the factors (29) and (33)-(34).

        ``river`` up to the declaration; ``unseen`` by kind.
        """
        # (29), with furiten's zero; then (33): the prior and one ratio a condition.
        factor = AVAILABILITY[wait_margins(furiten_mask, unseen) + 1] * self.prior
        logs = conditions(river).astype(np.float64) @ self.log_ratio
        factor[LOCAL_WAITS] *= np.exp(logs[LOCAL_SUIT, LOCAL_INDEX])
        sums = np.add.reduceat(factor, _SHAPE_STARTS)
        # (26)-(28); a shape without a possible wait leaves its mass to the others.
        two = self.two_sided[live_suji(furiten_mask)]
        share = self.rest * (1.0 - two)
        share[0] = two
        share = np.where(sums > 0.0, share, 0.0)
        total = share.sum()
        if total <= 0.0:
            return np.zeros(N_WAITS)
        # (28) as published sums to more than one over the shapes; the total is left as it is.
        share *= (two + self.rest.sum() * (1.0 - two)) / total
        scale = share / np.where(sums > 0.0, sums, 1.0)
        out: Floats = factor * scale[_SHAPE_OF] * _ALPHA_OF
        return out

    def ron(
        self,
        waits: Floats,
        dora: tuple[int, ...],
        yakuhai: tuple[int, ...],
        extra_han: int = 0,
    ) -> Floats:
        """(34, 14, 12): P(z | u) of (25) for each winning kind, from P(m | u).

        ``extra_han``: han certain in any case (the last discard, a robbed kan).
        """
        shift = np.minimum(_shifts(dora, yakuhai) + extra_han, N_HAN - 1)
        mass = np.bincount(
            _PAIR_KIND * N_HAN + shift, weights=waits[_PAIR_WAIT], minlength=34 * N_HAN
        ).reshape(34, N_HAN)
        moved = np.zeros((N_HAN, N_HAN))
        for s in range(N_HAN):
            moved[s, s:] = self.han[: N_HAN - s]
            moved[s, N_HAN - 1] += self.han[N_HAN - s :].sum()
        han = mass @ moved
        # A limit hand has no fu.
        out = han[:, :, None] * self.fu[None, None, :]
        out[:, N_HAN - 1, 0] = out[:, N_HAN - 1, :].sum(axis=1)
        out[:, N_HAN - 1, 1:] = 0.0
        return out


assert LOCAL_INDEX.max() + 1 == N_LOCAL
