"""The options of many decisions at once, as the numbered actions that carry them out.

``Option`` is one option of one decision, for people and for answers. These are the same options as
arrays, for networks and for tables in lockstep.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Bytes, Floats, Ints, Singles
from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.game.observation import NONE
from haiyomi.kernels.option_inputs import CoreOptions
from haiyomi.play import actions as act
from haiyomi.rows import Rows
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Logits
from haiyomi.tiles import N_CODES, N_KINDS, TILES

DISCARDS, RIICHIS, TSUMOS, NINES, OWN_KANS, CHI_LOWS, CHI_MIDS, CHI_HIGHS = range(8)
PONS, OPEN_KANS, RONS, PASSES = range(8, 12)
"""Kinds of options (``OptionActions.sort``)."""
SORTS: Final = 12
_KIND_OF_CODE: Final = np.array([tile.kind for tile in TILES[:N_CODES]])
_REDS: Final = [tile.red for tile in TILES[:N_CODES]]
_ENDS: Final = {act.TSUMO: TSUMOS, act.RON: RONS, act.NINE_TERMINALS: NINES, act.PASS: PASSES}
# By action, the sort of a chi that takes the lowest tile of its run and of a kan in the own turn.
_SORT: Final = np.repeat(
    np.array([DISCARDS, OWN_KANS, PONS, CHI_LOWS, NONE], np.uint8),
    np.diff([act.DISCARD, act.KAN, act.PON, act.CHI, act.RIICHI, act.N_ACTIONS]),
)
_SORT[list(_ENDS)] = list(_ENDS.values())
_KIND: Final = np.full(act.N_ACTIONS, NONE, np.uint8)
_KIND[: act.PON] = [*_KIND_OF_CODE, *_KIND_OF_CODE, *range(N_KINDS)]
_RED: Final = np.zeros(act.N_ACTIONS, np.bool_)
_RED[: act.KAN] = _REDS * 2
_RED[act.PON : act.RIICHI] = [*_REDS, *(a.red or b.red for a, b in act.CHI_PAIRS)]
_CHI_LOW: Final = np.full(act.N_ACTIONS, NONE, np.uint8)
_CHI_LOW[act.CHI : act.RIICHI] = [low.kind for low, _ in act.CHI_PAIRS]


@dataclass(frozen=True, slots=True, eq=False)
class OptionActions(Rows):
    """b options of n decisions, those of a decision side by side.

    ``row`` (b,) the decision, ascending; ``first`` (b,) uint8 the action of ``play.actions``;
    ``second`` (b,) uint8 the discard that riichi is declared with, NONE for other options; ``sort``
    (b,) uint8 the kind of option; ``kind`` (b,) uint8 the tile discarded, made a kan of, or on
    offer, NONE of tsumo and nine terminals; ``red`` (b,) whether it discards or shows a red five.
    """

    row: Ints
    first: Bytes
    second: Bytes
    sort: Bytes
    kind: Bytes
    red: Bools

    @property
    def goes_on(self) -> Bools:
        """(b,) whether the hand goes on after it: no win and no nine terminals."""
        out: Bools = ~np.isin(self.sort, (TSUMOS, NINES, RONS))
        return out

    @classmethod
    def of(cls, records: Decisions, row: Ints, first: Ints, second: Ints) -> OptionActions:
        """Of actions: ``row`` (b,) indexes the ``records``."""
        offered = records["offered"][row]
        declares = first == act.RIICHI
        tile = np.where(declares, second, first)
        sort, kind = _SORT[tile], _KIND[tile]
        sort[declares] = RIICHIS
        if (records["from"] != NONE).any():
            on_offer = records["from"][row] != NONE
            low, chi = _CHI_LOW[first], sort == CHI_LOWS
            sort[chi & (offered > low)] = CHI_MIDS
            sort[chi & (offered > low + 1)] = CHI_HIGHS
            sort[on_offer & (sort == OWN_KANS)] = OPEN_KANS
            kind = np.where(on_offer, offered, kind)
        return cls(row, first.astype(np.uint8), second.astype(np.uint8), sort, kind, _RED[tile])


def options_of_records(records: Decisions, legal: Bools) -> OptionActions:
    """Every option of n decisions, in the order of the actions; ``legal`` (n, N_ACTIONS).

    Of two equal tiles, one just drawn and one of the hand, the drawn one goes. Riichi is one option
    for each discard that it may be declared with.
    """
    there = legal.copy()
    there[:, act.DISCARD : act.TSUMOGIRI] &= ~legal[:, act.TSUMOGIRI : act.KAN]
    declares = there[:, act.RIICHI].copy()
    there[:, act.RIICHI] = False
    ready = there[:, : act.KAN] & declares[:, None]
    shanten = records["efficiency"][:, :, 0]
    ready &= np.tile(shanten[:, _KIND_OF_CODE] == 0, 2)
    row, first = np.nonzero(there)
    by, discard = np.nonzero(ready)
    rows = np.concatenate([row, by])
    firsts = np.concatenate([first, np.full(len(by), act.RIICHI)])
    seconds = np.concatenate([np.full(len(row), NONE), discard])
    order = np.lexsort((seconds, firsts, rows))
    return OptionActions.of(records, rows[order], firsts[order], seconds[order])


def option_shares(records: Decisions, scores: Logits, options: OptionActions) -> Floats:
    """(b,) how often the policy takes each option; a decision's sum to one.

    The choices are those of ``cpp/core/policy_choice.hpp``: of a red and a plain five the plain one
    is discarded and the red one shown in a call, and of several kans the likeliest alone is made.
    All options of a decision must be there.
    """
    return core_options(records, options).shares(scores.discards, scores.kans, scores.acts)


def action_probabilities(
    policy: Policy, records: Decisions, legal: Bools, style: Singles | None = None
) -> Floats:
    """(m, N_ACTIONS) how likely a policy takes each action at each of m decisions, as
    ``policy_actions`` draws them at temperature 1; 0 for what is not legal, and each row sums to
    one. ``legal`` (m, N_ACTIONS); ``style`` (STYLE,) or (m, STYLE), by default the pooled policy.
    """
    options = options_of_records(records, legal)
    shares = option_shares(records, policy.logits(records, style), options)
    out = np.zeros((len(records), act.N_ACTIONS))
    np.add.at(out, (options.row, options.first), shares)
    return out


def core_options(records: Decisions, options: OptionActions) -> CoreOptions:
    """The options of n decisions as the core takes them."""
    return CoreOptions(
        as_bytes(records), options.row, options.sort, options.kind, options.red.view(np.uint8)
    )
