"""A forecast of outcomes against records: each ending, the change of score, and their calibration.

Decisions are a fixed share of all, drawn by a hash of their place. Intervals are by game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.evaluation.metrics import (
    binned_means,
    by_game,
    ratio_estimate,
    score_json,
)
from haiyomi.evaluation.outcomes.given_up import GivenUp, given_up_results
from haiyomi.evaluation.outcomes.option_placement import Placed, placement_results, player_results
from haiyomi.evaluation.outcomes.outcome_baselines import LATE_DRAWS, labels_of, squared_skill
from haiyomi.evaluation.report import Cell, Figure, Report, Scope
from haiyomi.game.decision_record import RIICHI, Decisions
from haiyomi.game.observation import NONE, open_melds
from haiyomi.networks.network import Network
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.state import state_endings, state_logits
from haiyomi.seeds import generator
from haiyomi.training.outcome_rows import OutcomeRows

SEED: Final = 23
TENTHS: Final = 10
TOP: Final = 20
"""In the top twentieth of a prediction, the predicted rate is compared with the observed one."""
LEAST: Final = 400
"""Rows below which a part of the decisions is not measured."""
_MIDDLE_DRAWS: Final = 47
_BATCH: Final = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Of n decisions: ``p`` (n, 14) of each ``Ending``, ``points`` (n, 14) the mean change of the
    own score then, ``later`` (n,) P of a deal-in with a later tile, and what choices ``given`` up
    and where games were ``placed``, where options were compared."""

    p: Floats
    points: Floats
    later: Floats
    given: GivenUp | None = None
    placed: Placed | None = None

    @property
    def change(self) -> Floats:
        """(n,) the expected change of the own score."""
        out: Floats = (self.p * self.points).sum(axis=1)
        return out


