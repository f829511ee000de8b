"""The labels of a decision record: the choice, what was hidden, and how the hand and game ended.

``LABELS`` is a type of its own, which the core writes beside each record
(``cpp/core/decision_labels.hpp``). It is for training and evaluation: nothing that answers for a
seat may see it. Seats are relative to the one that decides, 0 itself; masks of seats have bit s for
seat s, masks of kinds bit k for kind k.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools
from haiyomi.game.observation import NONE

ENDINGS: Final = (
    "wins by own draw", "wins by ron", "deals in", "another wins by own draw",
    "another is ronned", "exhaustive draw in tenpai", "exhaustive draw noten", "nagashi mangan",
    "abortive draw",
)  # fmt: skip
"""How a hand ends for a seat, by ``ending``; nagashi mangan is anybody's (``winners``)."""
CHOICE = np.dtype([("discard", "u1"), ("kan", "u1"), ("decided", "<u2"), ("chosen", "<u2")])
"""The choice: kinds or NONE; ``decided`` the acts whose choice is known (the mask of the loss),
``chosen`` those taken. ``kan`` is NOT_DECIDED where another choice left it open."""
NOT_DECIDED: Final = NONE - 1
OPPONENT = np.dtype(
    [
        ("concealed", "u1", 34),
        ("reds", "u1"),  # bit s: the red five of suit s is among them
        ("furiten", "u1"),  # the waits hold a kind that the player may not win on by ron
        ("han", "u1"),  # of a ron on the tile discarded, where ``ron`` has it, else 0; 13 a limit
        ("fu", "u1"),  # the same, 0 of a limit hand
        ("waits", "<u8"),  # kinds that complete the hand
        ("ron", "<u8"),  # kinds that the player could win on by ron if they were discarded now
        ("points", "<i4"),  # of a ron on the tile discarded, without honba and sticks
    ]
)
"""Another player as all hands lie open, before the decision."""
LABELS = np.dtype(
    [
        ("game", "<u4"),  # index among the games that were decoded together
        ("hand", "<u2"),  # of the game, from 0
        ("event", "<u2"),  # index in the hand of the event before the decision
        ("discards", "<u2"),  # of all seats in the hand before it
        ("seat", "u1"),  # absolute
        ("away", "u1"),  # seats that are disconnected
        ("choice", CHOICE),
        ("code", "u1"),  # code of the tile discarded, NONE without
        ("ronned", "u1"),  # seats that won on it
        ("opponents", OPPONENT, 3),  # of seats 1, 2, 3
        ("ending", "u1"),  # index into ENDINGS
        ("winners", "u1"),  # seats that won, or made nagashi mangan
        ("from", "u1"),  # seat that dealt in, NONE without
        ("tenpai", "u1"),  # seats that were tenpai at an exhaustive draw
        ("deposits", "u1"),  # seats that paid a riichi deposit after the decision
        ("places", "u1", 4),  # 0 first ... 3 last at the end of the game, NONE unknown
        ("worth", "<i4"),  # a ron of the winner's hand, the first's in turn, as ``points``; 0 none
        ("deltas", "<i4", 4),  # change of each score to the end of the hand, deposits included
        ("final", "<i4", 4),  # scores at the end of the game, 0 unknown
    ]
)
Labels = NDArray[Any]
"""(n,) of LABELS."""
KEYS: Final = ("game", "hand", "event", "discards", "seat")
"""Columns that say which decision a row is; all seats know them at the decision."""
HIDDEN: Final = ("opponents", "away")
"""Columns that the seat may not know at the decision."""


def is_known(labels: Labels) -> Bools:
    """(n,) whether anything of the choice is known: no other's call or win came first."""
    choice = labels["choice"]
    out: Bools = (
        (choice["decided"] != 0) | (choice["discard"] != NONE) | (choice["kan"] < NOT_DECIDED)
    )
    return out
