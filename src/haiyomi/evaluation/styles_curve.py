"""How few games suffice to class a player: by resampling the games of those who have many."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.evaluation.metrics import interval
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.classes import StyleClasses
from haiyomi.styles.statistics import NAMES, divide, occasions
from haiyomi.styles.sums_table import Tallies

SIZES = (1, 2, 3, 4, 6, 8, 10, 12, 15, 20)
LEAST_REST = 8
"""A draw is compared with at least so many other games of the player."""
DRAWS = 60
RESAMPLES = 400
SEED = 12


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """By number of games n, over ``players`` who had n and at least eight others.

    ``rest``: the share of draws of n games whose class is that of the player's other games;
    ``whole``: that of all games, the n among them. ``chance``: two players drawn at random are
    of one class (the classes' shares by all games, squared and summed). ``error`` (sizes, 19):
    root mean square distance of each statistic from that of all games, in standard deviations
    between players. ``rest_interval`` and ``whole_interval`` (sizes, 2) bootstraps over players.
    """

    sizes: tuple[int, ...]
    players: tuple[int, ...]
    rest: Floats
    rest_interval: Floats
    whole: Floats
    whole_interval: Floats
    chance: float
    error: Floats

    def to_json(self) -> dict[str, object]:
        """Lists, for a results file."""
        return {
            "sizes": list(self.sizes),
            "players": list(self.players),
            "rest": self.rest.tolist(),
            "rest_interval": self.rest_interval.tolist(),
            "whole": self.whole.tolist(),
            "whole_interval": self.whole_interval.tolist(),
            "chance": self.chance,
            "error": self.error.tolist(),
        }


def curve_of(
    model: StyleClasses,
    tallies: Tallies,
    step: Progress | None = None,
    sizes: tuple[int, ...] = SIZES,
) -> Curve:
    """Draw n games of each player again and again, without putting back.

    Sizes for which fewer than three players have games enough are left out.
    """
    rng = generator(SEED, 1)
    rows = [np.flatnonzero(tallies.player == p) for p in tallies.of(1)]
    whole_sums = np.array([tallies.sums[r].sum(axis=0) for r in rows])
    labels = model.assign(divide(whole_sums), occasions(whole_sums))
    shares = np.bincount(labels, minlength=len(model.names)) / max(len(labels), 1)
    points: list[tuple[int, int, Floats, Floats, Floats]] = []
    for number, n in enumerate(sizes):
        able = [i for i, r in enumerate(rows) if len(r) >= n + LEAST_REST]
        if len(able) < 3:
            continue
        rest, whole = np.zeros(len(able)), np.zeros(len(able))
        squared = np.zeros(len(NAMES))
        for at, i in enumerate(able):
            mixed = np.array([rng.permutation(rows[i])[:n] for _ in range(DRAWS)])
            sums = tallies.sums[mixed].sum(axis=1)
            mine = model.assign(divide(sums), occasions(sums))
            others = whole_sums[i] - sums
            rest[at] = (mine == model.assign(divide(others), occasions(others))).mean()
            whole[at] = (mine == labels[i]).mean()
            off = (divide(sums) - divide(whole_sums[i])) / model.scaler.scale
            # A statistic that did not occur is guessed as the mean of all players.
            guessed = (model.scaler.mean - divide(whole_sums[i])) / model.scaler.scale
            off = np.where(np.isnan(off), guessed, off)
            squared += np.nan_to_num((off**2).mean(axis=0)) / len(able)
        points.append((n, len(able), rest, whole, np.sqrt(squared)))
        if step:
            step(number + 1, len(sizes))
    return Curve(
        tuple(t[0] for t in points),
        tuple(t[1] for t in points),
        np.array([t[2].mean() for t in points]),
        np.array([_between(t[2], rng) for t in points]).reshape(-1, 2),
        np.array([t[3].mean() for t in points]),
        np.array([_between(t[3], rng) for t in points]).reshape(-1, 2),
        float((shares**2).sum()),
        np.array([t[4] for t in points]),
    )


def _between(shares: Floats, rng: np.random.Generator) -> tuple[float, float]:
    drawn = rng.integers(len(shares), size=(RESAMPLES, len(shares)))
    return interval(shares[drawn].mean(axis=1), len(shares))


def with_curve(
    model: StyleClasses, learning: Tallies, step: Progress | None = None
) -> StyleClasses:
    """The model with its own curve of agreement over the learning games."""
    found = curve_of(model, learning, step)
    curve = tuple(
        (n, round(float(share), 3)) for n, share in zip(found.sizes, found.rest, strict=True)
    )
    return replace(model, curve=curve)


def pseudo_accounts(model: StyleClasses, tallies: Tallies, draws: int = 200) -> dict[str, object]:
    """Each player's games split into two accounts: how often both fall into one class. The paper
    suspects that some accounts of its data belong to one person.

    ``same`` the share with its interval over players, ``chance`` that of accounts of two
    different players, by the same draws.
    """
    rng = generator(SEED, 2)
    rows = [np.flatnonzero(tallies.player == p) for p in tallies.of(2)]
    same = np.zeros((draws, len(rows)))
    chance = np.zeros(draws)
    for d in range(draws):
        parts: tuple[list[Floats], list[Floats]] = ([], [])
        for mine in rows:
            mixed = rng.permutation(mine)
            half = len(mixed) // 2
            parts[0].append(tallies.sums[mixed[:half]].sum(axis=0))
            parts[1].append(tallies.sums[mixed[half:]].sum(axis=0))
        a, b = (model.assign(divide(np.array(p)), occasions(np.array(p))) for p in parts)
        same[d] = a == b
        equal = a[:, None] == b[None, :]
        n = len(rows)
        chance[d] = (equal.sum() - np.trace(equal)) / (n * (n - 1))
    by_player = same.mean(axis=0)
    low, high = _between(by_player, rng)
    games: Ints = np.array([len(r) // 2 for r in rows])
    return {
        "players": len(rows),
        "games_an_account": float(games.mean()),
        "same": float(by_player.mean()),
        "interval": [low, high],
        "chance": float(chance.mean()),
    }
