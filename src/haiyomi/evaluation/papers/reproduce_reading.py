"""``haiyomi reproduce reading``: the experiments of Nemoto, Komiya and Kotani.

Positions are drawn by a seed, as many as the paper's: five training sets and a test set for
the raw labels (Tables 2 to 4, figure 1), and one training set fitted with three kinds of
dummies for the marginals and the roulette (Table 6, figures 2 and 3). Each fitted CRF is kept
beside the rows, which are of one corpus, so a run that was killed goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes
from haiyomi.corpus.splits import corpus_files
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError, ModelError
from haiyomi.evaluation.metrics import agreement_counts, ratio_estimate
from haiyomi.evaluation.networks_used import networks_of
from haiyomi.evaluation.opponents.reading_predictions import answer, rng_of
from haiyomi.evaluation.opponents.reading_tables import results_json
from haiyomi.evaluation.papers import nemoto_table1
from haiyomi.evaluation.papers.kept_step import once
from haiyomi.json_types import KnownJson
from haiyomi.kernels.shanten import shanten
from haiyomi.networks import opponents
from haiyomi.reading import nemoto, tilts
from haiyomi.reading.decode import random_hands, roulette
from haiyomi.reading.nemoto import DUMMIES, NemotoModel, columns_of
from haiyomi.reading.opponent_class import totals_of
from haiyomi.seeds import generator
from haiyomi.storage.resume import Bar
from haiyomi.storage.seal import digest
from haiyomi.storage.whole_file import make_folder
from haiyomi.training.fit_nemoto import (
    SEED,
    SIZE_DUMMIES,
    SIZE_TEST,
    SIZES,
    draw_positions,
    fit_crf,
    write_nemoto,
)
from haiyomi.training.reading_rows import ReadingRows, split_rows

LAST_TURN = 18


def experiment(
    corpus: Path, cache: Path, jobs: Jobs, bar: Bar, sizes: tuple[int, ...] = SIZES,
    dummies_size: int = SIZE_DUMMIES, test_size: int = SIZE_TEST,
) -> KnownJson:  # fmt: skip
    """Run everything; ``bar(what)`` is a context giving a progress callback. The sizes are the
    paper's by default. Raises DatasetError."""
    files = corpus_files(corpus)
    if "test" not in files:
        raise DatasetError(f"{corpus} has no test split")
    make_folder(cache)
    with bar("rows of train") as progress:
        train = split_rows(corpus, "train", jobs, progress)
    with bar("rows of test") as progress:
        test = split_rows(corpus, "test", jobs, progress)
    judge = Judge(test, test_size)
    results: KnownJson = {
        "experiment": "reproduce reading",
        "seed": SEED,
        "networks": networks_of(opponents.SHIPPED),
        "test": judge.to_json(),
    }
    results["raw"] = []
    for size in sizes:
        model = fitted(cache, train, size, SEED, "none", bar)
        results["raw"].append({**model.manifest, **judge.raw(model)})
    results["dummies"] = []
    for dummies in DUMMIES:
        model = fitted(cache, train, dummies_size, SEED + 1, dummies, bar)
        results["dummies"].append({**model.manifest, **judge.spun(model)})
    with bar("test split") as progress:
        results["evaluation"] = once(
            cache / "evaluation.json", _models(),
            lambda: results_json(
                answer(files["test"], jobs=jobs, progress=progress), "counts", "test", "test"
            ),
        )  # fmt: skip
    return results


def _models() -> str:
    """The digests of the shipped files that the evaluation of the test split reads."""
    crfs = [nemoto.shipped_file(dummies) for dummies in DUMMIES]
    return " ".join(map(digest, (opponents.SHIPPED, tilts.SHIPPED, *crfs)))


