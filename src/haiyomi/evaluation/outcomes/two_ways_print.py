"""The comparison of the two values of options as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haiyomi.evaluation.report import Figure, Report, Scope


def reports(results: Mapping[str, Any]) -> tuple[Report, Report, Report]:
    """Of results JSON (``two_ways.agreement_results``): the agreement, how far differences are
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
