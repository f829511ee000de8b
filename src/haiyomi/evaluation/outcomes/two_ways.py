"""The two values of options against each other: the forecast, and playing on.

Of some decisions of records the best options by the forecast are played on, in the same number of
worlds each. Forecast and mean change of score are taken less their means over the options of the
decision: a value that ignores the option scores 0. The worlds are halved: how far the halves agree
says how much of the differences is luck. With it the *correlation* is that with the mean over
infinitely many worlds, and the *coefficient* is that of the regression of playing on on the
forecast, 1 for differences of the right size. The two share the policy, the deal-in room and its
reading: that they agree does not show that they are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.corpus import Skipped
from haiyomi.evaluation.drawn_games import DrawnGame, rows_of_games
from haiyomi.evaluation.networks_used import shipped_networks
from haiyomi.evaluation.outcomes.difference_error import error_results, pairs_of
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.playouts.play import PlayingOn
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.styles.policy import ROLLOUT, rollout_policy, shipped_policy

Floats = NDArray[np.float64]
FORMAT: Final = 3
RESAMPLES: Final = 1000
_ENDS_HAND: Final = ("tsumo", "ron", "nine terminals")
_KANS: Final = ("ankan", "kakan", "daiminkan")
_CALLS: Final = ("chi", "pon", "pass")
KINDS: Final = ("discard", "riichi or not", "call or pass", "kan")
TEMPERATURES: Final = (600.0, 300.0, 150.0, 75.0)
"""In points, of the improved policy whose gain is measured."""
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
    rows, skipped = rows_of_games(
        sources, games, settings, out, ("a comparison", FORMAT), _compare_game, jobs, progress
    )
    return [_of_json(row) for row in rows], skipped


def _of_json(row: dict[str, Any]) -> Compared:
    lists = {key: tuple(row[key]) for key in ("options", "forecast", "share", "one", "other")}
    return Compared(**(row | lists))


def _compare_game(work: DrawnGame[Settings]) -> None:
    """The drawn decisions of one game, sealed in its file."""
    models = Models()
    rng = generator(work.settings.seed, "decisions", work.number)
    every = [d for d in decisions(work.game) if rng.random() < work.settings.share]
    found = zip(every, outcomes_of(models, every, "points") if every else [], strict=True)
    rows = []
    for place, (decision, outcomes) in enumerate(found):
        best = [o for o in outcomes if o.option.act not in _ENDS_HAND][: work.settings.options]
        if len(best) > 1:
            seed = (work.settings.seed << 32) + (work.number << 12) + place
            rows.append(asdict(_compared(work, decision, best, models, seed)))
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
        decision.history,
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
    if acts & set(_KANS):
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


def agreement_results(
    rows: Sequence[Compared], settings: Settings, what: str, seed: int = 0
) -> dict[str, Any]:
    """The results JSON: of each group the regression coefficient and the correlation, with 95%
    intervals by bootstrap of games; how far differences are off (``difference_error``); and what a
    policy gains that follows the forecast."""
    groups = [_group(name, part, seed) for name, part in groups_of(rows).items()]
    return {
        "schema": "haiyomi-two-ways",
        "version": 1,
        "records": what,
        "networks": shipped_networks(ROLLOUT),
        "games": len({row.game for row in rows}),
        "interval": "95%, bootstrap by game",
        "settings": asdict(settings),
        "groups": groups,
        "errors": error_results(
            pairs_of([(row.game, row.kind, row.forecast, row.one, row.other) for row in rows])
        ),
        "gains": [_gain(rows, temperature, seed) for temperature in TEMPERATURES],
    }


def _group(name: str, rows: Sequence[Compared], seed: int) -> dict[str, Any]:
    games = sorted({row.game for row in rows})
    place = {game: i for i, game in enumerate(games)}
    by_game = np.zeros((len(games), 4))
    options = 0
    for row in rows:
        x, y, z = (np.array(part) - np.mean(part) for part in (row.forecast, row.one, row.other))
        by_game[place[row.game]] += x @ x, x @ y, x @ z, y @ z
        options += len(x)
    rng = generator(seed, "two ways", name)
    draws = rng.integers(len(games), size=(RESAMPLES, len(games)))
    resampled = by_game[draws].sum(axis=1)
    whole = by_game.sum(axis=0)
    free = max(options - len(rows), 1)
    return {
        "group": name,
        "decisions": len(rows),
        "options": options,
        "coefficient": _estimate(_coefficient(whole), _coefficient(resampled)),
        "correlation": _estimate(_correlation(whole), _correlation(resampled)),
        "forecast_spread": float(np.sqrt(whole[0] / free)),
        "played_spread": float(np.sqrt(max(whole[3], 0) / free)),
    }


def _gain(rows: Sequence[Compared], temperature: float, seed: int) -> dict[str, Any]:
    """What people's choices among the options gain by playing on, in points a decision, where their
    shares are reweighted by exp(forecast / temperature)."""
    games = sorted({row.game for row in rows})
    place = {game: i for i, game in enumerate(games)}
    by_game = np.zeros((len(games), 4))
    for row in rows:
        share = np.maximum(np.array(row.share), 1e-6)
        share /= share.sum()
        forecast = np.array(row.forecast)
        moved = share * np.exp((forecast - forecast.max()) / temperature)
        change = moved / moved.sum() - share
        played = (np.array(row.one) + np.array(row.other)) / 2
        by_game[place[row.game]] += (
            1, change @ played, change @ forecast, np.abs(change).sum() / 2,
        )  # fmt: skip
    draws = generator(seed, "gain").integers(len(games), size=(RESAMPLES, len(games)))
    resampled, whole = by_game[draws].sum(axis=1), by_game.sum(axis=0)
    return {
        "temperature": temperature,
        "decisions": len(rows),
        "gain": _estimate(whole[1] / whole[0], resampled[:, 1] / resampled[:, 0]),
        "predicted": float(whole[2] / whole[0]),
        "moved": float(whole[3] / whole[0]),
    }


def _coefficient(sums: Floats) -> Floats:
    """From sums of xx, xy, xz, yz: x the forecast, y and z the halves."""
    out: Floats = (sums[..., 1] + sums[..., 2]) / 2 / np.maximum(sums[..., 0], 1e-300)
    return out


def _correlation(sums: Floats) -> Floats:
    """nan where the halves do not agree at all, or the forecast ignores the option."""
    both = sums[..., 0] * sums[..., 3]
    out: Floats = (sums[..., 1] + sums[..., 2]) / 2 / np.sqrt(np.where(both > 0, both, np.nan))
    return out


def _estimate(value: Floats, resampled: Floats) -> dict[str, float | None]:
    known = resampled[np.isfinite(resampled)]
    if not np.isfinite(value) or len(known) < len(resampled) / 2:
        return {"value": None, "low": None, "high": None}
    low, high = np.quantile(known, [0.025, 0.975])
    return {"value": float(value), "low": float(low), "high": float(high)}
