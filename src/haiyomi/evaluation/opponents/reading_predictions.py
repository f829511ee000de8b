"""Rows of the predictions of models of hidden hands at every decision of some records.

A row is a discard not forced by one's own riichi and one opponent. Every way to predict a hand
gives one: the hand, the probability of the true counts, and the hand's distance from tenpai.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats, Singles
from haiyomi.corpus import Corpus
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.metrics import agreement_counts, count_bits
from haiyomi.kernels.hand_counts import hand_marginals
from haiyomi.kernels.shanten import shanten
from haiyomi.reading.counts import CountModel, log_weights, shipped
from haiyomi.reading.decode import best_agreement, random_hands, roulette
from haiyomi.reading.nemoto import DUMMIES, NemotoModel
from haiyomi.reading.opponent_class import class_of, totals_of
from haiyomi.rows import GameRows
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.training.reading_rows import ReadingRows, read_rows

SEED: Final = 20160314
GAMES_A_PIECE: Final = 12
NAMED: Final = (
    "random", "unseen roulette", "unseen best", *(f"nemoto-{d} roulette" for d in DUMMIES),
    *(f"nemoto-{d} best" for d in DUMMIES), "counts likeliest", "counts best",
)  # fmt: skip
"""Every way to name a hand: a model and how its answer becomes a hand."""
JUDGED: Final = ("unseen", *(f"nemoto-{d}" for d in DUMMIES), "counts")
"""Models whose marginals are judged."""
TIMED: Final = JUDGED[1:]
"""Models whose time is taken."""
DRAWN: Final = ("truth", "random", *(f"nemoto-{d} roulette" for d in DUMMIES), "counts")
"""Methods whose shanten is recorded: ``counts`` is one sample."""
BINS: Final = 20
MISSING: Final = 99


@dataclass(frozen=True, slots=True, eq=False)
class PredictedHands(GameRows):
    """n rows, three a decision: ``turn`` of the decider from 1; ``state`` of the
    opponent (``opponent_class.CLASSES``); ``tiles`` concealed; ``right`` (n, len(NAMED)) tiles of
    the named hand that are truly held; ``bits`` (n, len(JUDGED)) count log loss; ``away``
    (n, len(DRAWN)) shanten, MISSING where no sample was found. ``held`` (games, len(JUDGED),
    BINS, 3): of the statements "holds at least one", by bin of 5%: how many, the sum of the
    probabilities, how many were true. ``seconds`` (games, len(TIMED)) of one processor."""

    _WHOLE: ClassVar = ("games", "held", "seconds", "skipped")
    turn: NDArray[np.int16]
    state: NDArray[np.int8]
    tiles: Bytes
    right: Bytes
    bits: Singles
    away: NDArray[np.int8]
    held: Floats
    seconds: Floats
    skipped: tuple[tuple[str, str], ...] = ()


NO_HANDS: Final = PredictedHands(
    (), np.zeros(0, np.int32), np.zeros(0, np.int16), np.zeros(0, np.int8), np.zeros(0, np.uint8),
    np.zeros((0, len(NAMED)), np.uint8), np.zeros((0, len(JUDGED)), np.float32),
    np.zeros((0, len(DRAWN)), np.int8), np.zeros((0, len(JUDGED), BINS, 3)),
    np.zeros((0, len(TIMED))),
)  # fmt: skip


def load_models(
    network: str | None, nemoto: Sequence[str | None]
) -> tuple[CountModel, list[NemotoModel]]:
    """The counts of a network of opponents, and the CRFs by DUMMIES. Raises ModelError."""
    from haiyomi.reading import nemoto as crfs

    first = shipped() if network is None else CountModel.load(Path(network))
    rest = [
        crfs.shipped(dummies) if file is None else NemotoModel.load(Path(file))
        for dummies, file in zip(DUMMIES, nemoto, strict=True)
    ]
    return first, rest


def rng_of(game: str, what: str) -> np.random.Generator:
    """A generator by game and purpose: the same whatever the shards."""
    digest = hashlib.sha256(f"{SEED} {what} {game}".encode()).digest()
    return generator(int.from_bytes(digest[:8], "little"))


def held_bins(marginals: Floats, hands: Bytes) -> Floats:
    """(BINS, 3) of the statements "holds at least one h" of some rows: n, sum of p, true."""
    p = np.clip(1.0 - marginals[:, :, 0], 0.0, 1.0).reshape(-1)
    true = (hands > 0).reshape(-1).astype(np.float64)
    index = np.minimum((p * BINS).astype(np.int64), BINS - 1)
    columns = (np.bincount(index, weights=w, minlength=BINS) for w in (np.ones(len(p)), p, true))
    return np.stack(list(columns), axis=1)


def ask(rows: ReadingRows, counts: CountModel, crfs: Sequence[NemotoModel]) -> PredictedHands:
    """The rows of some decisions, each with its three opponents."""
    parts = [
        _ask_game(rows.take(np.flatnonzero(rows.game == code)), code, counts, crfs)
        for code in range(len(rows.games))
    ]
    found = PredictedHands.join([NO_HANDS, *(part for part in parts if len(part))])
    return replace(found, skipped=rows.skipped)


def _ask_game(
    rows: ReadingRows, code: int, counts: CountModel, crfs: Sequence[NemotoModel]
) -> PredictedHands:
    n = 3 * len(rows)
    name = rows.games[code]
    opponent = np.tile([1, 2, 3], len(rows))
    observations = np.repeat(rows.observations, 3)
    hands = rows.hands.reshape(n, 34)
    totals = totals_of(observations, opponent)
    named: dict[str, Bytes] = {}
    drawn: dict[str, Bytes] = {"truth": hands}
    judged: dict[str, Floats] = {}
    seconds: dict[str, float] = {}

    named["random"] = random_hands(observations["unseen"], totals, rng_of(name, "random"))
    drawn["random"] = named["random"]
    free = log_weights(observations["unseen"], np.zeros((n, 34, 4)))
    judged["unseen"] = hand_marginals(free, totals)[1]
    for crf, dummies in zip(crfs, DUMMIES, strict=True):
        started = process_time()
        judged[f"nemoto-{dummies}"] = crf.marginals(observations, opponent)
        seconds[f"nemoto-{dummies}"] = process_time() - started
    for model in ("unseen", *(f"nemoto-{d}" for d in DUMMIES)):
        rng = rng_of(name, f"roulette {model}")
        named[f"{model} roulette"] = roulette(judged[model], totals, rng)
        named[f"{model} best"] = best_agreement(judged[model], totals)
        drawn[f"{model} roulette"] = named[f"{model} roulette"]
    started = process_time()
    found = counts.of(counts.network.read(rows.records))
    judged["counts"] = found.marginals
    seconds["counts"] = process_time() - started
    named["counts best"] = best_agreement(found.marginals, totals)
    named["counts likeliest"] = found.likeliest()
    away = np.full((n, len(DRAWN)), MISSING, np.int8)
    samples = found.draw(slice(0, n), 1, int(rng_of(name, "samples").integers(2**63)))
    for i, hand in enumerate(samples):
        if len(hand):
            away[i, DRAWN.index("counts")] = shanten(hand)[0]
    for j, what in enumerate(DRAWN[:-1]):
        away[:, j] = shanten(np.ascontiguousarray(drawn[what]))
    return PredictedHands(
        games=(name,),
        game=np.zeros(n, np.int32),
        turn=np.repeat(rows.turn, 3).astype(np.int16),
        state=class_of(observations, opponent).astype(np.int8),
        tiles=totals,
        right=np.stack([agreement_counts(named[m], hands) for m in NAMED], axis=1).astype(np.uint8),
        bits=np.stack([count_bits(judged[m], hands) for m in JUDGED], axis=1).astype(np.float32),
        away=away,
        held=np.stack([held_bins(judged[m], hands) for m in JUDGED])[None],
        seconds=np.array([[seconds[m] for m in TIMED]]),
    )


def answer_piece(
    piece: Corpus, network: str | None, nemoto: Sequence[str | None]
) -> PredictedHands:
    """Ask the models about a piece of a corpus; records that do not replay are listed."""
    return ask(read_rows(piece), *load_models(network, nemoto))


def answer(
    sources: Sequence[Path],
    network: str | None = None,
    nemoto: Sequence[str | None] = (None, None, None),
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> PredictedHands:
    """The rows of some records. ``network``: of opponents; ``nemoto``: the files of the CRFs by
    DUMMIES; None for those that come with haiyomi. Raises DatasetError."""
    records = Corpus(sources).distinct()
    asking = partial(answer_piece, network=network, nemoto=tuple(nemoto))
    parts = records.map_pieces(asking, GAMES_A_PIECE, jobs, progress)
    rows = PredictedHands.join([NO_HANDS, *parts])
    return replace(rows, skipped=(*records.skipped, *rows.skipped))
