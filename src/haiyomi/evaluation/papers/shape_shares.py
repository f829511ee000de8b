"""Several deal-in models on the same rows of one class of opponent: both readings of (28), and what
each mend of ``kurita-hoki`` is worth with one meld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.corpus import Corpus
from haiyomi.dealin.kurita_hoki import KuritaHoki, shipped
from haiyomi.dealin.variant import Variant
from haiyomi.dealin.waits import live_suji
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.metrics import binary_score
from haiyomi.events import Game
from haiyomi.game.labelled import labelled
from haiyomi.game.truth import could_ron
from haiyomi.json_types import KnownJson
from haiyomi.reading.opponent_class import CLASSES, class_of_player
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress

GAMES_A_PIECE: Final = 12
VARIANTS: Final = tuple(
    Variant(literal, unit_shares=unit) for literal in (True, False) for unit in (False, True)
)
MELD_GAMES: Final = 60
"""Games of the mends: one meld takes three milliseconds a model and decision."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelRows:
    """n rows of m models: ``p`` (n, m) probabilities of a ron, ``label`` (n,) and ``game`` (n,)
    codes; ``live`` (decisions,) live suji of each opponent asked about."""

    p: Floats
    label: Bools
    game: Ints
    live: Ints

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
    of_game = partial(_of_game, models=tuple(models), cls=CLASSES.index(opponent))
    games, _ = records.map_rows(of_game, GAMES_A_PIECE, jobs, progress)
    rows = [len(label) for _, label, _ in games]
    return ModelRows(
        np.concatenate([p for p, _, _ in games]),
        np.concatenate([label for _, label, _ in games]),
        np.repeat(np.arange(len(games)), rows),
        np.concatenate([live for _, _, live in games]),
    )


Part = tuple[Floats, Bools, Ints]


def _of_game(_: str, game: Game, models: Sequence[KuritaHoki], cls: int) -> Part:
    p: list[Floats] = [np.zeros((0, len(models)))]
    label: list[Bools] = [np.zeros(0, np.bool_)]
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


def shape_shares(
    records: Corpus, seed: int, jobs: Jobs = None, progress: Progress | None = None
) -> list[KnownJson]:
    """For each variant the sum of the four shares over decisions, and its riichi rows' scores."""
    models = [shipped(variant) for variant in VARIANTS]
    rows = model_rows(records, models, "riichi", jobs, progress)
    out = []
    for model, score in zip(models, rows.scores(seed), strict=True):
        two = model.riichi.two_sided[rows.live]
        sums = two + model.riichi.rest.sum() * (1.0 - two)
        found = {"mean": float(sums.mean()), "low": float(sums.min()), "high": float(sums.max())}
        out.append({"model": model.name, "sum": found | {"n": len(sums)}, "score": score})
    return out


def one_meld(records: Corpus, seed: int, jobs: Jobs, progress: Progress | None) -> KnownJson:
    """The literal model, the same with each mend of melded hands alone, and with all three, on the
    rows of opponents with one meld."""
    letter, mended = shipped(Variant(literal=True)), shipped()
    models: dict[str, KuritaHoki] = {
        "literal": letter,
        "weight 0 without a yaku": replace(letter, yakuless=mended.yakuless),
        "weight 0.05 on a passed tile": replace(letter, passed_wait=mended.passed_wait),
        "factor on (9)": replace(letter, melded=mended.melded),
        "all three": replace(
            letter,
            yakuless=mended.yakuless,
            passed_wait=mended.passed_wait,
            melded=mended.melded,
        ),
    }
    some = records.first(MELD_GAMES)
    rows = model_rows(some, list(models.values()), "1 meld", jobs, progress)
    scores = rows.scores(seed)
    return {
        "games": MELD_GAMES,
        "rows": [{"model": name, "score": s} for name, s in zip(models, scores, strict=True)],
    }
