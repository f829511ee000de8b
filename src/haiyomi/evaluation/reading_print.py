"""Tables for a person, made from the results JSON of a reading evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from haiyomi.evaluation.dealin_print import Table
from haiyomi.evaluation.reading_tables import (
    AGREEMENT_BAR,
    BITS_BAR,
    CALIBRATION_BAR,
    RIICHI_BAR,
    SHANTEN_BAR,
)


def _estimate(e: dict[str, float]) -> str:
    return f"{e['value']:.4f} [{e['low']:.4f}, {e['high']:.4f}]"


def _said(reached: bool) -> str:
    return "reached" if reached else "NOT reached"


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """The tables of ``results_json``, in reading order. The bars stand only beside the test
    split, for which they were set."""
    barred = results.get("split", results["records"]) == "test"
    agreement = results["agreement"]
    groups = list(agreement)
    ours = agreement["all"]["by"]["chain best"]["value"]
    riichi = agreement["riichi"]["by"]["chain best"]["value"] if "riichi" in groups else None
    bar = f" (bar {AGREEMENT_BAR:.3f} for all {_said(ours >= AGREEMENT_BAR)}"
    if riichi is not None:
        bar += f", {RIICHI_BAR:.2f} against riichi {_said(riichi >= RIICHI_BAR)}"
    yield (
        f"Hand agreement{f'{bar})' if barred else ''}",
        ["hand named by", *(f"{g} (n {agreement[g]['n']:,})" for g in groups)],
        [
            [name, *(_estimate(agreement[g]["by"][name]) for g in groups)]
            for name in agreement["all"]["by"]
        ],
    )
    loss = results["bits"]
    best = loss["all"]["by"]["chain"]["value"]
    yield (
        "Count log loss, bits a kind"
        + (f" (bar {BITS_BAR:.3f} {_said(best <= BITS_BAR)})" if barred else ""),
        ["model", *(f"{g} (n {loss[g]['n']:,})" for g in groups)],
        [[name, *(_estimate(loss[g]["by"][name]) for g in groups)] for name in loss["all"]["by"]],
    )
    turn = results["agreement_by_turn"]
    names = ("random", "unseen roulette", "unseen best", "nemoto-d roulette", "nemoto-d best",
             "chain best")  # fmt: skip
    yield (
        "Hand agreement by turn",
        ["turn", "n", *names],
        [
            [str(t), f"{turn['n'][i]:,}", *(f"{turn['by'][m][i]:.3f}" for m in names)]
            for i, t in enumerate(turn["turn"])
        ],
    )
    away = results["shanten"]
    gap = away["difference"]
    yield (
        f"Mean shanten by turn (worst of turns 3 to 15 {away['worst']:.3f}"
        + (f", bar {SHANTEN_BAR:.2f} {_said(away['worst'] <= SHANTEN_BAR)})" if barred else ")"),
        ["turn", "n", *away["by"], "chain - truth"],
        [
            [
                str(t),
                f"{away['n'][i]:,}",
                *(f"{away['by'][m][i]:.2f}" for m in away["by"]),
                f"{gap[i]['value']:+.3f} [{gap[i]['low']:+.3f}, {gap[i]['high']:+.3f}]",
            ]
            for i, t in enumerate(away["turn"])
        ],
    )
    for name in ("chain", "nemoto-d"):
        table = results["calibration"][name]
        verdict = f" (bar {CALIBRATION_BAR:.1%} {_said(table['worst'] <= CALIBRATION_BAR)})"
        yield (
            f"P(holds at least one), {name}: worst bin {table['worst']:.2%} off"
            + (verdict if name == "chain" and barred else ""),
            ["bin", "n", "predicted", "observed", "95%"],
            [
                [
                    f"{b['low']:.0%} - {b['high']:.0%}",
                    f"{b['n']:,}",
                    f"{b['predicted']:.2%}",
                    f"{b['observed']:.2%}",
                    f"[{b['interval'][0]:.2%}, {b['interval'][1]:.2%}]",
                ]
                for b in table["bins"]
            ],
        )


def summary(results: dict[str, Any]) -> str:
    """One line: what was asked, and how long a decision takes."""
    spent = ", ".join(
        f"{name} {ms:.2f} ms" for name, ms in results["ms_a_decision"].items() if ms is not None
    )
    return (
        f"{results['model']} on {results['records']}: {results['games']} games, "
        f"{results['decisions']:,} decisions, {results['rows']:,} rows; marginals of three "
        f"opponents, in batches: {spent}"
    )