def state_forecasts(network: Network, rows: Decisions) -> Forecasts:
    """The forecast of decision records before the choice: a deal-in with the tile that is discarded
    now counts as a deal-in like a later one. Raises ModelError for a network without state
    heads."""
    found = [
        state_endings(part, state_logits(network, part).probabilities())
        for part in np.array_split(rows, max(1, len(rows) // _BATCH))
    ]
    p, points = (np.concatenate(each) for each in zip(*found, strict=True))
    return Forecasts(p, points, p[:, Ending.DEAL_IN_RIGHT : Ending.DEAL_IN_LEFT + 1].sum(axis=1))


def forecast_results(rows: OutcomeRows, found: Forecasts, what: str, model: str) -> dict[str, Any]:
    """The results JSON of a forecast of ``rows``."""
    game = rows.labels["game"]
    late = rows.decisions["observation"]["draws_left"] < LATE_DRAWS
    wins = found.p[:, [Ending.TSUMO, Ending.RON]].sum(axis=1)
    tsumo = found.p[:, Ending.TSUMO_RIGHT : Ending.TSUMO_LEFT + 1].sum(axis=1)
    predicted = {"win": wins, "later deal-in": found.later, "tsumo of another": tsumo}
    known = labels_of(rows)
    everyone = np.ones(len(rows), np.bool_)
    return {
        "what": what,
        "model": model,
        "games": len(np.unique(game)),
        "decisions": len(rows),
        "binary": {
            name: score_json(p, known[name], game, generator(SEED)) for name, p in predicted.items()
        },
        "change": {
            name: squared_skill(
                found.change[part], came := rows.change[part], came.mean(), game[part]
            )
            for name, part in (("all", everyone), ("fewer than 24 draws left", late))
        },
        "endings": [_ending(rows, found, ending) for ending in Ending],
        "parts": {
            name: [_top(rows, found, ending, mask) for ending in Ending]
            for name, mask in groups_of(rows).items()
        },
        "tenths": {
            name: _tenths(found.change[mask], rows.change[mask], game[mask])
            for name, mask in {"all": everyone, **kinds_of(rows)}.items()
            if mask.sum() >= LEAST
        },
        "given_up": None
        if found.given is None
        else given_up_results(found.given, rows.change, game, _strata(rows)),
        "placement": None if found.placed is None else placement_results(found.placed, game),
        "players": None
        if found.placed is None or found.given is None
        else player_results(found.placed, found.given.lost, game),
    }


def groups_of(rows: OutcomeRows) -> dict[str, Bools]:
    """The parts of the decisions in which calibration is measured, by name."""
    seen = rows.decisions["observation"]
    others = seen["players"][:, 1:]
    riichi = (others["riichi"] >= 0).any(axis=1)
    melds = (open_melds(others) > 0).any(axis=1) & ~riichi
    left = seen["draws_left"]
    return {
        "all": np.ones(len(rows), np.bool_),
        "riichi": riichi,
        "melds": melds,
        "closed": ~riichi & ~melds,
        "first third": left >= _MIDDLE_DRAWS,
        "second third": (left >= LATE_DRAWS) & (left < _MIDDLE_DRAWS),
        "last third": left < LATE_DRAWS,
        "dealer": seen["dealer"] == 0,
        "South 4": seen["kyoku"] == 7,
        "East-only": seen["rounds"] == 1,
        "hanchan": seen["rounds"] == 2,
    }


def kinds_of(rows: OutcomeRows) -> dict[str, Bools]:
    """The kinds of decisions whose change of score is measured by tenths, by what was chosen."""
    decisions = rows.decisions
    choice = rows.labels["choice"]
    own = decisions["from"] == NONE
    riichi = own & (choice["chosen"] >> RIICHI & 1 != 0)
    declined = own & (decisions["legal"] >> RIICHI & 1 != 0) & ~riichi
    return {
        "discards": own & ~riichi & ~declined,
        "calls and passes": ~own,
        "riichi": riichi,
        "damaten": declined,
    }


def _ending(rows: OutcomeRows, found: Forecasts, ending: Ending) -> dict[str, Any]:
    """How well one ending is predicted, and its points."""
    ended = rows.ending == ending
    change = rows.change[ended]
    weight = found.p[:, ending]
    points = (weight * found.points[:, ending]).sum() / max(float(weight.sum()), 1e-9)
    return {
        "ending": ending.text,
        "score": score_json(weight, ended, rows.labels["game"], generator(SEED)),
        "points": float(points),
        "observed": float(change.mean()) if len(change) else None,
    }


def _top(rows: OutcomeRows, found: Forecasts, ending: Ending, mask: Bools) -> dict[str, Any]:
    """Observed over predicted in the top twentieth of the predictions."""
    n = int(mask.sum())
    if n < LEAST:
        return {"ending": ending.text, "n": 0}
    p = found.p[mask, ending]
    top = np.argsort(-p, kind="stable")[: n // TOP]
    ended = (rows.ending[mask] == ending)[top].astype(np.float64)
    game = rows.labels["game"][mask][top]
    ratio = ratio_estimate(ended, p[top], game, generator(SEED))
    return {"ending": ending.text, "n": len(top), "rate": float(ended.mean()), **ratio.to_json()}


def _tenths(predicted: Floats, change: Floats, game: NDArray[Any]) -> list[dict[str, Any]]:
    """Ten bins of equal count of the predicted change: predicted less observed, in points."""
    bins = binned_means(predicted, predicted - change, game, TENTHS, generator(SEED))
    return [
        {"n": len(part), "predicted": float(predicted[part].mean()), **excess.to_json()}
        for part, excess in bins
    ]


def _strata(rows: OutcomeRows) -> Ints:
    """(n,) the sort of position: own turn or another's tile, third of the hand, threat, dealer,
    length of the game."""
    parts = groups_of(rows)
    out: Ints = (rows.decisions["from"] == NONE).astype(np.int64)
    for name in ("second third", "last third", "riichi", "melds", "dealer", "East-only"):
        out = 2 * out + parts[name].astype(np.int64)
    return out


TOLERANCE = 100
"""Points that a tenth may be off by in any case."""


def reports(results: dict[str, Any]) -> list[Report]:
    """Win, later deal-in and others' tsumo; the change of score; the endings; calibration."""
    scope = Scope(results["games"], results["what"], by_game(results["games"]))
    binary = [(name, *_scored(score)) for name, score in results["binary"].items() if score]
    change = [(name, r["n"], Figure.of(r, ".3f")) for name, r in results["change"].items()]
    endings = [
        (e["ending"], *_scored(e["score"]), Figure(e["points"], ",.0f"), _points(e["observed"]))
        for e in results["endings"]
        if e["score"]
    ]
    head = ("n", "rate", "log loss", "skill", "AUC")
    return [
        Report(f"Forecast of outcomes: {results['model']}", ("what", *head), tuple(binary), scope),
        Report("R2 of the change of score", ("decisions", "n", "R2"), tuple(change), scope),
        Report(
            "Endings",
            ("ending", *head, "change, points", "observed, points"),
            tuple(endings),
            scope,
        ),
        _tops_report(results, scope),
        _tenths_report(results, scope),
        *(
            [_given_up_report(results, scope), _levels_report(results, scope)]
            if results["given_up"]
            else []
        ),
        *([_placement_report(results, scope)] if results.get("placement") else []),
        *([_players_report(results["players"], scope)] if results.get("players") else []),
    ]


def _scored(score: dict[str, Any]) -> tuple[Cell, ...]:
    return (
        score["n"],
        Figure(score["rate"], ".1%"),
        Figure.of(score["log_loss"], ".4f"),
        Figure.of(score["skill"], ".1%"),
        Figure.of(score["auc"], ".3f"),
    )


def _points(value: float | None) -> Cell:
    return "-" if value is None else Figure(value, ",.0f")


def _tops_report(results: dict[str, Any], scope: Scope) -> Report:
    """Observed over predicted in the top twentieth, where the interval excludes 1."""
    every = [(part, e) for part, found in results["parts"].items() for e in found if e["n"]]
    rows = [
        (part, e["ending"], e["n"], Figure.of(e, ".2f"))
        for part, e in every
        if e["low"] is not None and not e["low"] <= 1 <= e["high"]
    ]
    title = f"Observed / predicted in the top twentieth: {len(rows)} of {len(every)} exclude 1"
    return Report(title, ("decisions", "ending", "n", "ratio"), tuple(rows), scope)


def _tenths_report(results: dict[str, Any], scope: Scope) -> Report:
    """Forecast less observed by tenth of the forecast."""
    rows = [
        (
            kind,
            number,
            b["n"],
            Figure(b["predicted"], ",.0f"),
            Figure.of(b, ",.0f"),
        )
        for kind, tenths in results["tenths"].items()
        for number, b in enumerate(tenths, 1)
    ]
    kinds = [b for kind, tenths in results["tenths"].items() if kind != "all" for b in tenths]
    known = [b for b in kinds if b["low"] is not None]
    off = sum(abs(b["value"]) > max(TOLERANCE, (b["high"] - b["low"]) / 2) for b in known)
    title = (
        f"Change of score by tenth of the forecast, points: {off} of {len(kinds)} tenths of kinds "
        f"are off by more than {TOLERANCE} points and more than half the width of their interval"
    )
    return Report(
        title, ("decisions", "tenth", "n", "forecast", "forecast - observed"), tuple(rows), scope
    )


def _given_up_report(results: dict[str, Any], scope: Scope) -> Report:
    """What choices gave up by the forecast, and what came: over all options, over those that a
    tenth of players choose, and by kind."""
    found = results["given_up"]
    parts = {"all": found["bands"], "usual options": found["usual"], **found["kinds"]}
    rows = [
        (
            name,
            "less than 100" if b["from"] is None else f"from {b['from']:.0f}",
            b["n"],
            Figure(b["given_up"], ",.0f"),
            Figure.of(b, ",.0f"),
        )
        for name, bands in parts.items()
        for b in bands
    ]
    head = ("choices", "given up", "n", "forecast", "realised")
    return Report("What choices gave up, points (cross-fitted)", head, tuple(rows), scope)


def _placement_report(results: dict[str, Any], scope: Scope) -> Report:
    """The final place by the option that was chosen, and at the start of the hand."""
    rows = [
        (
            r["hand"],
            r["n"],
            Figure.of(r["log_loss"], ".4f"),
            Figure.of(r["gain"], "+.4f"),
        )
        for r in results["placement"]
    ]
    title = "Log loss of the final place, and how much lower it is than at the start of the hand"
    return Report(title, ("hand", "n", "log loss", "lower by"), tuple(rows), scope)


def _players_report(found: dict[str, Any], scope: Scope) -> Report:
    """What players give up a decision."""
    row = (
        found["players"],
        Figure(found["mean"], ",.1f"),
        Figure(found["spread"], ",.1f"),
        Figure.of(found["reliability"], ".2f"),
        Figure.of(found["with_place"], ".2f"),
    )
    title = f"Given up a decision by players of at least {found['games']} games, points"
    head = ("players", "mean", "standard deviation", "reliability", "correlation with mean place")
    return Report(title, head, (row,), Scope(scope.games, scope.split, "95%, bootstrap by player"))


def _levels_report(results: dict[str, Any], scope: Scope) -> Report:
    """What is given up per decision at tables of each level, in the same positions."""
    rows = [
        (level, r["n"], Figure.of(r, ",.1f")) for level, r in results["given_up"]["levels"].items()
    ]
    title = "Given up a decision by level of the table or by player, points, positions matched"
    return Report(title, ("tables or player", "n", "given up"), tuple(rows), scope)
