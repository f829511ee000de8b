"""Table 4 of Maekawa and Takeuchi beside ours, from the results JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from haiyomi.evaluation.papers.reproduction_page import Item, table
from haiyomi.evaluation.papers.styles_table4 import ALL_ROWS, POOLED
from haiyomi.evaluation.report import Cell, Figure, Report
from haiyomi.json_types import KnownJson
from haiyomi.styles.statistics import NAMES, RATES

PAPER_SILHOUETTES: Final = {4: 0.525, 5: 0.515, 3: 0.475}
PAPER_CONTRIBUTIONS: Final = (0.519, 0.267)
PAPER_TABLE4: Final = {
    "C0": (39.15, 66.13), "C1": (39.83, 66.08), "C2": (39.74, 67.02), "C3": (40.90, 67.92),
}  # fmt: skip
OTHER_ROWS: Final = (
    ("forced discards left out, exact", "unforced_exact"),
    ("forced discards left out, first three", "unforced_top3"),
    ("reds apart, exact", "reds_apart_exact"),
    ("reds apart, first three", "reds_apart_top3"),
    ("any tile, exact", "any_tile_exact"),
    ("any tile, first three", "any_tile_top3"),
    ("attacking or at peace, exact", "attacking_exact"),
    ("folding, exact", "folding_exact"),
    ("drawing and discarding, exact", "drawn"),
    ("the same, forced left out", "drawn_unforced"),
)


def report(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Report:
    """A table without a title."""
    return Report("", tuple(columns), tuple(map(tuple, rows)))


def percent(e: KnownJson) -> Figure:
    """A share with its interval."""
    return Figure(e["value"], ".1%", *e["interval"])


def points(e: KnownJson) -> str:
    """A difference of shares in percentage points, with its interval."""
    low, high = e["interval"]
    return f"{100 * e['value']:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


def number(value: float) -> str:
    """A statistic, points without decimals."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"


def summary(results: KnownJson) -> str:
    """What Table 4 came to, for the page's first paragraph."""
    last = results["table4"]["rows"][-1]
    own, gain = last["exact"]["own"]["value"], last["gain_exact"]
    held = gain[POOLED]["interval"][0] > 0
    return (
        f"Table 4 is reproduced in shape: the networks of the classes name {own:.1%} of the "
        f"discards (paper {_paper_exact()}). The paper expects a network of a player's class to "
        "imitate the player better, but prints no network of all players to compare with. Here "
        f"the expectation {'holds' if held else 'does not hold'}: the agreement of a class's own "
        "network, less that of one network of all classes with as many rows and steps, is "
        f"{points(gain[POOLED])} percentage points, and {points(gain[ALL_ROWS])} if that network "
        "has all rows and as many steps."
    )


def items(results: KnownJson) -> list[Item]:
    """What is reproduced of Table 4, and of what it is meant to show."""
    design, table4 = results["design"], results["table4"]
    *classes, last = table4["rows"]
    shares = {key: [r[key]["own"]["value"] for r in classes] for key in ("exact", "top3")}
    gain = last["gain_exact"]
    return [
        Item(
            "Table 4: agreement of the classes' networks",
            "in shape",
            f"after {design['settings']['epochs']:,} epochs exact {_range(shares['exact'])} (paper "
            f"{_paper_exact()}), first three {_range(shares['top3'])} ({_paper_top3()})",
        ),
        Item(
            "a class's own network is better than one of all players",
            "reproduced" if gain[POOLED]["interval"][0] > 0 else "not",
            f"gain {points(gain[POOLED])} points at equal rows and steps, {points(gain[ALL_ROWS])} "
            "against all rows (the paper does not compare them)",
        ),
    ]


def _range(shares: Sequence[float]) -> str:
    return f"{min(shares):.1%} to {max(shares):.1%}"


def _paper_exact() -> str:
    shares = [exact for exact, _ in PAPER_TABLE4.values()]
    return f"{min(shares)}% to {max(shares)}%"


def _paper_top3() -> str:
    shares = [top3 for _, top3 in PAPER_TABLE4.values()]
    return f"{min(shares)}% to {max(shares)}%"


