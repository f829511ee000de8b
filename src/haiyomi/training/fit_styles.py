"""The fit of style classes: k-means++ over players' style vectors, with the paper's settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.corpus.splits import corpus_files
from haiyomi.errors import DatasetError
from haiyomi.seeds import generator
from haiyomi.styles.classes import (
    NEVER,
    SCALINGS,
    Scaler,
    Scaling,
    StyleClass,
    StyleClasses,
    class_names,
)
from haiyomi.styles.statistics import RATES, divide, occasions
from haiyomi.styles.sums_table import Tallies, Vectors, vectors

LEAST_GAMES = 20
K_RANGE = range(2, 20)
KMEANS: dict[str, Any] = {
    "max_iter": 300, "n_init": 10, "init": "k-means++", "tol": 1e-4, "random_state": 10,
}  # fmt: skip
"""Table 2 but for the number of classes; ``precompute_distances`` is gone from scikit-learn."""
LEAST_PLAYERS = 3
"""A class of a model file has at least so many: its means are never one player's figures."""
HALVINGS = 100
SEED = 11


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """k-means of one scaling: ``labels`` (n,) of the players of ``vectors``."""

    k: int
    silhouette: float
    labels: Ints
    centres: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """All that is fitted on the learning games of the players with enough of them.

    ``learning`` their rows; ``agreement`` (19,) the correlation of two halves of players'
    games; ``by_k`` the clustering for each k by scaling, ``components`` the principal
    components.
    """

    least: int
    learning: Tallies
    vectors: Vectors
    agreement: Floats
    scalers: dict[Scaling, Scaler]
    by_k: dict[Scaling, list[Clustering]]
    components: dict[Scaling, Components]

    def places(self, scaling: Scaling) -> Floats:
        """(n, 19) the players' places."""
        return self.scalers[scaling].place(self.vectors.values, self.vectors.occasions)

    def best(self, scaling: Scaling, n: int = 1) -> list[Clustering]:
        """The n clusterings with the highest silhouettes."""
        return sorted(self.by_k[scaling], key=lambda c: -c.silhouette)[:n]


