"""What will come of each option for all four seats: who wins from whom, the points, the hands.

The joint endings of a forecast name the winner and who pays, so that the forecast of one seat's
decision answers for the whole table. Seats are relative, 0 decides. A discard that several win
counts for the first of them in turn.
"""

from __future__ import annotations

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.outcomes.forecast import BlockForecast
from haiyomi.outcomes.joint import ABORTED, OTHERS_TSUMO, OTHERS_WIN, OTHERS_WINNER, OWN_DEAL_INS
from haiyomi.outcomes.worth import RON, TSUMO_DEALER, TSUMO_OTHER, shipped
from haiyomi.rules import DEPOSIT


def joint_endings(forecast: BlockForecast) -> Floats:
    """(33, b) the probability of each joint ending after each option. The sums over those of an
    ``Ending`` are what its ``Outcome`` says."""
    once = forecast.once
    p = forecast.later.mean(axis=1) * once.nobody
    p[OWN_DEAL_INS] += once.first.T
    p[ABORTED] += once.aborted
    p[ABORTED, forecast.block.does("nine terminals")] = 1
    for option, ways in forecast.claims.items():
        decision = forecast.block.decisions[forecast.block.row[option]]
        payer = 0 if decision.offer is None else (decision.offer.seat - decision.seat) % 4
        p[payer, option] = sum(way.probability for way in ways)
    out: Floats = p / p.sum(axis=0)
    return out


def points_of_seats(forecast: BlockForecast) -> Floats:
    """(4, b) the expected change of each seat's score after each option, from the decision to the
    hand's end. That of seat 0 is the ``points`` of its ``Outcome``."""
    once, row = forecast.once, forecast.block.row
    sticks = np.array([stakes.sticks for stakes in forecast.stakes])[row]
    later = [
        (forecast.later * forecast.changes(seat)).sum(axis=0).mean(axis=0) for seat in (1, 2, 3)
    ]
    out = np.empty((4, len(row)))
    out[0] = forecast.endings[1].sum(axis=0).mean(axis=0)
    out[1:] = later * once.nobody + once.first.T * (once.lost.T + DEPOSIT * sticks)
    for option, ways in forecast.claims.items():
        for seat in (1, 2, 3):
            out[seat, option] = sum(way.probability * way.changes[seat] for way in ways)
    return out


def winning_hands(forecast: BlockForecast, joint: Floats) -> Floats:
    """(n, 3) the points that the hand of each opponent pays, given that it wins: of a ron what the
    discarder pays, of a tsumo what all pay, without honba and deposits. ``joint`` (33, b): the
    probability of each joint ending after each option, times what the option counts."""
    row = forecast.group_rows
    points = shipped().points
    dealer = np.array([stakes.dealer for stakes in forecast.stakes])[row]
    deals = (dealer[:, None] == OTHERS_WINNER).astype(np.int64)
    table = points[deals]
    tsumo = table[..., TSUMO_DEALER] + np.where(deals, 3, 2)[..., None] * table[..., TSUMO_OTHER]
    worth = np.where(OTHERS_TSUMO[:, None], tsumo, table[..., RON])
    mean = (forecast.others * worth).sum(axis=2)
    weight = np.add.reduceat(joint[OTHERS_WIN], forecast.group_begins, axis=1).T
    weight = np.maximum(weight, 1e-12)
    first = np.searchsorted(row, np.arange(len(forecast.block)))
    paid, whole = np.add.reduceat(weight * mean, first), np.add.reduceat(weight, first)
    found = [
        paid[:, seat == OTHERS_WINNER].sum(axis=1) / whole[:, seat == OTHERS_WINNER].sum(axis=1)
        for seat in (1, 2, 3)
    ]
    return np.stack(found, axis=1)
