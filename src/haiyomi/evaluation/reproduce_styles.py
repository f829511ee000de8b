"""``haiyomi reproduce styles``: the experiments of Maekawa and Takeuchi, and what they left open.

Everything is of the train and valid splits: the paper's 9 : 1 divides each player's games there,
and no game of the test split is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.errors import DatasetError
from haiyomi.evaluation.styles_curve import curve_of, pseudo_accounts
from haiyomi.evaluation.styles_simulated import (
    EACH,
    ROUNDS,
    SETS,
    SIZES,
    kinds_json,
    recovery,
    simulated,
)
from haiyomi.evaluation.styles_table4 import Parts, fit_all, table4
from haiyomi.shards import Jobs
from haiyomi.storage.arrays_file import load_arrays, save_arrays
from haiyomi.storage.folder_lock import only_writer
from haiyomi.storage.resume import is_done
from haiyomi.storage.seal import read_seal, write_seal
from haiyomi.storage.whole_file import make_folder, whole_file
from haiyomi.styles.classes import SCALINGS
from haiyomi.styles.counting import count_styles
from haiyomi.styles.imitation import Discards
from haiyomi.styles.statistics import COLUMN, NAMES, VECTOR, definition
from haiyomi.styles.tallies import Tallies
from haiyomi.training.fit_imitation import SgdSettings, collect_discards
from haiyomi.training.fit_styles import KMEANS, LEAST_GAMES, Study, classes_of, study_styles

CLASSES = 3
Bar = Callable[[str], Any]
Json = dict[str, Any]
Kept = TypeVar("Kept")


def experiment(
    corpus: Path,
    cache: Path,
    engine: Jobs,
    bar: Bar,
    least: int = LEAST_GAMES,
    classes: int = CLASSES,
    settings: SgdSettings = SgdSettings(),  # noqa: B008
    rounds: int = ROUNDS,
    sets: Sequence[tuple[str, int]] = SETS,
) -> Json:
    """Run everything; ``bar(what)`` is a context giving a progress callback; what takes long is
    kept in the folder ``cache``, which is locked meanwhile. ``rounds`` and ``sets``: games and
    draws of players of known kinds. Raises DatasetError."""
    files = corpus_files(corpus) or {}
    if "train" not in files or "valid" not in files:
        raise DatasetError(f"{corpus} has no train and valid split")
    make_folder(cache)
    with only_writer(cache):
        sources = [*files["train"], *files["valid"]]
        mark = hashlib.sha256(
            "".join(Corpus(source).sha256() for source in sources).encode()
        ).hexdigest()
        tallies = _tallies(sources, cache, mark, engine, bar)
        study = study_styles(tallies, least)
        model = classes_of(study, "reliable", classes, "train + valid")
        results: Json = {
            "experiment": "reproduce styles",
            "least": least,
            "kmeans": KMEANS,
            "players": _players(tallies, study),
            "statistics": _statistics(study),
            "clusterings": {s: _clusterings(study, s) for s in SCALINGS},
            "classes": [
                {
                    "name": c.name,
                    "players": c.players,
                    "games": c.games,
                    "statistics": list(c.statistics),
                    "rates": list(c.rates),
                }
                for c in model.classes
            ],
        }
        mark = f"{mark} {least} {classes}"
        with bar("resampling") as step:
            results["few_games"] = _once(
                cache / "few-games.json", mark, lambda: _few_games(study, step)
            )
        parts = _parts(
            tallies, study, model.assign, sources, files["valid"], cache, mark, engine, bar
        )
        networks = fit_all(parts, model.names, settings, cache, mark, bar)
        results["table4"] = table4(parts, model.names, networks)
        results["table4"]["settings"] = asdict(settings)
        played = []
        for kinds, seed in sets:
            with bar(f"players of known kinds, {kinds}, seed {seed}") as step:
                rows = _once(
                    cache / f"simulated-{kinds}-{seed}.json",
                    f"{rounds} {kinds_json()[kinds]}",
                    partial(_known_kinds, kinds, seed, rounds, engine, step),
                )
            played.append({"kinds": kinds, "seed": seed, "rows": rows})
        results["simulated"] = {"kinds": kinds_json(), "sets": played}
        return results


def _known_kinds(
    kinds: str, seed: int, rounds: int, engine: Jobs, step: Callable[[int, int], None]
) -> list[Json]:
    sizes = tuple(n for n in SIZES if n <= rounds)
    return recovery(simulated(kinds, seed, rounds, EACH, engine, step), sizes)


def _once(path: Path, mark: str, make: Callable[[], Kept]) -> Kept:
    """What ``make`` gives, kept in a file: a killed run goes on. ``mark`` says of what input."""
    if is_done(path) and (kept := read_seal(path)).get("mark") == mark:
        value: Kept = kept["value"]
        return value
    value = make()
    with whole_file(path) as part:
        write_seal(part, [], {"mark": mark, "value": value})
    return value


def _tallies(sources: Sequence[Path], cache: Path, mark: str, engine: Jobs, bar: Bar) -> Tallies:
    """Counted, or as kept in the cache by an earlier run over the same records."""
    path = cache / "tallies.npz"
    kept = load_arrays(path)
    if kept is not None and str(kept.get("mark")) == mark:
        return Tallies(
            tuple(map(str, kept["players"])), tuple(map(str, kept["games"])),
            kept["player"], kept["game"], kept["sums"],
        )  # fmt: skip
    with bar("counting") as step:
        tallies = count_styles(sources, engine, step).tallies
    state = {"mark": mark, "players": tallies.players, "games": tallies.games}
    arrays = {"player": tallies.player, "game": tallies.game, "sums": tallies.sums}
    save_arrays(path, arrays | {name: np.array(value) for name, value in state.items()})
    return tallies


def _discards(path: Path, mark: str, make: Callable[[], Discards]) -> Discards:
    kept = load_arrays(path)
    if kept is not None and str(kept.pop("mark", "")) == mark:
        return Discards(**kept)
    found = make()
    arrays = {name: getattr(found, name) for name in Discards.__slots__}
    save_arrays(path, arrays | {"mark": np.array(mark)})
    return found


def _players(tallies: Tallies, study: Study) -> Json:
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


def _statistics(study: Study) -> list[Json]:
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


def _clusterings(study: Study, scaling: Any) -> Json:
    components = study.components[scaling]
    drawn = components.drawn(study.places(scaling))
    # Coordinates of a picture, without names and in no order that tells one.
    order = np.lexsort((drawn[:, 1], drawn[:, 0]))
    unit = float(np.abs(drawn).max()) or 1.0
    return {
        "silhouettes": {str(c.k): c.silhouette for c in study.by_k[scaling]},
        "contributions": components.shares[:5].tolist(),
        "points": np.round(drawn[order] / unit, 3).tolist(),
        "best": [
            {
                "k": c.k,
                "silhouette": c.silhouette,
                "sizes": sorted(np.bincount(c.labels).tolist(), reverse=True),
                "labels": c.labels[order].tolist(),
            }
            for c in study.best(scaling, 3)
        ],
    }


def _few_games(study: Study, step: Callable[[int, int], None]) -> Json:
    out: Json = {}
    done = 0
    for scaling in SCALINGS:
        out[scaling] = {}
        for k in (2, 3, 4):
            model = classes_of(study, scaling, k, least_players=1)
            entry: Json = {"accounts": pseudo_accounts(model, study.learning)}
            if k == CLASSES:
                entry["curve"] = curve_of(model, study.learning).to_json()
            out[scaling][str(k)] = entry
            done += 1
            step(done, 3 * len(SCALINGS))
    return out


def _parts(
    tallies: Tallies, study: Study, assign: Any, sources: Sequence[Path], valid: Sequence[Path],
    cache: Path, mark: str, engine: Jobs, bar: Bar,
) -> Parts:  # fmt: skip
    codes = {name: i for i, name in enumerate(tallies.players)}
    chosen = [codes[name] for name in study.vectors.players]
    labels = assign(study.vectors.values, study.vectors.occasions)
    wanted: dict[str, tuple[int, dict[str, int]]] = {}
    rows = np.flatnonzero(np.isin(tallies.player, chosen))
    for row in rows:
        game, player = int(tallies.game[row]), int(tallies.player[row])
        players = wanted.setdefault(tallies.games[game], (game, {}))[1]
        players[tallies.players[player]] = player
    with bar("discards") as step:
        found = _discards(
            cache / "discards.npz", mark, lambda: collect_discards(sources, wanted, engine, step)
        )
    kept = tallies.holdout_mask()
    many = len(tallies.games)
    tested = np.isin(
        found.player.astype(np.int64) * many + found.game,
        tallies.player[kept] * many + tallies.game[kept],
    )
    held_out = {entry.game_name for entry in Corpus(valid).entries}
    choosing = np.array([name in held_out for name in tallies.games])[found.game]
    return Parts(
        found.where(~tested & ~choosing),
        found.where(~tested & choosing),
        found.where(tested),
        dict(zip(chosen, labels.tolist(), strict=True)),
    )
