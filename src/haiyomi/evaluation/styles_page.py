"""The styles part of ``reproduction.md`` and its figures, from the results JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from haiyomi.evaluation.line_chart import line_chart
from haiyomi.evaluation.report import Cell, Figure, Report
from haiyomi.evaluation.scatter_chart import scatter_chart
from haiyomi.styles.statistics import JAPANESE, NAMES, RATES

Json = dict[str, Any]
PAPER_SILHOUETTES = {4: 0.525, 5: 0.515, 3: 0.475}
PAPER_CONTRIBUTIONS = (0.519, 0.267)
PAPER_TABLE4 = {
    "C0": (39.15, 66.13), "C1": (39.83, 66.08), "C2": (39.74, 67.02), "C3": (40.90, 67.92),
}  # fmt: skip
SCALINGS = {
    "raw": "the 19 statistics themselves, as the paper probably used them",
    "standardised": "in standard deviations between players",
    "reliable": "standardised, times the share of a statistic that is the player's own",
}
DIFFERENCES = (
    "Players: the paper had 102 players with at least 4,000 hanchan over ten years; ours have at "
    "least 20. What is luck over twenty games is style over four thousand, so the paper's raw "
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
    "layer of rectified units, and the valid split chose the learning rate from .01 to .3. There "
    "are fewer than 3,000 epochs; the last table of this section shows what more of them bring. An "
    "epoch of the pooled network has as many more steps as it has more rows.",
    "Candidates are the tiles held. The row *any tile* allows any of the 38 kinds. Red fives count "
    "as fives except in *reds apart*.",
)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    return Report("", tuple(columns), tuple(map(tuple, rows))).markdown()


def _percent(e: Json) -> Figure:
    return Figure(e["value"], ".1%", *e["interval"])


def _points(e: Json) -> str:
    low, high = e["interval"]
    return f"{100 * e['value']:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"


def section(results: Json) -> list[str]:
    """Lines of Markdown, from a heading of the second level on."""
    p = results["players"]
    out = [
        "## Maekawa and Takeuchi: classes of players, and their imitation",
        "",
        "Generated from `docs/results/styles.json` by `haiyomi reproduce styles`. Train and valid "
        f"splits: {p['hanchan']:,} hanchan, {p['hands']:,} hands of {p['all']:,} players; "
        f"{p['absent_hands']} further hands, in which a player's line was down, are left out. "
        f"{p['chosen']} players have {results['least']} hanchan or more: {p['games']:,} games, "
        f"of which {p['learning']:,} are fitted to and a tenth of each player's are kept for "
        "tests. No game of the test split is read.",
        "",
        "### Table 1: the statistics",
        "",
        "*Halves* is the correlation of two random halves of players' games. *Trust* is n / (n + "
        "n0), the share of the spread between these players that is their own.",
        "",
        _statistics(results),
    ]
    out += ["", *_clusters(results), *_few(results), *_simulated(results), *_table4(results)]
    out += [
        "### Where ours differs from the paper, and why",
        "",
        *(f"- {line}" for line in (*DIFFERENCES, *(NETWORKS if "table4" in results else ()))),
        "",
    ]
    return out


def _statistics(results: Json) -> str:
    columns = ("statistic", "paper's name", "definition", "mean", "spread", "n a player", "halves",
               "trust")  # fmt: skip
    rows = (
        (
            f"`{s['name']}`", japanese, s["definition"], _number(s["mean"]), _number(s["spread"]),
            f"{s['occasions']:.0f}", f"{s['halves']:.2f}", f"{s['trust']:.0%}",
        )
        for s, japanese in zip(results["statistics"], JAPANESE, strict=True)
    )  # fmt: skip
    return _table(columns, rows)


def _clusters(results: Json) -> list[str]:
    found = results["clusterings"]
    ks = list(found["raw"]["silhouettes"])
    out = [
        "### Silhouettes and principal components",
        "",
        "k-means++ with Table 2's settings (`precompute_distances` no longer exists). "
        + "; ".join(f"*{k}*: {v}" for k, v in SCALINGS.items())
        + ".",
        "",
    ]
    rows: list[tuple[Cell, ...]] = []
    for k in ks:
        cells = [
            f"{found[s]['silhouettes'][k]:.3f}" if k in found[s]["silhouettes"] else ""
            for s in SCALINGS
        ]
        published = PAPER_SILHOUETTES.get(int(k))
        rows.append((k, *cells, "" if published is None else str(published)))
    for number, name in enumerate(("first", "second")):
        cells = [f"{found[s]['contributions'][number]:.1%}" for s in SCALINGS]
        rows.append((f"{name} component", *cells, f"{PAPER_CONTRIBUTIONS[number]:.1%}"))
    out += [
        _table(("k", *SCALINGS, "paper"), rows),
        "",
        "Figure 7, the three k with the highest silhouettes of each scaling:",
        "",
    ]
    for scaling in SCALINGS:
        for best in found[scaling]["best"]:
            name = f"styles-figure7-{scaling}-{best['k']}.svg"
            out.append(f"![{scaling}, k = {best['k']}](../results/{name})")
        out.append("")
    out += [
        "### The shipped classes",
        "",
        f"*Reliable* distances, k = {len(results['classes'])}; means over the players of a class.",
        "",
        _classes(results["classes"]),
        "",
    ]
    return out


def _classes(classes: list[Json]) -> str:
    rows: list[tuple[Cell, ...]] = [
        ("players", *(c["players"] for c in classes)),
        ("games fitted to", *(c["games"] for c in classes)),
    ]
    for j, f in enumerate(RATES):
        rows.append((f"`{f.__name__}`", *(f"{c['rates'][j]:.1%}" for c in classes)))
    for j, name in enumerate(NAMES):
        rows.append((f"`{name}`", *(_number(c["statistics"][j]) for c in classes)))
    return _table(("", *(f"`{c['name']}`" for c in classes)), rows)


def _few(results: Json) -> list[str]:
    few = results["few_games"]
    out = [
        "### How few games suffice",
        "",
        "Each player's games are split at random into two accounts. The table shows how often both "
        "fall into one class, and how often accounts of two different players do (chance). "
        "Intervals by bootstrap over players.",
        "",
        _accounts(few),
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


def _accounts(few: Json) -> str:
    columns = ("scaling", "k", "players", "games an account", "same class", "chance")
    found = ((s, k, kept["accounts"]) for s in SCALINGS for k, kept in few[s].items())
    rows = (
        (
            scaling, k, a["players"], f"{a['games_an_account']:.1f}",
            Figure(a["same"], ".1%", *a["interval"]), f"{a['chance']:.1%}",
        )
        for scaling, k, a in found
    )  # fmt: skip
    return _table(columns, rows)


def _curve(few: Json, k: str) -> str:
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


def _simulated(results: Json) -> list[str]:
    kinds, sets = results["simulated"]["kinds"], results["simulated"]["sets"]
    parameters = list(next(iter(next(iter(kinds.values())).values())))
    return [
        "### Players of known kinds",
        "",
        f"Rule-based players (`play.style`), {sets[0]['rows'][0]['players']} of them in each set, "
        "seated at random. There are two sets of kinds, each played from two seeds. The figures "
        "are the adjusted Rand index of classes and kinds.",
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


def _recovered(sets: list[Json], shown: Callable[[Json], str]) -> str:
    columns = ("games a player", "scaling", *(f"{s['kinds']}, seed {s['seed']}" for s in sets))
    same = zip(*(s["rows"] for s in sets), strict=True)
    return _table(columns, ((r[0]["games"], r[0]["scaling"], *map(shown, r)) for r in same))


def _table4(results: Json) -> list[str]:
    if "table4" not in results:
        return [
            "### Table 4: networks that imitate players",
            "",
            "Not measured in these results; `haiyomi reproduce styles` does.",
            "",
        ]
    table = results["table4"]
    s = table["settings"]
    out = [
        "### Table 4: networks that imitate players",
        "",
        f"Three layers, {s['width']} hidden units, plain SGD with learning rate {s['rate']:g}, "
        f"batches of {s['batch']}; the valid split chose the best of {s['epochs']} epochs. There "
        "is one network for each class, and one pooled over all classes, on the same test rows. "
        "All discards count, forced ones too. 95% intervals by bootstrap over games. Gains are "
        "percentage points of the class's own network over the pooled one. The paper: "
        + "; ".join(f"{c} {a}% / {b}%" for c, (a, b) in PAPER_TABLE4.items())
        + ". A random tile has 7.1%. The programs that the paper cites have 31.3%, and 56% / 87% "
        "where the tile was drawn.",
        "",
    ]
    titles = {"mse": "mean squared error", "cross-entropy": "cross-entropy (control)"}
    titles = {loss: t for loss, t in titles.items() if loss in table["rows"][0]["losses"]}
    for loss, title in titles.items():
        out += [
            f"With {title}:",
            "",
            _by_class(table["rows"], loss),
            "",
        ]
    gains = [
        f"{_points(table['rows'][-1]['losses'][x]['gain_exact'])} with {titles[x]}" for x in titles
    ]
    out += [
        "The paper claims, without a figure, that the network of a class predicts its players' "
        f"discards better than one of all players. Gain over all classes: {'; '.join(gains)}.",
        "",
        "The networks of the classes on other sets of rows, all classes together:",
        "",
    ]
    rows: list[tuple[Cell, ...]] = []
    last = table["rows"][-1]
    free = last["n"] - last["forced"]
    for what, n, key in (
        ("forced discards left out, exact", free, "unforced_exact"),
        ("forced discards left out, first three", free, "unforced_top3"),
        ("reds apart, exact", last["n"], "reds_apart_exact"),
        ("reds apart, first three", last["n"], "reds_apart_top3"),
        ("any tile, exact", last["n"], "any_tile_exact"),
        ("any tile, first three", last["n"], "any_tile_top3"),
        ("attacking or at peace, exact", free - last["folding"], "attacking_exact"),
        ("folding, exact", last["folding"], "folding_exact"),
    ):
        cells = [_percent(last["losses"][loss][key]) for loss in titles]
        rows.append((what, n, *cells))
    blank = [""] * (len(titles) - 1)
    rows += [
        ("drawing and discarding, exact", last["n"], _percent(last["drawn"]), *blank),
        ("the same, forced left out", free, _percent(last["drawn_unforced"]), *blank),
    ]
    out += [
        _table(("rows", "n", *titles.values()), rows),
        "",
        "*Folding*: another player is in riichi, the player is not, and the discard left the hand "
        "farther from tenpai than necessary. *Drawing and discarding* always discards the tile "
        "just drawn; a discard after a call counts as a miss.",
        "",
        *_courses(table),
    ]
    return out


def _by_class(found: list[Json], loss: str) -> str:
    columns = ("class", "n", "games", "exact", "first three", "pooled, exact",
               "pooled, first three", "gain, exact", "gain, first three")  # fmt: skip
    shares = ("exact", "top3", "pooled_exact", "pooled_top3")
    rows = (
        (
            r["class"], r["n"], r["games"], *(_percent(r["losses"][loss][key]) for key in shares),
            *(_points(r["losses"][loss][key]) for key in ("gain_exact", "gain_top3")),
        )
        for r in found
    )  # fmt: skip
    return _table(columns, rows)


def _courses(table: Json) -> list[str]:
    """How the networks went on with the epochs, on the rows of valid that chose one."""
    fits = table["fits"]
    epochs = list(next(iter(fits.values()))["course"])
    out = [
        f"Agreement on the valid rows, with the loss in parentheses, by epoch (of "
        f"{table['settings']['epochs']}; the paper has 3,000):",
        "",
    ]
    rows: list[tuple[Cell, ...]] = []
    for name, fit in fits.items():
        course = (f"{100 * top:.1f}% ({loss:.3f})" for top, loss in fit["course"].values())
        best = f"{fit['best_epoch']}: {100 * fit['chosen_at']:.1f}%"
        rows.append((name, fit["rows"], *course, best))
    out.append(_table(("network", "rows", *epochs, "best epoch"), rows))
    return [*out, "", *_at_equal_steps(fits), ""]


def _at_equal_steps(fits: Json) -> list[str]:
    """The pooled network is ahead by rows and by steps: what is left of it by steps alone."""
    losses = dict.fromkeys(name.rpartition(" ")[2] for name in fits)
    parts = []
    for loss in losses:
        own = [f for n, f in fits.items() if n.endswith(f" {loss}") and not n.startswith("pooled")]
        pooled = fits[f"pooled {loss}"]["course"]
        *epochs, last = map(int, pooled)
        near = max((e for e in epochs if e * len(own) <= last), default=last)
        rows = sum(f["rows"] for f in own)
        mine = sum(f["rows"] * f["course"][str(last)][0] for f in own) / rows
        parts.append(
            f"with {loss} the pooled network has {pooled[str(near)][0]:.1%} after {near} epochs, "
            f"and the networks of the classes, weighted by rows, {mine:.1%} after {last}"
        )
    return [
        "An epoch of the pooled network has as many steps as those of all classes together. On the "
        f"valid rows, at about equal steps, {'; '.join(parts)}."
    ]


def figures(results: Json) -> dict[str, str]:
    """File name -> SVG text."""
    out: dict[str, str] = {}
    for scaling in SCALINGS:
        found = results["clusterings"][scaling]
        shares = found["contributions"]
        for best in found["best"]:
            groups: dict[str, list[tuple[float, float]]] = {}
            for c in range(best["k"]):
                groups[f"class {c + 1}"] = [
                    (x, y)
                    for (x, y), label in zip(found["points"], best["labels"], strict=True)
                    if label == c
                ]
            out[f"styles-figure7-{scaling}-{best['k']}.svg"] = scatter_chart(
                f"Figure 7, {scaling}: k = {best['k']}, silhouette {best['silhouette']:.3f}",
                f"first component ({shares[0]:.1%})",
                f"second component ({shares[1]:.1%})",
                groups,
            )
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
    )
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
    )
    return out
