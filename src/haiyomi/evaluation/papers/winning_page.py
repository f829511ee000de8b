"""The page of tomohxx's paper, from the results JSON of ``haiyomi reproduce winning``."""

from __future__ import annotations

from haiyomi.evaluation.papers.equations import TOMOHXX, equations_report
from haiyomi.evaluation.papers.reproduce_winning import FIGURE_HAND
from haiyomi.evaluation.papers.reproduction_page import Item, table
from haiyomi.evaluation.report import Cell, Figure, Report
from haiyomi.json_types import KnownJson
from haiyomi.winning.figure import graph_figure
from haiyomi.winning.question import WinQuestion

SHOWN_TURNS = (1, 3, 6, 9, 12, 15, 18)
DIFFERENCES = (
    "Our copy of the paper prints (7), p = 0 for hands that have not won, for every turn. Here it "
    "holds at the last turn only; otherwise every probability would be 0.",
    "(9) holds at the last turn. A winning state gets its value through the edge that reaches it, "
    "(8), and a win that is reached may be declined.",
    "The inconsistency: where the useful tiles outnumber the wall, (6) gives values above one. By "
    "default such a state is never chosen; the convention `returns` puts discards back into the "
    "wall. Both are the paper's proposals.",
    "The tenpai probability of a hand that is tenpai is one at every turn, in nekobean's program "
    "and here. Without this rule the literal (6) lifts it above one beside hands with three or "
    "four of a kind, by up to .018.",
)


def page(stored: dict[str, KnownJson]) -> list[str]:
    """Lines of Markdown below the title."""
    results = stored["winning"]
    n, worst = _agreement(results)
    return [
        f"Every equation is reproduced. The paper prints no number, so the check is against two "
        f"published programs: {n:,} values of {results['hands']} hands under seven conventions "
        f"agree within {worst['win']:.0e} (win), {worst['tenpai']:.0e} (tenpai) and "
        f"{worst['points']:.0e} of each value (points). Its figure 1 is drawn for any small hand. "
        "The closed forms of unbranched hands, of seven pairs and of thirteen orphans agree with "
        "the graph.",
        "",
        "Made by `haiyomi reproduce winning --published win_probability.json.gz`: a file of values "
        "that tomohxx/mahjong-win-prob (commit 36ac07d) and nekobean/mahjong-cpp (commit 453cae0) "
        "computed. Nothing is drawn at random, so there are no intervals.",
        "",
        "## Equations (1) to (5): hands whose useful tiles change in one way",
        "",
        *table(
            f"The chance to have won after t draws from a wall of {results['wall']} tiles. *Ways* "
            "says whether the product (2), both recurrences (3) and (4) at every cut (5), and the "
            "closed form give the same fraction.",
            _chains(results),
        ),
        "## Equations (6) to (9): the graph, under the conventions of published programs",
        "",
        *table(
            "The largest difference of haiyomi's value from the program's (of points, relative), "
            "over all discards and turns. `haiyomi win HAND --convention NAME` prints the values.",
            _conventions(results),
            "The chance to win of the best discard at turn 1, by hand and convention. Melds are "
            "pons of 7z and 6z.",
            _values(results),
        ),
        "## The inconsistency of (6) and its two remedies",
        "",
        *table(
            "Closed hands by haiyomi's own graph, at turn 1, best discard: the default, where a "
            "state with more useful tiles than wall is never chosen; `--convention returns`; and "
            "the literal equation.",
            _remedies(results),
        ),
        "## Figure 1",
        "",
        f"![Hand changes of {FIGURE_HAND}](../results/winning-figure1.svg)",
        "",
        f"The graph of {FIGURE_HAND}, drawn by `haiyomi win HAND --graph OUT.svg`.",
        "",
        "## Seven pairs and thirteen orphans in closed form",
        "",
        *table(_irregular(results)),
        "## Where ours differs from the paper, and why",
        "",
        *(f"- {line}" for line in DIFFERENCES),
        "",
        "## Equations and functions",
        "",
        equations_report(TOMOHXX).markdown(),
        "",
    ]


def items(stored: dict[str, KnownJson]) -> list[Item]:
    """What is reproduced of each equation and figure; the paper has no table."""
    results = stored["winning"]
    n, worst = _agreement(results)
    return [
        Item(
            "Equations (1) to (5)",
            "reproduced",
            f"of {len(results['chains'])} unbranched hands, each way gives the same fraction",
        ),
        Item(
            "Equations (6) to (9)",
            "reproduced",
            f"apart from {n:,} values of two published programs by at most {worst['win']:.0e} "
            f"(win), {worst['tenpai']:.0e} (tenpai), {worst['points']:.0e} of each value (points)",
        ),
        Item("Figure 1", "reproduced", f"the graph of {FIGURE_HAND}"),
    ]


def _agreement(results: KnownJson) -> tuple[int, dict[str, float]]:
    """The values compared with published programs, and the largest differences by value."""
    kinds = ("win", "tenpai", "points")
    conventions = results["conventions"]
    worst = {name: max(c[name]["largest"] or 0.0 for c in conventions) for name in kinds}
    return sum(c[name]["n"] for c in conventions for name in kinds), worst


def _chains(results: KnownJson) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (
            ", ".join(map(str, c["useful"])),
            *(Figure(c["won"][t], ".6f") for t in SHOWN_TURNS),
            "all equal" if c["forward_equal"] and c["cuts_equal"] else "differ",
        )
        for c in results["chains"]
    ]
    return Report("", ("useful tiles", *(f"t = {t}" for t in SHOWN_TURNS), "ways"), tuple(rows))


def _conventions(results: KnownJson) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (
            f"`{c['convention']}`",
            c["hands"],
            *(
                cell
                for name in ("win", "tenpai", "points")
                for cell in (c[name]["n"], Figure(c[name]["largest"], ".0e"))
            ),
        )
        for c in results["conventions"]
    ]
    heads = ("hands", "win, n", "largest", "tenpai, n", "largest", "points, n", "largest")
    return Report("", ("convention", *heads), tuple(rows))


def _values(results: KnownJson) -> Report:
    conventions = [(c["published"], c["convention"]) for c in results["conventions"]]
    rows: list[tuple[Cell, ...]] = [
        (
            v["hand"],
            v["melds"],
            v["shanten"],
            *(Figure(v["win"].get(published), ".6f") for published, _ in conventions),
        )
        for v in results["values"]
    ]
    heads = ("melds", "shanten", *(f"`{name}`" for _, name in conventions))
    return Report("", ("hand", *heads), tuple(rows))


def _remedies(results: KnownJson) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (
            r["hand"],
            r["shanten"],
            *(Figure(v, ".4f") for v in r["win"]),
            *(Figure(v, ".4f") for v in r["tenpai"]),
        )
        for r in results["remedies"]
    ]
    heads = ("win, default", "`returns`", "literal", "tenpai, default", "`returns`", "literal")
    return Report("", ("hand", "shanten", *heads), tuple(rows))


def _irregular(results: KnownJson) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (
            i["hand"],
            i["form"],
            Figure(i["tenpai"], ".6f"),
            Figure(i["win"], ".6f"),
            Figure(i["largest"], ".0e"),
        )
        for i in results["irregular"]
    ]
    heads = ("form", "tenpai after 17 draws", "won after 17 draws", "largest difference")
    return Report("", ("hand", *heads), tuple(rows))


def figures(_: dict[str, KnownJson]) -> dict[str, str]:
    """File name -> SVG text."""
    return {"winning-figure1.svg": graph_figure(WinQuestion.parse(FIGURE_HAND))}
