"""How well differences between options are predicted: against paired branches of other games.

Prediction and outcome are own points; branches on two walls measure each option twice
(``difference_agreement``). The hidden hands are the true ones on both walls; what they cause counts
as predictable, so a seat that does not see them cannot reach a correlation of 1. Branches whose
tile is won on at once are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.errors import DatasetError
from haiyomi.evaluation.outcomes.difference_agreement import Agreement, agreement
from haiyomi.outcomes.joint import OWN_WINS
from haiyomi.outcomes.later import LaterEndings
from haiyomi.outcomes.option_actions import (
    CHI_HIGHS,
    CHI_LOWS,
    OPEN_KANS,
    OWN_KANS,
    PASSES,
    PONS,
    RIICHIS,
)
from haiyomi.seeds import generator
from haiyomi.training.branches import Branches
from haiyomi.training.option_rows import OptionRows

GROUPS: Final = ("all", "discard", "riichi or not", "call or pass", "kan")
_CALLS: Final = (CHI_LOWS, CHI_LOWS + 1, CHI_HIGHS, PONS, OPEN_KANS, PASSES)
LEAST: Final = 10
"""Decisions: a group of fewer is left out."""


def expected_points(rows: OptionRows, answers: LaterEndings, option: Ints) -> Floats:
    """(e, b) the own points that the members expect of some options."""
    row = np.searchsorted(rows.begins, option, "right") - 1
    p = answers.ending[:, option]
    won = p[:, :, OWN_WINS].sum(axis=2)
    worth = (answers.own[:, option] * rows.win[row]).sum(axis=2)
    out: Floats = (p * rows.pay[row]).sum(axis=2) + won * worth + rows.fixed[option] * (1 - won)
    return out


def agreement_by_kind(
    predicted: Floats, rows: OptionRows, branches: Branches, again: Branches
) -> Mapping[str, Agreement]:
    """By group, its intervals by bootstrap of decisions; ``predicted`` (b,) points of the branches,
    ``again`` the same branches on another wall. Raises DatasetError where they are of other
    decisions or options."""
    if not np.array_equal(branches.number, again.number) or not np.array_equal(
        branches.taken, again.taken
    ):
        raise DatasetError("the branches on the second wall are of other decisions or options")
    kept = rows.later & (again.ronned == 0)
    compared = np.bincount(rows.row[kept], minlength=len(rows)) > 1
    kept &= compared[rows.row]
    row = rows.row[kept]
    x, y, z = (
        column[kept].astype(np.float64)
        for column in (predicted, branches.change[:, 0], again.change[:, 0])
    )
    group = _groups(branches)[row]
    rng = generator(0, "agreement")
    out = {}
    for number, name in enumerate(GROUPS):
        chosen = (group == number) | (number == 0)
        if len(np.unique(row[chosen])) >= LEAST:
            some = row[chosen]
            out[name] = agreement(x[chosen], y[chosen], z[chosen], some, some, rng)
    return out


def _groups(branches: Branches) -> Ints:
    """(n,) an index into GROUPS, by the options that were played."""
    sort = branches.options.sort[branches.taken]
    row = branches.options.row[branches.taken]
    out = np.ones(len(branches), np.int64)
    for number, sorts in ((2, (RIICHIS,)), (3, _CALLS), (4, (OWN_KANS,))):
        out[np.unique(row[np.isin(sort, sorts)])] = number
    return out