def table4_section(results: KnownJson) -> list[str]:
    """Lines of Markdown, from a heading of the second level on."""
    d, t = results["design"], results["table4"]
    s, sizes = d["settings"], d["sizes"]
    games = results["games_of_a_player"]
    length = "East-only games" if d["rounds"] == 1 else "hanchan"
    return [
        "## Classes of players with many games",
        "",
        f"Made by `haiyomi reproduce table4 --corpus CORPUS --epochs {s['epochs']} --sample "
        f"{sizes['learn']}` on the train and valid splits of a larger corpus: "
        f"{results['players']} players with {d['least']} {length} or more "
        f"({results['player_games']:,} games to learn from, {games[0]:,} to {games[2]:,} a player, "
        f"median {games[1]:,}). An East-only game has no South round: that statistic is missing "
        "for all and counts nothing. A tenth of each player's games is kept for tests.",
        "",
        *_silhouettes(results["clusterings"]),
        *_halves(results["halves"]),
        *table(
            "The classes by reliable distances, means over their players:",
            classes_report(results["classes"]),
        ),
        "## Table 4: networks that imitate players",
        "",
        *table(
            f"Three layers, {s['width']} hidden units, plain SGD on {_loss(d['loss'])} with "
            f"learning rate {s['rate']:g} and batches of {s['batch']}, {s['epochs']:,} epochs (the "
            f"paper has 3,000). Each class has {sizes['learn']:,} rows to learn from and "
            f"{sizes['test']:,} to test on; every player of a class gives as many games as the "
            f"others. *Own* is the class's network. *Pooled* has as many rows, an equal share of "
            f"each class, and as many steps. *All rows* has the rows of all classes and as many "
            f"steps ({s['epochs'] // d['classes']:,} epochs). All are compared after their last "
            "epoch, on all discards, forced ones too. 95% intervals by bootstrap over games; gains "
            "in percentage points. The paper: "
            + "; ".join(f"{c} {a}% / {b}%" for c, (a, b) in PAPER_TABLE4.items())
            + ". A tile of the hand drawn at random is right in 7.1%. Of the programs that the "
            "paper cites, one has 31.3%, another 56% / 87% on discards after a draw.",
            _by_class(t["rows"]),
            "The same with each network of its best epoch on the valid split:",
            _by_class([t["best_epoch"]]),
            "The own networks on other sets of rows, all classes together:",
            _others(t["other_rows"]),
            "*Folding*: another player is in riichi, the player is not, and the discard left the "
            "hand farther from tenpai than necessary. *Drawing and discarding* always discards the "
            "tile just drawn; a discard after a call counts as a miss.",
            f"Agreement on {sizes['choose']:,} rows a class of the valid split, with the loss in "
            "parentheses, by epoch:",
            _courses(t["fits"]),
        ),
    ]


def _loss(loss: str) -> str:
    return {"mse": "mean squared error"}.get(loss, loss)


def silhouettes_report(found: KnownJson) -> Report:
    """Of clusterings by scaling: silhouettes by k, and contributions of the first components."""
    rows: list[tuple[Cell, ...]] = []
    for k in found["raw"]["silhouettes"]:
        published = PAPER_SILHOUETTES.get(int(k))
        cells = [Figure(c["silhouettes"].get(k), ".3f") for c in found.values()]
        rows.append((k, *cells, "" if published is None else str(published)))
    for i, name in enumerate(("first", "second")):
        cells = [Figure(c["contributions"][i], ".1%") for c in found.values()]
        rows.append((f"{name} component", *cells, f"{PAPER_CONTRIBUTIONS[i]:.1%}"))
    return report(("k", *found, "paper"), rows)


def _silhouettes(found: KnownJson) -> list[str]:
    pictures = [
        f"![{scaling}, k = {best['k']}](../results/{figure_name('table4', scaling, best['k'])})"
        for scaling in found
        for best in found[scaling]["best"][:1]
    ]
    return table(
        "Silhouettes and contributions of the principal components:",
        silhouettes_report(found),
        "\n".join(pictures),
    )


def figure_name(prefix: str, scaling: str, k: int) -> str:
    """The file of a figure 7."""
    return f"{prefix}-figure7-{scaling}-{k}.svg"


def _same(by_k: KnownJson) -> str:
    return f"{by_k['4']['same']:.1%} (chance {by_k['4']['chance']:.1%})"


