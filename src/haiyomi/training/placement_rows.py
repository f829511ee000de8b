"""Rows for the placement model: what each hand of a record starts with, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from haiyomi.arrays import Ints, Ints32
from haiyomi.corpus import Corpus, Skipped
from haiyomi.errors import HaiyomiError
from haiyomi.events import Game
from haiyomi.game.game_end import places_of
from haiyomi.outcomes.placement import check_rules
from haiyomi.outcomes.starts import Starts
from haiyomi.rows import Rows
from haiyomi.storage.resume import Progress

_COLUMNS = 12
_PIECE = 64


@dataclass(frozen=True, slots=True, eq=False)
class PlacementRows(Rows):
    """Starts of hands: ``game`` (n,) numbers the games from 0, ``final`` (n, 4) their final scores
    by absolute seat."""

    game: Ints32
    starts: Starts
    final: Ints32

    @property
    def place(self) -> Ints:
        """(n, 4) the final place 0-3 of each absolute seat."""
        return places_of(self.final)


def placement_rows(
    sources: Sequence[Path], progress: Progress | None = None
) -> tuple[PlacementRows, list[Skipped]]:
    """The rows of every whole game of some records, and what was left out.

    A game without final scores, or under rules that ``check_rules`` refuses, has no rows. Raises
    DatasetError where a source cannot be read.
    """
    found, skipped = Corpus(list(sources)).distinct().map_rows(_of_game, _PIECE, 1, progress)
    parts = [part for part in found if len(part)]
    codes = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in parts])
    table = np.concatenate([np.zeros((0, _COLUMNS), np.int32), *parts])
    rounds, kyoku, honba, sticks = table[:, :4].T
    starts = Starts(rounds, kyoku, honba, sticks, table[:, 4:8])
    return PlacementRows(codes, starts, table[:, 8:]), skipped


def count_hands(sources: Sequence[Path], most: int) -> int:
    """How many rows ``placement_rows`` has; counted until there are ``most``."""
    hands = 0
    for piece in Corpus(list(sources)).distinct().pieces(_PIECE):
        if hands >= most:
            break
        hands += sum(map(len, piece.map_rows(_of_game, _PIECE, 1)[0]))
    return hands


def _of_game(_: str, game: Game) -> Ints32:
    """(hands, 12): rounds, kyoku, honba, sticks, four scores, four final scores."""
    rules = game.header.rules
    final = game.header.final
    try:
        check_rules(rules)
    except HaiyomiError:
        final = None
    if final is None:
        return np.zeros((0, _COLUMNS), np.int32)
    starts = [hand.start for hand in game.hands]
    rows = [(rules.rounds, s.kyoku, s.honba, s.sticks, *s.scores, *final) for s in starts]
    return np.array(rows, np.int32)
