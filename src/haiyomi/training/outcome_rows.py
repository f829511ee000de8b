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
from numpy.typing import NDArray

from haiyomi.corpus import Corpus, Skipped
from haiyomi.events import Game
from haiyomi.game.decision_labels import ENDINGS, LABELS, Labels
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.ending import Ending
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress

_GAMES_A_PIECE: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeRows:
    """n decisions: ``decisions`` (n,) of DECISION, and ``labels`` (n,) of LABELS, whose ``game``
    numbers the games from 0."""

    decisions: Decisions
    labels: Labels

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def ending(self) -> NDArray[np.uint8]:
        """(n,) of ``Ending``, as the seat of the decision sees it."""
        return endings_of(self.labels)

    @property
    def change(self) -> NDArray[np.float64]:
        """(n,) of the own score, from the decision to the end of the hand."""
        out: NDArray[np.float64] = self.labels["deltas"][:, 0].astype(np.float64)
        return out

    @property
    def at_once(self) -> NDArray[np.bool_]:
        """(n,) whether another wins on the tile that is discarded at the decision."""
        out: NDArray[np.bool_] = self.labels["ronned"] != 0
        return out


def endings_of(labels: Labels) -> NDArray[np.uint8]:
    """(n,) of ``Ending`` of some LABELS."""
    kind = np.array(ENDINGS)[labels["ending"]]
    winners, payer, tenpai = labels["winners"], labels["from"], labels["tenpai"]
    # The first winner in turn after who dealt in, or the winner by own draw: a relative seat.
    after = np.where(payer < 4, payer, 0)[:, None] + np.arange(1, 5)
    won = winners[:, None] >> (after % 4) & 1 != 0
    first = np.take_along_axis(after % 4, won.argmax(axis=1)[:, None], axis=1)[:, 0]
    out = np.full(len(labels), Ending.ABORTED, np.uint8)
    for name, ending in (
        ("wins by own draw", Ending.TSUMO),
        ("wins by ron", Ending.RON),
        ("exhaustive draw in tenpai", Ending.DRAW_TENPAI),
        ("exhaustive draw noten", Ending.DRAW_NOTEN),
    ):
        out[kind == name] = ending
    for name, ending in (
        ("deals in", Ending.DEAL_IN_RIGHT),
        ("another wins by own draw", Ending.TSUMO_RIGHT),
        ("another is ronned", Ending.RON_RIGHT),
    ):
        mine = kind == name
        out[mine] = ending + first[mine] - 1
    nagashi = kind == "nagashi mangan"
    out[nagashi] = np.where(tenpai[nagashi] & 1, Ending.DRAW_TENPAI, Ending.DRAW_NOTEN)
    return out


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
    for number, (_, labels) in enumerate(found):
        labels["game"] = number
    return OutcomeRows(
        np.concatenate([np.zeros(0, DECISION), *(records for records, _ in found)]),
        np.concatenate([np.zeros(0, LABELS), *(labels for _, labels in found)]),
    ), skipped


def _of_game(name: str, game: Game, share: float, seed: int) -> tuple[Decisions, Labels]:
    records, labels = decode_games(pack_games([(name, game)]), fraction=share, seed=seed)
    return records.copy(), labels.copy()
