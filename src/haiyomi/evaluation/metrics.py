"""The metrics of haiyomi, each defined once; intervals are bootstraps by game.

*Skill* is 1 - log loss / log loss of the constant that predicts the rows' own base rate.
Log loss clips probabilities to [1e-6, 1 - 1e-6]. *AUC* counts ties half. *ECE* is the
expected calibration error over 20 equal-count bins.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats, Ints

CLIP = 1e-6
RESAMPLES = 400


def finite(value: Any) -> Any:
    """The value with every nan or infinity in it replaced by None, as JSON wants it."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def row_log_loss(p: Floats, label: NDArray[Any]) -> Floats:
    """(n,) cross-entropy in nats of each row, probabilities clipped."""
    q = np.clip(p, CLIP, 1.0 - CLIP)
    out: Floats = -np.where(label.astype(bool), np.log(q), np.log1p(-q))
    return out


def entropy(rate: Any) -> Any:
    """Log loss of the constant ``rate`` on rows of that base rate."""
    q = np.clip(rate, CLIP, 1.0 - CLIP)
    return -(rate * np.log(q) + (1.0 - rate) * np.log1p(-q))


def auc(p: Floats, label: NDArray[Any]) -> float:
    """Probability that a positive row outranks a negative one, ties half; nan without both."""
    return _Ranks(p, label, np.zeros(len(p), np.intp)).auc(np.ones(1))


def ece(p: Floats, label: NDArray[Any]) -> float:
    """Expected calibration error over 20 equal-count bins by probability."""
    if len(p) == 0:
        return float("nan")
    order = np.argsort(p, kind="stable")
    total = 0.0
    for part in np.array_split(order, 20):
        if len(part):
            total += abs(float(p[part].mean()) - float(label[part].mean())) * len(part)
    return total / len(p)


class _Ranks:
    """Negative rows sorted by probability once, so that each resample's AUC is a sum over them.

    ``of`` (n,): the number of each row's game, which has one weight.
    """

    def __init__(self, p: Floats, label: NDArray[Any], of: NDArray[np.intp]) -> None:
        positive = label.astype(bool)
        negatives = np.flatnonzero(~positive)
        negatives = negatives[np.argsort(p[negatives])]
        self.negative, self.positive = of[negatives], of[positive]
        self.below = np.searchsorted(p[negatives], p[positive], "left")
        self.not_above = np.searchsorted(p[negatives], p[positive], "right")

    def auc(self, weight: Floats) -> float:
        """With the weight of each game, a whole number: every sum is exact."""
        upto = np.zeros(len(self.negative) + 1)
        np.cumsum(weight[self.negative], out=upto[1:])
        positive = weight[self.positive]
        pairs = positive.sum() * upto[-1]
        if pairs == 0:
            return float("nan")
        right = (upto[self.below] + upto[self.not_above]) * positive
        return float(0.5 * right.sum() / pairs)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95% interval (percentile bootstrap by game): nan where it has none."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        """As results JSON has it: ``value``, ``low`` and ``high``, None for nan."""
        return dict(finite(asdict(self)))

    def complement(self) -> Estimate:
        """One less the value: a skill of a ratio of losses."""
        return Estimate(1 - self.value, 1 - self.high, 1 - self.low)


@dataclass(frozen=True, slots=True)
class BinaryScore:
    """What a probability is worth on n rows of ``games`` games.

    ``rate`` is the base rate, ``constant`` the log loss of predicting it. Skill and AUC are nan
    where all labels are equal.
    """

    n: int
    games: int
    positives: int
    rate: float
    constant: float
    log_loss: Estimate
    skill: Estimate
    auc: Estimate
    ece: float

    def to_json(self) -> dict[str, Any]:
        """As results JSON has it, None for nan."""
        return dict(finite(asdict(self)))


FEWEST: Final = 6
"""Games, players or walls of which an interval by bootstrap is stated."""
_T: Final = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048,
)  # fmt: skip
"""The 97.5 percentile of Student's t with 1, 2, ... degrees of freedom."""
_NORMAL: Final = 1.960


