"""The balance of each discard, the one number that ties the rooms, in points.

balance = P(win the hand) x mean points of such a win - mean points lost by dealing in with it

The first term is the win by own draws of ``winning``, recalibrated to all wins by ron or own
draw against what the others show; the second is that of the deal-in model.
"""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.analysis.value import Balance, DealInRisks
from haiyomi.game.position import Position
from haiyomi.tiles import tile_order
from haiyomi.winning.own import Own
from haiyomi.winning.recalibration import Recalibration


def balances_of(
    model: Recalibration,
    positions: Sequence[Position],
    owns: Sequence[Sequence[Own]],
    risks: Sequence[DealInRisks],
) -> list[tuple[Balance, ...]]:
    """The balance of each discard of each position, best first; empty where it is no free turn."""
    choices = [{choice.tile: choice for choice in each.choices} for each in risks]
    known = [
        [own for own in every if own.tile in of] for every, of in zip(owns, choices, strict=True)
    ]
    out = []
    all_wins = model.wins(positions, known)
    for position, of, each, wins in zip(positions, choices, known, all_wins, strict=True):
        found = []
        for own, (win, points) in zip(each, wins, strict=True):
            choice = of[own.tile]
            if not position.draws_left:  # the last discard: nobody draws or discards after it
                win = points = 0.0
            found.append(Balance(own.tile, win, win * points, choice.expected_loss, choice.allowed))
        out.append(tuple(sorted(found, key=lambda b: (-b.value, tile_order(b.tile)))))
    return out
