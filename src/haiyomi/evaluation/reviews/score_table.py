"""The table that scores are compared with: what games of strong players gave up a decision.

The table also says how far a score can be trusted: its *split-half reliability* is the
correlation, over seats, of the scores of a game's odd and even hands, stepped up to the whole game
by the formula of Spearman and Brown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.evaluation.networks_used import shipped_networks
from haiyomi.events import Game
from haiyomi.review.score import ReviewScore
from haiyomi.review.summary import summary_of
from haiyomi.review.verdicts import MARGIN
from haiyomi.seeds import generator

QUANTILES: Final = 21
"""Evenly spaced, from the least to the most that a game gave up."""
RESAMPLES: Final = 2000


def write_table(
    games: Iterable[Game],
    out: Path,
    step: Callable[[int], None] | None = None,
) -> dict[int, int]:
    """Review all four seats of some games and write the quantiles of their scores and the
    reliability; how many seats were reviewed by the rounds of a game. ``step`` is called with the
    games done."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.review.reviewer import review_game

    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    hands: list[ReviewScore] = []
    costs: dict[int, list[float]] = {}
    halves: dict[int, list[list[tuple[float, float]]]] = {}
    for done, game in enumerate(games, 1):
        rounds = game.header.rules.rounds
        halved = []
        for seat in range(4):
            summary = summary_of(review_game(game, seat, analyzer))
            if summary.score is not None:
                costs.setdefault(rounds, []).append(summary.score.cost)
            hands += [score for score in summary.by_hand if score is not None]
            odd, even = (_given_up(summary.by_hand[first::2]) for first in (0, 1))
            if odd is not None and even is not None:
                halved.append((odd, even))
        halves.setdefault(rounds, []).append(halved)
        if step is not None:
            step(done)
    at = np.linspace(0, 1, QUANTILES)
    table = {
        "payoff": analyzer.payoff,
        "networks": shipped_networks(),
        "margin": MARGIN,
        "hand spread": _hand_spread(hands),
        "seats": {str(rounds): len(found) for rounds, found in sorted(costs.items())},
        "quantiles": {
            str(rounds): [round(float(q), 1) for q in np.quantile(found, at)]
            for rounds, found in sorted(costs.items())
        },
        "reliability": {
            str(rounds): reliability(found) for rounds, found in sorted(halves.items())
        },
    }
    out.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return {rounds: len(found) for rounds, found in costs.items()}


def _hand_spread(hands: Sequence[ReviewScore]) -> float:
    """The standard deviation of what a hand gave up, about the mean of a decision times its
    decisions."""
    n = np.array([score.decisions for score in hands])
    given = n * [score.cost for score in hands]
    return round(float(np.sqrt(np.mean((given - given.sum() / n.sum() * n) ** 2))), 1)


def _given_up(hands: Sequence[ReviewScore | None]) -> float | None:
    """Points a decision over some hands; None without a decision."""
    judged = [score for score in hands if score is not None]
    n = sum(score.decisions for score in judged)
    return sum(score.cost * score.decisions for score in judged) / n if n else None


def reliability(games: Sequence[Sequence[tuple[float, float]]]) -> dict[str, object]:
    """Of games, each with the scores of the odd and the even hands of its seats: the ``seats``, the
    split-half reliability of a game's score, and its 95% interval by bootstrap of games."""
    of_game = [np.array(seats, np.float64).reshape(-1, 2) for seats in games]
    every = np.concatenate(of_game)
    rng = generator(0, "reliability")
    drawn = [
        _stepped_up(np.concatenate([of_game[i] for i in draw]))
        for draw in rng.integers(len(of_game), size=(RESAMPLES, len(of_game)))
    ]
    low, high = (float(np.nanquantile(drawn, q)) for q in (0.025, 0.975))
    return {
        "seats": len(every),
        "value": round(_stepped_up(every), 2),
        "interval": [round(low, 2), round(high, 2)],
    }


def _stepped_up(halves: Floats) -> float:
    """The reliability of a whole of which two halves are known."""
    r = float(np.asarray(np.corrcoef(halves.T))[0, 1])
    return 2 * r / (1 + r)
