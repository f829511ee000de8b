"""``haiyomi fit posterior``: the default deal-in model, from records to a model file.

A network of rons and the weights of the posterior, pretrained on self-play (``pretrain``), are
fine-tuned on each half of the train games; their out-of-fold predictions on the other half train
the forests and the factors of a ron's han. Two more of each are fine-tuned on all train games.
The model file holds the model average of the four: they start from the same weights and stay
close, so the average predicts like the mean of their predictions at a quarter of the cost.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.dealin.han_factors import HAN
from haiyomi.dealin.posterior_model import NAME, VERSION
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.arrays_file import load_arrays, save_arrays
from haiyomi.storage.forest_payload import forest_payload
from haiyomi.storage.model_file import float16_text, write_model
from haiyomi.storage.resume import PlannedFolder
from haiyomi.storage.whole_file import remove_folder, whole_file
from haiyomi.training.adam import Arrays, step_progress
from haiyomi.training.dataset import read_manifest
from haiyomi.training.fit_boosting import (
    OPEN,
    Boosted,
    BoostRows,
    BoostSettings,
    Labels,
    chosen,
    collect,
    fit_boosting,
    fit_forests,
    labels_of,
)
from haiyomi.training.fit_han import Rons, collect_rons, fit_factors
from haiyomi.training.fit_posterior import (
    Settings,
    fit,
    games_of_half,
    mean_loss,
    rows_of_half,
    tenpai_opponents,
)
from haiyomi.training.fit_ron import RonSettings, fit_ron
from haiyomi.training.model_average import averaged, rounded, to_float16, weights_payload
from haiyomi.training.pretrain import pretrained_file, pretrained_weights
from haiyomi.training.reading_rows import ReadingRows, build_rows, load_rows

Bar = Callable[[str, str], Any]
Progress = Callable[[int, int], None]
SHIPPED = Settings(
    width=64,
    layers=4,
    rows=100_000,
    batch=96,
    rate=1.2e-3,
    table_rate=3e-3,
    drop=0.05,
    mirror=True,
    every=200,
)
"""The settings of the shipped weights."""
COMMAND = "haiyomi dataset build CORPUS DATASET && haiyomi fit posterior DATASET --corpus CORPUS"
HALVES = (True, False)
WHOLES = 2
"""How many fits use all train games, besides one for each half."""


def fit_default(
    corpus: Path,
    dataset: Path,
    rows_folder: Path,
    out: Path,
    settings: Settings,
    ron: RonSettings,
    boosting: BoostSettings,
    bar: Bar,
    jobs: Jobs = None,
    halves: Path | None = None,
    begin: Path | None = None,
) -> dict[str, Any]:
    """Fit weights, networks, forests and blend and write the model file; the report.

    ``rows_folder`` keeps the reading rows and the folder ``OUT.checkpoint`` what is done, so
    that a killed fit goes on; ``begin`` is a file of ``fit start``, by default the one that comes
    along; ``halves`` gets the two models that were fitted without one half of
    the train games each, to judge those games by; ``bar(what, unit)`` is a context giving a
    progress callback. Raises DatasetError.
    """
    with bar("rows", "games") as progress:
        build_rows(corpus, rows_folder, jobs, progress)
    train, valid = load_rows(rows_folder, "train"), load_rows(rows_folder, "valid")
    labels = labels_of(dataset, train, "train")
    checkpoints = out.with_name(out.name + ".checkpoint")
    begin = begin or pretrained_file()
    manifest: dict[str, Any] = {
        "haiyomi": haiyomi.__version__,
        "records_sha256": read_manifest(dataset)["records_sha256"],
        "start_sha256": hashlib.sha256(begin.read_bytes()).hexdigest(),
        "games": {"train": len(train.games), "valid": len(valid.games)},
        "settings": asdict(settings),
        "ron network": asdict(ron),
        "boosting": asdict(boosting),
    }
    with PlannedFolder(checkpoints, manifest, "a fit").claimed():
        first_network, first_weights = pretrained_weights(begin)
        networks, weights, histories = [], [], []
        # Of each fit which rows it learns from, and how many halves of the games those are.
        parts = [(rows_of_half(train, first), 1) for first in HALVES]
        parts += [(np.ones(len(train), bool), 2)] * WHOLES
        for number, (allowed, size) in enumerate(parts):
            with bar(f"network of rons {number + 1}", "steps") as progress:
                file = checkpoints / f"rons-{number}.npz"
                so = replace(ron, steps=size * ron.steps, seed=ron.seed + number)
                found = fit_ron(
                    train, labels, allowed, first_network, so, file, step_progress(progress)
                )
                networks.append(to_float16(found[0]))
                histories.append(found[1][-1])
        for number, (allowed, size) in enumerate(parts):
            with bar(f"weights {number + 1}", "steps") as progress:
                file = checkpoints / f"weights-{number}.npz"
                how = replace(settings, rows=size * settings.rows, seed=settings.seed + number)
                found = fit(
                    train, valid, how, file, step_progress(progress), allowed=allowed,
                    begin=first_weights if settings.width else None,
                )  # fmt: skip
                weights.append(to_float16(found[0]))
                histories.append(found[1][-1])
        tables = []
        for number, first in enumerate(HALVES):
            with bar(f"answers on train {number + 1}", "decisions") as progress:
                # Each on the games that it did not see.
                allowed = rows_of_half(train, not first)
                one = weights[number], networks[number]
                file = checkpoints / f"answers-{number}.npz"
                tables.append(train_answers(file, one, train, labels, allowed, boosting, progress))
        with bar("answers on valid", "decisions") as progress:
            valid_labels = labels_of(dataset, valid, "valid")
            index = chosen(
                valid_labels, boosting.valid_threat, boosting.valid_quiet,
                np.ones(len(valid), bool), boosting.seed,
            )  # fmt: skip
            mean = averaged(weights), averaged(networks)
            judged = collect(*mean, valid, valid_labels, index, progress)
        with bar("forests", "fits"):
            boosted = fit_boosting(BoostRows.concat(tables), judged, boosting)
        rons = []
        for number, first in enumerate(HALVES):
            model = half_model_file(checkpoints, number)
            if not model.exists():
                with bar(f"forests without half {2 - number}", "fits"):
                    # Of the decisions that this half's networks and weights learned from, answered
                    # by the other's: so the model has seen nothing of the other half.
                    forests = fit_forests(tables[1 - number], boosting)
                alone = replace(boosted, tenpai=forests[0], tiles=forests[1])
                payload = payload_of(weights[number], networks[number], alone)
                write_model(model, NAME, VERSION, payload, {"half": number})
            with bar(f"rons on train {number + 1}", "games") as progress:
                unseen = games_of_half(train, not first)
                rons.append(train_rons(checkpoints, number, corpus, unseen, jobs, progress))
        han = fit_factors(Rons.concat(rons))
        index, seats = tenpai_opponents(valid)
        some = generator(settings.seed, 6).permutation(len(index))[:4000]
        report = {
            "weights": {"valid": mean_loss(mean[0], valid, index[some], seats[some])},
            "fits": histories,
            "boosting": boosted.report,
            "rons": len(Rons.concat(rons).han),
        }
        payload = payload_of(*mean, boosted, han)
        write_model(out, NAME, VERSION, payload, {"command": COMMAND, **manifest, "valid": report})
        if halves is not None:
            halves.mkdir(parents=True, exist_ok=True)
            for number in range(len(HALVES)):
                with whole_file(half_model_file(halves, number)) as part:
                    shutil.copyfile(half_model_file(checkpoints, number), part)
        remove_folder(checkpoints)
        return report


def train_answers(
    file: Path,
    models: tuple[Arrays, Arrays],
    rows: ReadingRows,
    labels: Labels,
    allowed: NDArray[np.bool_],
    settings: BoostSettings,
    progress: Progress | None = None,
) -> BoostRows:
    """The rows of the forests, from the train decisions ``allowed``; cached in ``file``."""
    saved = load_arrays(file)
    if saved is not None:
        return BoostRows(**saved)
    allowed = allowed.copy()
    index = chosen(labels, settings.train_threat, settings.train_quiet, allowed, settings.seed)
    allowed[index] = False
    more = chosen(labels, settings.more_open, 0.0, allowed, settings.seed + 1)
    total = len(index) + len(more)

    def tell(offset: int) -> Progress:
        return lambda done, _: progress(offset + done, total) if progress else None

    found = collect(*models, rows, labels, index, tell(0))
    if len(more):
        rest = collect(*models, rows, labels, more, tell(len(index)), OPEN)
        found = BoostRows.concat([found, rest])
    save_arrays(file, _columns(found))
    return found


def half_model_file(folder: Path, number: int) -> Path:
    """The file of the model fitted on one half of the games, in a folder."""
    return folder / f"half-{number}.json"


def train_rons(
    checkpoints: Path,
    number: int,
    corpus: Path,
    games: dict[str, int],
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> Rons:
    """The rons of some train games with a half's predictions; cached among the checkpoints."""
    file = checkpoints / f"han-{number}.npz"
    found = load_arrays(file)
    if found is not None:
        return Rons(**found)
    records = Corpus((corpus_files(corpus) or {}).get("train", []))
    rons = collect_rons(records, half_model_file(checkpoints, number), games, jobs, progress)
    save_arrays(file, _columns(rons))
    return rons


def _columns(rows: BoostRows | Rons) -> Arrays:
    return {name: getattr(rows, name) for name in type(rows).__slots__}


def payload_of(
    weights: Arrays,
    network: Arrays,
    boosted: Boosted,
    han: NDArray[np.float64] | None = None,
) -> dict[str, Any]:
    """The model file's payload; without ``han`` the han factors are zero."""
    return {
        "weights": weights_payload(weights),
        "network": {k: float16_text(v) for k, v in network.items()},
        "tenpai": forest_payload(boosted.tenpai),
        "tiles": forest_payload(boosted.tiles),
        "blend": boosted.blend.tolist(),
        "han": rounded(np.zeros((len(CLASSES), HAN)) if han is None else han),
    }
