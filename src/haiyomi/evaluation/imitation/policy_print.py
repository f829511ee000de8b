"""The tables of an evaluation of the imitation, made from its results JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from haiyomi.evaluation.metrics import by_game
from haiyomi.evaluation.report import Cell, Figure, Report, Scope


def reports(results: dict[str, Any]) -> Iterator[Report]:
    """The tables of ``results_json``, in reading order."""
    scope = Scope(results["games"], results["what"], by_game(results["games"]))
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
    if "choices_by_table" in results:
        yield _choices_by_table(results["choices_by_table"], scope)
    if "against" in results:
        yield from _against(results["against"], scope)
    if "forgets" in results:
        yield Report(
            "What remembering which discards were tedashi is worth",
            ("discards", "n", "top-1", "top-3", "nats saved"),
            (("all", results["forgets"]["n"], *_gains(results["forgets"])),),
            scope,
        )
    if "styles" in results:
        yield _styles(results["styles"], scope)
    if results.get("programs"):
        yield _programs(results["programs"], scope)


def _choices_by_table(tables: dict[str, Any], scope: Scope) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (f"{table}: {name}", s["n"], Figure(s["rate"], ".1%"), Figure.of(s["auc"], ".4f"))
        for table, choices in tables.items()
        for name, s in choices.items()
        if name in BY_TABLE
    ]
    return Report("Choices by table", ("choice", "n", "chosen", "AUC"), tuple(rows), scope)


BY_TABLE: Final = ("riichi", "chi", "pon")


def _against(found: dict[str, Any], scope: Scope) -> Iterator[Report]:
    rows: list[tuple[Cell, ...]] = [
        (name, s["n"], *_gains(s)) for name, s in found["discards"].items() if s["n"]
    ]
    columns = ("discards", "n", "top-1", "top-3", "nats saved")
    yield Report("Gains over the other policy", columns, tuple(rows), scope)
    auc = ((name, Figure.of(e, "+.4f")) for name, e in found["choices"].items())
    yield Report("Gains in AUC over the other policy", ("choice", "AUC"), tuple(auc), scope)


def _gains(found: dict[str, Any]) -> tuple[Figure, ...]:
    return tuple(Figure.of(found[of], "+.4f") for of in ("top1", "top3", "nats"))


def _styles(found: dict[str, Any], scope: Scope) -> Report:
    return Report(
        f"Gain of the own style vector, of players with {found['least_games']} games in train",
        ("players", "with a gain", "decisions", "nats saved", "top-1"),
        (
            (
                str(found["players"]), found["better"], found["n"],
                Figure.of(found["nats"], "+.4f"), Figure.of(found["top1"], "+.4f"),
            ),
        ),
        scope,
    )  # fmt: skip


def _programs(found: dict[str, Any], scope: Scope) -> Report:
    missing = {"value": None}
    rows: list[tuple[Cell, ...]] = [
        (
            label, s["games"], s["n"],
            *(Figure.of(s.get(of, missing), ".4f") for of in ("top1", "own", "others")),
        )
        for label, s in found.items()
    ]  # fmt: skip
    columns = ("player", "games", "discards", "top-1", "with the own vector", "others there")
    return Report("Agreement with single players", columns, tuple(rows), scope)
