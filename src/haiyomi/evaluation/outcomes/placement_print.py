"""The tables of ``evaluate placement``, from its results JSON."""

from __future__ import annotations

from typing import Any

from haiyomi.evaluation.metrics import by_game
from haiyomi.evaluation.outcomes.placement_experiment import BASELINES
from haiyomi.evaluation.report import Figure, Report, Scope


def reports(results: dict[str, Any]) -> list[Report]:
    """Log loss by hand, what each baseline loses to it, calibration."""
    scope = Scope(results["games"], results["what"], by_game(results["games"]))
    losses, gains = [], []
    for name, cell in results["cells"].items():
        loss = cell["log_loss"]
        shown = [Figure.of(loss["placement"], ".4f")]
        shown += [Figure(loss[baseline]["value"], ".4f") for baseline in BASELINES]
        losses.append((name, cell["rows"], *shown))
        gains.append((name, *(Figure.of(cell["gain"][b], ".4f") for b in BASELINES)))
    bins = [
        (f"{place}, {number}", b["n"], Figure(b["predicted"], ".1%"), _observed(b))
        for place, of_place in results["calibration"].items()
        for number, b in enumerate(of_place, 1)
    ]
    return [
        Report(
            "Log loss of a seat's final place",
            ("start of", "hands", "placement", *BASELINES),
            tuple(losses),
            scope,
        ),
        Report(
            "Log loss of a baseline less that of the placement model",
            ("start of", *BASELINES),
            tuple(gains),
            scope,
        ),
        Report(
            "Calibration",
            ("place, tenth of its probability", "n", "predicted", "observed"),
            tuple(bins),
            scope,
        ),
    ]


def _observed(b: dict[str, float]) -> Figure:
    return Figure(b["observed"], ".1%", b["low"], b["high"])
