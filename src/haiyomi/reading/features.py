"""The features from which models predict hands: some for each kind, some for the whole hand.

Computed from observations as whole columns, for a million rows of a corpus as for the three
opponents of one position. ``KIND_FEATURES`` and ``CONTEXT_FEATURES`` name them. A *tedashi* is a
discard from the hand, a *tsumogiri* of the tile just drawn; *kamicha* sits to the opponent's left,
*toimen* across, *shimocha* to the right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.observation import (
    DECLARES,
    FACING,
    MELD_KINDS,
    NONE,
    RED,
    RIVER,
    TSUMOGIRI,
    Observations,
)

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
NEVER: Final = 255


@dataclass(frozen=True, slots=True, eq=False)
class RiverMasks:
    """One opponent's river by slot, (n, RIVER) each unless stated."""

    there: Bools
    index: NDArray[np.int16]  # (RIVER,)
    behind: NDArray[np.int16]  # discards that followed
    tedashi: Bools
    red: Bools
    facing: Bools
    declares: Bools
    after_riichi: Bools
    after_call: Bools
    before_call: Bools
    tedashi_behind: NDArray[np.int16]  # tedashi that followed


RIVER_FEATURES: Final[dict[str, Callable[[RiverMasks], Bools]]] = {
    "discarded": lambda m: m.there,
    "tedashi": lambda m: m.tedashi & ~m.after_riichi,
    "first 3": lambda m: m.index < 3,
    "4th to 6th": lambda m: (m.index >= 3) & (m.index < 6),
    "7th to 9th": lambda m: (m.index >= 6) & (m.index < 9),
    "10th on": lambda m: m.index >= 9,
    "first 6, tedashi": lambda m: (m.index < 6) & m.tedashi,
    "7th on, tedashi": lambda m: (m.index >= 6) & m.tedashi & ~m.after_riichi,
    "last 2": lambda m: m.behind < 2,
    "last 3 to 5": lambda m: (m.behind >= 2) & (m.behind < 5),
    "after the last call, tedashi": lambda m: m.after_call & m.tedashi,
    "before the first call": lambda m: m.before_call,
    "the tile of the riichi": lambda m: m.declares,
    "after the riichi": lambda m: m.after_riichi,
    "against a riichi, tedashi": lambda m: m.facing & m.tedashi,
    "a red five": lambda m: m.red,
    "the last tedashi": lambda m: m.tedashi & (m.tedashi_behind == 0),
    "the tedashi before it": lambda m: m.tedashi & (m.tedashi_behind == 1),
    "the third last tedashi": lambda m: m.tedashi & (m.tedashi_behind == 2),
}
"""Counted for each kind over the opponent's river."""

KIND_FEATURES: Final = (
    *RIVER_FEATURES,
    "discarded by kamicha", "discarded by toimen", "discarded by shimocha",
    "discarded by others in their first 4", "discarded by others lately",
    "in own melds", "called", "in others' melds",
    "passed since own discard", "passed since own riichi",
    "han as dora", "shown as dora indicator", "in the viewer's hand",
    "0 unseen", "1 unseen", "2 unseen", "3 unseen", "4 unseen",
    "own melds in the suit", "own discards in the suit", "own first 6 in the suit",
    "own tedashi in the suit",
    "rank 1", "rank 2", "rank 3", "rank 4", "rank 5", "rank 6", "rank 7", "rank 8", "rank 9",
    "own wind", "round wind", "other wind", "dragon",
)  # fmt: skip
CONTEXT_FEATURES: Final = (
    "own discards / 18", "own discards / 18, squared", "draws left / 70",
    "riichi", "discards since riichi / 10", "ippatsu round",
    "1 meld", "2 melds", "3 melds", "4 melds", "chi", "pon", "open kan", "concealed kan",
    "melds all simples", "melds without simples", "yakuhai melds", "meld suits",
    "han shown in melds", "discards since last call / 10", "turn of first call / 18",
    "dealer", "round / 8", "last rounds", "score / 25000", "ahead of the viewer / 25000",
    "rank of score / 3", "other riichi", "other open melds / 4",
    "tedashi share", "tsumogiri at the end / 5", "tedashi since last call / 6",
    "honours in first 6 / 6", "simples in first 4 / 4", "terminals in first 6 / 6",
    "dora discarded", "red discarded", "middle tiles in first 6 / 6", "against riichi / 6",
)  # fmt: skip