def fitted(
    cache: Path, train: ReadingRows, size: int, seed: int, dummies: str, bar: Bar
) -> NemotoModel:
    """The CRF of so many positions, from the cache where it was fitted before."""
    path = cache / f"nemoto-{size}-{dummies}.json"
    try:
        model = NemotoModel.load(path)
        if model.manifest.get("seed") == seed:
            return model
    except ModelError:
        pass
    observations, opponent, hands, _ = draw_positions(train, size, seed)
    with bar(f"CRF, {size} positions, dummies {dummies}") as progress:
        model, _ = fit_crf(observations, opponent, hands, dummies, lambda n: progress(n, 0))
    write_nemoto(path, model, {"seed": seed})
    # Read again: a run that goes on and one that was never killed print the same.
    return NemotoModel.load(path)


class Judge:
    """Test positions drawn once, and what the paper measures on them."""

    def __init__(self, test: ReadingRows, size: int) -> None:
        self.observations, opponent, self.hands, row = draw_positions(test, size, SEED + 2)
        self.totals = totals_of(self.observations, opponent).astype(np.int64)
        self.turn = test.turn[row]
        self.game = test.game[row]
        self.columns = columns_of(self.observations, opponent)
        self.random = random_hands(
            self.observations["unseen"], self.totals, rng_of("", "paper random")
        )

    def to_json(self) -> KnownJson:
        """The test set: its size, the random hand, the true labels."""
        return {
            "positions": len(self.hands),
            "tiles": int(self.totals.sum()),
            "labels": labels(self.hands),
            "random": self.agreement(self.random),
            "turns": self.turns(),
            "random_by_turn": self.by_turn(agreement_counts(self.random, self.hands), True),
            "shanten_by_turn": self.by_turn(shanten(self.hands)),
            "random_shanten_by_turn": self.by_turn(shanten(self.random)),
        }

    def turns(self) -> list[int]:
        """The turns of the figures: those with at least thirty positions."""
        return [t for t in range(1, LAST_TURN + 1) if (self.turn == t).sum() >= 30]

    def by_turn(self, values: NDArray[Any], over_tiles: bool = False) -> list[float]:
        """The mean by turn, or the sum over the concealed tiles."""
        out = []
        for turn in self.turns():
            here = self.turn == turn
            below = self.totals[here].sum() if over_tiles else here.sum()
            out.append(float(values[here].sum() / below))
        return out

    def agreement(self, hands: Bytes) -> KnownJson:
        """Tiles in agreement and their share, with its interval by game."""
        right = agreement_counts(hands, self.hands).astype(np.float64)
        estimate = ratio_estimate(
            right, self.totals.astype(np.float64), self.game, generator(SEED, 9)
        )
        return {
            "right": int(right.sum()),
            "value": estimate.value,
            "interval": [estimate.low, estimate.high],
        }

    def raw(self, model: NemotoModel) -> KnownJson:
        """Section 4.2: the labels of the likeliest sequence, as they come."""
        named = model.best_labels(*self.columns)
        return {
            "agreement": self.agreement(named),
            "labels": labels(named),
            "tiles_a_hand": float(named.sum(axis=1).mean()),
            "by_turn": self.by_turn(agreement_counts(named, self.hands), True),
        }

    def spun(self, model: NemotoModel) -> KnownJson:
        """Section 4.4: marginals and the roulette."""
        found = model.label_marginals(*self.columns)
        hands = roulette(found, self.totals, rng_of("", f"paper {model.dummies}"))
        return {
            "agreement": self.agreement(hands),
            "by_turn": self.by_turn(agreement_counts(hands, self.hands), True),
            "shanten_by_turn": self.by_turn(shanten(hands)),
            "winds": found[:, 27:31].mean(axis=0).tolist(),
            "table1": nemoto_table1.marginals(model).tolist(),
            "raw": self.agreement(model.best_labels(*self.columns)),
        }


def labels(hands: Bytes) -> list[int]:
    """How often each label 0-4 was given."""
    counted: list[int] = np.bincount(hands.reshape(-1), minlength=5).tolist()
    return counted
