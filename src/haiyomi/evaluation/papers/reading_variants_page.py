"""The table of settings that Nemoto's paper does not publish."""

from __future__ import annotations

from typing import Any

from haiyomi.evaluation.papers.reproduction_page import table
from haiyomi.evaluation.report import Cell, Figure, Report, Scope

Json = dict[str, Any]


def variants_section(results: Json) -> list[str]:
    """Lines of Markdown, from a heading of the second level on."""
    rows: list[tuple[Cell, ...]] = [
        (
            r["name"],
            r["positions"],
            r["strings"],
            r["iterations"],
            Figure(r["tiles"], ".2f"),
            Figure.of(r["roulette"], ".1%"),
            Figure.of(r["raw"], ".2%"),
            Figure(r["random"]["value"], ".1%"),
        )
        for r in results["rows"]
    ]
    heads = ("sequences", "feature strings", "iterations", "tiles", "roulette", "raw labels",
             "random hand")  # fmt: skip
    return [
        "## What the unpublished settings are worth",
        "",
        *table(
            "One setting is changed at a time, from a CRF of 2,000 positions without dummies, "
            "which is quicker to fit than the paper's 6,039. Compare settings that need a fit of "
            "their own with the row *stopped after 40 iterations*, and the last rows with *761 "
            "positions, to convergence*: the least positions of Table 3, where the paper has "
            "4,374 feature strings and 7.22% by the raw labels. These 761 positions are another "
            "draw than those of Table 3 above; the draw alone moves the raw labels as much as a "
            "setting does. Near 6,039 positions the paper "
            "has 1.35% to 1.59% by the raw labels. It has 41.3% by the roulette without dummies, "
            "31.5% of a random hand, and 12.55 concealed tiles a position.",
            Report(
                "", ("setting", *heads), tuple(rows),
                Scope(None, f"{results['rows'][0]['test']:,} test positions each",
                      "95%, bootstrap by game"),
            ),
        ),
    ]  # fmt: skip
