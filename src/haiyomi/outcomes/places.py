"""Where the game ends after each option: the joint outcomes of the hand, and what follows them.

All options of a decision share the rows that are looked up: the ends of ``outcomes.ends``, with the
own deposit paid later or not. A deposit of another counts where it is likelier than not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError
from haiyomi.game.game_end import DEPOSIT
from haiyomi.game.position import Position
from haiyomi.outcomes.answer import Outcome, Placement
from haiyomi.outcomes.ends import CLASSES, JOINT_OF, N_ENDS, TENPAI, WINNER
from haiyomi.outcomes.forecast import HandForecast
from haiyomi.outcomes.joint import ABORTED
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel, check_rules
from haiyomi.outcomes.starts import HandEnds

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FLOOR: Final = 1e-3
"""A joint outcome that no option makes as likely as this is left out of the placement."""
_WINNER: Final = WINNER[JOINT_OF]
_NOTEN: Final = TENPAI[JOINT_OF] == 0


def not_placed(position: Position) -> str | None:
    """Why a position has no placement, in words; None where it has one."""
    try:
        check_rules(position.rules)
    except HaiyomiError as error:
        return str(error)
    total = sum(player.score for player in position.players) + DEPOSIT * position.sticks
    due = 4 * position.rules.start_points
    if total != due:
        return f"scores and deposits add up to {total}, not {due}: the scores are unknown"
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Joint outcomes of one decision: ``p`` (m, k) by option, ``changes`` (k, 4) in whole hundreds
    by relative seat, ``sticks`` (k,) left on the table, ``renchan`` and ``aborted`` (k,)."""

    p: Floats
    changes: Ints
    sticks: Ints
    renchan: NDArray[np.bool_]
    aborted: NDArray[np.bool_]
    won: NDArray[np.bool_]


def place(
    forecasts: Sequence[HandForecast],
    outcomes: Sequence[tuple[Outcome, ...]],
    payoff: Payoff,
    model: PlacementModel,
) -> list[tuple[Outcome, ...]]:
    """The outcomes of forecasts of one rule set with their placements; those of a position that
    has none stay as they are."""
    rows = [None if not_placed(f.decision.position) else _rows(f) for f in forecasts]
    ends = [
        _ends(forecast.decision.position, each)
        for forecast, each in zip(forecasts, rows, strict=True)
        if each is not None
    ]
    if not ends:
        return list(outcomes)
    found = model.ends(HandEnds.joined(ends), forecasts[0].decision.position.rules)
    out = []
    at = 0
    for forecast, each, options in zip(forecasts, rows, outcomes, strict=True):
        if each is None:
            out.append(options)
            continue
        k = each.p.shape[1]
        seat = forecast.decision.seat
        share = each.p / each.p.sum(axis=1, keepdims=True)
        places = share @ found.places[at : at + k, seat]
        places /= places.sum(axis=1, keepdims=True)
        final = share @ found.final[at : at + k, seat]
        values = payoff.value(places, final)
        out.append(
            tuple(
                replace(outcome, placement=Placement((a, b, c, d), end, str(payoff), value))
                for outcome, (a, b, c, d), end, value in zip(
                    options, places.tolist(), final.tolist(), values.tolist(), strict=True
                )
            )
        )
        at += k
    return out


def _rows(forecast: HandForecast) -> _Rows:
    once, m = forecast.once, len(forecast.options)
    later = forecast.later * once.nobody[:, None]
    paid = forecast.deposits[:, JOINT_OF, 0]
    unpaid, own = later * (1 - paid), later * paid
    for r in range(3):
        # Joint ending 4 (r + 1): opponent r + 1 wins on a tile of seat 0, by class.
        first = 4 * (r + 1) * CLASSES
        unpaid[:, first : first + CLASSES] += once.first[:, r, None] * once.classes[:, r]
    unpaid[:, -1] += once.aborted
    unpaid[[o.act == "nine terminals" for o in forecast.options], -1] = 1
    claims = [
        (row, way)
        for row, option in enumerate(forecast.options)
        for way in forecast.claims.get(option, ())
    ]
    p = np.concatenate([unpaid, own, np.zeros((m, len(claims)))], axis=1)
    for column, (row, way) in enumerate(claims, 2 * N_ENDS):
        p[row, column] = way.probability
    others = forecast.deposits[:, :, 1:].max(axis=1).mean(axis=0) > 0.5
    changes, sticks = _moved(forecast, others)
    won = np.array([way.changes for _, way in claims], np.int64).reshape(-1, 4)
    dealer = forecast.decision.position.dealer
    ends = forecast.ends
    kept = p.max(axis=0) >= FLOOR
    n = len(claims)
    return _Rows(
        p[:, kept],
        np.concatenate([changes, won])[kept],
        np.concatenate([sticks, np.zeros(n, np.int64)])[kept],
        np.concatenate([ends.renchan, ends.renchan, np.full(n, dealer == 0)])[kept],
        np.concatenate([JOINT_OF, JOINT_OF, np.zeros(n, np.int64)])[kept] == ABORTED,
        np.concatenate([_WINNER, _WINNER, np.zeros(n, np.int64)])[kept] >= 0,
    )


def _moved(forecast: HandForecast, others: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """(322, 4) changes of the scores and (322,) deposits left on the table: the ends without and
    with the own deposit; ``others`` (3,) which opponents pay one."""
    changes = np.round(np.tile(forecast.ends.changes, (2, 1)) / 100).astype(np.int64) * 100
    winner = np.tile(_WINNER, 2)
    wins = winner >= 0
    before = forecast.decision.position.sticks
    rows = np.flatnonzero(wins)
    # Rounded payments, and the winner has what the others lose.
    changes[rows, winner[rows]] = 0
    changes[rows, winner[rows]] = DEPOSIT * before - changes[rows].sum(axis=1)
    pays = np.zeros((2 * N_ENDS, 4), np.bool_)
    pays[N_ENDS:, 0] = True
    pays[:, 1:] = others
    pays &= winner[:, None] != np.arange(4)
    pays &= ~np.tile(_NOTEN, (2, 1))
    new = pays.sum(axis=1)
    changes -= DEPOSIT * pays
    changes[rows, winner[rows]] += DEPOSIT * new[rows]
    return changes, np.where(wins, 0, before + new)


def _ends(position: Position, rows: _Rows) -> HandEnds:
    """The rows as ends of a hand; seats are absolute there."""
    k = len(rows.sticks)
    scores = np.array([player.score for player in position.players]) + rows.changes
    honba = np.where(rows.won & ~rows.renchan, 0, position.honba + 1)
    return HandEnds(
        rows.aborted,
        rows.renchan,
        np.roll(scores, position.seat, axis=1).astype(np.int32),
        rows.sticks.astype(np.int32),
        (np.full(k, position.kyoku) + ~rows.renchan).astype(np.int32),
        honba.astype(np.int32),
    )
