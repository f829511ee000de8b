"""The table that scores are compared with: what games of strong players gave up a decision."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.events import Game
from haiyomi.review.verdicts import MARGIN, USUAL, Margins

QUANTILES: Final = 21
"""Evenly spaced, from the least to the most that a game gave up."""


def write_table(
    games: Iterable[Game],
    out: Path,
    margins: Margins = USUAL,
    step: Callable[[int], None] | None = None,
) -> dict[int, int]:
    """Review all four seats of some games and write the quantiles of their scores; how many seats
    were reviewed by the rounds of a game. ``step`` is called with the games done."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.review.reviewer import review_game
    from haiyomi.review.summary import summary_of

    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    costs: dict[int, list[float]] = {}
    for done, game in enumerate(games, 1):
        for seat in range(4):
            score = summary_of(review_game(game, seat, analyzer), margins).score
            if score is not None:
                costs.setdefault(game.header.rules.rounds, []).append(score.cost)
        if step is not None:
            step(done)
    at = np.linspace(0, 1, QUANTILES)
    table = {
        "payoff": analyzer.payoff,
        "margin": MARGIN,
        "seats": {str(rounds): len(found) for rounds, found in sorted(costs.items())},
        "quantiles": {
            str(rounds): [round(float(q), 1) for q in np.quantile(found, at)]
            for rounds, found in sorted(costs.items())
        },
    }
    out.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return {rounds: len(found) for rounds, found in costs.items()}
