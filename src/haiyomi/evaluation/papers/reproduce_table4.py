"""``haiyomi reproduce table4``: Table 4 of Maekawa and Takeuchi on players with many games.

The records are those of the train and valid splits: no game of the test split is read.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.papers.kept_step import once
from haiyomi.evaluation.papers.styles_cache import mark_of, tallies_of_sources, train_and_valid
from haiyomi.evaluation.papers.styles_clusters import clusterings
from haiyomi.evaluation.papers.styles_table4 import fit_all, table4
from haiyomi.evaluation.papers.table4_rows import Sizes, splits_of
from haiyomi.evaluation.styles_curve import pseudo_accounts
from haiyomi.json_types import KnownJson
from haiyomi.storage.folder_lock import only_writer
from haiyomi.storage.resume import Bar
from haiyomi.storage.whole_file import make_folder
from haiyomi.styles.classes import SCALINGS
from haiyomi.styles.statistics import EAST_ONLY
from haiyomi.training.fit_discard_network import Loss, SgdSettings
from haiyomi.training.fit_styles import Study, classes_of, study_styles

CLASSES: Final = 4
HALVES_OF: Final = (2, 3, 4, 5)
"""Numbers of classes for which halves of players' games are compared."""


@dataclass(frozen=True, slots=True)
class Design:
    """What is measured: players with at least ``least`` games of ``rounds`` rounds, in ``classes``
    classes; rows of each class; the networks' ``settings`` and ``loss``."""

    rounds: int = EAST_ONLY
    least: int = 100
    classes: int = CLASSES
    sizes: Sizes = field(default_factory=Sizes)
    settings: SgdSettings = field(default_factory=lambda: SgdSettings(epochs=3000))
    loss: Loss = "mse"


def experiment(corpus: Path, cache: Path, engine: Jobs, bar: Bar, design: Design) -> KnownJson:
    """Run everything; ``bar(what)`` is a context giving a progress callback; what takes long is
    kept in the folder ``cache``, which is locked meanwhile. Raises DatasetError."""
    train, valid = train_and_valid(corpus)
    sources = [*train, *valid]
    make_folder(cache)
    with only_writer(cache):
        mark = mark_of(sources)
        tallies = tallies_of_sources(sources, cache, mark, engine, bar, design.rounds)
        study = study_styles(tallies, design.least)
        model = classes_of(study, "reliable", design.classes, "train + valid")
        mark = f"{mark} {design.rounds} {design.least} {design.classes} {design.sizes}"
        with bar("halves"):
            halves = once(cache / "halves.json", mark, lambda: _halves(study))
        codes = {name: i for i, name in enumerate(tallies.players)}
        labels = model.assign(study.vectors.values, study.vectors.occasions)
        label = {codes[n]: int(c) for n, c in zip(study.vectors.players, labels, strict=True)}
        with bar("discards") as step:
            parts = splits_of(tallies, label, sources, valid, design.sizes, engine, step)
        networks = fit_all(parts, model.names, design.settings, design.loss, cache, mark, bar)
        games = study.vectors.games
        return {
            "experiment": "reproduce table4",
            "design": asdict(design),
            "players": len(games),
            "player_games": int(games.sum()),
            "games_of_a_player": [int(v) for v in np.quantile(games, (0.0, 0.5, 1.0))],
            "clusterings": {s: clusterings(study, s) for s in SCALINGS},
            "halves": halves,
            "classes": [asdict(c) for c in model.classes],
            "table4": table4(parts, model.names, networks),
        }


def _halves(study: Study) -> KnownJson:
    return {
        scaling: {
            str(k): pseudo_accounts(
                classes_of(study, scaling, k, least_players=1), study.learning, draws=40
            )
            for k in HALVES_OF
        }
        for scaling in SCALINGS
    }