def study_styles(tallies: Tallies, least: int, ks: Sequence[int] = K_RANGE) -> Study:
    """Fit scalers and clusterings on nine tenths of each player's games.

    ``least``: games that a player must have, tests included. Raises DatasetError where fewer
    players than three have as many.
    """
    chosen = tallies.of(least)
    if len(chosen) < 3:
        some = "nobody has" if not chosen else f"only {len(chosen)} have"
        raise DatasetError(
            f"{some} {least} hanchan or more, and classes need three players at least: "
            "give more records, or a smaller number by --least"
        )
    learn = ~tallies.holdout_mask()
    learning = tallies.take(learn & np.isin(tallies.player, chosen))
    found = vectors(learning)
    wide = tallies.take(learn & np.isin(tallies.player, tallies.of(max(least // 2, 2))))
    agreement, prior = halves(wide)
    filled = filled_means(found.values)
    spread = filled.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    rows = _row(filled.mean(axis=0)), _row(scale), _row(prior)
    scalers = {s: Scaler(s, *rows) for s in SCALINGS}
    by_k: dict[Scaling, list[Clustering]] = {}
    axes: dict[Scaling, Components] = {}
    for scaling, scaler in scalers.items():
        places = scaler.place(found.values, found.occasions)
        most = len(np.unique(places, axis=0)) - 1
        by_k[scaling] = [cluster(places, k) for k in ks if k <= most]
        axes[scaling] = components(places)
    return Study(least, learning, found, agreement, scalers, by_k, axes)


def filled_means(values: Floats) -> Floats:
    """Vectors with each missing statistic replaced by the mean of the players who have it."""
    known = ~np.isnan(values)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, values, 0.0).sum(axis=0) / count
    return np.where(known, values, mean)


def halves(tallies: Tallies) -> tuple[Floats, Floats]:
    """(19,) how well two random halves of players' games agree (mean correlation over many
    halvings), and n0 = n (1 - r) / r for the n occasions of a half."""
    rng = generator(SEED, 1)
    rows = [np.flatnonzero(tallies.player == p) for p in tallies.of(2)]
    found, behind = [], []
    for _ in range(HALVINGS):
        sums = np.zeros((2, len(rows), tallies.sums.shape[1]))
        for i, mine in enumerate(rows):
            mixed = tallies.sums[rng.permutation(mine)]
            sums[0, i] = mixed[: len(mixed) // 2].sum(axis=0)
            sums[1, i] = mixed[len(mixed) // 2 :].sum(axis=0)
        found.append(correlations(divide(sums[0]), divide(sums[1])))
        behind.append(occasions(sums[0]).mean(axis=0))
    r: Floats = np.mean(found, axis=0)
    n = np.mean(behind, axis=0)
    safe = np.clip(r, 1e-6, 1.0 - 1e-6)
    return r, np.where(r > 0.01, n * (1.0 - safe) / safe, NEVER)


def correlations(a: Floats, b: Floats) -> Floats:
    """(m,) of each column of (n, m) arrays, over the rows that both have; 0 where one does not
    vary."""
    both = ~np.isnan(a) & ~np.isnan(b)
    n = np.maximum(both.sum(axis=0), 1)
    x, y = (np.where(both, v, 0.0) for v in (a, b))
    x = np.where(both, x - x.sum(axis=0) / n, 0.0)
    y = np.where(both, y - y.sum(axis=0) / n, 0.0)
    below = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    above = (x * y).sum(axis=0)
    out: Floats = np.divide(above, below, out=np.zeros(a.shape[1]), where=below > 1e-12)
    return out


def cluster(places: Floats, k: int) -> Clustering:
    """k-means++ of Table 2, and its silhouette."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    fitted = KMeans(n_clusters=k, **KMEANS).fit(places)
    labels = fitted.labels_.astype(np.int64)
    return Clustering(k, float(silhouette_score(places, labels)), labels, fitted.cluster_centers_)


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Principal components of places: ``origin`` (19,), the first two ``axes`` (2, 19), and
    each component's share of the variance (the paper's contribution ratio)."""

    origin: Floats
    axes: Floats
    shares: Floats

    def drawn(self, places: Floats) -> Floats:
        """(n, 2) places on the first two components."""
        out: Floats = (places - self.origin) @ self.axes.T
        return out


def components(places: Floats) -> Components:
    """The principal components of some players' places (n, 19), of which Figure 7 draws two."""
    from sklearn.decomposition import PCA

    fitted = PCA(random_state=KMEANS["random_state"]).fit(places)
    axes = np.zeros((2, places.shape[1]))
    axes[: len(fitted.components_)] = fitted.components_[:2]
    return Components(fitted.mean_, axes, fitted.explained_variance_ratio_)


def classes_of(
    study: Study,
    scaling: Scaling,
    k: int | None,
    fitted_on: str = "",
    least_players: int = LEAST_PLAYERS,
) -> StyleClasses:
    """The model of one scaling: with k classes, or as many as the silhouette is highest for
    among those that leave no class with fewer than ``least_players``.

    Classes stand in order of size. Raises DatasetError for a k that cannot be had so.
    """
    chosen = _clustering(study, scaling, k, least_players)
    values = filled_means(study.vectors.values)
    scaler = study.scalers[scaling]
    order = sorted(range(chosen.k), key=lambda c: (-int((chosen.labels == c).sum()), c))
    codes = {name: i for i, name in enumerate(study.learning.players)}
    totals = study.learning.totals()[[codes[p] for p in study.vectors.players]]
    means = np.array([values[chosen.labels == c].mean(axis=0) for c in order])
    rates = divide(totals, RATES)
    names = class_names((means - scaler.mean) / scaler.scale)
    classes = []
    for number, c in enumerate(order):
        mine = chosen.labels == c
        classes.append(
            StyleClass(
                names[number],
                int(mine.sum()),
                int(study.vectors.games[mine].sum()),
                tuple(means[number].tolist()),
                tuple(rates[mine].mean(axis=0).tolist()),
            )
        )
    manifest = {
        "fitted_on": fitted_on,
        "least_games": study.least,
        "players": len(study.vectors.players),
        "player_games": int(study.vectors.games.sum()),
        "k": chosen.k,
        "silhouette": round(chosen.silhouette, 4),
        "silhouettes": {str(c.k): round(c.silhouette, 4) for c in study.by_k[scaling]},
        "kmeans": KMEANS,
    }
    drawn = study.components[scaling]
    return StyleClasses(
        scaler,
        tuple(map(_row, chosen.centres[order])),
        tuple(classes),
        manifest,
        _row(drawn.origin),
        tuple(map(_row, drawn.axes)),
    )


def _clustering(study: Study, scaling: Scaling, k: int | None, least_players: int) -> Clustering:
    """That of ``classes_of``. Raises DatasetError."""
    tried = {
        c.k: c
        for c in study.best(scaling, len(K_RANGE))
        if np.bincount(c.labels, minlength=c.k).min() >= least_players
    }
    if not tried or (k is not None and k not in tried):
        players = len(study.vectors.players)
        raise DatasetError(
            f"{'no' if k is None else k} classes of at least {least_players} players each can "
            f"be made of {players} players"
            + (f": give {', '.join(map(str, sorted(tried)))}" if tried else "")
        )
    return next(iter(tried.values())) if k is None else tried[k]


def _row(numbers: Floats) -> tuple[float, ...]:
    return tuple(numbers.tolist())


def learning_records(records: Sequence[Path]) -> tuple[list[Path], str]:
    """What may be learnt from: of a corpus folder train and valid alone, else all as given."""
    if len(records) == 1 and (files := corpus_files(records[0])):
        found = [*files.get("train", []), *files.get("valid", [])]
        if not found:
            raise DatasetError(f"{records[0]} holds neither a train nor a valid split")
        return found, "train + valid"
    return list(records), ", ".join(r.name for r in records)
