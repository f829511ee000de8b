"""``haiyomi fit tilts``: hands drawn from counts are as far from tenpai as true ones, on train.

In each group of discards the weights are those with which as many drawn hands as true ones are one
and two steps from tenpai, of opponents that are not tenpai: among such weights, those of the
greatest likelihood.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Ints
from haiyomi.corpus import Corpus
from haiyomi.errors import DatasetError
from haiyomi.kernels.hand_counts import hand_samples
from haiyomi.kernels.shanten import shanten
from haiyomi.reading.counts import CountModel, log_weights
from haiyomi.reading.hand_factors import concealed_of
from haiyomi.reading.tilts import LAST_DISCARDS, Tilts, group_of
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.training.reading_rows import ReadingRows, game_rows

SEED: Final = 8
DECISIONS_A_GAME: Final = 24
DRAWS: Final = 256
ROUNDS: Final = 200
MOST: Final = 4.0


def fit_tilts(
    records: Corpus, model: CountModel, games: int, progress: Progress | None = None
) -> tuple[Tilts, list[int]]:
    """The tilts, and the opponents of each group, from so many games. Raises DatasetError."""
    drawn: list[list[NDArray[np.int8]]] = [[] for _ in LAST_DISCARDS]
    true: list[list[NDArray[np.int8]]] = [[] for _ in LAST_DISCARDS]
    for number, rows in enumerate(_rows(records, games)):
        group, of_draws, of_truth = shantens(model, rows, number)
        for g in np.unique(group).tolist():
            drawn[g].append(of_draws[group == g])
            true[g].append(of_truth[group == g])
        if progress:
            progress(number + 1, games)
    sizes = [sum(map(len, parts)) for parts in true]
    if not all(sizes):
        raise DatasetError(f"{sum(sizes):,} opponents: no tilt for a group without one")
    values = (tilt(np.concatenate(d), np.concatenate(t)) for d, t in zip(drawn, true, strict=True))
    return Tilts(tuple((round(one, 3), round(two, 3)) for one, two in values)), sizes


def _rows(records: Corpus, games: int) -> Iterator[ReadingRows]:
    """A few decisions of each game, by the seed."""
    for number, entry in enumerate(records.entries[:games]):
        rows = game_rows(entry.game_name, entry.game())
        order = generator(SEED, "decisions", number).permutation(len(rows))
        yield rows.take(np.sort(order[:DECISIONS_A_GAME]))


def shantens(
    model: CountModel, rows: ReadingRows, number: int
) -> tuple[Ints, NDArray[np.int8], NDArray[np.int8]]:
    """The group (n,), shanten of hands drawn from the counts (n, DRAWS) and true shanten (n,) of
    the opponents between their turns that are neither in riichi nor tenpai."""
    seen = model.network.read(rows.records)
    logs = log_weights(seen.observations["unseen"], seen.count)
    totals = seen.own["concealed"]
    truth = shanten(np.ascontiguousarray(rows.hands.reshape(-1, 34)))
    free = (seen.own["riichi"] < 0) & (totals == concealed_of(seen)) & (truth > 0)
    at = np.flatnonzero(free)
    hands = hand_samples(logs[at], totals[at], DRAWS, generator(SEED, "draws", number))
    return group_of(seen.own["n"][at]), shanten(hands), truth[at]


def tilt(drawn: NDArray[np.int8], true: NDArray[np.int8]) -> tuple[float, float]:
    """The log weights of one and two steps with which drawn hands (n, draws) that are not tenpai
    are so far from it as often as the true ones (n,), within MOST of 0."""
    steps = np.stack([drawn == 1, drawn == 2, drawn > 2]).mean(axis=2)
    some = steps.any(axis=0)
    wanted = np.array([(true[some] == 1).mean(), (true[some] == 2).mean(), (true[some] > 2).mean()])
    logs = np.zeros(3)
    for _ in range(ROUNDS):
        weight = np.exp(logs)[:, None] * steps[:, some]
        share = (weight / weight.sum(axis=0)).mean(axis=1)
        logs += np.log(np.maximum(wanted, 1e-9) / np.maximum(share, 1e-9))
        logs = np.clip(logs - logs[2], -MOST, MOST)
    return float(logs[0]), float(logs[1])
