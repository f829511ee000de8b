"""The tables of ``evaluate outcomes``, from its results JSON."""

from __future__ import annotations

from typing import Any

from haiyomi.evaluation.metrics import by_game
from haiyomi.evaluation.report import Figure, Report, Scope


def reports(results: dict[str, Any]) -> list[Report]:
    """What the trees reach, the change of score by decile, and the endings."""
    scope = Scope(results["valid"]["games"], results["what"], by_game(results["valid"]["games"]))
    binary = [
        (
            name,
            score["n"],
            Figure(score["rate"], ".1%"),
            Figure(score["constant"], ".4f"),
            Figure.of(score["log_loss"], ".4f"),
            Figure.of(score["skill"], ".1%"),
            Figure.of(score["auc"], ".3f"),
        )
        for name, score in results["binary"].items()
        if score is not None
    ]
    change = [(name, r["n"], Figure.of(r, ".3f")) for name, r in results["change"].items()]
    deciles = [
        (
            str(number),
            b["n"],
            Figure(b["predicted"], ",.0f"),
            Figure(b["observed"], ",.0f", b["low"], b["high"]),
        )
        for number, b in enumerate(results["change_deciles"], 1)
    ]
    endings = [
        (
            e["ending"],
            Figure(e["train"], ".2%"),
            Figure(e["valid"], ".2%"),
            Figure(e["points"], ",.0f"),
            Figure(e["spread"], ",.0f"),
        )
        for e in results["endings"]
    ]
    return [
        Report(
            "Boosted trees on summary numbers",
            ("what", "n", "rate", "log loss of the constant", "log loss", "skill", "AUC"),
            tuple(binary),
            scope,
        ),
        Report("R2 of the change of score", ("decisions", "n", "R2"), tuple(change), scope),
        Report(
            "Change of score by tenth of the prediction, points",
            ("tenth", "n", "predicted", "observed"),
            tuple(deciles),
            scope,
        ),
        Report(
            "Endings",
            (
                "ending",
                "share of train",
                "share of valid",
                "mean change, points",
                "standard deviation, points",
            ),
            tuple(endings),
            Scope(interval="change of score on train"),
        ),
    ]
