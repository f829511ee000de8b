"""``haiyomi reproduce styles``: the experiments of Maekawa and Takeuchi, and what they left open.

Everything is of the train and valid splits: the paper's 9 : 1 divides each player's games there,
and no game of the test split is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np

from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.papers.kept_step import once
from haiyomi.evaluation.papers.styles_cache import mark_of, tallies_of_sources, train_and_valid
from haiyomi.evaluation.papers.styles_clusters import clusterings
from haiyomi.evaluation.papers.styles_simulated import (
    EACH,
    ROUNDS,
    SETS,
    SIZES,
    kinds_json,
    recovery,
    simulated,
)
from haiyomi.evaluation.styles_curve import curve_of, pseudo_accounts
from haiyomi.json_types import KnownJson
from haiyomi.storage.folder_lock import only_writer
from haiyomi.storage.resume import Bar, Progress
from haiyomi.storage.whole_file import make_folder
from haiyomi.styles.classes import SCALINGS
from haiyomi.styles.statistics import COLUMN, NAMES, VECTOR, definition
from haiyomi.styles.sums_table import Tallies
from haiyomi.training.fit_styles import KMEANS, LEAST_GAMES, Study, classes_of, study_styles

CLASSES = 3


def experiment(
    corpus: Path,
    cache: Path,
    engine: Jobs,
    bar: Bar,
    least: int = LEAST_GAMES,
    classes: int = CLASSES,
    rounds: int = ROUNDS,
    sets: Sequence[tuple[str, int]] = SETS,
) -> KnownJson:
    """Run everything; ``bar(what)`` is a context giving a progress callback; what takes long is
    kept in the folder ``cache``, which is locked meanwhile. ``rounds`` and ``sets``: games and
    draws of players of known kinds. Raises DatasetError."""
    train, valid = train_and_valid(corpus)
    sources = [*train, *valid]
    make_folder(cache)
    with only_writer(cache):
        mark = mark_of(sources)
        tallies = tallies_of_sources(sources, cache, mark, engine, bar)
        study = study_styles(tallies, least)
        model = classes_of(study, "reliable", classes, "train + valid")
        results: KnownJson = {
            "experiment": "reproduce styles",
            "least": least,
            "kmeans": KMEANS,
            "players": _players(tallies, study),
            "statistics": _statistics(study),
            "clusterings": {s: clusterings(study, s) for s in SCALINGS},
            "classes": [asdict(c) for c in model.classes],
        }
        mark = f"{mark} {least} {classes}"
        with bar("resampling") as step:
            results["few_games"] = once(
                cache / "few-games.json", mark, lambda: _few_games(study, step)
            )
        played = []
        for kinds, seed in sets:
            with bar(f"players of known kinds, {kinds}, seed {seed}") as step:
                rows = once(
                    cache / f"simulated-{kinds}-{seed}.json",
                    f"{rounds} {kinds_json()[kinds]}",
                    partial(_known_kinds, kinds, seed, rounds, engine, step),
                )
            played.append({"kinds": kinds, "seed": seed, "rows": rows})
        results["simulated"] = {"kinds": kinds_json(), "sets": played}
        return results


def _known_kinds(
    kinds: str, seed: int, rounds: int, engine: Jobs, step: Progress
) -> list[KnownJson]:
    sizes = tuple(n for n in SIZES if n <= rounds)
    return recovery(simulated(kinds, seed, rounds, EACH, engine, step), sizes)


def _players(tallies: Tallies, study: Study) -> KnownJson:
    counts = tallies.counts()
    chosen = np.isin(tallies.player, tallies.of(study.least))
    return {
        "hanchan": len(tallies.games),
        "all": len(tallies.players),
        "by_least": {str(n): int((counts >= n).sum()) for n in (10, 15, 20, 30, 40)},
        "chosen": len(study.vectors.players),
        "games": int(chosen.sum()),
        "learning": len(study.learning),
        "hands": int(tallies.sums[:, COLUMN["hands"]].sum()),
        "absent_hands": int(tallies.sums[:, COLUMN["absent_hands"]].sum()),
    }


def _statistics(study: Study) -> list[KnownJson]:
    scaler = study.scalers["reliable"]
    trust = scaler.trust(study.vectors.occasions)
    return [
        {
            "name": NAMES[j],
            "definition": definition(VECTOR[j]),
            "mean": float(scaler.mean[j]),
            "spread": float(scaler.scale[j]),
            "occasions": float(study.vectors.occasions[:, j].mean()),
            "halves": float(study.agreement[j]),
            "trust": float(trust[:, j].mean()),
        }
        for j in range(len(NAMES))
    ]


def _few_games(study: Study, step: Progress) -> KnownJson:
    out: KnownJson = {}
    done = 0
    for scaling in SCALINGS:
        out[scaling] = {}
        for k in (2, 3, 4):
            model = classes_of(study, scaling, k, least_players=1)
            entry: KnownJson = {"accounts": pseudo_accounts(model, study.learning)}
            if k == CLASSES:
                entry["curve"] = curve_of(model, study.learning).to_json()
            out[scaling][str(k)] = entry
            done += 1
            step(done, 3 * len(SCALINGS))
    return out
