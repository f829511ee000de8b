"""Mistakes of records, played on: both options to the end of the hand, in three ways.

Some flagged decisions of records are drawn. The better option and the one that was taken are played
on, while the seat itself goes on in different ways: what is found may not depend on the one who
goes on (``review --confirm`` takes two of the ways). Choices that need not be flagged, to which
``mistake_results.parts_fit`` is fitted, are played on in the first way alone. Only choices not to
declare riichi are played on in all ways, because the policy that goes on may declare it a turn
later. ``mistake_results`` says what was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.arrays import Bools, Bytes
from haiyomi.corpus import Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.drawn_games import DrawnGame, rows_of_games
from haiyomi.events import Game
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.improved import shipped_improved
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import RecordedDecision
from haiyomi.playouts.branches import Chooser
from haiyomi.playouts.play import PlayingOn
from haiyomi.review.categories import choice_of
from haiyomi.review.confirmed_part import NOT_DECLARED, JudgedChoice
from haiyomi.review.decisions import Review, ReviewedDecision
from haiyomi.review.reviewer import recorded, review_game
from haiyomi.review.summary import mistakes_of
from haiyomi.review.verdicts import Verdict, verdicts
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.estimate import style_vector
from haiyomi.styles.policy import rollout_policy, shipped_policy
from haiyomi.styles.policy_actions import policy_actions

FORMAT: Final = 6
WAYS: Final = ("rollout network", "improved policy", "own style")
"""Who chooses for the seat after the option. The others are played by the rollout network. The
improved policy takes its likeliest option; the own style is drawn from."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``share`` of the flagged decisions that is drawn, all by default; at most so many ``worlds``
    for an option; the ``seed`` of all draws. Where ``least`` points are given, all choices are
    drawn from that the forecast calls worse by so many, flagged or not, and played on by the
    rollout network alone unless a riichi was not declared; of games after the first
    ``calls_after``, where that is given, only each chi and pon among them."""

    share: float = 1.0
    worlds: int = 1024
    seed: int = 23
    least: float | None = None
    calls_after: int | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A decision: ``game`` its number, its ``severity``, the ``cost`` that is expected of it, and
    what of the ``choice`` that depends on. By each of WAYS, or only the first, the ``gain`` of the
    better option in points of the start of a game with its standard ``error``, the ``worlds``, and
    the gain in ``points`` of the hand. ``risks``: the chances, 0 to 1, to deal in at once with the
    option that was taken and with the better one, None where no tile was given away; ``dealt_in``:
    whether an opponent won on the tile in the record."""

    game: int
    severity: str | None
    cost: float
    choice: JudgedChoice
    gain: tuple[float, ...]
    error: tuple[float, ...]
    points: tuple[float, ...]
    worlds: tuple[int, ...]
    risks: tuple[float, float] | None = None
    dealt_in: bool = False


def play_mistakes(
    sources: Sequence[Path],
    games: int | None,
    settings: Settings,
    out: Path,
    jobs: Jobs,
    progress: Progress | None = None,
) -> tuple[list[Played], list[Skipped]]:
    """Flagged decisions of ``games`` records, drawn at random, in a folder that a second run goes
    on with, and the records left out. Raises DatasetError where a source cannot be read."""
    what = "played mistakes", FORMAT
    return rows_of_games(_row, sources, games, settings, out, what, _play_game, jobs, progress)


def _row(choice: Mapping[str, Any], **rest: Any) -> Played:
    """Of what a game's file holds."""
    return Played(choice=JudgedChoice(**choice), **rest)


def _play_game(work: DrawnGame[Settings]) -> None:
    """The drawn mistakes of one game, sealed in its file."""
    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    rng = generator(work.settings.seed, "mistakes", work.number)
    rows: list[Played] = []
    whole = work.settings.calls_after is None or work.number < work.settings.calls_after
    for seat in range(4):
        review = review_game(work.game, seat, analyzer, acts=None if whole else ("chi", "pon"))
        for decision, verdict in _choices(review, work.settings.least):
            if rng.random() < work.settings.share:
                rows.append(_played(work, decision, verdict, analyzer, len(rows)))
    work.write(rows)


def _choices(review: Review, least: float | None) -> Iterator[tuple[ReviewedDecision, Verdict]]:
    """The mistakes of a review, or what the forecast calls worse by ``least`` points."""
    if least is None:
        yield from ((mistake.decision, mistake.verdict) for mistake in mistakes_of(review))
        return
    for _, decision, verdict in verdicts(review):
        if not verdict.agrees and verdict.forecast >= least:
            yield decision, verdict


def _played(
    work: DrawnGame[Settings],
    decision: ReviewedDecision,
    verdict: Verdict,
    analyzer: Analyzer,
    place: int,
) -> Played:
    seat = decision.position.seat
    made = recorded(work.game, decision.hand, seat, decision.event)
    assert made is not None
    seed = (work.settings.seed << 32) + (work.number << 12) + place
    choice = choice_of(decision, verdict.best, verdict.taken, verdict.category, verdict.forecast)
    choosers: list[Chooser | None] = [None]
    if work.settings.least is None or choice.group == NOT_DECLARED:
        improved = partial(shipped_improved().actions, rules=made.position.rules)
        choosers += [improved, _own_style(work.game, made, seed)]
    options = (verdict.best.option, decision.done)
    found = [_gain(work, made, options, analyzer, seed, own) for own in choosers]
    gain, error, points, worlds = zip(*found, strict=True)
    if decision.rate is not None and verdict.value is not None:
        gain, error = (tuple(x / decision.rate for x in column) for column in (gain, error))
    risks = (verdict.taken.deal_in_now, verdict.best.deal_in_now) if decision.gives else None
    return Played(
        work.number, verdict.severity, verdict.cost, choice, gain, error, points, worlds, risks,
        bool(decision.outcome.wins),
    )  # fmt: skip


def _gain(
    work: DrawnGame[Settings],
    made: RecordedDecision,
    options: tuple[Option, Option],
    analyzer: Analyzer,
    seed: int,
    own: Chooser | None,
) -> tuple[float, float, float, int]:
    playing = PlayingOn(
        made, rollout_policy(), Payoff.parse(analyzer.payoff, work.game.header.rules),
        seed=seed, models=analyzer.models, only=options, own=own,
    )  # fmt: skip
    for _ in playing.run(work.settings.worlds):
        pass
    points, value = playing.difference(*options)
    return *(value or points), points[0], min(playing.found().worlds)


def _own_style(game: Game, made: RecordedDecision, seed: int) -> Chooser:
    """The style by the choices that the seat made in this game, near those of all players where
    they are few."""
    policy, rng = shipped_policy(), generator(seed, "own style")
    records, labels = decode_games(pack_games([("", game)]))
    mine = labels["seat"] == made.seat
    style = style_vector(policy, records[mine], labels["choice"][mine])

    def choose(records: Decisions, legal: Bools) -> Bytes:
        return policy_actions(policy, records, legal, style, 1.0, rng).astype(np.uint8)

    return choose
