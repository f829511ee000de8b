"""The options of many decisions at once, as the numbered actions that carry them out.

``Option`` is one option of one decision, for people and for answers. These are the same options as
arrays, for networks and for tables in lockstep.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.game.observation import NONE
from haiyomi.kernels.option_inputs import OptionRows
from haiyomi.play import actions as act
from haiyomi.styles.policy_network import Logits
from haiyomi.tiles import N_CODES, TILES

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

DISCARDS, RIICHIS, TSUMOS, NINES, KANS, CHI_LOWS, CHI_MIDS, CHI_HIGHS = range(8)
PONS, OPEN_KANS, RONS, PASSES = range(8, 12)
"""Kinds of options (``OptionActions.sort``)."""
SORTS: Final = 12
_KIND_OF_CODE: Final = np.array([tile.kind for tile in TILES[:N_CODES]])
_IS_RED: Final = np.array([tile.red for tile in TILES[:N_CODES]])
_PAIR_KINDS: Final = np.array([(a.kind, b.kind) for a, b in act.CHI_PAIRS])
_PAIR_RED: Final = np.array([a.red or b.red for a, b in act.CHI_PAIRS])


@dataclass(frozen=True, slots=True, eq=False)
class OptionActions:
    """b options of n decisions, those of a decision side by side.

    ``row`` (b,) the decision, ascending; ``first`` (b,) uint8 the action of ``play.actions``;
    ``second`` (b,) uint8 the discard that riichi is declared with, NONE for other options; ``sort``
    (b,) uint8 the kind of option; ``kind`` (b,) uint8 the tile discarded, made a kan of, or on
    offer, NONE of tsumo and nine terminals; ``red`` (b,) whether it discards or shows a red five.
    """

    row: Ints
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    sort: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    red: Bools

    def __len__(self) -> int:
        return len(self.row)

    def take(self, index: NDArray[np.bool_] | Ints) -> OptionActions:
        """Some of the options."""
        return OptionActions(
            self.row[index], self.first[index], self.second[index], self.sort[index],
            self.kind[index], self.red[index],
        )  # fmt: skip

    @property
    def goes_on(self) -> Bools:
        """(b,) whether the hand goes on after it: no win and no nine terminals."""
        out: Bools = ~np.isin(self.sort, (TSUMOS, NINES, RONS))
        return out

    @classmethod
    def of(cls, records: Decisions, row: Ints, first: Ints, second: Ints) -> OptionActions:
        """Of actions: ``row`` (b,) indexes the ``records``."""
        own = records["from"][row] == NONE
        offered = records["offered"][row].astype(np.int64)
        sort = np.full(len(row), PASSES)
        kind = np.where(own, NONE, offered)
        red = np.zeros(len(row), np.bool_)
        tile = np.where(first == act.RIICHI, second, first)
        discards = tile < act.KAN
        code = tile % act.TSUMOGIRI
        sort[discards] = np.where(first == act.RIICHI, RIICHIS, DISCARDS)[discards]
        kind[discards], red[discards] = _KIND_OF_CODE[code[discards]], _IS_RED[code[discards]]
        kans = (first >= act.KAN) & (first < act.PON)
        sort[kans] = np.where(own, KANS, OPEN_KANS)[kans]
        kind[kans] = first[kans] - act.KAN
        pons = (first >= act.PON) & (first < act.CHI)
        sort[pons], red[pons] = PONS, _IS_RED[first[pons] - act.PON]
        chis = (first >= act.CHI) & (first < act.RIICHI)
        pair = first[chis] - act.CHI
        low, high = _PAIR_KINDS[pair].T
        called = offered[chis]
        sort[chis] = np.where(called < low, CHI_LOWS, np.where(called > high, CHI_HIGHS, CHI_MIDS))
        red[chis] = _PAIR_RED[pair]
        for action, of in ((act.TSUMO, TSUMOS), (act.NINE_TERMINALS, NINES), (act.RON, RONS)):
            sort[first == action] = of
        eight = np.uint8
        return cls(row, first.astype(eight), second.astype(eight), sort.astype(eight),
                   kind.astype(eight), red)  # fmt: skip


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


def option_shares(
    records: Decisions, scores: Logits, options: OptionActions
) -> NDArray[np.float64]:
    """(b,) how often the policy takes each option; a decision's sum to one.

    The choices are those of ``cpp/core/policy_choice.hpp``: of a red and a plain five the plain one
    is discarded and the red one shown in a call, and of several kans the likeliest alone is made.
    All options of a decision must be there.
    """
    return option_rows(records, options).shares(scores.discards, scores.kans, scores.acts)


def option_rows(records: Decisions, options: OptionActions) -> OptionRows:
    """The options of n decisions as the core takes them."""
    return OptionRows(
        as_bytes(records), options.row, options.sort, options.kind, options.red.view(np.uint8)
    )
