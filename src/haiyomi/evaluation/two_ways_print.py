"""The comparison of the two values of options as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haiyomi.evaluation.report import Figure, Report, Scope


def reports(results: Mapping[str, Any]) -> tuple[Report, Report]:
    """Of results JSON (``two_ways.agreement_results``): the agreement, and the gain of a policy
    that follows the forecast."""
    settings = results["settings"]
    who = "the policy" if settings["policy"] else "the rollout network"
    agreement = Report(
        f"Forecast and playing on: differences of options, {settings['worlds']} worlds by {who}",
        ("decisions", "n", "options", "slope", "correlation", "forecast", "played on"),
        tuple(
            (
                group["group"],
                Figure(group["decisions"]),
                Figure(group["options"]),
                Figure.of(group["slope"], ".2f"),
                Figure.of(group["correlation"], ".2f"),
                Figure(group["forecast_spread"], ",.0f"),
                Figure(group["played_spread"], ",.0f"),
            )
            for group in results["groups"]
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
    return agreement, gains