def resample_weights(games: int, rng: np.random.Generator, resamples: int) -> Ints:
    """(resamples, games): how often each game is drawn in each bootstrap resample."""
    return rng.multinomial(games, np.full(games, 1.0 / games), size=resamples)


def interval(
    values: Floats, drawn: int, least: float = -inf, most: float = inf
) -> tuple[float, float]:
    """The 2.5 and 97.5 percentiles of values by resamples of ``drawn`` games, players or walls; nan
    of fewer than FEWEST. Of fewer than 30 these percentiles are too near: those of six hold the
    mean of normal numbers in 86%. They are moved away from the mean of the resamples as far as a
    t interval of so many lies outside a normal one of the same resamples, to what the value can be
    at ``least`` and at ``most``."""
    known = values[np.isfinite(values)]
    if drawn < FEWEST or len(known) == 0:
        return float("nan"), float("nan")
    low, high = np.percentile(known, [2.5, 97.5])
    if drawn <= len(_T) + 1:
        mean, stretch = known.mean(), _T[drawn - 2] / _NORMAL * (drawn / (drawn - 1)) ** 0.5
        low = max(mean - stretch * (mean - low), least)
        high = min(mean + stretch * (high - mean), most)
    return float(low), float(high)


def by_game(games: int) -> str:
    """What the intervals of a table over ``games`` games are."""
    few = f"fewer than {FEWEST} games have no interval"
    return few if games < FEWEST else "95%, bootstrap by game"


