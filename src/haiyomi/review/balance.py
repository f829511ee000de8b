"""A discard's balance, the one number that ties the rooms, in points.

balance = P(win the hand) x mean points of such a win - mean points lost by dealing in with it

The first term is the win by own draws of ``winning``, recalibrated to all wins by ron or own
draw against what the others show; the second is that of the deal-in model. Left out are later
deal-ins of the hand, what others win by their own draw, payments for tenpai, a riichi stick of
one's own, and what points mean for the placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from haiyomi.review.assessment import Assessment
from haiyomi.tiles import Tile, tile_order

MARGIN = 300
"""Points by which the best balance must exceed that of a mistake."""


@dataclass(frozen=True, slots=True)
class Balance:
    """One discard: ``own_win`` and ``own_points`` by own draws alone (None where the program does
    not follow the discard, points also where they were not asked for), ``win`` by ron too,
    ``gain`` = win x points of a win, ``loss`` by dealing in.
    """

    tile: Tile
    own_win: float | None
    own_points: float | None
    win: float
    gain: float
    loss: float
    allowed: bool

    @property
    def value(self) -> float:
        """Gain less loss."""
        return self.gain - self.loss


def balances(assessment: Assessment) -> tuple[Balance, ...]:
    """The balance of each discard, best first; empty where it is no free turn."""
    return balances_of([assessment])[0]


def balances_of(assessments: Sequence[Assessment]) -> list[tuple[Balance, ...]]:
    """``balances`` of each of some assessments: many at once cost less."""
    from haiyomi.winning.own import own_values_of
    from haiyomi.winning.recalibration import shipped

    positions = [assessment.position for assessment in assessments]
    choices = [{choice.tile: choice for choice in each.choices} for each in assessments]
    owns = [
        [own for own in every if own.tile in known]
        for every, known in zip(own_values_of(positions), choices, strict=True)
    ]
    out = []
    for known, each, wins in zip(choices, owns, shipped().wins(positions, owns), strict=True):
        found = []
        for own, (win, points) in zip(each, wins, strict=True):
            choice = known[own.tile]
            gain, loss = win * points, choice.expected_loss
            alone = own.win if own.followed else None
            found.append(Balance(own.tile, alone, own.score, win, gain, loss, choice.allowed))
        out.append(tuple(sorted(found, key=lambda b: (-b.value, tile_order(b.tile)))))
    return out
