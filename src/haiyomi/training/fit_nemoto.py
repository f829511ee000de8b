"""``haiyomi fit nemoto``: the paper's CRF, trained with python-crfsuite.

The paper used CRF++; the objective is the same, an L2 penalty with its default C = 1, which
is ``c2 = 0.5`` here. As there, every feature string is paired with every label, and every
label with every label.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.arrays import Bytes, Floats, Ints, Ints32
from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.game.observation import Observations
from haiyomi.reading.nemoto import (
    DUMMY,
    LABELS,
    N_STRINGS,
    NAME,
    NEVER,
    VERSION,
    NemotoModel,
    columns_of,
    sequence_kinds,
    strings_of,
)
from haiyomi.seeds import generator
from haiyomi.storage.model_file import write_model
from haiyomi.storage.resume import Bar
from haiyomi.training.reading_rows import ReadingRows, split_rows

SIZES = (761, 1157, 3081, 6205, 12101)
"""Positions of the training sets of Table 2."""
SIZE_DUMMIES = 6039
SIZE_TEST = 28740
SEED = 20120301
PENALTY = 0.5


def fit_nemoto(
    corpus: Path, out: Path, positions: int, dummies: str, jobs: Jobs, bar: Bar
) -> dict[str, Any]:
    """Fit the paper's CRF on positions of train drawn by a seed, and write it; returns the report.

    Raises DatasetError.
    """
    with bar("rows", "games") as progress:
        train = split_rows(corpus, "train", jobs, progress)
    observations, opponent, hands, _ = draw_positions(train, positions, SEED + 1)
    with bar(f"CRF, dummies {dummies}", "iterations") as progress:
        model, report = fit_crf(observations, opponent, hands, dummies, lambda n: progress(n, 0))
    manifest = {
        "command": f"haiyomi fit nemoto --dummies {dummies}",
        "seed": SEED + 1,
        "records_sha256": Corpus(corpus_files(corpus)["train"]).sha256(),
    }
    write_nemoto(out, model, manifest)
    return report


def draw_positions(
    rows: ReadingRows, size: int, seed: int
) -> tuple[Observations, Ints, Bytes, Ints]:
    """``size`` positions at random: (observations, opponents 1-3, true hands (n, 34), row numbers).

    A position is a decision and one of its opponents; none is drawn twice. Raises
    DatasetError if there are fewer.
    """
    if 3 * len(rows) < size:
        raise DatasetError(f"{size} positions are wanted, the rows have {3 * len(rows)}")
    drawn = generator(seed).choice(3 * len(rows), size, replace=False)
    row, opponent = drawn // 3, drawn % 3 + 1
    return rows.observations[row], opponent, rows.hands[row, opponent - 1], row


def fit_crf(
    observations: Observations,
    opponent: NDArray[Any],
    hands: Bytes,
    dummies: str,
    tick: Callable[[int], None] | None = None,
    most: int = 2**31 - 1,
    penalty: float = PENALTY,
) -> tuple[NemotoModel, dict[str, Any]]:
    """(model, report) of the CRF on some positions. ``tick`` hears each iteration; ``most``
    bounds them; ``penalty`` is c2, half of 1 / C in CRF++. Deterministic: nothing is drawn.

    The report: ``strings`` distinct feature strings, ``features`` those times labels and the
    label pairs, as CRF++ counts them, ``iterations`` and the final ``loss``.
    """
    kinds = sequence_kinds(dummies)
    real = kinds < DUMMY
    labels = LABELS + (dummies == "d")
    river, visible = columns_of(observations, opponent)
    strings = strings_of(river, visible, dummies)
    target = np.full((len(hands), len(kinds)), 5 if dummies == "d" else 0)
    target[:, real] = hands
    info, history = _trained(strings, target, tick, most, penalty)
    state = np.zeros((N_STRINGS, labels))
    for (string, label), weight in info.state_features.items():
        state[int(string), int(label)] = weight
    transition = np.zeros((labels, labels))
    # A label that no position has (four of a kind, in few positions) is never given.
    absent = sorted(set(range(labels)) - set(np.unique(target).tolist()))
    transition[absent] = transition[:, absent] = NEVER
    for (first, second), weight in info.transitions.items():
        transition[int(first), int(second)] = weight
    distinct = len(np.unique(strings))
    report = {
        "positions": len(hands),
        "dummies": dummies,
        "strings": distinct,
        "features": distinct * labels + labels * labels,
        "iterations": len(history),
        "loss": history[-1] if history else None,
    }
    return NemotoModel(dummies, state, transition, report), report


def _trained(
    strings: Ints32,
    target: Ints,
    tick: Callable[[int], None] | None,
    most: int,
    penalty: float,
) -> tuple[Any, list[float]]:
    """What python-crfsuite says of the model that it fits to feature strings and labels, whose
    names are their numbers; and the loss after each iteration."""
    import pycrfsuite

    history: list[float] = []

    class Trainer(pycrfsuite.Trainer):
        def message(self, message: str) -> None:
            if message.startswith("Loss:"):
                history.append(float(message.split()[1]))
                if tick is not None:
                    tick(len(history))

    trainer = Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": 0.0,
            "c2": penalty,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            "max_iterations": most,
        }
    )
    for items, labels in zip(strings.tolist(), target.tolist(), strict=True):
        trainer.append([[str(i) for i in item] for item in items], [str(k) for k in labels])
    with tempfile.TemporaryDirectory(prefix="haiyomi-crf-") as folder:
        file = str(Path(folder) / "crf")
        trainer.train(file)
        tagger = pycrfsuite.Tagger()
        tagger.open(file)
        info = tagger.info()
        tagger.close()
    return info, history


def write_nemoto(path: Path, model: NemotoModel, manifest: dict[str, Any]) -> None:
    """Write a fitted CRF as a model file."""
    used = np.flatnonzero(np.abs(model.state).max(axis=1) >= 5e-4)

    def short(values: Floats) -> list[float]:
        return [round(float(v), 3) for v in values.reshape(-1)]

    payload = {
        "dummies": model.dummies,
        "strings": used.tolist(),
        "state": short(model.state[used]),
        "transition": [short(row) for row in model.transition],
    }
    write_model(
        path,
        NAME,
        VERSION,
        payload,
        {"haiyomi": haiyomi.__version__, **model.manifest, **manifest},
    )
