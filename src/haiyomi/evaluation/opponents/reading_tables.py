"""Rows of predicted hands become results JSON, and that becomes printed tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import haiyomi
from haiyomi.arrays import Bools
from haiyomi.counted import counted
from haiyomi.evaluation.metrics import by_game, finite, mean_estimate, ratio_estimate
from haiyomi.evaluation.opponents.reading_predictions import (
    BINS,
    DRAWN,
    JUDGED,
    MISSING,
    NAMED,
    SEED,
    TIMED,
    PredictedHands,
)
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.json_types import KnownJson
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.seeds import generator

TURNS = range(1, 19)
CHECKED_TURNS = range(3, 16)


def results_json(
    rows: PredictedHands, model: str, what: str, split: str | None = None
) -> KnownJson:
    """The tables of an evaluation; ``split`` where it is one of the corpus."""
    decisions = len(rows) // 3
    return {
        "experiment": "evaluate reading",
        "haiyomi": haiyomi.__version__,
        "model": model,
        "records": what,
        "split": split,
        "games": len(rows.games),
        "decisions": decisions,
        "rows": len(rows),
        "skipped": [list(s) for s in rows.skipped],
        "interval": by_game(len(rows.games)),
        "seed": SEED,
        "agreement": agreement(rows),
        "agreement_by_turn": agreement_by_turn(rows),
        "bits": bits(rows),
        "shanten": shanten_by_turn(rows),
        "calibration": calibration(rows),
        "ms_a_decision": {
            name: 1000 * spent / decisions if decisions else None
            for name, spent in zip(TIMED, rows.seconds.sum(axis=0).tolist(), strict=True)
        },
    }


def _groups(rows: PredictedHands) -> dict[str, Bools]:
    """Rows of all opponents and of each state that has some."""
    groups = {"all": np.ones(len(rows.game), np.bool_)}
    for i, name in enumerate(CLASSES):
        groups[name] = rows.state == i
    return {name: here for name, here in groups.items() if here.any()}


def agreement(rows: PredictedHands) -> KnownJson:
    """By group of opponents and way to name a hand: agreement with its interval."""
    out: KnownJson = {}
    for group, here in _groups(rows).items():
        tiles = rows.tiles[here].astype(np.float64)
        out[group] = {"n": int(here.sum()), "tiles": int(tiles.sum()), "by": {}}
        for j, name in enumerate(NAMED):
            rng = generator(SEED, 1)
            right = rows.right[here, j].astype(np.float64)
            out[group]["by"][name] = ratio_estimate(right, tiles, rows.game[here], rng).to_json()
    return out


def agreement_by_turn(rows: PredictedHands) -> KnownJson:
    """Agreement of each way by the decider's turn."""
    out: KnownJson = {"turn": [], "n": [], "by": {name: [] for name in NAMED}}
    for turn in TURNS:
        here = rows.turn == turn
        if not here.any():
            continue
        tiles = int(rows.tiles[here].sum())
        out["turn"].append(turn)
        out["n"].append(int(here.sum()))
        for j, name in enumerate(NAMED):
            out["by"][name].append(int(rows.right[here, j].sum()) / tiles)
    return out


def bits(rows: PredictedHands) -> KnownJson:
    """Count log loss, bits a kind, by group and model."""
    out: KnownJson = {}
    for group, here in _groups(rows).items():
        out[group] = {"n": int(here.sum()), "by": {}}
        for j, name in enumerate(JUDGED):
            rng = generator(SEED, 2)
            loss = mean_estimate(rows.bits[here, j], rows.game[here], rng)
            out[group]["by"][name] = loss.to_json()
    return out


def shanten_by_turn(rows: PredictedHands) -> KnownJson:
    """Mean shanten of true and estimated hands by turn, all opponents, and the worst miss of
    the samples by counts over turns 3 to 15."""
    sample = DRAWN.index("counts")
    sampled = rows.away[:, sample] != MISSING
    out: KnownJson = {"turn": [], "n": [], "by": {name: [] for name in DRAWN}, "difference": []}
    worst = 0.0
    for turn in TURNS:
        here = (rows.turn == turn) & sampled
        if not here.any():
            continue
        away = rows.away[here].astype(np.float64)
        out["turn"].append(turn)
        out["n"].append(int(here.sum()))
        for j, name in enumerate(DRAWN):
            out["by"][name].append(float(away[:, j].mean()))
        rng = generator(SEED, 3)
        gap = away[:, sample] - away[:, DRAWN.index("truth")]
        estimate = mean_estimate(gap, rows.game[here], rng)
        out["difference"].append(estimate.to_json())
        if turn in CHECKED_TURNS:
            worst = max(worst, abs(estimate.value))
    riichi = (rows.state == CLASSES.index("riichi")) & sampled
    out["worst"] = worst
    out["without a sample"] = int((~sampled).sum())
    out["riichi"] = {
        "n": int(riichi.sum()),
        "tenpai": float((rows.away[riichi, sample] == 0).mean()) if riichi.any() else None,
    }
    return out


def calibration(rows: PredictedHands) -> KnownJson:
    """Of all statements "P(holds at least one h) in a 5% bin": mean predicted and observed."""
    out: KnownJson = {}
    for j, name in enumerate(JUDGED):
        table: list[KnownJson] = []
        worst = 0.0
        for b in range(BINS):
            n, p, true = rows.held[:, j, b].sum(axis=0).tolist()
            if n == 0:
                continue
            rng = generator(SEED, 4)
            held = rows.held[:, j, b]
            observed = ratio_estimate(held[:, 2], held[:, 0], np.arange(len(held)), rng)
            table.append(
                {
                    "low": b / BINS,
                    "high": (b + 1) / BINS,
                    "n": int(n),
                    "predicted": p / n,
                    "observed": true / n,
                    "interval": finite([observed.low, observed.high]),
                }
            )
            worst = max(worst, abs(p - true) / n)
        out[name] = {"bins": table, "worst": worst}
    return out


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
        f"{results['model']} on {results['records']}: {counted(results['games'], 'game')}, "
        f"{counted(results['decisions'], 'decision')}, {counted(results['rows'], 'row')}; "
        f"marginals of three opponents, in batches: {spent}"
    )
