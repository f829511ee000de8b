"""The tables of an evaluation of hidden hands, made from its results JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from haiyomi.evaluation.report import Figure, Report, Scope


def reports(results: dict[str, Any]) -> Iterator[Report]:
    """The tables of ``results_json``, in reading order."""
    scope = Scope.of(results)
    for title, first, table in (
        ("Hand agreement", "hand named by", results["agreement"]),
        ("Count log loss, bits a kind", "model", results["bits"]),
    ):
        columns = (first, *(f"{group} (n {table[group]['n']:,})" for group in table))
        rows = tuple(
            (name, *(Figure.of(table[group]["by"][name], ".4f") for group in table))
            for name in table["all"]["by"]
        )
        yield Report(title, columns, rows, scope)
    turn = results["agreement_by_turn"]
    names = ("random", "unseen roulette", "unseen best", "nemoto-d roulette", "nemoto-d best",
             "counts best")  # fmt: skip
    yield Report(
        "Hand agreement by turn",
        ("turn", "n", *names),
        tuple(
            (str(t), turn["n"][i], *(Figure(turn["by"][m][i], ".3f") for m in names))
            for i, t in enumerate(turn["turn"])
        ),
        Scope(scope.games, scope.split),
    )
    away = results["shanten"]
    yield Report(
        f"Mean shanten by turn, largest difference of turns 3 to 15 {away['worst']:.3f}",
        ("turn", "n", *away["by"], "counts - truth"),
        tuple(
            (
                str(t),
                away["n"][i],
                *(Figure(away["by"][m][i], ".2f") for m in away["by"]),
                Figure.of(away["difference"][i], "+.3f"),
            )
            for i, t in enumerate(away["turn"])
        ),
        scope,
    )
    for name in ("counts", "nemoto-d"):
        table = results["calibration"][name]
        yield Report(
            f"P(holds at least one), {name}, largest difference of a bin {table['worst']:.2%}",
            ("bin", "n", "predicted", "observed"),
            tuple(
                (
                    f"{b['low']:.0%} - {b['high']:.0%}",
                    b["n"],
                    Figure(b["predicted"], ".2%"),
                    Figure(b["observed"], ".2%", *b["interval"]),
                )
                for b in table["bins"]
            ),
            scope,
        )


def summary(results: dict[str, Any]) -> str:
    """One line: what was evaluated, and how long a decision takes."""
    spent = ", ".join(
        f"{name} {ms:.2f} ms" for name, ms in results["ms_a_decision"].items() if ms is not None
    )
    return (
        f"{results['model']} on {results['records']}: {results['games']} games, "
        f"{results['decisions']:,} decisions, {results['rows']:,} rows; marginals of three "
        f"opponents, in batches: {spent}"
    )
