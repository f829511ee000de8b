"""What the unpublished settings of Nemoto's experiment are each worth, one at a time.

The base is the experiment of Table 6 without dummies, with fewer positions: a CRF fitted to
convergence with CRF++'s default penalty, and the roulette over its marginals. Settings that need a
fit of their own are compared after 40 iterations, which take a tenth of the time. Each variant
changes one setting; where positions are chosen differently, both for the fit and for the test.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats, Ints, Ints32
from haiyomi.evaluation.metrics import agreement_counts, ratio_estimate
from haiyomi.evaluation.opponents.reading_predictions import rng_of
from haiyomi.evaluation.papers.kept_step import once
from haiyomi.game.observation import Observations
from haiyomi.json_types import Json
from haiyomi.reading.decode import random_hands, roulette
from haiyomi.reading.nemoto import NemotoModel, columns_of
from haiyomi.reading.opponent_class import CLOSED, class_of, totals_of
from haiyomi.seeds import generator
from haiyomi.storage.resume import Bar, Progress
from haiyomi.storage.whole_file import make_folder
from haiyomi.training.fit_nemoto import SEED, SIZES, fit_crf, write_nemoto
from haiyomi.training.reading_rows import ReadingRows

FIT, PAPER, TEST = 2000, 6039, 6000
STOPS = (10, 20)
COSTS = (5.0, 0.05)
LAST_TURN: Final = 18
FULL_HAND: Final = 13


@dataclass(frozen=True, slots=True)
class Variant:
    """One changed setting. ``most``: L-BFGS iterations, None to convergence. ``penalty``: c2.
    ``size``: positions to fit. ``all_opponents``: three sequences of each position. ``draw``: which
    positions, ``any``, ``closed`` (more closed hands, so that they hold the paper's 12.55 tiles) or
    ``turns`` (every turn alike). ``spin``: the roulette; ``full`` goes on to 13 tiles whatever the
    melds, ``likeliest`` takes each kind's likeliest label of 1 to 4 instead of drawing it."""

    name: str
    most: int | None = None
    penalty: float = 0.5
    size: int = FIT
    all_opponents: bool = False
    draw: str = "any"
    dummies: str = "none"
    spin: str = "published"


BASE: Final = Variant("2,000 positions, to convergence")
FEW: Final = replace(BASE, name="761 positions, to convergence", size=SIZES[0])
"""The base of the last rows: the least positions of Table 3, which name the most labels."""
SHORT: Final = replace(BASE, name="stopped after 40 iterations", most=40)
VARIANTS: Final = (
    BASE,
    replace(BASE, name="roulette to 13 tiles whatever the melds", spin="full"),
    replace(BASE, name="each kind's likeliest label, not drawn", spin="likeliest"),
    *(replace(BASE, name=f"stopped after {n} iterations", most=n) for n in STOPS),
    SHORT,
    replace(SHORT, name="40 iterations, every turn alike", draw="turns"),
    replace(SHORT, name="40 iterations, 12.55 concealed tiles a position", draw="closed"),
    replace(SHORT, name="40 iterations, all three opponents", all_opponents=True),
    *(
        replace(SHORT, name=f"40 iterations, C = {1 / (2 * c):g} in CRF++", penalty=c)
        for c in COSTS
    ),
    *(replace(SHORT, name=f"40 iterations, dummies {d}", dummies=d) for d in ("0", "d")),
    replace(SHORT, name="40 iterations, 6,039 positions", size=PAPER),
    FEW,
    *(replace(FEW, name=f"761 positions, {n} iterations", most=n) for n in (20, 40)),
    replace(FEW, name="761 positions, C = 10 in CRF++", penalty=0.05),
    replace(FEW, name="761 positions, 12.55 concealed tiles a position", draw="closed"),
    replace(FEW, name="761 positions, every turn alike", draw="turns"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Positions with one opponent each: what is seen, and the hand that was held."""

    observations: Observations
    opponent: NDArray[Any]
    hands: Bytes
    game: Ints32


def experiment(train: ReadingRows, test: ReadingRows, cache: Path, bar: Bar) -> Json:
    """The agreement of every variant, each kept in ``cache``."""
    make_folder(cache)
    rows = []
    for number, variant in enumerate(VARIANTS):
        with bar(variant.name) as progress:
            path = cache / f"variant-{number}.json"
            make = partial(_run, variant, train, test, cache, progress)
            rows.append(once(path, f"{variant} {SEED}", make))
    return {"experiment": "reproduce reading, variants", "seed": SEED, "rows": rows}


def _run(
    variant: Variant, train: ReadingRows, test: ReadingRows, cache: Path, progress: Progress
) -> Json:
    model = _fitted(replace(variant, name="", spin=""), train, cache, progress)
    judged = sample(test, variant, TEST, SEED + 4)
    return {"name": variant.name, **model.manifest, **judge(model, judged, variant)}


def _fitted(fit: Variant, train: ReadingRows, cache: Path, progress: Progress) -> NemotoModel:
    """The CRF of the settings that a fit has, from the cache where it was fitted before."""
    mark = f"{fit} {SEED}"
    path = cache / f"nemoto-{hashlib.sha256(mark.encode()).hexdigest()[:16]}.json"
    if not path.exists():
        some = sample(train, fit, fit.size, SEED + 3)
        model, _ = fit_crf(
            some.observations, some.opponent, some.hands, fit.dummies,
            lambda n: progress(n, 0), 2**31 - 1 if fit.most is None else fit.most, fit.penalty,
        )  # fmt: skip
        write_nemoto(path, model, {"seed": SEED})
    return NemotoModel.load(path)


def sample(rows: ReadingRows, variant: Variant, size: int, seed: int) -> Sample:
    """So many positions of the rows, drawn as the variant says."""
    rng = generator(seed)
    row = np.repeat(np.arange(len(rows)), 3)
    opponent = np.tile(np.array([1, 2, 3]), len(rows))
    if variant.all_opponents:
        drawn = np.sort(rng.choice(len(rows), size, replace=False))
        index = np.concatenate([3 * drawn, 3 * drawn + 1, 3 * drawn + 2])
    else:
        weights = position_weights(rows, variant.draw, row, opponent)
        index = rng.choice(len(row), size, replace=False, p=weights)
    row, opponent = row[index], opponent[index]
    return Sample(rows.observations[row], opponent, rows.hands[row, opponent - 1], rows.game[row])


def position_weights(rows: ReadingRows, draw: str, row: Ints, opponent: Ints) -> Floats | None:
    """The chance of each position and opponent to be drawn; None where all are alike."""
    if draw == "any":
        return None
    if draw == "turns":
        turn = np.minimum(rows.turn[row], LAST_TURN)
        weight = 1.0 / np.bincount(turn)[turn]
    else:
        observations = rows.observations[row]
        totals = totals_of(observations, opponent).astype(np.float64)
        closed = class_of(observations, opponent) == CLOSED
        open_mean, closed_mean = totals[~closed].mean(), totals[closed].mean()
        share = (TILES - open_mean) / (closed_mean - open_mean)
        weight = np.where(closed, share / closed.sum(), (1.0 - share) / (~closed).sum())
    out: Floats = weight / weight.sum()
    return out


TILES: Final = 12.55
"""Concealed tiles a position in the paper: 360,661 of 28,740."""


def judge(model: NemotoModel, judged: Sample, variant: Variant) -> Json:
    """Agreement by the roulette, of the raw labels and of a random hand."""
    totals = totals_of(judged.observations, judged.opponent).astype(np.int64)
    columns = columns_of(judged.observations, judged.opponent)
    marginals = model.label_marginals(*columns)
    if variant.spin == "likeliest":
        marginals = _sharpened(marginals)
    goal = np.full_like(totals, FULL_HAND) if variant.spin == "full" else totals
    hands = roulette(marginals, goal, rng_of("", "variants"))
    drawn = random_hands(judged.observations["unseen"], totals, rng_of("", "variants random"))
    named = model.best_labels(*columns)

    def agreement(of: Bytes) -> dict[str, float | None]:
        right = agreement_counts(of, judged.hands).astype(np.float64)
        found = ratio_estimate(right, totals.astype(np.float64), judged.game, generator(SEED, 9))
        return found.to_json()

    return {
        "test": len(totals),
        "tiles": float(totals.mean()),
        "roulette": agreement(hands),
        "raw": agreement(named),
        "random": agreement(drawn),
    }


def _sharpened(marginals: Floats) -> Floats:
    """The likeliest of the labels 1 to 4 takes what the others have."""
    out = marginals.copy()
    held = marginals[:, :, 1:]
    out[:, :, 1:] = 0.0
    at = held.argmax(axis=2)
    np.put_along_axis(out[:, :, 1:], at[:, :, None], held.sum(axis=2)[:, :, None], axis=2)
    return out
