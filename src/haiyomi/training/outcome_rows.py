"""Rows for the forecast of outcomes: decisions of records, and how the hand then ended.

The core decodes them, and draws a fixed share by a hash of the place of each decision: the chance
to be drawn depends neither on how the hand ended nor on how long it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.events import Game
from haiyomi.game.decision_labels import LABELS, Labels
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.playouts.ends import endings_of
from haiyomi.rows import Rows
from haiyomi.storage.resume import Progress

_GAMES_A_PIECE: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeRows(Rows):
    """n decisions: ``decisions`` (n,) of DECISION, and ``labels`` (n,) of LABELS, whose ``game``
    numbers the games from 0."""

    decisions: Decisions
    labels: Labels

    @property
    def ending(self) -> Ints:
        """(n,) of ``Ending``, as the seat of the decision sees it."""
        return endings_of(self.labels)

    @property
    def change(self) -> Floats:
        """(n,) of the own score, from the decision to the end of the hand."""
        out: Floats = self.labels["deltas"][:, 0].astype(np.float64)
        return out

    @property
    def at_once(self) -> Bools:
        """(n,) whether another wins on the tile that is discarded at the decision."""
        out: Bools = self.labels["ronned"] != 0
        return out


NO_OUTCOMES: Final = OutcomeRows(np.zeros(0, DECISION), np.zeros(0, LABELS))


def outcome_rows(
    sources: Sequence[Path],
    share: float,
    seed: int,
    games: int | None = None,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> tuple[OutcomeRows, list[Skipped]]:
    """A share of the decisions of some records (at most ``games`` of each source), and what was
    left out. Raises DatasetError where a source cannot be read."""
    chosen = Corpus(list(sources)).distinct().first(games)
    of_game = partial(_of_game, share=share, seed=seed)
    found, skipped = chosen.map_rows(of_game, _GAMES_A_PIECE, jobs, progress)
    for number, rows in enumerate(found):
        rows.labels["game"] = number
    return OutcomeRows.join([NO_OUTCOMES, *found]), skipped


def _of_game(name: str, game: Game, share: float, seed: int) -> OutcomeRows:
    records, labels = decode_games(pack_games([(name, game)]), fraction=share, seed=seed)
    return OutcomeRows(records.copy(), labels.copy())
