"""What was hidden: all hands, waits and possible rons at every decision. Labels only.

Nothing that answers from one seat's view may import this module, or an answer could depend on
hidden tiles; a test of the import graph holds that. Datasets, evaluation and the checker do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes, Ints32
from haiyomi.errors import RecordError
from haiyomi.events import Game, Hand
from haiyomi.kernels.replay import replay
from haiyomi.rules import TENHOU, Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class DiscardTruths:
    """Columns over n decisions of a hand, in order; seats are absolute.

    All is as it stands *before* the tile leaves the decider's hand, but for ``tenpai``,
    ``waits`` and ``furiten`` **of the decider**: those are of the hand after the discard
    (with this discard in the river), as the others will face it; at an added kan they are
    empty.

    ==============  ============  ==========================================================
    event           (n,) int32    index of the Discard or Kakan in ``hand.events``
    seat            (n,) uint8    the decider
    tile            (n,) uint8    code 0-36 of the tile discarded or added
    forced          (n,) bool     the decider is in riichi already and had no choice
    concealed       (n,4,34) u8   concealed tiles of each seat by kind; the decider's with
                                  the drawn tile
    reds            (n,4) uint8   concealed red fives, bit = suit (m 1, p 2, s 4)
    tenpai          (n,4) bool    one tile from complete; a hand that waits only on a kind
                                  of which it holds all four is not
    waits           (n,4) uint64  bit k: kind k completes the concealed tiles
    furiten         (n,4) bool    may not ron (own river, passed this turn, passed in riichi)
    ron             (n,4) uint64  bit k: that seat could now ron kind k if the decider
                                  discarded (or added) it: a wait, a yaku by all
                                  circumstances (riichi, last discard, robbing a kan), not
                                  furiten. 0 for the decider
    han, fu         (n,4) uint8   of the hand that ``tile`` would complete, where ``ron``
                                  has it, else 0; han 13 a limit hand, whose fu is 0
    points          (n,4) int32   what the decider would pay without honba and sticks
    ronned          (n,) uint8    bit s: seat s did win on the tile
    ==============  ============  ==========================================================

    ``han`` and ``points`` count dora, red fives and ippatsu as they were; ura only where the
    record shows them, that is for the seats in ``ronned``.
    """

    event: Ints32
    seat: Bytes
    tile: Bytes
    forced: Bools
    concealed: Bytes
    reds: Bytes
    tenpai: Bools
    waits: NDArray[np.uint64]
    furiten: Bools
    ron: NDArray[np.uint64]
    han: Bytes
    fu: Bytes
    points: Ints32
    ronned: Bytes

    def __len__(self) -> int:
        return len(self.event)


@dataclass(frozen=True, slots=True, eq=False)
class HandTruth:
    """The hidden truth of one hand: at each discard (in order, forced ones too) and each
    added kan. Row i of ``discards`` is decision i of the hand in the rows file."""

    discards: DiscardTruths
    kakans: DiscardTruths


def could_ron(mask: NDArray[np.uint64], kinds: NDArray[np.integer[Any]]) -> Bools:
    """Whether the bit of each kind 0-33 is set; ``mask`` and ``kinds`` broadcast."""
    hit: Bools = (mask >> kinds.astype(np.uint64)) & np.uint64(1) != 0
    return hit


def truth_of(hand: Hand, rules: Ruleset = TENHOU) -> HandTruth:
    """The hidden truth of a hand, which is checked on the way.

    Raises IllegalError, MismatchError or TruncatedError with the event's number.
    """
    _, discards, kakans = replay(hand, rules, truth=True)
    return HandTruth(_decisions(discards), _decisions(kakans))


def truths_of(game: Game) -> tuple[HandTruth, ...]:
    """``truth_of`` each hand of a game."""
    truths = []
    for number, hand in enumerate(game.hands):
        try:
            truths.append(truth_of(hand, game.header.rules))
        except RecordError as error:
            error.hand = number
            raise
    return tuple(truths)


def _decisions(columns: Any) -> DiscardTruths:
    if columns is None:
        return _EMPTY
    event, seat, tile, forced, concealed, reds, waits, *rest = columns
    return DiscardTruths(event, seat, tile, forced, concealed, reds, waits != 0, waits, *rest)


def _empty() -> DiscardTruths:
    def no(dtype: Any, *shape: int) -> NDArray[Any]:
        return np.zeros((0, *shape), dtype)

    u8, u64 = np.uint8, np.uint64
    return DiscardTruths(
        no(np.int32), no(u8), no(u8), no(np.bool_), no(u8, 4, 34), no(u8, 4), no(np.bool_, 4),
        no(u64, 4), no(np.bool_, 4), no(u64, 4), no(u8, 4), no(u8, 4), no(np.int32, 4), no(u8),
    )  # fmt: skip


_EMPTY = _empty()
