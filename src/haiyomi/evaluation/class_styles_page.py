"""Bots of a class beside its people, from the results JSON of ``reproduce class-styles``."""

from __future__ import annotations

from typing import Any, Final

from haiyomi.evaluation.report import Cell, Figure, Report
from haiyomi.evaluation.reproduced import Item
from haiyomi.evaluation.reproduction_page import table
from haiyomi.styles.statistics import RATES

Json = dict[str, Any]
SHOWN: Final = {f.__name__: f.__name__.removesuffix("_rate").replace("_", "-") for f in RATES}
ACTS: Final = ("riichi", "call")
SETS: Final = ("shipped", "fitted")


def class_styles_section(results: Json) -> list[str]:
    """Lines of Markdown, from a heading of the second level on."""
    d = results["design"]
    players = ", ".join(
        f"{n} `{name}`" for n, name in zip(results["players"], results["people"], strict=True)
    )
    return [
        "## Bots of a class beside its people",
        "",
        *table(
            "Made by `haiyomi reproduce class-styles --corpus CORPUS`. The people are players with "
            f"{d['least']} hanchan or more in train, by the shipped classes: {players}. *Shipped* "
            "is the vector of the shipped policy, the mean of the vectors that its fit learned of "
            f"the class's players. *Fitted* is a vector fitted to {d['learn']:,} chances of riichi "
            f"and {d['learn']:,} of calls of the class's people in train. The share of chances "
            "taken, on valid; 95% intervals by bootstrap over games; the gain is over the pooled "
            "policy, in nats a chance.",
            _chances(results["chances"]),
            f"Rates a hand of bots in {d['games']} games, a pooled bot and one of each class at a "
            "table (Wilson intervals), and of the people in hanchan of valid (by bootstrap over "
            "games):",
            _rates(results),
            _verdict(results),
        ),
    ]


def items(results: Json) -> list[Item]:
    """Whether bots of a class act like its people."""
    return [
        Item(
            "bots of a class act like its people",
            "reproduced" if _outside(results, "fitted") == 0 else "in shape",
            f"rates a hand outside the interval of the difference: {_outside(results, 'shipped')} "
            f"of {_compared(results)} with the shipped vectors, {_outside(results, 'fitted')} with "
            "vectors fitted to the classes' choices",
        )
    ]


def _chances(found: Json) -> Report:
    rows: list[tuple[Cell, ...]] = []
    for name, by_style in found.items():
        pooled = by_style["pooled"]
        cells = [Figure(pooled[act]["observed"], ".1%", *pooled[act]["interval"]) for act in ACTS]
        ns = " + ".join(f"{pooled[act]['n']:,}" for act in ACTS)
        rows.append((f"`{name}`, people", ns, *cells, ""))
        for of, said in by_style.items():
            gain = "" if of == "pooled" else Figure(pooled["nats"] - said["nats"], "+.4f")
            shares = [Figure(said[act]["predicted"], ".1%") for act in ACTS]
            rows.append((f"`{name}`, {of}", "", *shares, gain))
    return Report("", ("class and style", "n", "riichi", "call", "gain"), tuple(rows))


def _rates(results: Json) -> Report:
    def cells(of: Json) -> list[Figure]:
        return [Figure(of[rate]["value"], ".1%", *of[rate]["interval"]) for rate in SHOWN]

    rows: list[tuple[Cell, ...]] = []
    for name, people in results["people"].items():
        rows.append((f"`{name}`, people", people["hands"], *cells(people)))
        for of in SETS:
            bot = results["bots"][of][name]
            rows.append((f"`{name}`, bot {of}", bot["hands"], *cells(bot)))
    pooled = results["bots"]["shipped"]["pooled"]
    rows.append(("pooled bot", pooled["hands"], *cells(pooled)))
    return Report("", ("who", "hands", *SHOWN.values()), tuple(rows))


def _compared(results: Json) -> int:
    return len(results["people"]) * len(SHOWN)


def _outside(results: Json, of: str) -> int:
    """Rates of bots whose interval does not touch that of the people."""
    missed = 0
    for name, people in results["people"].items():
        for rate in SHOWN:
            low, high = people[rate]["interval"]
            least, most = results["bots"][of][name][rate]["interval"]
            missed += least > high or most < low
    return missed


def _verdict(results: Json) -> str:
    return (
        "Intervals of bots and people are apart in "
        f"{_outside(results, 'shipped')} of {_compared(results)} rates with the shipped vectors, "
        f"in {_outside(results, 'fitted')} with the fitted ones. For a single player the player's "
        "own vector is what works: it saves ten times as many nats a decision as a class does "
        "([imitation](../explanation/imitation.md))."
    )
