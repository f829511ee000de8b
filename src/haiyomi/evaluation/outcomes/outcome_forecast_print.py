"""The tables of ``evaluate forecast``, from its results JSON."""

from __future__ import annotations

from typing import Any

from haiyomi.evaluation.metrics import by_game
from haiyomi.evaluation.report import Cell, Figure, Report, Scope

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
        _tops(results, scope),
        _tenths(results, scope),
        *([_given_up(results, scope), _levels(results, scope)] if results["given_up"] else []),
        *([_placement(results, scope)] if results.get("placement") else []),
        *([_players(results["players"], scope)] if results.get("players") else []),
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


def _tops(results: dict[str, Any], scope: Scope) -> Report:
    """Observed over predicted in the top twentieth, where the interval excludes 1."""
    every = [(part, e) for part, found in results["parts"].items() for e in found if e["n"]]
    rows = [
        (part, e["ending"], e["n"], Figure.of(e, ".2f"))
        for part, e in every
        if e["low"] is not None and not e["low"] <= 1 <= e["high"]
    ]
    title = f"Observed / predicted in the top twentieth: {len(rows)} of {len(every)} exclude 1"
    return Report(title, ("decisions", "ending", "n", "ratio"), tuple(rows), scope)


def _tenths(results: dict[str, Any], scope: Scope) -> Report:
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


def _given_up(results: dict[str, Any], scope: Scope) -> Report:
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


def _placement(results: dict[str, Any], scope: Scope) -> Report:
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


def _players(found: dict[str, Any], scope: Scope) -> Report:
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


def _levels(results: dict[str, Any], scope: Scope) -> Report:
    """What is given up per decision at tables of each level, in the same positions."""
    rows = [
        (level, r["n"], Figure.of(r, ",.1f")) for level, r in results["given_up"]["levels"].items()
    ]
    title = "Given up a decision by level of the table or by player, points, positions matched"
    return Report(title, ("tables or player", "n", "given up"), tuple(rows), scope)