_SUITED = np.arange(27)
_RANKS = np.zeros((34, 9), np.float32)
_RANKS[_SUITED, _SUITED % 9] = 1
_MELD_TILES = np.zeros((5, 35, 34), np.float32)
for _type in range(5):
    for _base in range(34):
        if _type == 0:
            if _base < 27 and _base % 9 < 7:
                _MELD_TILES[0, _base, _base : _base + 3] = 1
        else:
            _MELD_TILES[_type, _base, _base] = 3 if _type == 1 else 4
_SIMPLE = np.array([k < 27 and 0 < k % 9 < 8 for k in range(34)] + [False])
_TERMINAL = np.array([k < 27 and k % 9 in (0, 8) for k in range(34)] + [False])
_MIDDLE = np.array([k < 27 and 2 < k % 9 < 6 for k in range(34)] + [False])
_DORA_OF = np.array(
    [k // 9 * 9 + (k % 9 + 1) % 9 if k < 27 else 27 + (k - 26) % 4 if k < 31 else 31 + (k - 30) % 3
     for k in range(34)] + [34]
)  # fmt: skip


MIRROR_KINDS: Final = np.array([k // 9 * 9 + 8 - k % 9 if k < 27 else k for k in range(34)])
"""The kind in a mirror: 1 for 9 in every suit, honours as they are."""
_RANK_AT: Final = KIND_FEATURES.index("rank 1")


def mirror_features(x: Floats) -> Floats:
    """(n, 34, len(KIND_FEATURES)) features of the same rows with every suit read from 9 to 1."""
    out: Floats = x[:, MIRROR_KINDS]
    out[:, :, _RANK_AT : _RANK_AT + 9] = _RANKS
    return out


def _counts(kinds: NDArray[Any], masks: list[Bools]) -> Floats:
    """(n, 34, len(masks)): how often each kind stands at a slot where the mask is set."""
    n = len(kinds)
    cell = kinds + (35 * np.arange(n, dtype=np.int64))[:, None]
    out = np.empty((n, 34, len(masks)), np.float32)
    for j, mask in enumerate(masks):
        found = np.bincount(cell[mask], minlength=35 * n)
        out[:, :, j] = found.reshape(n, 35)[:, :34]
    return out


def _kinds(values: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.where(values == NONE, 34, values).astype(np.int64)


def river_masks(player: Any) -> RiverMasks:
    """The masks of (n,) PLAYER records."""
    flags = player["flags"]
    index = np.arange(RIVER, dtype=np.int16)
    length = player["n"].astype(np.int16)[:, None]
    there = index < length
    tedashi = there & ((flags & TSUMOGIRI) == 0)
    riichi = player["riichi"].astype(np.int16)
    declared = np.where(riichi < 0, np.int16(NEVER), riichi)[:, None]
    called = player["melds"][:, :, 0] != NONE
    order = player["melds"][:, :, 3]
    last = np.where(called, order, 0).max(axis=1)[:, None]
    first = np.where(called, order, NEVER).min(axis=1)[:, None]
    melded = called.any(axis=1)[:, None]
    made = player["order"]
    total = np.cumsum(tedashi, axis=1, dtype=np.int16)
    return RiverMasks(
        there,
        index,
        length - 1 - index,
        tedashi,
        there & ((flags & RED) != 0),
        there & ((flags & FACING) != 0),
        there & ((flags & DECLARES) != 0),
        there & (index > declared),
        there & melded & (made >= last),
        there & melded & (made < first),
        total[:, -1:] - total,
    )


def features(observations: Observations, opponent: NDArray[Any]) -> tuple[Floats, Floats]:
    """(n, 34, len(KIND_FEATURES)) and (n, len(CONTEXT_FEATURES)) of rows of OBSERVATION, each
    looking at the relative seat ``opponent`` (n,), 1 to 3.
    """
    n = len(observations)
    rows = np.arange(n)
    everyone = observations["players"]
    seats = (opponent[:, None] + np.array([0, 3, 2, 1])) % 4  # own, kamicha, toimen, shimocha
    own = everyone[rows, seats[:, 0]]
    masks = river_masks(own)
    kinds = _kinds(own["kind"])
    x = np.empty((n, 34, len(KIND_FEATURES)), np.float32)
    at = len(RIVER_FEATURES)
    x[:, :, :at] = _counts(kinds, [masks.there & f(masks) for f in RIVER_FEATURES.values()])
    now = everyone["n"].sum(axis=1).astype(np.int64)[:, None]
    early, lately = np.zeros((n, 34), np.float32), np.zeros((n, 34), np.float32)
    melds_else = np.zeros((n, 34), np.float32)
    slot = np.arange(RIVER)
    for j in (1, 2, 3):
        other = everyone[rows, seats[:, j]]
        there = slot < other["n"][:, None]
        three = _counts(
            _kinds(other["kind"]),
            [there, there & (slot < 4), there & (other["order"] + 8 >= now)],
        )
        x[:, :, at] = three[:, :, 0]
        early += three[:, :, 1]
        lately += three[:, :, 2]
        melds_else += _meld_counts(other["melds"])
        at += 1
    melds = own["melds"]
    is_meld = melds[:, :, 0] != NONE
    called = _counts(_kinds(melds[:, :, 2]), [is_meld & (melds[:, :, 2] != NONE)])[:, :, 0]
    own_melds = _meld_counts(melds)
    indicators = _counts(_kinds(observations["indicators"]), [observations["indicators"] != NONE])[
        :, :, 0
    ]
    dora = np.zeros((n, 35), np.float32)
    for k in range(34):
        dora[:, _DORA_OF[k]] += indicators[:, k]
    dora = dora[:, :34]
    bits = np.arange(34, dtype=np.uint64)
    own_hand = _viewer_hand(observations, everyone, indicators)
    for column in (
        early,
        lately,
        own_melds,
        called,
        melds_else,
        own["passed"][:, None] >> bits & np.uint64(1),
        own["passed_riichi"][:, None] >> bits & np.uint64(1),
        dora,
        indicators,
        own_hand,
    ):
        x[:, :, at] = column
        at += 1
    x[:, :, at : at + 5] = observations["unseen"][:, :, None] == np.arange(5)
    at += 5
    by_suit = np.stack([own_melds, x[:, :, 0], x[:, :, 2] + x[:, :, 3], x[:, :, 1]], axis=2)
    suit = by_suit[:, :27].reshape(n, 3, 9, 4).sum(axis=2) / np.float32(4)
    x[:, :27, at : at + 4] = np.repeat(suit, 9, axis=1)
    x[:, 27:, at : at + 4] = by_suit[:, 27:].sum(axis=1, keepdims=True) / np.float32(4)
    at += 4
    x[:, :, at : at + 9] = _RANKS
    at += 9
    winds = np.zeros((n, 34, 4), np.float32)
    seat_wind = 27 + (opponent - observations["dealer"]) % 4
    round_wind = 27 + observations["kyoku"].astype(np.int64) // 4 % 4
    winds[:, 27:31, 2] = 1
    winds[rows, seat_wind, 0] = 1
    winds[rows, round_wind, 1] = 1
    winds[rows, seat_wind, 2] = 0
    winds[rows, round_wind, 2] = 0
    winds[:, 31:, 3] = 1
    x[:, :, at:] = winds
    context = _context(observations, opponent, own, everyone, seats, masks, kinds, dora)
    return x, context


def _meld_counts(melds: NDArray[np.uint8]) -> Floats:
    """(n, 34) tiles of each kind in the melds."""
    out = np.zeros((len(melds), 34), np.float32)
    for j in range(4):
        rows = np.flatnonzero(melds[:, j, 0] != NONE)
        if len(rows):
            out[rows] += _MELD_TILES[melds[rows, j, 0], melds[rows, j, 1]]
    return out


def _viewer_hand(observations: Observations, everyone: Any, indicators: Floats) -> Floats:
    """(n, 34): the visible tiles that only the viewer sees."""
    shown = indicators.copy()
    slot = np.arange(RIVER)
    for s in range(4):
        player = everyone[:, s]
        there = slot < player["n"][:, None]
        # A called tile is also in its caller's meld: count it only there.
        shown += _counts(_kinds(player["kind"]), [there & ((player["flags"] & 4) == 0)])[:, :, 0]
        shown += _meld_counts(player["melds"])
    out: Floats = (4 - observations["unseen"].astype(np.float32)) - shown
    return out


def _context(
    observations: Observations,
    opponent: NDArray[Any],
    own: Any,
    everyone: Any,
    seats: NDArray[Any],
    masks: RiverMasks,
    kinds: NDArray[np.int64],
    dora: Floats,
) -> Floats:
    n = len(observations)
    rows = np.arange(n)
    count = own["n"].astype(np.float32)
    riichi = own["riichi"] >= 0
    since = np.where(riichi, own["n"].astype(np.int16) - own["riichi"] - 1, 0)
    melds = own["melds"]
    kind = melds[:, :, 0]
    is_meld = kind != NONE
    number = is_meld.sum(axis=1)
    base = np.where(is_meld, melds[:, :, 1], 34)
    tiles = _meld_counts(melds)
    simple = _SIMPLE[:34] @ tiles.T
    held = tiles.sum(axis=1)
    suits = (tiles[:, :27].reshape(n, 3, 9).sum(axis=2) > 0).sum(axis=1)
    seat_wind = 27 + (opponent - observations["dealer"]) % 4
    round_wind = 27 + observations["kyoku"].astype(np.int64) // 4 % 4
    yakuhai = (base >= 31) & (base < 34) | (base == seat_wind[:, None])
    yakuhai |= base == round_wind[:, None]
    han = (tiles * dora).sum(axis=1) + np.where(is_meld, melds[:, :, 5], 0).sum(axis=1)
    tedashi = masks.tedashi
    after_call = masks.after_call.sum(axis=1)
    first_call = (masks.before_call.sum(axis=1)).astype(np.float32)
    score = own["score"].astype(np.float32) / 25000
    viewer = everyone["score"][:, 0].astype(np.float32) / 25000
    rank = (everyone["score"] > own["score"][:, None]).sum(axis=1)
    others = np.stack([everyone[rows, seats[:, j]]["riichi"] >= 0 for j in (1, 2, 3)], axis=1)
    open_else = sum(
        (everyone[rows, seats[:, j]]["melds"][:, :, 0] < MELD_KINDS.index("ankan")).sum(axis=1)
        for j in (1, 2, 3)
    )
    first6 = masks.there & (masks.index < 6)
    end = np.where(masks.there & (masks.tedashi_behind == 0) & ~tedashi, 1, 0).sum(axis=1)
    kyoku = observations["kyoku"].astype(np.float32)
    dora_by_kind = np.concatenate([dora, np.zeros((n, 1), np.float32)], axis=1)
    columns = (
        count / 18, (count / 18) ** 2, observations["draws_left"] / 70,
        riichi, since / 10, riichi & (since == 0),
        number == 1, number == 2, number == 3, number >= 4,
        (kind == 0).sum(axis=1), (kind == 1).sum(axis=1),
        ((kind == 2) | (kind == 3)).sum(axis=1), (kind == 4).sum(axis=1),
        (number > 0) & (simple == held), (number > 0) & (simple == 0),
        (yakuhai & is_meld).sum(axis=1), suits, han,
        after_call / 10, np.where(number > 0, first_call / 18, 0),
        observations["dealer"] == opponent, kyoku / 8, kyoku >= 6, score, score - viewer, rank / 3,
        others.any(axis=1), open_else / 4,
        tedashi.sum(axis=1) / np.maximum(count, 1), end / 5,
        (masks.after_call & tedashi).sum(axis=1) / 6,
        (first6 & (kinds >= 27) & (kinds < 34)).sum(axis=1) / 6,
        (first6 & (masks.index < 4) & _SIMPLE[kinds]).sum(axis=1) / 4,
        (first6 & _TERMINAL[kinds]).sum(axis=1) / 6,
        (masks.there * dora_by_kind[rows[:, None], kinds]).sum(axis=1),
        masks.red.sum(axis=1), (first6 & _MIDDLE[kinds]).sum(axis=1) / 6,
        masks.facing.sum(axis=1) / 6,
    )  # fmt: skip
    return np.stack([np.asarray(c, dtype=np.float32) for c in columns], axis=1)
