"""Rows for the fit of the options' network: branched decisions as the other networks see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Ints, Singles
from haiyomi.game.observation import NONE
from haiyomi.networks.network import Network
from haiyomi.outcomes.option_actions import RIICHIS, OptionActions
from haiyomi.outcomes.option_inputs import exact_inputs, see
from haiyomi.outcomes.option_model import later_state
from haiyomi.rules import DEPOSIT
from haiyomi.storage.resume import Progress
from haiyomi.styles.policy import Policy
from haiyomi.training.branches import Branches
from haiyomi.training.option_payments import payments

CHUNK: Final = 2000


@dataclass(frozen=True, slots=True, eq=False)
class OptionRows:
    """What the fit reads of n decisions with m options, b of which were branched.

    ``own`` (m, width + names) float16: channels and numbers of the options; ``pooled`` (n, hidden)
    float16; ``share`` (m,) of the policy; ``state`` (n, 42) logits; ``begins`` (n + 1,) where the
    options of each decision begin. ``pay`` (n, 33): about the own points with each ending but the
    own wins, ``win`` (n, 9) with an own win of each class; ``fixed`` (m,) the deposit of the option
    itself. Of branches: ``option`` (b,) ascending, ``row`` (b,) the decision; ``ending`` (b,) and
    ``own_worth`` (b,), the class of the own win, -1 without; ``points`` (b,) the change of the own
    score; ``later`` (b,) whether the tile was not won on at once; ``turn``, ``turn_ending``,
    ``turn_own``, ``turn_points`` as in ``Branches``, but no ``turn`` where a branch of the decision
    declares riichi: then the seat has no choice at its next turn. ``number`` (n,) uint64, a hash of
    the decision's place whose high bits are those of its game.
    """

    own: NDArray[np.float16]
    pooled: NDArray[np.float16]
    share: Singles
    state: Singles
    pay: Singles
    win: Singles
    fixed: Singles
    begins: Ints
    option: Ints
    row: Ints
    ending: Ints
    own_worth: Ints
    points: Singles
    later: Bools
    turn: Bools
    turn_ending: NDArray[np.float16]
    turn_own: NDArray[np.float16]
    turn_points: Singles
    number: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.state)


def option_rows(
    branches: Branches, policy: Policy, opponents: Network, progress: Progress | None = None
) -> OptionRows:
    """The rows of some branches, as the networks see their decisions."""
    n = len(branches)
    begins = np.searchsorted(branches.options.row, np.arange(n + 1))
    parts: list[tuple[NDArray[Any], ...]] = []
    for at in range(0, n, CHUNK):
        to = min(at + CHUNK, n)
        options = branches.options.take(np.arange(begins[at], begins[to]))
        options = replace(options, row=options.row - at)
        parts.append(_part(branches.records[at:to], options, policy, opponents))
        if progress:
            progress(to, n)
    own, pooled, share, state, pay, win, fixed = map(np.concatenate, zip(*parts, strict=True))
    row = branches.options.row[branches.taken]
    won = branches.ending < 4
    declares = np.bincount(row, branches.options.sort[branches.taken] == RIICHIS, n) > 0
    return OptionRows(
        own, pooled, share, state, pay, win, fixed, begins,
        branches.taken, row, branches.ending.astype(np.int64),
        np.where(won, branches.worth.astype(np.int64), -1),
        branches.change[:, 0].astype(np.float32), branches.ronned == 0,
        branches.turn & ~declares[row], branches.turn_ending, branches.turn_own,
        branches.turn_points, branches.number,
    )  # fmt: skip


def _part(
    records: NDArray[Any], options: OptionActions, policy: Policy, opponents: Network
) -> tuple[NDArray[Any], ...]:
    seen = see(records, policy, opponents)
    exact, share, risk = exact_inputs(records, seen, options)
    kind = np.where(options.kind == NONE, 0, options.kind)
    own = np.concatenate([seen.channels[options.row, kind], exact], axis=1)
    state = later_state(seen, options, share, risk)
    pay, win = payments(records, seen.worth)
    return (
        own.astype(np.float16), seen.pooled.astype(np.float16), share.astype(np.float32),
        state.astype(np.float32), pay.astype(np.float32), win.astype(np.float32),
        np.where(options.sort == RIICHIS, -DEPOSIT, 0).astype(np.float32),
    )  # fmt: skip