def binary_score(
    p: Floats,
    label: NDArray[Any],
    game: NDArray[Any],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> BinaryScore | None:
    """The BinaryScore of some rows, None without rows. ``game`` (n,) are integer codes."""
    n = len(p)
    if n == 0:
        return None
    label = label.astype(bool)
    codes, index = np.unique(game, return_inverse=True)
    count = np.bincount(index).astype(np.float64)
    hits = np.bincount(index, weights=label.astype(np.float64))
    loss = np.bincount(index, weights=row_log_loss(p, label))
    draws = resample_weights(len(codes), rng, resamples).astype(np.float64)
    rows = draws @ count
    losses = draws @ loss / rows
    constants = entropy(draws @ hits / rows)
    ranks = _Ranks(p, label, index)
    # The AUC is slow on millions of rows: with 100 resamples instead of 400 an end of its interval
    # is uncertain by .22 of its standard error instead of .14.
    few = draws[: resamples if n < 200_000 else max(100, resamples // 4)]
    aucs = np.array([ranks.auc(w) for w in few])
    rate = float(hits.sum() / n)
    constant = float(entropy(rate))
    mean = float(loss.sum() / n)
    mixed = 0 < hits.sum() < n
    skill = 1.0 - mean / constant if mixed else float("nan")
    drawn = draws @ hits
    with np.errstate(divide="ignore", invalid="ignore"):
        skills = np.where((drawn > 0) & (drawn < rows), 1.0 - losses / constants, np.nan)
    return BinaryScore(
        n,
        len(codes),
        int(hits.sum()),
        rate,
        constant,
        Estimate(mean, *interval(losses, len(codes), 0)),
        Estimate(skill, *interval(skills, len(codes), most=1)),
        Estimate(auc(p, label), *interval(aucs, len(codes), 0, 1)),
        ece(p, label),
    )


def score_json(
    p: Floats, label: NDArray[Any], game: NDArray[Any], rng: np.random.Generator
) -> dict[str, Any] | None:
    """``binary_score`` as results JSON has it."""
    score = binary_score(p, label, game, rng)
    return None if score is None else score.to_json()


def auc_gain(
    p: Floats, q: Floats, label: NDArray[Any], game: NDArray[Any], rng: np.random.Generator
) -> Estimate:
    """The AUC of ``p`` minus that of ``q`` on the same rows, with its bootstrap by game."""
    codes, index = np.unique(game, return_inverse=True)
    draws = resample_weights(len(codes), rng, RESAMPLES // 2).astype(np.float64)
    mine, others = _Ranks(p, label, index), _Ranks(q, label, index)
    gains = np.array([mine.auc(w) - others.auc(w) for w in draws])
    return Estimate(auc(p, label) - auc(q, label), *interval(gains, len(codes)))


def rate_interval(hits: int, n: int) -> tuple[float, float]:
    """95% Wilson interval of a share."""
    if n == 0:
        return float("nan"), float("nan")
    z = 1.959964
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(float(middle - half), 0.0), min(float(middle + half), 1.0)


def agreement_counts(predicted: Bytes, true: Bytes) -> Ints:
    """(n,) sum over kinds of min(predicted, true). *Hand agreement* of some rows is their sum
    over the sum of the concealed tiles."""
    out: Ints = np.minimum(predicted, true).sum(axis=1, dtype=np.int64)
    return out


def count_bits(marginals: Floats, true: Bytes) -> Floats:
    """(n,) *count log loss*: the mean over the 34 kinds of -log2 P(true count of the kind),
    probabilities clipped at 1e-6; ``marginals`` (n, 34, 5)."""
    chosen = np.take_along_axis(marginals, true[:, :, None].astype(np.int64), axis=2)[:, :, 0]
    out: Floats = -np.log2(np.maximum(chosen, CLIP)).mean(axis=1)
    return out


def ratio_estimate(
    above: Floats, below: Floats, game: NDArray[Any], rng: np.random.Generator
) -> Estimate:
    """sum(above) / sum(below) over rows, with its bootstrap by game."""
    codes, index = np.unique(game, return_inverse=True)
    top = np.bincount(index, weights=above, minlength=len(codes))
    bottom = np.bincount(index, weights=below, minlength=len(codes))
    draws = resample_weights(len(codes), rng, RESAMPLES).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        resampled = (draws @ top) / (draws @ bottom)
        value = float(top.sum() / bottom.sum()) if bottom.sum() else float("nan")
        rows = (above / below)[below > 0]
    # No mean is beyond what it is made of: a share is 0 to 1.
    bounds = (rows.min(), rows.max()) if len(rows) else ()
    return Estimate(value, *interval(resampled, len(codes), *bounds))


def mean_estimate(values: NDArray[Any], game: NDArray[Any], rng: np.random.Generator) -> Estimate:
    """The mean over rows, with its bootstrap by game."""
    return ratio_estimate(values.astype(np.float64), np.ones(len(values)), game, rng)


def binned_means(
    by: Floats, values: NDArray[Any], game: NDArray[Any], bins: int, rng: np.random.Generator
) -> list[tuple[NDArray[np.intp], Estimate]]:
    """Bins of equal count by ``by``: the rows of each, and their mean of ``values`` with its
    bootstrap by game, by the same draws in all bins."""
    codes, index = np.unique(game, return_inverse=True)
    draws = resample_weights(len(codes), rng, RESAMPLES).astype(np.float64)
    found = []
    for part in np.array_split(np.argsort(by, kind="stable"), bins):
        weights = draws[:, index[part]]
        with np.errstate(divide="ignore", invalid="ignore"):
            means = weights @ values[part] / weights.sum(axis=1)
        some = values[part]
        bounds = interval(means, len(codes), some.min(), some.max())
        estimate = Estimate(float(some.mean()), *bounds)
        found.append((part, estimate))
    return found


def calibration_bins(
    p: Floats, observed: NDArray[Any], game: NDArray[Any], bins: int, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Results JSON of bins of equal count by the prediction: the means of ``p`` and of
    ``observed``, the latter with its interval."""
    return [
        {"n": len(part), "predicted": float(p[part].mean()), "observed": found.value}
        | finite({"low": found.low, "high": found.high})
        for part, found in binned_means(p, observed, game, bins, rng)
    ]
