"""The decision record: what a seat sees at a decision and what it may do, as fixed-size bytes.

``DECISION`` is an OBSERVATION and the seat's own part: hand, drawn or offered tile, waits, what the
rules allow, and the *tile efficiency* of each discard and call (the shanten it leaves, the unseen
tiles that lower it, and how many are useful after one of them). It is the input of every network.
The core writes and reads the same layout (``cpp/core/decision.hpp``). Nothing hidden has a field
here, and nothing that depends on who plays.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes
from haiyomi.game.observation import NONE, OBSERVATION, TSUMOGIRI, Observations

RIICHI, TSUMO, NINE, CHI_LOW, CHI_MID, CHI_HIGH, PON, OPEN_KAN, RON = range(9)
"""Acts, bits of ``legal``: CHI_LOW takes the lowest tile of a run, CHI_HIGH its highest."""
ACTS: Final = (
    "riichi", "tsumo", "nine terminals", "chi low", "chi middle", "chi high", "pon", "open kan",
    "ron",
)  # fmt: skip
OFFERS: Final = sum(1 << a for a in (CHI_LOW, CHI_MID, CHI_HIGH, PON, OPEN_KAN, RON))
"""The acts that answer another's tile."""
OF_KAN: Final = 32
"""Bit of an offered tile's ``flags``: it made a kan, and may only be won on."""
DECISION = np.dtype(
    [
        ("observation", OBSERVATION),
        ("hand", "u1", 34),  # concealed tiles, the drawn one included
        ("reds", "u1"),  # bit s: the red five of suit s is among them
        ("drawn", "u1"),  # kind, NONE after a call and on another's tile
        ("offered", "u1"),  # kind of another's tile, NONE in the own turn
        ("from", "u1"),  # its relative seat, NONE in the own turn
        ("flags", "u1"),  # as a discard's of OBSERVATION, or OF_KAN
        ("drawn_red", "u1"),  # 1: the drawn tile is a red five
        ("waits", "<u8"),  # kinds that complete the hand without the drawn tile; 0 after a call
        ("legal", "<u2"),  # acts
        ("discards", "<u8"),  # kinds
        ("kans", "<u8"),  # kinds of closed and added kans
        # own turn, each kind's discard: shanten left (NONE: not held), useful unseen tiles,
        # their kinds, four times the mean number of useful tiles after one of them
        ("efficiency", "u1", (34, 4)),
        # another's tile: shanten, tiles, next, as it stands and after chi low, middle, high, pon
        ("calls", "u1", (5, 3)),
    ]
)
Decisions = NDArray[Any]
"""(n,) of DECISION."""


def as_bytes(rows: Decisions | Observations) -> Bytes:
    """(n, bytes) as the core takes them."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.dtype.itemsize)


def just_called(rows: Decisions) -> Bools:
    """(n,) whether a decision is the discard right after an own chi or pon."""
    called: Bools = (rows["from"] == NONE) & (rows["drawn"] == NONE)
    return called


def without_tedashi(rows: Decisions) -> Decisions:
    """The records of seats that do not remember which of the others' discards were tedashi.

    Those before a riichi lose TSUMOGIRI, ``forgets`` is 1; the discards after a riichi are known to
    be tsumogiri, and the tile on offer has just been seen.
    """
    out = rows.copy()
    players = out["observation"]["players"][:, 1:]
    riichi = players["riichi"][..., None]
    hidden = (riichi < 0) | (np.arange(players["flags"].shape[-1]) <= riichi)
    players["flags"][hidden] &= 0xFF ^ TSUMOGIRI
    out["observation"]["forgets"] = 1
    return out
