"""The observation of a decision as one record: the input of the policy.

``DECISION`` is a OBSERVATION and the seat's own part: hand, drawn or offered tile, what the rules
allow, and the *tile efficiency* of each discard and call (the shanten it leaves, the unseen
tiles that lower it, and how many are useful after one of them). The core reads the same layout
(``cpp/core/policy_row.hpp``). Nothing hidden has a field here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

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
from haiyomi.game.observation import NONE, OBSERVATION, pack
from haiyomi.kernels.policy import tile_efficiency
from haiyomi.kernels.shanten import shanten, useful
from haiyomi.play.decision import Decision
from haiyomi.play.player import Choice, Claim

RIICHI, TSUMO, NINE, CHI_LOW, CHI_MID, CHI_HIGH, PON, OPEN_KAN, RON = range(9)
"""Acts, bits of ``legal``: CHI_LOW takes the lowest tile of a run, CHI_HIGH its highest."""
ACTS: Final = (
    "riichi", "tsumo", "nine terminals", "chi low", "chi middle", "chi high", "pon", "open kan",
    "ron",
)  # fmt: skip
OFFERS: Final = sum(1 << a for a in (CHI_LOW, CHI_MID, CHI_HIGH, PON, OPEN_KAN, RON))
DECISION = np.dtype(
    [
        ("observation", OBSERVATION),
        ("hand", "u1", 34),  # concealed tiles, the drawn one included
        ("reds", "u1"),  # bit s: the red five of suit s is among them
        ("drawn", "u1"),  # kind, NONE after a call and on another's tile
        ("offered", "u1"),  # kind of another's tile, NONE in the own turn
        ("from", "u1"),  # its relative seat, NONE in the own turn
        ("flags", "u1"),  # as a discard's of OBSERVATION
        ("legal", "<u2"),  # acts
        ("discards", "<u8"),  # kinds
        ("kans", "<u8"),  # kinds of concealed and added kans
        # own turn, each kind's discard: shanten left (NONE: not held), useful unseen tiles,
        # their kinds, four times the mean number of useful tiles after one of them
        ("efficiency", "u1", (34, 4)),
        # another's tile: shanten, tiles, next, as it stands and after chi low, middle, high, pon
        ("calls", "u1", (5, 3)),
    ]
)
Decisions = NDArray[Any]
"""(n,) of DECISION."""
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
    """One record of DECISION as bytes, its tile efficiencies still empty (``with_efficiency``)."""
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
    drawn = NONE if position.drawn is None else position.drawn.kind
    kind = seat = NONE
    flags = 0
    if offer is not None:
        kind, seat, drawn = offer.tile.kind, (offer.seat - position.seat) % 4, NONE
        if isinstance(offer, Discard):
            last = position.players[seat].river[-1]
            flags = last.tsumogiri | last.riichi << 1 | last.facing_riichi << 3 | last.tile.red << 4
    return b"".join(
        (
            pack(position),
            bytes(hand),
            bytes((reds, drawn, kind, seat, flags)),
            legal.to_bytes(2, "little"),
            discards.to_bytes(8, "little"),
            kans.to_bytes(8, "little"),
            _EMPTY,
        )
    )


def unpack_decisions(data: bytes) -> Decisions:
    """The records of joined ``pack_decision`` bytes, with their tile efficiencies."""
    rows = np.frombuffer(data, dtype=DECISION).copy()
    return with_efficiency(rows)


def with_efficiency(rows: Decisions) -> Decisions:
    """Fill in ``efficiency`` and ``calls``, in place."""
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


def decision_of(decision: Decision) -> Decisions:
    """One decision's record, of shape (1,)."""
    return unpack_decisions(pack_decision(decision))


def as_bytes(rows: Decisions) -> NDArray[np.uint8]:
    """(n, bytes) as the core takes them."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), DECISION.itemsize)
