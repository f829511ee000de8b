"""The tables of an evaluation of the imitation, made from its results JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from haiyomi.evaluation.report import Cell, Figure, Report, Scope


def reports(results: dict[str, Any]) -> Iterator[Report]:
    """The tables of ``results_json``, in reading order."""
    interval = "95%, bootstrap by game" if results["games"] > 1 else "a game has no interval"
    scope = Scope(results["games"], results["what"], interval)
    rows: list[tuple[Cell, ...]] = [
        (name, s["n"], *(Figure.of(s[of], ".4f") for of in ("top1", "top3", "nats")))
        for name, s in results["discards"].items()
        if s["n"]
    ]
    if results["discard_just_drawn"] is not None:
        drawn = Figure(results["discard_just_drawn"], ".4f")
        rows.append(("the tile just drawn", "", drawn, "", ""))
    columns = ("discards", "n", "top-1", "top-3", "cross-entropy, nats")
    yield Report(f"Discards, of {results['rows']:,} decisions", columns, tuple(rows), scope)
    yield Report(
        "Other choices",
        ("choice", "n", "chosen", "accuracy", "accuracy of the commoner answer", "AUC", "log loss",
         "log loss of the constant"),
        tuple(
            (
                name, s["n"], Figure(s["rate"], ".1%"), Figure.of(s["accuracy"], ".4f"),
                Figure(s["base_accuracy"], ".3f"), Figure.of(s["auc"], ".4f"),
                Figure(s["log_loss"]["value"], ".4f"), Figure(s["constant"], ".4f"),
            )
            for name, s in results["choices"].items()
        ),
        scope,
    )  # fmt: skip
    gains = results.get("style_gains")
    if gains and gains["players"]:
        yield _style_gains(gains, scope)


def _style_gains(gains: dict[str, Any], scope: Scope) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (
            str(number), p["games_before"], p["games"], p["n"],
            Figure(p["pooled"], ".4f"), Figure(p["gain"], "+.4f", p["low"], p["high"]),
        )
        for number, p in enumerate(gains["players"], 1)
    ]  # fmt: skip
    gain = Figure.of(gains["gain"], "+.4f")
    rows.append(("all", "", "", gains["n"], Figure(gains["pooled"], ".4f"), gain))
    others = {f"by {name}": e for name, e in gains["by"].items()}
    others["discards alone"] = gains["discard_gain"]
    rows += [(name, "", "", "", "", Figure.of(e, "+.4f")) for name, e in others.items()]
    better, players = gains["better"], len(gains["players"])
    return Report(
        "Gain in log loss by the player's style vector, nats a decision; positive for "
        f"{better} of {players} players",
        ("player", "games before", "games held out", "n", "pooled", "gain"),
        tuple(rows),
        scope,
    )