def accounts_report(found: Iterable[tuple[str, str, KnownJson]], games: str) -> Report:
    """Of (scaling, k, ``pseudo_accounts``) how often two accounts of a player fall into one class;
    ``games`` is how their number is printed."""
    rows = (
        (
            scaling, k, a["players"], format(a["games_an_account"], games),
            Figure(a["same"], ".1%", *a["interval"]), f"{a['chance']:.1%}",
        )
        for scaling, k, a in found
    )  # fmt: skip
    columns = ("scaling", "k", "players", "games an account", "same class", "chance")
    return report(columns, rows)


def _halves(halves: KnownJson) -> list[str]:
    accounts = ((scaling, k, a) for scaling, by_k in halves.items() for k, a in by_k.items())
    return table(
        "Each player's games are split at random into two accounts: how often both fall into one "
        "class, and how often accounts of two different players do (chance). Intervals by "
        "bootstrap over players.",
        accounts_report(accounts, ".0f"),
        f"Two halves of one player fall into the same of four classes in "
        f"{_same(halves['reliable'])} by reliable distances and in {_same(halves['raw'])} by the "
        "raw ones of the paper. The classes below are therefore those of reliable distances.",
    )


def classes_report(classes: list[KnownJson]) -> Report:
    """The classes with their players, games, rates and statistics, a column each; a statistic that
    no class has is left out."""
    rows: list[tuple[Cell, ...]] = [
        ("players", *(c["players"] for c in classes)),
        ("games fitted to", *(c["games"] for c in classes)),
    ]
    for j, f in enumerate(RATES):
        rows.append((f"`{f.__name__}`", *(f"{c['rates'][j]:.1%}" for c in classes)))
    for j, name in enumerate(NAMES):
        if any(c["statistics"][j] for c in classes):
            rows.append((f"`{name}`", *(number(c["statistics"][j]) for c in classes)))
    return report(("", *(f"`{c['name']}`" for c in classes)), rows)


def _by_class(found: list[KnownJson]) -> Report:
    of = ("own", POOLED, ALL_ROWS)
    heads = [f"{title}, {name}" for title in ("exact", "first three") for name in of]
    columns = ("class", "n", "games", *heads, "gain over pooled", "gain over all rows")
    rows = (
        (
            r["class"],
            r["n"],
            r["games"],
            *(percent(r[key][name]) for key in ("exact", "top3") for name in of),
            *(points(r["gain_exact"][name]) for name in (POOLED, ALL_ROWS)),
        )
        for r in found
    )
    return report(columns, rows)


def _others(found: KnownJson) -> Report:
    return report(
        ("rows", "n", "agreement"),
        ((what, found[key]["n"], percent(found[key])) for what, key in OTHER_ROWS if key in found),
    )


def _courses(fits: KnownJson) -> Report:
    epochs = sorted({int(e) for f in fits.values() for e in f["course"]})
    rows: list[tuple[Cell, ...]] = []
    for name, f in fits.items():
        cells = (f["course"].get(str(e)) for e in epochs)
        shown = ("" if c is None else f"{c[0]:.1%} ({c[1]:.3f})" for c in cells)
        rows.append((name, f["rows"], *shown, str(f["best_epoch"])))
    return report(("network", "rows", *map(str, epochs), "best epoch"), rows)


def figures7(clusterings: KnownJson, prefix: str, most: int) -> dict[str, str]:
    """File name -> SVG text of figure 7, of the clusterings with the highest silhouettes."""
    from haiyomi.plots.scatter_chart import scatter_chart

    out = {}
    for scaling, found in clusterings.items():
        shares = found["contributions"]
        for best in found["best"][:most]:
            groups: dict[str, list[tuple[float, float]]] = {
                f"class {c + 1}": [
                    (x, y)
                    for (x, y), label in zip(found["points"], best["labels"], strict=True)
                    if label == c
                ]
                for c in range(best["k"])
            }
            out[figure_name(prefix, scaling, best["k"])] = scatter_chart(
                f"Figure 7, {scaling}: k = {best['k']}, silhouette {best['silhouette']:.3f}",
                f"first component ({shares[0]:.1%})",
                f"second component ({shares[1]:.1%})",
                groups,
            ).svg()
    return out
