"""Rows for the placement model: what each hand of a record starts with, and the final places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.events import Game
from haiyomi.game.game_end import places

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PlacementRows:
    """Starts of hands as columns; seats are absolute.

    ``game`` (n,) codes that begin with 0, ``rounds`` (1 East-only, 2 hanchan), ``kyoku``,
    ``honba``, ``sticks`` (n,); ``scores`` (n, 4) in points; ``place`` (n, 4) the final place 0-3 of
    each seat.
    """

    game: Ints
    rounds: Ints
    kyoku: Ints
    honba: Ints
    sticks: Ints
    scores: Ints
    place: Ints

    def __len__(self) -> int:
        return len(self.game)

    def where(self, mask: NDArray[np.bool_]) -> PlacementRows:
        """The rows of a mask (n,)."""
        return PlacementRows(*(getattr(self, f.name)[mask] for f in fields(self)))


def placement_rows(sources: Sequence[Corpus]) -> tuple[PlacementRows, list[Skipped]]:
    """The rows of every whole game of some records, and what was left out.

    A game without final scores, or under rules with other starting points than 25,000, has no
    rows.
    """
    parts: list[Ints] = []
    skipped: list[Skipped] = []
    for corpus in sources:
        made, left_out = rows_of(corpus, _starts)
        parts += [part for part in made if len(part)]
        skipped += left_out
    codes = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in parts])
    table = np.concatenate([np.zeros((0, 12), np.int32), *parts])
    rounds, kyoku, honba, sticks = table[:, :4].T
    return PlacementRows(codes, rounds, kyoku, honba, sticks, table[:, 4:8], table[:, 8:]), skipped


def _starts(name: str, game: Game) -> Ints:
    """(hands, 12): rounds, kyoku, honba, sticks, four scores, four places."""
    final, rules = game.header.final, game.header.rules
    if final is None or rules.start_points != 25000:
        return np.zeros((0, 12), np.int32)
    place = [0] * 4
    for number, seat in enumerate(places(final)):
        place[seat] = number
    rows = [
        (rules.rounds, s.kyoku, s.honba, s.sticks, *s.scores, *place)
        for s in (hand.start for hand in game.hands)
    ]
    return np.array(rows, np.int32)
