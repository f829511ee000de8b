"""The options of many decisions at once, as the numbered actions that carry them out.

``Option`` is one option of one decision, for people and for answers. These are the same options as
arrays, for networks and for tables in lockstep.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import (
    CHI_HIGH,
    CHI_LOW,
    CHI_MID,
    NINE,
    OPEN_KAN,
    PON,
    RIICHI,
    RON,
    TSUMO,
    Decisions,
)
from haiyomi.game.observation import NONE
from haiyomi.play import actions as act
from haiyomi.styles.choice_loss import bits
from haiyomi.styles.policy_network import Logits
from haiyomi.tiles import N_CODES, N_KINDS, TILES

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

DISCARDS, RIICHIS, TSUMOS, NINES, KANS, CHI_LOWS, CHI_MIDS, CHI_HIGHS = range(8)
PONS, OPEN_KANS, RONS, PASSES = range(8, 12)
"""Kinds of options (``OptionActions.sort``)."""
SORTS: Final = 12
_SORT_OF_ACT: Final = {
    CHI_LOW: CHI_LOWS, CHI_MID: CHI_MIDS, CHI_HIGH: CHI_HIGHS, PON: PONS, OPEN_KAN: OPEN_KANS,
    RON: RONS,
}  # fmt: skip
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
    n = len(records)
    row, sort = options.row, options.sort
    share = np.zeros(len(options))
    rest = np.ones(n)
    legal = records["legal"]
    for bit, of in ((TSUMO, TSUMOS), (NINE, NINES)):
        rest = _accept(share, rest, legal >> bit & 1 != 0, scores.acts[:, bit], row, sort == of)
    kans = np.where(bits(records["kans"]), scores.kans, -np.inf)
    best = kans.argmax(axis=1)
    top = kans[np.arange(n), best]
    is_best = (sort == KANS) & (options.kind == best[row])
    rest = _accept(share, rest, np.isfinite(top), np.where(np.isfinite(top), top, 0), row, is_best)
    tiles = np.where(options.kind == NONE, 0, options.kind)
    discard = scores.discards[row, tiles].astype(np.float64)
    for of in (RIICHIS, DISCARDS):
        # Only the preferred of a red and a plain five of one kind.
        there = (sort == of) & ~(options.red & _has_twin(options, of))
        within = _softmax(discard, row, there, n)
        if of == RIICHIS:
            taken = legal >> RIICHI & 1 != 0
            accept = np.where(taken, _sigmoid(scores.acts[:, RIICHI]), 0) * rest
            share += within * accept[row]
            rest = rest - accept
        else:
            share += within * rest[row]
    claims = np.zeros(len(options))
    answers = (sort == PASSES) | np.isin(sort, list(_SORT_OF_ACT.values()))
    for bit, of in _SORT_OF_ACT.items():
        there = sort == of
        claims[there] = scores.acts[row[there], bit]
        if bit == RON:
            answers &= ~(there & (legal[row] >> RON & 1 == 0))
    for of in (CHI_LOWS, CHI_MIDS, CHI_HIGHS, PONS):
        answers &= ~((sort == of) & ~options.red & _has_twin(options, of))
    share += _softmax(claims, row, answers, n)
    return share


def _accept(
    share: NDArray[np.float64],
    rest: NDArray[np.float64],
    may: Bools,
    logit: NDArray[np.floating],
    row: Ints,
    here: Bools,
) -> NDArray[np.float64]:
    """Give the options ``here`` the share that is accepted against 0; what is left of the rest."""
    taken = np.where(may, _sigmoid(logit), 0) * rest
    share[here] = taken[row[here]]
    return rest - taken


def _has_twin(options: OptionActions, sort: int) -> Bools:
    """(b,) whether the decision has an option of this sort and tile with, and one without, a red
    five."""
    place = options.row * N_KINDS + np.where(options.kind == NONE, 0, options.kind)
    there = options.sort == sort
    size = int(place.max(initial=-1)) + 1
    red, plain = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    red[place[there & options.red]] = True
    plain[place[there & ~options.red]] = True
    out: Bools = red[place] & plain[place]
    return out


def _softmax(score: NDArray[np.float64], row: Ints, there: Bools, n: int) -> NDArray[np.float64]:
    """(b,) the softmax of the scores among a decision's options that are there, 0 for others."""
    top = np.full(n, -np.inf)
    np.maximum.at(top, row[there], score[there])
    shares = np.zeros(len(score))
    shares[there] = np.exp(score[there] - top[row[there]])
    total = np.bincount(row, shares, n)
    out: NDArray[np.float64] = shares / np.where(total > 0, total, 1)[row]
    return out


def _sigmoid(x: NDArray[np.floating]) -> NDArray[np.float64]:
    out: NDArray[np.float64] = 1 / (1 + np.exp(-x.astype(np.float64)))
    return out
