"""A position becomes a decision record whether or not the viewer is to discard.

A network that reads opponents has learned from discards. Where the viewer holds no tile to discard,
the record is that of a viewer who has drawn the tile of its last discard once more: the hand that
remains is the true one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haiyomi.arrays import Bytes
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.kuikae import swapped_kinds
from haiyomi.game.observation import NONE, OBSERVATION, pack
from haiyomi.game.position import Position
from haiyomi.kernels.record_facts import seat_records as complete
from haiyomi.tiles import kind_counts

_REST = bytes(DECISION.itemsize - OBSERVATION.itemsize - 34 - 6)


def seat_records(positions: Sequence[Position]) -> Decisions:
    """(n,) the records of viewers that are to discard, with the legal discards, kans and riichi; a
    win and nine terminals are left out. After a riichi of the viewer the discards are those that
    keep it tenpai, as when it declared it."""
    return seat_bytes(positions).view(DECISION)[:, 0]


def seat_bytes(positions: Sequence[Position]) -> Bytes:
    """(n, bytes) the same records as the core takes them."""
    data = b"".join([_start(position) for position in positions])
    barred = [sum(1 << kind for kind in swapped_kinds(position)) for position in positions]
    records = np.frombuffer(data, np.uint8).reshape(len(positions), DECISION.itemsize)
    return complete(records, np.array(barred, np.uint64))


def _start(position: Position) -> bytes:
    """The record without what the core computes."""
    drawn = position.drawn
    kind, red = (NONE, 0) if drawn is None else (drawn.kind, drawn.red)
    reds = sum({1 << (tile.code - 34) for tile in position.hand if tile.red})
    head = (*kind_counts(position.hand), reds, kind, NONE, NONE, 0, red)
    return b"".join((pack(position), bytes(head), _REST))
