"""The page of Maekawa and Takeuchi's paper and its figures, from the results JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from haiyomi.evaluation.papers import class_styles_page, table4_page
from haiyomi.evaluation.papers.equations import MAEKAWA_TAKEUCHI, equations_report
from haiyomi.evaluation.papers.reproduction_page import Item
from haiyomi.evaluation.papers.table4_page import (
    PAPER_CONTRIBUTIONS,
    PAPER_SILHOUETTES,
    accounts_report,
    classes_report,
    figure_name,
    figures7,
    number,
    report,
    silhouettes_report,
    summary,
    table4_section,
)
from haiyomi.evaluation.report import Cell, Figure
from haiyomi.json_types import KnownJson
from haiyomi.styles.statistics import JAPANESE, NAMES

SCALINGS = {
    "raw": "the 19 statistics themselves, as the paper probably used them",
    "standardised": "in standard deviations between players",
    "reliable": "standardised, times the share of a statistic that is the player's own",
}
DIFFERENCES = (
    "Players: the paper had 102 players with at least 4,000 hanchan over ten years; ours have at "
    "least 20, or 100 East-only games for Table 4. What is luck over so few games is style over "
    "four thousand, so the paper's raw "
    "distances may be sound where ours are not.",
    "Raw distances consist of points, whose spread is in thousands while that of a rate is in "
    "hundredths. The contributions are as unequal as the paper's, and the classes are those of "
    "good and bad luck. Two halves of a player's games fall into one class hardly more often than "
    "halves of two players.",
    "Reliable distances weigh a statistic by n / (n + n0). n0 comes from the correlation of two "
    "halves of players' games, over all players with at least half the required number of games. "
    "Four and five classes contain single players here, and a class of fewer than three players is "
    "not shipped, so there are three.",
    "The scaler, n0 and the centres were fitted to the same games that are then halved or drawn. "
    "The agreement of halves is therefore slightly too high, for every scaling.",
)
NETWORKS = (
    "The inputs listed in Table 3 add up to 326, while the text says 328. The list is reproduced; "
    "nothing is padded.",
    "Width, learning rate, batch and activation are unpublished. Here the network has one hidden "
    "layer of rectified units, and the valid split chose the learning rate from .01 to .3.",
    "Candidates are the tiles held. The row *any tile* allows any of the 38 kinds. Red fives count "
    "as fives except in *reds apart*.",
    "The paper's agreement of 39 to 41% is below ours. It had other games, an unpublished width "
    "and rate, and thousands of games a player; which of these matters is not shown here. Ours is "
    "highest after some 500 epochs and falls from there on, while the loss on the valid split "
    "rises: the networks then fit their own rows too closely.",
)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    return report(columns, rows).markdown()


def page(stored: dict[str, KnownJson]) -> list[str]:
    """Lines of Markdown below the title."""
    results, networks, bots = stored["styles"], stored.get("table4"), stored.get("class-styles")
    p = results["players"]
    out = [
        _summary(results, networks),
        "",
        "Made by `haiyomi reproduce styles --corpus CORPUS` and, for Table 4 and the classes "
        "beside it, `haiyomi reproduce table4`. The first takes the train and valid splits of the "
        f"small corpus: {p['hanchan']:,} hanchan, {p['hands']:,} hands of {p['all']:,} players; "
        f"{p['absent_hands']} further hands, in which a player was disconnected, are left out. "
        f"{p['chosen']} players have {results['least']} hanchan or more: {p['games']:,} games, "
        f"of which {p['learning']:,} are fitted to and a tenth of each player's are kept for "
        "tests. No game of a test split is read.",
        "",
        "## Table 1: the statistics",
        "",
        "*Halves* is the correlation of two random halves of players' games. *Trust* is n / (n + "
        "n0), the share of the spread between these players that is their own.",
        "",
        _statistics(results),
    ]
    out += ["", *_clusters(results), *_few(results), *_simulated(results)]
    if networks is not None:
        out += table4_section(networks)
    if bots is not None:
        out += class_styles_page.class_styles_section(bots)
    out += [
        "## Where ours differs from the paper, and why",
        "",
        *(f"- {line}" for line in (*DIFFERENCES, *(() if networks is None else NETWORKS))),
        "",
        "## Parts of the paper and functions",
        "",
        equations_report(MAEKAWA_TAKEUCHI).markdown(),
        "",
    ]
    return out


def items(stored: dict[str, KnownJson]) -> list[Item]:
    """What is reproduced of each table and figure."""
    results, networks = stored["styles"], stored.get("table4")
    found = (results if networks is None else networks)["clusterings"]
    raw = found["raw"]
    shares = " / ".join(f"{v:.1%}" for v in raw["contributions"][:2])
    paper = " / ".join(f"{v:.1%}" for v in PAPER_CONTRIBUTIONS)
    out = [
        Item(
            "Table 1: statistics",
            "reproduced",
            f"all {len(NAMES)}, by the definitions that the page prints",
        ),
        Item("Table 2: settings of k-means++", "reproduced", "as printed"),
        Item("Table 3: inputs of the network", "reproduced", "as listed, 326; the text says 328"),
        Item(
            "Silhouettes",
            "not",
            "; ".join(
                f"k = {k}: {raw['silhouettes'][str(k)]:.3f} ({value})"
                for k, value in PAPER_SILHOUETTES.items()
            )
            + f"; highest at k = {raw['best'][0]['k']} (4)",
        ),
        Item("Contributions of two components", "in shape", f"raw: {shares} ({paper})"),
        Item("Figure 7: four clusters", "not", "players lie in one cloud"),
    ]
    if networks is not None:
        out += table4_page.items(networks)
    bots = stored.get("class-styles")
    return out if bots is None else [*out, *class_styles_page.items(bots)]


def _summary(results: KnownJson, networks: KnownJson | None) -> str:
    of = results["clusterings"] if networks is None else networks["clusterings"]
    best = max(c["silhouettes"]["4"] for c in of.values())
    text = (
        "The statistics, the clustering and the network are reproduced as described. The paper's "
        f"silhouette of 0.525 at four classes is not reproduced: ours is {best:.3f} at most with "
        "four classes, and every scaling has its highest with two. Players lie in one cloud, as "
        "the paper itself says of its figure 7."
    )
    return text if networks is None else f"{text} {summary(networks)}"


def _statistics(results: KnownJson) -> str:
    columns = ("statistic", "paper's name", "definition", "mean", "spread", "n a player", "halves",
               "trust")  # fmt: skip
    rows = (
        (
            f"`{s['name']}`", japanese, s["definition"], number(s["mean"]), number(s["spread"]),
            f"{s['occasions']:.0f}", f"{s['halves']:.2f}", f"{s['trust']:.0%}",
        )
        for s, japanese in zip(results["statistics"], JAPANESE, strict=True)
    )  # fmt: skip
    return _table(columns, rows)


def _clusters(results: KnownJson) -> list[str]:
    found = results["clusterings"]
    out = [
        "## Silhouettes and principal components",
        "",
        "k-means++ with Table 2's settings (`precompute_distances` no longer exists). "
        + "; ".join(f"*{k}*: {v}" for k, v in SCALINGS.items())
        + ".",
        "",
    ]
    out += [
        silhouettes_report({scaling: found[scaling] for scaling in SCALINGS}).markdown(),
        "",
        "Figure 7, the three k with the highest silhouettes of each scaling:",
        "",
    ]
    for scaling in SCALINGS:
        for best in found[scaling]["best"]:
            name = figure_name("styles", scaling, best["k"])
            out.append(f"![{scaling}, k = {best['k']}](../results/{name})")
        out.append("")
    out += [
        "## The shipped classes",
        "",
        f"*Reliable* distances, k = {len(results['classes'])}; means over the players of a class.",
        "",
        classes_report(results["classes"]).markdown(),
        "",
    ]
    return out


def _few(results: KnownJson) -> list[str]:
    few = results["few_games"]
    accounts = ((s, k, kept["accounts"]) for s in SCALINGS for k, kept in few[s].items())
    out = [
        "## How few games suffice",
        "",
        "Each player's games are split at random into two accounts. The table shows how often both "
        "fall into one class, and how often accounts of two different players do (chance). "
        "Intervals by bootstrap over players.",
        "",
        accounts_report(accounts, ".1f").markdown(),
    ]
    k = next(k for k, entry in few["reliable"].items() if "curve" in entry)
    out += [
        "",
        f"n games drawn without replacement, k = {k}: the share of draws whose class is that of "
        "the player's *other* games, or that of *all* games including the n; and the root mean "
        "square error of the vector, in standard deviations between players.",
        "",
        _curve(few, k),
    ]
    chance = ", ".join(f"{s} {few[s][k]['curve']['chance']:.1%}" for s in SCALINGS)
    return [
        *out,
        "",
        f"Chance: {chance}.",
        "",
        "![Class agreement](../results/styles-agreement.svg)",
        "",
        "![Error of the vector](../results/styles-error.svg)",
        "",
    ]


def _curve(few: KnownJson, k: str) -> str:
    curve = few["reliable"][k]["curve"]
    columns = ("n", "players", "reliable: others", "all", "standardised: others", "raw: others",
               "error, mean of 19")  # fmt: skip
    rows = (
        (
            n, curve["players"][i], Figure(curve["rest"][i], ".1%", *curve["rest_interval"][i]),
            f"{curve['whole'][i]:.1%}",
            *(f"{few[s][k]['curve']['rest'][i]:.1%}" for s in ("standardised", "raw")),
            f"{sum(curve['error'][i]) / len(NAMES):.2f}",
        )
        for i, n in enumerate(curve["sizes"])
    )  # fmt: skip
    return _table(columns, rows)


def _simulated(results: KnownJson) -> list[str]:
    kinds, sets = results["simulated"]["kinds"], results["simulated"]["sets"]
    parameters = list(next(iter(next(iter(kinds.values())).values())))
    return [
        "## Players of known kinds",
        "",
        f"Rule-based players (`play.rule_style`), {sets[0]['rows'][0]['players']} of them in each "
        "set, seated at random. There are two sets of kinds, each played from two seeds. The "
        "figures are the adjusted Rand index of classes and kinds.",
        "",
        _table(
            ("set", "kind", *(f"`{p}`" for p in parameters)),
            (
                (name, kind, *(f"{v:g}" for v in values.values()))
                for name, those in kinds.items()
                for kind, values in those.items()
            ),
        ),
        "",
        "As many classes as kinds:",
        "",
        _recovered(sets, lambda r: f"{r['ari']:.2f}"),
        "",
        "As many classes as the highest silhouette has (their number in brackets):",
        "",
        _recovered(sets, lambda r: f"{r['ari_by_silhouette']:.2f} ({r['k_by_silhouette']})"),
        "",
    ]


def _recovered(sets: list[KnownJson], shown: Callable[[KnownJson], str]) -> str:
    columns = ("games a player", "scaling", *(f"{s['kinds']}, seed {s['seed']}" for s in sets))
    same = zip(*(s["rows"] for s in sets), strict=True)
    return _table(columns, ((r[0]["games"], r[0]["scaling"], *map(shown, r)) for r in same))


def figures(stored: dict[str, KnownJson]) -> dict[str, str]:
    """File name -> SVG text."""
    from haiyomi.plots.line_chart import line_chart

    results = stored["styles"]
    out = figures7(results["clusterings"], "styles", 3)
    if "table4" in stored:
        out |= figures7(stored["table4"]["clusterings"], "table4", 1)
    few = results["few_games"]
    k = next(k for k, entry in few["reliable"].items() if "curve" in entry)
    curves = {s: few[s][k]["curve"] for s in SCALINGS}
    sizes = curves["reliable"]["sizes"]
    out["styles-agreement.svg"] = line_chart(
        f"Class agreement by number of games, k = {k}",
        "games",
        "share in the class of the player's other games",
        sizes,
        {s: c["rest"] for s, c in curves.items()}
        | {"reliable: all games": curves["reliable"]["whole"]}
        | {"reliable: chance": [curves["reliable"]["chance"]] * len(sizes)},
    ).svg()
    error = curves["reliable"]["error"]
    shown = ("calls", "end_honours", "immediate_riichi_rate", "first_riichi_rate", "call_turn")
    lines = {n: [e[NAMES.index(n)] for e in error] for n in (*shown, "south_round_points")}
    lines["mean of 19"] = [sum(e) / len(e) for e in error]
    out["styles-error.svg"] = line_chart(
        "Error of the style vector by number of games",
        "games",
        "root mean square, in spreads between players",
        sizes,
        lines,
    ).svg()
    return out
