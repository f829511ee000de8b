"""The corrections of the forecast, compared with records: what is expected of the decisions that
each is made for, and what came.

The networks of options are off where the rules, the winning tiles or a risk decide. The forecast
corrects that by numbers that were measured once (``outcomes.forecast``, ``last_draws``,
``rare_wins``, ``steps_back``, ``tenpai_wins``, ``tenpai_worth``). After a new fit of a network this
says whether they still hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from haiyomi.evaluation.metrics import by_game, mean_estimate
from haiyomi.evaluation.networks_used import shipped_networks
from haiyomi.evaluation.outcomes.correction_lines import LABELS, lines_of
from haiyomi.evaluation.outcomes.correction_rows import CorrectionRows
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.seeds import generator


def correction_results(found: Sequence[CorrectionRows], what: str) -> dict[str, Any]:
    """The results JSON: of each line what is expected, and what came with its 95% interval by
    bootstrap of games."""
    rows = CorrectionRows.join(found)
    game = np.repeat(np.arange(len(found)), [len(part) for part in found])
    lines = []
    for line in lines_of(rows):
        came = mean_estimate(line.came, game[line.rows], generator(1))
        lines.append({
            "correction": line.correction,
            "decisions": line.of,
            "what": line.what,
            "n": len(line.rows),
            "expected": float(line.expected.mean()),
            "came": came.to_json(),
        })  # fmt: skip
    return {
        "schema": "haiyomi-corrections",
        "version": 1,
        "records": what,
        "networks": shipped_networks(),
        "games": len(found),
        "interval": by_game(len(found)),
        "lines": lines,
    }


def reports(results: dict[str, Any]) -> list[Report]:
    """The table of results JSON."""
    rows = []
    for line in results["lines"]:
        unit = ",.0f" if "points" in line["what"] else ".2%"
        rows.append((
            LABELS[line["correction"]], line["decisions"], line["what"], Figure(line["n"]),
            Figure(line["expected"], unit), Figure.of(line["came"], unit),
        ))  # fmt: skip
    columns = ("correction", "decisions", "what", "n", "expected", "came")
    return [Report("Corrections of the forecast", columns, tuple(rows), Scope.of(results))]


def outside(results: dict[str, Any]) -> list[str]:
    """The lines of results JSON whose interval leaves out what is expected. An interval of width
    zero leaves out nothing: the same came in every game that was drawn."""
    return [
        f"{line['decisions']}: {line['what']}"
        for line in results["lines"]
        if (low := line["came"]["low"]) is not None
        and low < (high := line["came"]["high"])
        and not low <= line["expected"] <= high
    ]
