"""What every option of many decisions is worth, on decision records alone: for play.

It is the forecast of ``forecast`` for tables in lockstep, where a decision is a record and no
object. Four things are simpler: a win at once on the option's tile has the probability and the han
of the network of opponents, another's win pays what its hand is worth on average, and what riichi
or damaten is worth and what the rules exclude later are left to the network. Wins and nine
terminals have no value here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints32
from haiyomi.game.decision_record import Decisions
from haiyomi.game.game_end import honba_after
from haiyomi.game.observation import NONE
from haiyomi.networks.network import Answers
from haiyomi.networks.softmax import softmax
from haiyomi.outcomes.ends import CLASSES, JOINT_OF, WON, Stakes, ends_of, in_hundreds
from haiyomi.outcomes.joint import (
    ABORTED,
    DRAWN,
    JOINT,
    NO_OWN_WIN,
    OTHERS_TSUMO,
    OTHERS_WIN,
    OTHERS_WINNER,
    OWN_WINS,
    WINNER,
)
from haiyomi.outcomes.option_actions import RIICHIS, OptionActions
from haiyomi.outcomes.option_inputs import NetworkOutputs
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.starts import HandEnds
from haiyomi.outcomes.worth import shipped as worth
from haiyomi.rules import DEPOSIT, Ruleset

_OWN: Final = 4 * CLASSES
"""Ends that the seat wins come first among ``outcomes.ends``."""
_HAN_CLASS: Final = (0, 1, 2, 3, 4, 5, 5, 6)
"""About the class of worth of each class of han."""
_NOW: Final = np.array([4 * seat * CLASSES + c for seat in (1, 2, 3) for c in _HAN_CLASS])
"""The ends in which opponents 1, 2, 3 win on a tile of the seat, by class of han."""
_WHICH: Final = np.concatenate([
    np.arange(_OWN), _OWN + CLASSES * np.arange(len(OTHERS_WIN)), np.arange(WON, len(JOINT_OF)),
    _NOW, [len(JOINT_OF) - 1],
])  # fmt: skip
"""(m,) a decision's ends among ``outcomes.ends``: own wins by class, others' wins (of which the
class is a mean), draws, deal-ins by han, and the abortive draw after an own deposit."""
_OTHER_ROWS: Final = slice(_OWN, _OWN + len(OTHERS_WIN))
_DRAW_ROWS: Final = slice(_OTHER_ROWS.stop, _OTHER_ROWS.stop + len(JOINT) - DRAWN)
_NOW_ROWS: Final = slice(_DRAW_ROWS.stop, _DRAW_ROWS.stop + len(_NOW))
_JOINT: Final = JOINT_OF[_WHICH]
_SEATS: Final = np.arange(4)


@dataclass(frozen=True, slots=True, eq=False)
class OptionValues:
    """Of b options as in ``OptionActions``: the policy's ``share`` (b,), and the ``value`` (e, b)
    under the payoff by each member of an ensemble."""

    share: Floats
    value: Floats


def option_values(
    model: OptionModel,
    placement: PlacementModel,
    payoff: Payoff,
    records: Decisions,
    options: OptionActions,
    rules: Ruleset,
    trunk: Answers | None = None,
) -> OptionValues:
    """Of all options of n decisions in games of one rule set, none of which ends the hand.
    ``trunk``: what the policy's network has said of them (``option_inputs.see``).

    Raises HaiyomiError for rules that the placement is not known for.
    """
    later, seen, share, risk = model.answers_seen(records, options, rules.kuitan, trunk=trunk)
    row = options.row
    of_ends = end_values(placement, payoff, records, later.others, rules)
    own, drawn = of_ends[:, :_OWN], of_ends[:, _DRAW_ROWS]
    p = later.ending
    classes = later.own[:, :, None] * worth().tilt[[1, 0, 0, 0]]
    classes /= classes.sum(axis=3, keepdims=True)
    won = (classes * own.reshape(-1, 4, CLASSES)[row]).sum(axis=3)
    value = (p[:, :, OWN_WINS] * won).sum(axis=2)
    value += (p[:, :, NO_OWN_WIN] * of_ends[:, _OWN : _DRAW_ROWS.stop][row]).sum(axis=2)
    paid = (of_ends[:, -1] - drawn[:, -1])[row] * (options.sort == RIICHIS)
    value += (1 - p[:, :, OWN_WINS].sum(axis=2)) * paid
    spared = np.ones_like(risk)
    np.cumprod(1 - risk[:, :2], axis=1, out=spared[:, 1:])
    now = of_ends[:, _NOW_ROWS]
    dealt = (_by_han(seen, options) * now.reshape(-1, 3, len(_HAN_CLASS))[row]).sum(axis=2)
    nobody = (1 - risk).prod(axis=1)
    return OptionValues(share, nobody * value + (risk * spared * dealt).sum(axis=1))


def _by_han(seen: NetworkOutputs, options: OptionActions) -> Floats:
    """(b, 3, 8) P of the class of han of each opponent's ron on the option's tile."""
    kind = np.where(options.kind == NONE, 0, options.kind).astype(np.int64)
    return softmax(seen.han[options.row[:, None], np.arange(3), kind[:, None]].astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """What the m ends of ``_WHICH`` change: ``changes`` (m, 4) of the scores in whole hundreds,
    where another wins yet unknown; ``by_class`` (12, 9, 4) what those pay by class; ``renchan``,
    ``sticks`` and ``honba`` (m,) of the next hand."""

    changes: Floats
    by_class: Floats
    renchan: Bools
    sticks: Ints32
    honba: Ints32


@lru_cache(maxsize=256)
def _moved(stakes: Stakes) -> _Moved:
    ends = ends_of(stakes)
    wins, renchan = WINNER[_JOINT] >= 0, ends.renchan[_WHICH]
    changes = in_hundreds(ends.changes[_WHICH], WINNER[_JOINT], np.array(stakes.sticks))
    changes[-1, 0] -= DEPOSIT
    sticks = np.where(wins, 0, stakes.sticks)
    sticks[-1] += 1
    return _Moved(
        changes,
        ends.changes[_OWN:WON].reshape(len(OTHERS_WIN), CLASSES, 4),
        renchan,
        sticks.astype(np.int32),
        honba_after(stakes.honba, wins, renchan).astype(np.int32),
    )


def end_values(
    placement: PlacementModel, payoff: Payoff, records: Decisions, others: Floats, rules: Ruleset
) -> Floats:
    """(n, m) the value of the ends of n decisions' hands, in the order of ``_WHICH``; ``others`` as
    in ``LaterEndings``."""
    seen = records["observation"]
    n, m = len(records), len(_WHICH)
    stakes = [seen[name].tolist() for name in ("dealer", "honba", "sticks")]
    moved = [_moved(Stakes(*each)) for each in zip(*stakes, strict=True)]
    classes = others[:, OTHERS_WINNER - 1] * worth().tilt[OTHERS_TSUMO]
    classes /= classes.sum(axis=2, keepdims=True)
    changes = np.array([each.changes for each in moved])
    mean = (np.array([each.by_class for each in moved]) * classes[..., None]).sum(axis=2)
    changes[:, _OTHER_ROWS] = in_hundreds(mean, OTHERS_WINNER, seen["sticks"])
    seat = seen["seat"].astype(np.int64)
    absolute = (_SEATS - seat[:, None]) % 4
    scores = (seen["players"]["score"][:, None] + changes)[
        np.arange(n)[:, None, None], np.arange(m)[:, None], absolute[:, None]
    ]
    renchan = np.concatenate([each.renchan for each in moved])
    ends = HandEnds(
        np.tile(_JOINT == ABORTED, n),
        renchan,
        scores.reshape(n * m, 4).astype(np.int32),
        np.concatenate([each.sticks for each in moved]),
        np.repeat(seen["kyoku"], m) + (~renchan).astype(np.int32),
        np.concatenate([each.honba for each in moved]),
    )
    found = placement.ends(ends, rules)
    at, own = np.arange(n * m), np.repeat(seat, m)
    return payoff.value(found.places[at, own], found.final[at, own]).reshape(n, m)
