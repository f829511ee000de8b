"""What every option of many decisions is worth, on decision records alone: for play.

It is the forecast of ``forecast`` for tables in lockstep, where a decision is a record and no
object. Four things are simpler: a win at once on the option's tile has the probability and the han
of the network of opponents, another's win pays what its hand is worth on average, and what riichi
or damaten is worth and what the rules exclude later are left to the network. Wins and nine
terminals have no value here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import Decisions
from haiyomi.game.game_end import DEPOSIT
from haiyomi.game.observation import NONE
from haiyomi.outcomes.ends import CLASSES, JOINT_OF, PAYER, WINNER, WON, Stakes, ends_of
from haiyomi.outcomes.joint import ABORTED, DRAWN, JOINT
from haiyomi.outcomes.option_actions import RIICHIS, OptionActions
from haiyomi.outcomes.option_inputs import Doubles, Seen
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.starts import HandEnds
from haiyomi.outcomes.worth import shipped as worth
from haiyomi.rules import Ruleset

_OWN: Final = 4 * CLASSES
"""Ends that the seat wins come first among ``outcomes.ends``."""
_OTHERS: Final = np.arange(4, DRAWN)
"""The joint endings that an opponent wins."""
_HAN_CLASS: Final = (0, 1, 2, 3, 4, 5, 5, 6)
"""About the class of worth of each class of han."""
_NOW: Final = np.array([4 * seat * CLASSES + c for seat in (1, 2, 3) for c in _HAN_CLASS])
"""The ends in which opponents 1, 2, 3 win on a tile of the seat, by class of han."""
_ROWS: Final = (_OWN, len(_OTHERS), len(JOINT) - DRAWN, len(_NOW), 1)
"""Rows of a decision's ends: own wins by class, others' wins, draws, deal-ins by han, and the
abortive draw after an own deposit."""


@dataclass(frozen=True, slots=True, eq=False)
class OptionValues:
    """Of b options as in ``OptionActions``: the policy's ``share`` (b,), and the ``value`` (e, b)
    under the payoff by each member of an ensemble."""

    share: Doubles
    value: Doubles


def option_values(
    model: OptionModel,
    placement: PlacementModel,
    payoff: Payoff,
    records: Decisions,
    options: OptionActions,
    rules: Ruleset,
) -> OptionValues:
    """Of all options of n decisions in games of one rule set, none of which ends the hand.

    Raises HaiyomiError for rules that the placement is not known for.
    """
    later, seen, share, risk = model.answers_seen(records, options)
    row = options.row
    of_ends = end_values(placement, payoff, records, later.others, rules)
    own, others, drawn, now, deposit = np.split(of_ends, np.cumsum(_ROWS)[:-1], axis=1)
    p = later.ending
    classes = later.own[:, :, None] * worth().tilt[[1, 0, 0, 0]]
    classes /= classes.sum(axis=3, keepdims=True)
    won = (classes * own.reshape(-1, 4, CLASSES)[row]).sum(axis=3)
    value = (p[:, :, :4] * won).sum(axis=2)
    value += (p[:, :, 4:] * np.concatenate([others, drawn], axis=1)[row]).sum(axis=2)
    paid = (deposit - drawn[:, -1:])[row, 0] * (options.sort == RIICHIS)
    value += (1 - p[:, :, :4].sum(axis=2)) * paid
    spared = np.cumprod(1 - np.pad(risk[:, :2], ((0, 0), (1, 0))), axis=1)
    dealt = (_by_han(seen, options) * now.reshape(-1, 3, len(_HAN_CLASS))[row]).sum(axis=2)
    nobody = (1 - risk).prod(axis=1)
    return OptionValues(share, nobody * value + (risk * spared * dealt).sum(axis=1))


def _by_han(seen: Seen, options: OptionActions) -> Doubles:
    """(b, 3, 8) P of the class of han of each opponent's ron on the option's tile."""
    kind = np.where(options.kind == NONE, 0, options.kind).astype(np.int64)
    han = seen.han[options.row[:, None], np.arange(3), kind[:, None]].astype(np.float64)
    p = np.exp(han - han.max(axis=2, keepdims=True))
    out: Doubles = p / p.sum(axis=2, keepdims=True)
    return out


def end_values(
    placement: PlacementModel, payoff: Payoff, records: Decisions, others: Doubles, rules: Ruleset
) -> Doubles:
    """(n, sum of _ROWS) the value of the ends of n decisions' hands; ``others`` as in ``Later``."""
    seen = records["observation"]
    n, m = len(records), sum(_ROWS)
    stakes = np.stack([seen["dealer"], seen["honba"], seen["sticks"]], axis=1)
    every, of = np.unique(stakes, axis=0, return_inverse=True)
    known = [ends_of(Stakes(*row)) for row in every.tolist()]
    changes = np.array([ends.changes for ends in known])[of.reshape(-1)]
    stays = np.array([ends.renchan for ends in known])[of.reshape(-1)]
    winner, by_tsumo = WINNER[_OTHERS], (WINNER == PAYER)[_OTHERS].astype(np.int64)
    classes = others[:, winner - 1] * worth().tilt[by_tsumo]
    classes /= classes.sum(axis=2, keepdims=True)
    by_class = changes[:, _OWN:WON].reshape(n, len(_OTHERS), CLASSES, 4)
    mean = (by_class * classes[..., None]).sum(axis=2)
    moved = np.concatenate(
        [changes[:, :_OWN], mean, changes[:, WON:], changes[:, _NOW], changes[:, -1:]], axis=1
    )
    which = np.concatenate([np.arange(_OWN), _OWN + CLASSES * np.arange(len(_OTHERS)),
                            np.arange(WON, len(JOINT_OF)), _NOW, [-1]])  # fmt: skip
    joint = JOINT_OF[which]
    sticks = np.repeat(seen["sticks"].astype(np.int64)[:, None], m, axis=1)
    moved = _whole(moved, WINNER[joint], sticks)
    moved[:, -1, 0] -= DEPOSIT
    wins = WINNER[joint] >= 0
    sticks[:, wins] = 0
    sticks[:, -1] += 1
    scores = seen["players"]["score"][:, None].astype(np.int64) + moved
    absolute = (np.arange(4) - seen["seat"][:, None].astype(np.int64)) % 4
    scores = np.take_along_axis(scores, np.broadcast_to(absolute[:, None], scores.shape), axis=2)
    renchan = stays[:, which]
    honba = np.where(wins & ~renchan, 0, seen["honba"].astype(np.int64)[:, None] + 1)
    kyoku = seen["kyoku"].astype(np.int64)[:, None] + ~renchan
    flat = (part.reshape(n * m).astype(np.int32) for part in (sticks, kyoku, honba))
    ends = HandEnds(np.tile(joint == ABORTED, n), renchan.reshape(-1),
                    scores.reshape(n * m, 4).astype(np.int32), *flat)  # fmt: skip
    found = placement.ends(ends, rules)
    own = np.repeat(seen["seat"].astype(np.int64), m)
    at = np.arange(n * m)
    return payoff.value(found.places[at, own], found.final[at, own]).reshape(n, m)


def _whole(changes: Doubles, winner: NDArray[np.int64], sticks: NDArray[np.int64]) -> Doubles:
    """(n, m, 4) the changes in whole hundreds; the winner has what the others lose."""
    out = np.round(changes / 100) * 100
    rows = np.flatnonzero(winner >= 0)
    out[:, rows, winner[rows]] = 0
    out[:, rows, winner[rows]] = DEPOSIT * sticks[:, rows] - out[:, rows].sum(axis=2)
    return out
