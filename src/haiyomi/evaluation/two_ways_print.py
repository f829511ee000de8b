"""The comparison of the two values of options as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haiyomi.evaluation.report import Figure, Report, Scope


def report(results: Mapping[str, Any]) -> Report:
    """Of results JSON (``two_ways.agreement_results``)."""
    settings = results["settings"]
    who = "the policy" if settings["policy"] else "the rollout network"
    return Report(
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
