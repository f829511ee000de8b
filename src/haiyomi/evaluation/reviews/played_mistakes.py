"""Whether flagged mistakes keep their sign when both options are played on, in three ways.

Some flagged decisions of records are drawn. The better option and the one that was taken are played
to the end of the hand, as ``review --confirm`` does, while the seat itself goes on in different
ways: the signs may not depend on the one who goes on. From choices that need not be flagged,
``parts_fit`` learns how much of a forecast difference comes. They are played on in the first way
alone. Only choices not to declare riichi are played on in all ways, because the policy that goes on
may declare it a turn later; their gain is the mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import erf, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.corpus import Skipped
from haiyomi.evaluation.drawn_games import DrawnGame, rows_of_games
from haiyomi.evaluation.metrics import mean_estimate
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.report import Figure, Report, Scope
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
from haiyomi.review.confirmed_part import GROUPS, NOT_DECLARED, SLOPES, Choice, terms
from haiyomi.review.decisions import Review, ReviewedDecision
from haiyomi.review.reviewer import recorded, review_game
from haiyomi.review.summary import mistakes_of
from haiyomi.review.verdicts import SEVERITIES, Verdict, verdicts
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.styles.estimate import style_vector
from haiyomi.styles.policy import ROLLOUT, rollout_policy, shipped_policy
from haiyomi.styles.policy_actions import policy_actions

FORMAT: Final = 6
Floats = NDArray[np.float64]
FEWEST: Final = 5.0
"""Where fewer deal-ins are expected of a group, no share is stated: its interval by bootstrap would
be too narrow."""
STEPS: Final = 200
RESAMPLES: Final = 200
"""Of games, for the intervals of a fit."""
SPREAD: Final = (105.0, 0.51)
"""The standard deviation of a gain by which a fit weighs it, beside the gain's own error: in
points, and as a part of the forecast difference. What an earlier fit found."""
WAYS: Final = ("rollout network", "improved policy", "own style")
"""Who chooses for the seat after the option. The others are played by the rollout network; the
improved policy takes its likeliest option, the own style is drawn from."""


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
    choice: Choice
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
    return Played(choice=Choice(**choice), **rest)


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
        choosers += [_improved(made), _own_style(work.game, made, seed)]
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


def _improved(made: RecordedDecision) -> Chooser:
    improved, rules = shipped_improved(), made.position.rules

    def choose(records: Decisions, legal: NDArray[np.bool_]) -> NDArray[np.uint8]:
        return improved.actions(records, legal, rules)

    return choose


def _own_style(game: Game, made: RecordedDecision, seed: int) -> Chooser:
    """The style by the choices that the seat made in this game, near those of all players where
    they are few."""
    policy, rng = shipped_policy(), generator(seed, "own style")
    records, labels = decode_games(pack_games([("", game)]))
    mine = labels["seat"] == made.seat
    style = style_vector(policy, records[mine], labels["choice"][mine])

    def choose(records: Decisions, legal: NDArray[np.bool_]) -> NDArray[np.uint8]:
        return policy_actions(policy, records, legal, style, 1.0, rng).astype(np.uint8)

    return choose


def sign_results(rows: Sequence[Played], settings: Settings, what: str) -> dict[str, Any]:
    """The results JSON: of each way, over all, by severity and by group, how many keep their
    sign; 95% intervals by bootstrap of games. ``all ways`` counts those that keep it in all three.
    ``deal_ins`` is what ``deal_in_rows`` returns. Where the rows need not be flagged, with the
    ``fit`` of ``parts_fit`` and without severities, costs and deal-ins, which follow from it."""
    flagged = settings.least is None
    groups = {"all": list(rows)}
    if flagged:
        groups |= {name: [row for row in rows if row.severity == name] for name in SEVERITIES}
    groups |= {name: [row for row in rows if row.choice.group == name] for name in GROUPS}
    more: dict[str, Any] = {"deal_ins": deal_in_rows(rows)} if flagged else {"fit": parts_fit(rows)}
    games = len({row.game for row in rows})
    return {
        **head_of("haiyomi-played-mistakes", what, games, ROLLOUT),
        "settings": asdict(settings),
        "groups": [
            {"group": name, "way": way, **_signs(part, number, flagged)}
            for name, part in groups.items()
            if part
            for number, way in enumerate(_ways(part))
        ],
        **more,
    }


def _ways(rows: Sequence[Played]) -> tuple[str, ...]:
    """Those in which all of the rows were played."""
    return (*WAYS, "all ways") if min(len(row.gain) for row in rows) == len(WAYS) else WAYS[:1]


def _signs(rows: Sequence[Played], way: int, flagged: bool) -> dict[str, Any]:
    game = np.array([row.game for row in rows])
    if way == len(WAYS):
        return {"n": len(rows), "kept": _mean(np.array([min(row.gain) > 0 for row in rows]), game)}
    gain, error, points = (
        np.array([getattr(row, key)[way] for row in rows]) for key in ("gain", "error", "points")
    )
    forecast = np.array([row.choice.difference for row in rows])
    return {
        "n": len(rows),
        "worlds": float(np.mean([row.worlds[way] for row in rows])),
        "kept": _mean(gain > 0, game),
        "better": _mean(gain > 2 * error, game),
        "worse": _mean(gain < -2 * error, game),
        "without_luck": without_luck(gain / forecast, error / forecast),
        "forecast": _mean(forecast, game),
        **({"cost": _mean(np.array([row.cost for row in rows]), game)} if flagged else {}),
        "gain": _mean(gain, game),
        "points": _mean(points, game),
    }


def deal_in_rows(rows: Sequence[Played]) -> list[dict[str, Any]]:
    """By group the share of tiles of flagged decisions that dealt in at once, with its interval:
    ``expected`` by the reading of the opponents, as it ``came`` in the records, and expected of the
    ``better`` option. Decisions that gave no tile, and groups of fewer than FEWEST expected
    deal-ins, are left out."""
    found = []
    for name in ("all", *GROUPS):
        part = [row for row in rows if row.risks and name in ("all", row.choice.group)]
        risks = np.array([row.risks for row in part]).reshape(-1, 2)
        if risks[:, 0].sum() < FEWEST:
            continue
        game = np.array([row.game for row in part])
        came = np.array([row.dealt_in for row in part])
        columns = {"expected": risks[:, 0], "came": came, "better": risks[:, 1]}
        shares = {key: _mean(values, game) for key, values in columns.items()}
        found.append({"group": name, "n": len(part), **shares})
    return found


def parts_fit(rows: Sequence[Played]) -> dict[str, Any]:
    """What ``review.confirmed_part`` reads: the part of the forecast difference that comes, for
    each of its groups and by its slopes. Least squares over the gains, each a mean over the ways
    that it was played in, with weights of one by their expected variance; 95% intervals by
    bootstrap of games."""
    forecast = np.array([row.choice.difference for row in rows])
    # The mean of the errors is that of ways that share all of their luck: never too small.
    gain, error = (
        np.array([np.mean(getattr(row, key)) for row in rows]) for key in ("gain", "error")
    )
    group = np.array([row.choice.group for row in rows])
    counts = {name: int((group == name).sum()) for name in GROUPS if name in group}
    of_group = group[:, None] == list(counts)
    x = forecast[:, None] * np.hstack([of_group, [terms(row.choice) for row in rows]])
    weight = 1 / (error**2 + SPREAD[0] ** 2 + (SPREAD[1] * forecast) ** 2)

    def fit(times: Floats) -> Floats:
        weighed = x.T * (weight * times)
        out: Floats = np.linalg.lstsq(weighed @ x, weighed @ gain, rcond=None)[0]
        return out

    _, game = np.unique([row.game for row in rows], return_inverse=True)
    fitted = fit(np.ones(len(rows)))
    rng, games = generator(0, "parts"), int(game.max()) + 1
    even = np.full(games, 1 / games)
    again = [fit(rng.multinomial(games, even)[game].astype(float)) for _ in range(RESAMPLES)]
    low, high = np.quantile(again, (0.025, 0.975), axis=0)
    # What the gains vary by besides their errors, about what is expected.
    rest = (gain - x @ fitted) ** 2 - error**2
    squares = np.column_stack([np.ones(len(rows)), forecast**2]) * weight[:, None]
    spread = np.linalg.lstsq(squares, rest * weight, rcond=None)[0]
    numbers = zip(fitted.tolist(), low.tolist(), high.tolist(), strict=True)
    values = [dict(zip(("value", "low", "high"), each, strict=True)) for each in numbers]
    constant, growing = np.sqrt(np.maximum(spread, 0)).tolist()
    return {
        "choices": len(rows),
        "parts": {
            name: {"n": n, **value}
            for (name, n), value in zip(counts.items(), values, strict=False)
        },
        **dict(zip(SLOPES, values[len(counts) :], strict=True)),
        "error": constant,
        "growing_error": growing,
    }


def without_luck(gain: Floats, error: Floats) -> float | None:
    """The share of true gains above 0, if they are normal about one mean and each is seen with its
    own standard error: by maximum likelihood. None where luck explains their whole spread."""
    mean, spread = float(gain.mean()), float(gain.var())
    for _ in range(STEPS):
        weight = 1 / (spread + error**2)
        mean = float((weight * gain).sum() / weight.sum())
        squares = weight**2 * ((gain - mean) ** 2 - error**2)
        spread = float(squares.sum() / (weight**2).sum())
        if spread <= 0:
            return None
    return 0.5 * (1 + erf(mean / sqrt(2 * spread)))


def _mean(values: NDArray[Any], game: NDArray[Any]) -> dict[str, float | None]:
    return mean_estimate(values, game, generator(0, "played mistakes")).to_json()


def report(results: Mapping[str, Any]) -> Report:
    """The table of results JSON."""
    rows = []
    for g in results["groups"]:
        last = [Figure.of(g[key], ".1%") if key in g else "-" for key in ("better", "worse")]
        luck = Figure(g["without_luck"], ".1%") if g.get("without_luck") is not None else "-"
        sums = [
            Figure.of(g[key], "+,.0f") if key in g else "-" for key in ("forecast", "cost", "gain")
        ]
        name = f"{g['group']}, {g['way']}"
        rows.append((name, Figure(g["n"]), Figure.of(g["kept"], ".1%"), luck, *last, *sums))
    return Report(
        "Flagged decisions played on; the last three columns in points at the start of a game",
        ("decisions, who goes on", "n", "sign kept", "luck taken out", "clearly better",
         "clearly worse", "forecast", "expected", "played on"),
        tuple(rows),
        Scope.of(results),
    )  # fmt: skip


def deal_in_report(results: Mapping[str, Any]) -> Report:
    """The table of ``deal_in_rows`` in results JSON."""
    keys = ("expected", "came", "better")
    return Report(
        "Tiles of flagged decisions that dealt in, in the records themselves",
        ("decisions", "n", "expected", "dealt in", "expected of the better option"),
        tuple(
            (row["group"], Figure(row["n"]), *(Figure.of(row[key], ".1%") for key in keys))
            for row in results["deal_ins"]
        ),
        Scope.of(results),
    )
