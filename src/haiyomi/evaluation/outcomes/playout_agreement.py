"""How far the forecast of options agrees with playing them on.

Of some decisions of records the best options by the forecast are played on, in the same number of
worlds each, and the differences between them compared (``difference_agreement``): the two halves of
the worlds measure each option twice. The two values share the policy, the deal-in model and its
reading: that they agree does not show that they are right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.corpus import Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.drawn_games import DrawnGame, rows_of_games
from haiyomi.evaluation.metrics import mean_estimate
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.outcomes.difference_agreement import agreement
from haiyomi.evaluation.outcomes.difference_error import error_results, pairs_of
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.option import ENDS_HAND, KANS
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.playouts.play import PlayingOn
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.policy import ROLLOUT, rollout_policy, shipped_policy

FORMAT: Final = 4
_CALLS: Final = ("chi", "pon", "pass")
KINDS: Final = ("discard", "riichi or not", "call or pass", "kan")
TEMPERATURES: Final = (600.0, 300.0, 150.0, 75.0)
"""In points, of the improved policy whose gain is measured."""
_VALUES: Final = ("forecast", "one", "other")
TURNS: Final = ((0, 6), (6, 12), (12, 99))


@dataclass(frozen=True, slots=True)
class Settings:
    """``share`` of the decisions of a game; ``options`` of each, in ``worlds`` each; whether the
    ``policy`` of the reviews plays, or the rollout network; the ``seed`` of all draws."""

    share: float = 0.01
    options: int = 4
    worlds: int = 64
    policy: bool = False
    seed: int = 23


@dataclass(frozen=True, slots=True)
class Compared:
    """One decision: ``game`` its number; its ``kind`` of KINDS, the own ``turn`` from 0, whether an
    opponent was in ``riichi``; of each option its text, the ``forecast`` in points, the ``share``
    of strong players who choose it, and the means ``one`` and ``other`` of the two halves of its
    worlds."""

    game: int
    kind: str
    turn: int
    riichi: bool
    options: tuple[str, ...]
    forecast: tuple[float, ...]
    share: tuple[float, ...]
    one: tuple[float, ...]
    other: tuple[float, ...]


def compare(
    sources: Sequence[Path],
    games: int | None,
    settings: Settings,
    out: Path,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> tuple[list[Compared], list[Skipped]]:
    """Decisions of ``games`` records, drawn in a folder that a second run goes on with, and the
    records left out. Raises DatasetError where a source cannot be read."""
    what = "a comparison", FORMAT
    return rows_of_games(
        Compared, sources, games, settings, out, what, _compare_game, jobs, progress
    )


def _compare_game(work: DrawnGame[Settings]) -> None:
    """The drawn decisions of one game, sealed in its file."""
    models = Models()
    rng = generator(work.settings.seed, "decisions", work.number)
    every = [d for d in decisions(work.game) if rng.random() < work.settings.share]
    found = zip(every, outcomes_of(models, every, "points") if every else [], strict=True)
    rows = []
    for place, (decision, outcomes) in enumerate(found):
        best = [o for o in outcomes if o.option.act not in ENDS_HAND][: work.settings.options]
        if len(best) > 1:
            worlds = generator(work.settings.seed, "worlds", work.number, place)
            seed = int(worlds.integers(2**63))
            rows.append(_compared(work, decision, best, models, seed))
    work.write(rows)


def _compared(
    work: DrawnGame[Settings],
    decision: RecordedDecision,
    best: Sequence[Outcome],
    models: Models,
    seed: int,
) -> Compared:
    settings = work.settings
    playing = PlayingOn(
        decision,
        shipped_policy() if settings.policy else rollout_policy(),
        Payoff.parse("points", work.game.header.rules),
        seed=seed,
        models=models,
        only=tuple(outcome.option for outcome in best),
    )
    one, other = playing.halves(settings.worlds)
    by_option = {outcome.option: outcome for outcome in best}
    acts = {option.act for option in playing.options}
    kind = "riichi or not" if "riichi" in acts else "discard"
    if acts & set(_CALLS):
        kind = "call or pass"
    if acts & set(KANS):
        kind = "kan"
    position = decision.position
    return Compared(
        work.number,
        kind,
        len(position.players[0].river),
        any(player.riichi for player in position.players[1:]),
        tuple(map(str, playing.options)),
        tuple(by_option[option].points for option in playing.options),
        tuple(by_option[option].share or 0.0 for option in playing.options),
        tuple(one.tolist()),
        tuple(other.tolist()),
    )


def groups_of(rows: Sequence[Compared]) -> dict[str, list[Compared]]:
    """All, by kind, by turn and by riichi; those without a decision are left out."""
    found = {"all": list(rows)}
    found |= {kind: [row for row in rows if row.kind == kind] for kind in KINDS}
    for low, high in TURNS:
        name = f"turn {low + 1} to {high}" if high < 99 else f"turn {low + 1} on"
        found[name] = [row for row in rows if low <= row.turn < high]
    found["against riichi"] = [row for row in rows if row.riichi]
    found["nobody in riichi"] = [row for row in rows if not row.riichi]
    return {name: part for name, part in found.items() if part}


def agreement_results(rows: Sequence[Compared], settings: Settings, what: str) -> dict[str, Any]:
    """The results JSON: of each group the regression coefficient and the correlation, with 95%
    intervals by bootstrap of games; how far differences are off (``difference_error``); and what a
    policy gains that follows the forecast."""
    games = len({row.game for row in rows})
    groups = [_group(name, part) for name, part in groups_of(rows).items()]
    return {
        **head_of("haiyomi-playouts", what, games, ROLLOUT),
        "settings": asdict(settings),
        "groups": groups,
        "errors": error_results(
            pairs_of([(row.game, row.kind, row.forecast, row.one, row.other) for row in rows])
        ),
        "gains": [_gain(rows, temperature) for temperature in TEMPERATURES],
    }


def _group(name: str, rows: Sequence[Compared]) -> dict[str, Any]:
    options = [len(row.options) for row in rows]
    forecast, one, other = (np.concatenate([getattr(row, key) for row in rows]) for key in _VALUES)
    found = agreement(
        forecast,
        one,
        other,
        np.repeat(np.arange(len(rows)), options),
        np.repeat([row.game for row in rows], options),
        generator(0, "two ways", name),  # as the stored intervals were drawn
    )
    return {
        "group": name,
        "decisions": found.decisions,
        "options": found.options,
        "coefficient": found.coefficient.to_json(),
        "correlation": found.correlation.to_json(),
        "forecast_spread": found.predicted,
        "played_spread": found.measured,
    }


def _gain(rows: Sequence[Compared], temperature: float) -> dict[str, Any]:
    """What people's choices among the options gain by playing on, in points a decision, where their
    shares are reweighted by exp(forecast / temperature)."""
    gains = np.zeros((len(rows), 3))
    for i, row in enumerate(rows):
        share = np.maximum(np.array(row.share), 1e-6)
        share /= share.sum()
        forecast = np.array(row.forecast)
        moved = share * np.exp((forecast - forecast.max()) / temperature)
        change = moved / moved.sum() - share
        played = (np.array(row.one) + np.array(row.other)) / 2
        gains[i] = change @ played, change @ forecast, np.abs(change).sum() / 2
    game = np.array([row.game for row in rows])
    gain = mean_estimate(gains[:, 0], game, generator(0, "gain"))
    return {
        "temperature": temperature,
        "decisions": len(rows),
        "gain": gain.to_json(),
        "predicted": float(gains[:, 1].mean()),
        "moved": float(gains[:, 2].mean()),
    }


def reports(results: Mapping[str, Any]) -> tuple[Report, Report, Report]:
    """Of results JSON (``agreement_results``): the agreement, how far differences are
    off, and the gain of a policy that follows the forecast."""
    settings = results["settings"]
    who = "the policy" if settings["policy"] else "the rollout network"
    agreement = Report(
        f"Forecast and playing on: differences of options, {settings['worlds']} worlds by {who}",
        (
            "decisions",
            "n",
            "options",
            "coefficient",
            "correlation",
            "forecast, points",
            "played on, points",
        ),
        tuple(
            (
                group["group"],
                Figure(group["decisions"]),
                Figure(group["options"]),
                Figure.of(group["coefficient"], ".2f"),
                Figure.of(group["correlation"], ".2f"),
                Figure(group["forecast_spread"], ",.0f"),
                Figure(group["played_spread"], ",.0f"),
            )
            for group in results["groups"]
        ),
        Scope.of(results),
    )
    errors = Report(
        "How far the forecast of a difference between two options is off, points",
        ("pairs of options", "n", "forecast", "played on", "error", "fixed", "growing"),
        tuple(
            (
                error["group"],
                Figure(error["pairs"]),
                Figure(error["forecast"], ",.0f"),
                Figure.of(error["came"], ",.0f"),
                Figure.of(error["error"], ",.0f"),
                Figure.of(error["fixed"], ",.0f") if "fixed" in error else "-",
                Figure.of(error["growing"], ".2f") if "growing" in error else "-",
            )
            for error in results["errors"]
        ),
        Scope.of(results),
    )
    gains = Report(
        "What people's choices gain, reweighted by exp(forecast / temperature): points a decision",
        ("temperature", "n", "gain, played on", "gain, forecast", "choices moved"),
        tuple(
            (
                Figure(gain["temperature"], ",.0f"),
                Figure(gain["decisions"]),
                Figure.of(gain["gain"], "+,.1f"),
                Figure(gain["predicted"], "+,.1f"),
                Figure(gain["moved"], ".1%"),
            )
            for gain in results["gains"]
        ),
        Scope.of(results),
    )
    return agreement, errors, gains
