"""A seat's decision becomes a decision record: its position, its hand and its legal choices.

The core writes the same bytes where it replays a record or plays a table; this is for a seat that
has a Position and no table. ``features`` are any records as a network reads them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.errors import ArgumentError
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
    as_bytes,
)
from haiyomi.game.observation import NONE, pack
from haiyomi.kernels.network import decision_features
from haiyomi.kernels.record_facts import with_tile_facts
from haiyomi.play.decision import Decision
from haiyomi.play.feature_names import CONTEXT_NAMES as CONTEXT_NAMES
from haiyomi.play.feature_names import KIND_NAMES as KIND_NAMES
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


def pack_decision(decision: Decision, observation: bytes | None = None) -> bytes:
    """One record of DECISION as bytes, without what ``with_tile_facts`` computes.
    ``observation``: what ``pack`` gives of the position, where it is at hand."""
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
            pack(position) if observation is None else observation,
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
    return with_tile_facts(as_bytes(np.frombuffer(data, DECISION))).view(DECISION)[:, 0]


def decision_of(decision: Decision) -> Decisions:
    """One decision's record, of shape (1,)."""
    return unpack_decisions(pack_decision(decision))


def features(records: Decisions, threads: int = 1) -> tuple[Singles, Singles]:
    """(n, 34, 90) and (n, 168) float32: the inputs of a network, by kind and of the whole.

    ``KIND_NAMES`` and ``CONTEXT_NAMES`` name the columns, ``play.feature_names`` says what each
    means. The eight of ``play.feature_names.STYLE_SLOT`` are a style vector's place and hold 0.
    ``records`` (n,) of DECISION: those of ``decision_of``, of ``Tables.records`` or of packed
    games. Scores are -6 to 6, all other numbers 0 to 13; a row does not depend on the others.
    ``threads``, 1 to 256, change nothing but the time. Raises ArgumentError for what are no
    records, for a damaged one, and for another number of threads.
    """
    if records.dtype != DECISION or records.ndim != 1:
        raise ArgumentError(
            f"records of shape {records.shape} and {records.dtype.itemsize} bytes each: expected "
            "(n,) of DECISION, as decision_of and Tables.records give them"
        )
    try:
        return decision_features(as_bytes(records), np.zeros(len(records), np.uint8), threads)
    except ValueError as error:
        raise ArgumentError(str(error)) from None
