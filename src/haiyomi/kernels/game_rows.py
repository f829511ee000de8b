"""Packed games become rows: the core replays them, and writes a record and labels a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bytes, Ints, Ints32
from haiyomi.errors import RecordError
from haiyomi.events import Hand
from haiyomi.kernels.replay import fault_of

DecodedRows: TypeAlias = Bytes


@dataclass(frozen=True, slots=True, eq=False)
class GameWords:
    """n games as the core takes them.

    ``words`` (int32) of all hands one after another, as ``kernels.replay.encode`` gives them;
    ``hands`` (int64) where each hand begins in them, and their end; ``games`` (n + 1, int64) where
    each game begins in ``hands``. ``keys`` (n, uint64) its name as a number; ``rules`` (n, 11,
    int32) ``rule_numbers`` and the rounds; ``whole`` (n, uint8) 1 where ``final`` (n, 4, int32) has
    the final scores. ``changes`` (m, 5, int32) in order: in which game and hand before which event
    the line of which seat drops (0) or is back (1).
    """

    words: Ints32
    hands: Ints
    games: Ints
    keys: npt.NDArray[np.uint64]
    rules: Ints32
    whole: Bytes
    final: Ints32
    changes: Ints32


class GameFault(Exception):
    """A game of those decoded does not replay: ``game`` is its index, ``error`` says why."""

    def __init__(self, game: int, error: RecordError) -> None:
        super().__init__(game, error)
        self.game = game
        self.error = error


def game_rows(
    games: GameWords,
    discards: bool = False,
    fraction: float = 1.0,
    seed: int = 0,
    only: Ints32 | None = None,
) -> tuple[DecodedRows, DecodedRows]:
    """The decisions of some games: (m, bytes) records and (m, bytes) labels, in order.

    ``discards``: every discard that no own riichi forces, instead of every choice of a seat.
    ``fraction``: so many of the decisions, chosen by a hash of ``seed``, game, hand, event and
    seat. ``only`` (n, 2): instead of a sample one decision of each game, which has one hand: the
    event before it, and the seat. Raises GameFault, and ValueError for arrays that do not fit.
    """
    if not 0 < fraction <= 1:
        raise ValueError(f"fraction {fraction!r}: expected a number above 0, at most 1")
    below = max(int(fraction * 2**64), 1) - 1
    fault, game, hand, event, detail, records, labels = _core.decode_games(
        games.words,
        games.hands,
        games.games,
        games.keys,
        games.rules,
        games.whole,
        games.final,
        games.changes,
        discards,
        below,
        seed,
        only,
    )
    if fault:
        error = fault_of(fault, event, detail, Hand(()))
        error.hand = hand
        raise GameFault(game, error)
    return records, labels
