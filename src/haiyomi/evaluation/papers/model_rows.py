"""Several deal-in models on the same rows of one class of opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus
from haiyomi.corpus.walk import rows_of
from haiyomi.dealin.kurita_hoki import KuritaHoki
from haiyomi.dealin.waits import live_suji
from haiyomi.evaluation.metrics import binary_score
from haiyomi.events import Game
from haiyomi.game.labelled import labelled
from haiyomi.game.truth import could_ron
from haiyomi.reading.opponent_class import CLASSES, class_of_player
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress

GAMES_A_PIECE: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class ModelRows:
    """n rows of m models: ``p`` (n, m) probabilities of a ron, ``label`` (n,) and ``game`` (n,)
    codes; ``live`` (decisions,) live suji of each opponent asked about."""

    p: NDArray[np.float64]
    label: NDArray[np.bool_]
    game: NDArray[np.int64]
    live: NDArray[np.int64]

    def scores(self, seed: int) -> list[dict[str, Any]]:
        """The score of each model as results JSON."""
        found = (binary_score(p, self.label, self.game, generator(seed)) for p in self.p.T)
        return [score.to_json() for score in found if score is not None]


def model_rows(
    records: Corpus,
    models: Sequence[KuritaHoki],
    opponent: str,
    jobs: Jobs,
    progress: Progress | None,
) -> ModelRows:
    """The rows of opponents of one of ``CLASSES`` at every decision that is not forced."""
    ask = partial(_of_piece, models=tuple(models), cls=CLASSES.index(opponent))
    parts = list(records.map_pieces(ask, GAMES_A_PIECE, jobs, progress))
    games = [part for piece in parts for part in piece]
    rows = [len(label) for _, label, _ in games]
    return ModelRows(
        np.concatenate([p for p, _, _ in games]),
        np.concatenate([label for _, label, _ in games]),
        np.repeat(np.arange(len(games)), rows),
        np.concatenate([live for _, _, live in games]),
    )


Part = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]


def _of_piece(piece: Corpus, models: Sequence[KuritaHoki], cls: int) -> list[Part]:
    found, _ = rows_of(piece, lambda _, game: _of_game(game, models, cls))
    return list(found)


def _of_game(game: Game, models: Sequence[KuritaHoki], cls: int) -> Part:
    p: list[NDArray[np.float64]] = [np.zeros((0, len(models)))]
    label: list[NDArray[np.bool_]] = [np.zeros(0, np.bool_)]
    live: list[int] = []
    for one in labelled(game, lambda labels: ~labels.forced):
        kinds = np.array(sorted({tile.kind for tile in one.position.hand}))
        for r in (1, 2, 3):
            player = one.position.players[r]
            if class_of_player(player) != cls:
                continue
            chances = [model.ron_grid(one.position, r).ron.sum(axis=(1, 2)) for model in models]
            p.append(np.stack(chances, axis=1)[kinds])
            label.append(could_ron(one.labels.ron[one.decision, (one.seat + r) % 4], kinds))
            live.append(live_suji(player.furiten_mask))
    return np.concatenate(p), np.concatenate(label), np.array(live, dtype=np.int64)
