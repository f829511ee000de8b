"""A seat's decision becomes a decision record: its position, its hand and its legal choices.

The core writes the same bytes where it replays a record or plays a table; this is for a seat that
has a Position and no table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Kakan,
    Pon,
    Riichi,
)
from haiyomi.game.decision_record import (
    CHI_HIGH,
    CHI_LOW,
    CHI_MID,
    DECISION,
    NINE,
    OF_KAN,
    OPEN_KAN,
    PON,
    RIICHI,
    RON,
    TSUMO,
    Decisions,
)
from haiyomi.game.observation import MELD_KINDS, NONE, pack
from haiyomi.kernels.shanten import shanten, useful
from haiyomi.kernels.tile_efficiency import tile_efficiency
from haiyomi.kernels.waits import waits
from haiyomi.play.decision import Decision
from haiyomi.play.player import Choice, Claim

_EMPTY = bytes([NONE] * (34 * 4 + 15))


def chi_act(called: int, consumed: Sequence[int]) -> int:
    """CHI_LOW, CHI_MID or CHI_HIGH of a called kind and the two own ones."""
    low, high = min(consumed), max(consumed)
    return CHI_LOW if called < low else CHI_HIGH if called > high else CHI_MID


def act_of(choice: Choice) -> int | None:
    """The act that a choice is; None for a discard, a kan of one's own and a pass."""
    if isinstance(choice, Chi):
        return chi_act(choice.tile.kind, [t.kind for t in choice.consumed])
    if isinstance(choice, Claim):
        return TSUMO if choice.target == choice.seat else RON
    return _ACTS.get(type(choice))


_ACTS: dict[type, int] = {Riichi: RIICHI, AbortiveDraw: NINE, Pon: PON, Daiminkan: OPEN_KAN}


def pack_decision(decision: Decision) -> bytes:
    """One record of DECISION as bytes, without what ``with_tile_facts`` computes."""
    position, offer = decision.position, decision.offer
    hand = bytearray(34)
    reds = 0
    for tile in position.hand:
        hand[tile.kind] += 1
        if tile.red:
            reds |= 1 << (tile.code - 34)
    legal = discards = kans = 0
    for choice in decision.choices:
        if isinstance(choice, Discard):
            discards |= 1 << choice.tile.kind
        elif isinstance(choice, Ankan):
            kans |= 1 << choice.tiles[0].kind
        elif isinstance(choice, Kakan):
            kans |= 1 << choice.tile.kind
        else:
            act = act_of(choice)
            if act is not None:
                legal |= 1 << act
    drawn, drawn_red = NONE, 0
    if position.drawn is not None:
        drawn, drawn_red = position.drawn.kind, position.drawn.red
    kind = seat = NONE
    flags = 0
    if offer is not None:
        kind, seat, drawn, drawn_red = offer.tile.kind, (offer.seat - position.seat) % 4, NONE, 0
        flags = OF_KAN | offer.tile.red << 4
        if isinstance(offer, Discard):
            last = position.players[seat].river[-1]
            flags = last.tsumogiri | last.riichi << 1 | last.facing_riichi << 3 | last.tile.red << 4
    return b"".join(
        (
            pack(position),
            bytes(hand),
            bytes((reds, drawn, kind, seat, flags, drawn_red)),
            bytes(8),
            legal.to_bytes(2, "little"),
            discards.to_bytes(8, "little"),
            kans.to_bytes(8, "little"),
            _EMPTY,
        )
    )


def unpack_decisions(data: bytes) -> Decisions:
    """The records of joined ``pack_decision`` bytes, whole."""
    return with_tile_facts(np.frombuffer(data, dtype=DECISION).copy())


def with_tile_facts(rows: Decisions) -> Decisions:
    """Fill in ``waits``, ``efficiency`` and ``calls``, in place."""
    _fill_waits(rows)
    unseen = np.ascontiguousarray(rows["observation"]["unseen"])
    hands = np.ascontiguousarray(rows["hand"])
    turn = np.flatnonzero(rows["from"] == NONE)
    rows["efficiency"][turn] = tile_efficiency(hands[turn], unseen[turn])
    offer = np.flatnonzero(rows["from"] != NONE)
    if not len(offer):
        return rows
    rows["calls"][offer] = NONE
    rows["calls"][offer, 0, 0] = np.maximum(shanten(hands[offer]), 0)
    bits = useful(hands[offer])[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)
    rows["calls"][offer, 0, 1] = (bits * unseen[offer]).sum(axis=1)
    rows["calls"][offer, 0, 2] = 0
    offered = rows["offered"].astype(np.int64)
    for place, (act, taken) in enumerate(
        ((CHI_LOW, (1, 2)), (CHI_MID, (-1, 1)), (CHI_HIGH, (-2, -1)), (PON, (0, 0))), 1
    ):
        some = offer[(rows["legal"][offer] >> act & 1) != 0]
        if not len(some):
            continue
        after = hands[some].copy()
        for step in taken:
            after[np.arange(len(some)), offered[some] + step] -= 1
        found = tile_efficiency(after, unseen[some]).astype(np.int64)
        # The best discard: least shanten, then most tiles, then the most after them.
        key = (NONE - found[:, :, 0]) << 16 | found[:, :, 1] << 8 | found[:, :, 3]
        best = key.argmax(axis=1)
        rows["calls"][some, place] = found[np.arange(len(some)), best][:, [0, 1, 3]]
    return rows


def _fill_waits(rows: Decisions) -> None:
    hands = rows["hand"].copy()
    drew = np.flatnonzero(rows["drawn"] != NONE)
    hands[drew, rows["drawn"][drew]] -= 1
    whole = np.flatnonzero((rows["drawn"] != NONE) | (rows["from"] != NONE))
    held = hands[whole]
    found = waits(held)
    melds = rows["observation"]["players"]["melds"][whole, 0]
    for slot in range(4):
        kind, base = melds[:, slot, 0], melds[:, slot, 1].astype(np.int64)
        chi = np.flatnonzero(kind == MELD_KINDS.index("chi"))
        for step in range(3):
            held[chi, base[chi] + step] += 1
        same = np.flatnonzero((kind != NONE) & (kind != MELD_KINDS.index("chi")))
        held[same, base[same]] += np.where(kind[same] == MELD_KINDS.index("pon"), 3, 4).astype("u1")
    gone = ((held >= 4).astype(np.uint64) << np.arange(34, dtype=np.uint64)).sum(axis=1)
    rows["waits"][whole] = found & ~gone.astype(np.uint64)


def decision_of(decision: Decision) -> Decisions:
    """One decision's record, of shape (1,)."""
    return unpack_decisions(pack_decision(decision))
