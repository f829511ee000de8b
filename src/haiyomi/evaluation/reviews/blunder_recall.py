"""How many known blunders a review flags: options of records replaced by blunders, and judged.

The blunders come from ``evaluation.known_answers.blunders``. Beside those of each rule stand the
same decisions as they were played: how often the players chose such an option themselves, and how
often a choice of theirs that is none was flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats
from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.known_answers.blunders import BLUNDERS, Moment, found
from haiyomi.evaluation.metrics import ratio_estimate
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.events import Game
from haiyomi.review.reviewer import review_game
from haiyomi.review.verdicts import Verdict, verdict_of, verdicts
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.review.decisions import ReviewedDecision

SEED: Final = 23
GAMES_A_PIECE: Final = 4
_EVERY: Final = "all decisions, as played"


class Planted(NamedTuple):
    """One decision that a ``rule`` has a blunder for: whether the blunder was ``flagged``, and as a
    ``blunder``; its ``cost`` in points; whether the player ``chose`` such an option, and whether a
    choice that is none was flagged (``false``). ``game`` names the record."""

    game: str
    rule: str
    flagged: bool
    blunder: bool
    cost: float
    chose: bool
    false: bool


class RecordFlags(NamedTuple):
    """The decisions of a record that were judged, and how many were flagged as they were played."""

    game: str
    decisions: int
    flagged: int


def recall(
    sources: Sequence[Path], games: int | None, jobs: Jobs, progress: Progress | None
) -> tuple[list[Planted], list[RecordFlags], list[Skipped]]:
    """Blunders planted in ``games`` records, drawn at random; the records as they were played; and
    those left out. Raises DatasetError where a source cannot be read."""
    corpus = Corpus(list(sources)).distinct()
    order = generator(SEED, "games").permutation(len(corpus))[:games]
    some = Corpus.of_entries([corpus.entries[i] for i in sorted(order.tolist())])
    some.skipped = corpus.skipped
    found, skipped = some.map_rows(of_game, GAMES_A_PIECE, jobs, progress)
    planted = [row for rows, _ in found for row in rows]
    return planted, [judged for _, judged in found], skipped


@lru_cache(maxsize=1)
def _analyzer() -> Analyzer:
    from haiyomi.analysis.analyzer import Analyzer

    return Analyzer(parts=["deal_in", "outcomes"], details=())


def of_game(name: str, game: Game) -> tuple[list[Planted], RecordFlags]:
    """The blunders planted in a game, and what was judged as it was played."""
    rows: list[Planted] = []
    decisions = flagged = 0
    for seat in range(4):
        for _, decision, verdict in verdicts(review_game(game, seat, _analyzer())):
            decisions += 1
            flagged += verdict.severity is not None
            rows += _planted(name, decision, verdict)
    return rows, RecordFlags(name, decisions, flagged)


def _planted(name: str, decision: ReviewedDecision, verdict: Verdict) -> Iterator[Planted]:
    """A blunder of each rule that has one, drawn at random where it has several."""
    offer = decision.offer
    options = tuple(outcome.option for outcome in decision.options)
    for rule, blunders in found(
        Moment(decision.position, options, None if offer is None else offer.tile)
    ).items():
        rng = generator(SEED, name, rule, decision.hand, decision.event, decision.position.seat)
        blunder = blunders[int(rng.integers(len(blunders)))]
        planted = verdict_of(replace(decision, done=blunder))
        assert planted is not None
        chose = decision.done in blunders
        severity = planted.severity
        yield Planted(
            name, rule, severity is not None, severity == "blunder", planted.cost, chose,
            not chose and verdict.severity is not None,
        )  # fmt: skip


def recall_results(
    planted: Sequence[Planted], judged: Sequence[RecordFlags], what: str
) -> dict[str, Any]:
    """The results JSON: by rule, over all, and the records as they were played; 95% intervals
    by bootstrap of games."""
    groups = {name: [p for p in planted if p.rule == name] for name in BLUNDERS}
    game = np.array([j.game for j in judged])
    flagged, decisions = (np.array(c, np.float64) for c in list(zip(*judged, strict=True))[:0:-1])
    return {
        **head_of("haiyomi-blunders", what, len(judged)),
        "rules": [
            _group(name, rows) for name, rows in [*groups.items(), ("all", list(planted))] if rows
        ],
        "played": {
            "decisions": int(decisions.sum()),
            "flagged": _share(flagged, decisions, game),
        },
    }


def _group(name: str, rows: Sequence[Planted]) -> dict[str, Any]:
    game = np.array([row.game for row in rows])
    ones = np.ones(len(rows))
    flagged, blunder, cost, chose, false = (
        np.array(column, np.float64) for column in list(zip(*rows, strict=True))[2:]
    )
    return {
        "rule": name,
        "n": len(rows),
        "recall": _share(flagged, ones, game),
        "as_blunder": _share(blunder, ones, game),
        "cost": _share(cost, ones, game),
        "chosen_by_players": _share(chose, ones, game),
        "false": _share(false, 1 - chose, game),
    }


def _share(above: Floats, below: Floats, game: NDArray[Any]) -> dict[str, float | None]:
    found = ratio_estimate(above, below, game, generator(SEED, "bootstrap"))
    return found.to_json()


def report(results: dict[str, Any]) -> Report:
    """The table of results JSON."""
    rows = [
        (
            group["rule"],
            Figure(group["n"]),
            Figure.of(group["recall"], ".1%"),
            Figure.of(group["as_blunder"], ".1%"),
            Figure.of(group["cost"], ",.0f"),
            Figure.of(group["chosen_by_players"], ".2%"),
            Figure.of(group["false"], ".1%"),
        )
        for group in results["rules"]
    ]
    played = results["played"]
    last = (_EVERY, Figure(played["decisions"]), "-", "-", "-", "-",
            Figure.of(played["flagged"], ".1%"))  # fmt: skip
    return Report(
        "Known blunders planted in records",
        ("known blunder", "n", "flagged", "flagged as a blunder", "points given up",
         "chosen by the players", "other choices flagged"),
        (*rows, last),
        Scope.of(results),
    )  # fmt: skip
