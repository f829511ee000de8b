"""Bots of a class beside its people, from the results JSON of ``reproduce class-styles``."""

from __future__ import annotations

from typing import Final

from haiyomi.evaluation.papers.reproduction_page import Item, table
from haiyomi.evaluation.report import Cell, Figure, Report
from haiyomi.json_types import KnownJson
from haiyomi.styles.statistics import RATES

SHOWN: Final = {f.__name__: f.__name__.removesuffix("_rate").replace("_", "-") for f in RATES}
ACTS: Final = ("riichi", "call")


def class_styles_section(results: KnownJson) -> list[str]:
    """Lines of Markdown, from a heading of the second level on."""
    d, games = results["design"], results["packed_games"]
    players = ", ".join(
        f"{n} `{name}`" for n, name in zip(results["players"], results["people"], strict=True)
    )
    return [
        "## Bots of a class beside its people",
        "",
        *table(
            "Made by `haiyomi reproduce class-styles --corpus CORPUS --packed PACKED`. Decisions "
            f"are those in {d['shards']} parts of each split, drawn with a seed, of "
            f"{games['train']:,} packed games of train and {games['valid']:,} of valid. The people "
            f"are players with {d['least']} hanchan or more in train, by the shipped classes: "
            f"{players}. *Shipped* "
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


def items(results: KnownJson) -> list[Item]:
    """Whether bots of a class act like its people."""
    met, of = _met(results, "fitted"), _compared(results)
    overlap, rates = _overlapping(results, "fitted"), len(results["people"]) * len(SHOWN)
    return [
        Item(
            "bots of a class act like its people",
            "reproduced" if met == of else "in shape" if overlap == rates else "not",
            f"rates a hand within intervals: {_overlapping(results, 'shipped')} of {rates} "
            f"(shipped vectors), {overlap} (fitted); shares of chances of riichi and calls: "
            f"{_met(results, 'shipped')} of {of}, {met}",
        )
    ]


def _chances(found: KnownJson) -> Report:
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


def _rates(results: KnownJson) -> Report:
    def cells(of: KnownJson) -> list[Figure]:
        return [Figure(of[rate]["value"], ".1%", *of[rate]["interval"]) for rate in SHOWN]

    rows: list[tuple[Cell, ...]] = []
    for name, people in results["people"].items():
        rows.append((f"`{name}`, people", people["hands"], *cells(people)))
        for of, bots in results["bots"].items():
            bot = bots[name]
            rows.append((f"`{name}`, bot {of}", bot["hands"], *cells(bot)))
    pooled = results["bots"]["shipped"]["pooled"]
    rows.append(("pooled bot", pooled["hands"], *cells(pooled)))
    return Report("", ("who", "hands", *SHOWN.values()), tuple(rows))


def _compared(results: KnownJson) -> int:
    return len(results["chances"]) * len(ACTS)


def _met(results: KnownJson, style: str) -> int:
    """Classes and acts of which the style's share of chances lies in the people's interval."""
    met = 0
    for by_style in results["chances"].values():
        for act in ACTS:
            low, high = by_style[style][act]["interval"]
            met += low <= by_style[style][act]["predicted"] <= high
    return met


def _overlapping(results: KnownJson, of: str) -> int:
    """Rates of the bots of a set whose interval and that of the people overlap."""
    found = 0
    for name, people in results["people"].items():
        for rate in SHOWN:
            low, high = people[rate]["interval"]
            least, most = results["bots"][of][name][rate]["interval"]
            found += least <= high and low <= most
    return found


def _verdict(results: KnownJson) -> str:
    of, rates = _compared(results), len(results["people"]) * len(SHOWN)
    gains = [c["pooled"]["nats"] - c["fitted"]["nats"] for c in results["chances"].values()]
    text = (
        "Rates a hand of bots and people have intervals that overlap in "
        f"{_overlapping(results, 'shipped')} of {rates} cases with the shipped vectors, in "
        f"{_overlapping(results, 'fitted')} with the fitted ones. The style's share of chances "
        f"lies in the people's interval in {_met(results, 'shipped')} of {of} cases with the "
        f"shipped vectors and in {_met(results, 'fitted')} with the fitted ones, which gain "
        f"{min(gains):+.4f} to {max(gains):+.4f} nats a chance over the pooled policy."
    )
    if _met(results, "fitted") == of:
        return text
    return (
        f"{text} So the style of a class goes only part of the way to its people. The player's own "
        "vector is what works: [imitation](../explanation/imitation.md) has its gain."
    )
