"""Writes ``docs/explanation/imitation.md`` from results: ``python docs/fill_imitation.py``.

The results are made by ``haiyomi evaluate policy PACKED --results docs/results/policy.json``,
``haiyomi evaluate stand-in --results docs/results/stand-in.json`` and ``haiyomi evaluate absent
--results docs/results/absent.json``.
"""

from __future__ import annotations

from typing import Any

from stored_results import earlier, results, write_page

from haiyomi.evaluation.imitation.absent_seats import same_tile
from haiyomi.evaluation.imitation.packed_policy import reports
from haiyomi.evaluation.imitation.stand_in_experiment import styles_report
from haiyomi.evaluation.report import Report
from haiyomi.play.demo import COMMAND
from haiyomi.styles.policy import rollout_policy, shipped_policy


def card(manifest: dict[str, Any]) -> list[str]:
    """The model card of the shipped policy."""
    data, s, shape = manifest["data"], manifest["settings"], manifest["shape"]["decision"]
    valid, behind = manifest["valid"], manifest["players_behind_styles"]
    classes, programs = (
        [f"`{name}`" for name in shipped_policy().styles if (behind[name] == 1) == alone]
        for alone in (False, True)
    )
    tables = []
    for table, years in data["games"].items():
        by_year = ", ".join(f"{y} ({n:,})" for y, n in years.items() if y != "0")
        tables.append((table, sum(years.values()), by_year))
    return [
        "## Model card",
        "",
        "Data: the train splits of two corpora, gathered from public repositories; no record is "
        "redistributed. Decisions of absent seats are left out.",
        "",
        Report(
            "", ("table", "games", "of them by year, where it is known"), tuple(tables)
        ).markdown(),
        "",
        f"- Network: width {shape['width']}, {shape['blocks']} residual blocks, weights shared by "
        "the suits. It evaluates each row as it is and with the ranks of every suit reversed (1 "
        "for 9), and averages both. Besides the policy it answers how the hand ends.",
        f"- Fit (`haiyomi fit all`): {s['steps']:,} steps of {s['batch']:,} decisions"
        f"{_on(manifest)}; AdamW with learning rate {s['rate']}, weight decay {s['decay']}, "
        f"the rate constant until {1 - s['cool']:.0%} of the steps and linear to zero from there; "
        "exponential moving average of the weights. In a tenth of the decisions the viewer does "
        "not remember tedashi. On 16,000 decisions of valid, without the reversed view: top-1 "
        f"{valid['top1']}, top-3 {valid['top3']}, cross-entropy of discards "
        f"{valid['valid discard']} nats.",
        f"- Styles: {manifest['players_with_a_vector']} players had a style vector during the fit. "
        f"The file holds the means of {len(classes)} classes of players ({', '.join(classes)}) and "
        f"the vectors of {len(programs)} programs ({', '.join(programs)}); it holds no person's.",
        f"- Limits: {manifest['limits']}.",
        "",
    ]


def _on(manifest: dict[str, Any]) -> str:
    """On which machine a fit ran, and in what order it read the rows, where this is known."""
    machine, order = manifest.get("machine"), manifest.get("order")
    return (f" on {machine}" if machine else "") + (f"; {order}" if order else "")


def rollout_card() -> list[str]:
    """The small network that plays hands on."""
    network = rollout_policy().network
    shape, m = network.shape.decision, network.manifest
    return [
        "## The rollout network",
        "",
        f"`styles/rollout.safetensors` has width {shape.width} and {shape.blocks} blocks, no "
        f"styles and no answer but the policy. It was fitted in {m['settings']['steps']:,} steps "
        "to the same games, and is used without the reversed view. On the 16,000 decisions above "
        f"its top-1 is {m['valid']['top1']}, top-3 {m['valid']['top3']}. `python -m bench.play` "
        "times both.",
        "",
    ]


def scores(r: dict[str, Any]) -> list[str]:
    """Agreement and choices on the test split."""
    out = [
        f"## On the {r['what']} split",
        "",
        f"{r['games']:,} games of both corpora, {r['rows']:,} decisions without forced discards "
        f"({r['fraction']:.0%} of all, drawn by a hash); a red five counts as a five; 95% "
        "intervals by bootstrap over games. *The other policy* is the one shipped before, "
        "with 40,000 steps of 512 decisions. A style's gain is the log loss of the policy of "
        "all players together minus that with the vector that the fit learned of the player in "
        "train. A rule that always discards the tile "
        f"just drawn has top-1 {r['discard_just_drawn']:.3f}.",
        "",
        *earlier(r),
    ]
    discards, choices, *more = reports(r)
    out += [discards.markdown(), "", choices.markdown()]
    for table in more:
        out += ["", table.markdown()]
    return [*out, ""]


def games(r: dict[str, Any]) -> list[str]:
    """The stand-in's games before the referee."""
    differs = "decisions at which the list of legal actions differs from riichienv's"
    counts = (
        ("illegal answers", r["illegal"]),
        (differs, r["differing_options"]),
        ("fallback answers", r["fallbacks"]),
        ("messages not understood", r["messages_not_understood"]),
    )
    return [
        "### Choices drawn from the probabilities (temperature 1, the default)",
        "",
        f"{r['games']} games, {r['decisions']:,} answers. In {r['taken_over']} seats the stand-in "
        f"took over in the middle of the game ({r['decisions_of_reliefs']:,} of the answers).",
        "",
        *earlier(r),
        Report("", ("event", "count"), counts).markdown(),
        "",
        styles_report(r).markdown(),
        "",
    ]


def absent(r: dict[str, Any]) -> list[str]:
    """Players of records who lost the connection."""
    turns = max(r["turns"], 1)
    return [
        "## Where a player lost the connection",
        "",
        f"{r['games']} games of {r['what']}, {r['hands']} hands, {r['turns']:,} turns of absent "
        "seats. There the server discarded the tile just drawn. Each turn is predicted on its own, "
        "with the game before it as it was played (`haiyomi evaluate absent --every` lists them). "
        f"The interval is {r.get('interval', '95% (Wilson)')}.",
        "",
        *earlier(r),
        "| | stand-in | server |",
        "|---|---:|---:|",
        f"| discards the tile just drawn | {same_tile(r)} | 100% |",
        f"| mean shanten after the discard | {r['shanten_kept'] / turns:.2f} | "
        f"{r['shanten_thrown'] / turns:.2f} |",
        f"| declares riichi | {r['riichi']} times | never |",
        f"| calls | {r['calls']} of {r['offers']:,} tiles on offer | none |",
        f"| wins | {r['wins_taken']} of {r['wins_offered']} possible wins | none |",
        f"| discards the tile that dealt in | {r['dealt_in_too']} of {r['dealt_in']} | "
        f"{r['dealt_in']} of {r['dealt_in']} |",
        "",
    ]


def page() -> str:
    """The whole page."""
    out = [
        "# The imitation and the stand-in",
        "",
        "Generated by `docs/fill_imitation.py`; do not edit.",
        "",
        "The imitation predicts every choice of a player of Tenhou's highest table from what that "
        "seat sees: discards, riichi, calls, kans, wins, and the abortive draw of nine terminals. "
        "A *style vector* of eight numbers turns it towards one player or a class of players; the "
        "zero vector is the policy of all players together (`pooled`). `haiyomi bot` plays a seat "
        "by it, as an mjai process.",
        "",
    ]
    policy = results("policy")
    if policy:
        out += card(shipped_policy().manifest) + rollout_card() + scores(policy)
    played = results("stand-in")
    if played:
        out += [
            "## In games",
            "",
            f"Whole hanchan in {played['referee']}, which checks every answer by its own rules. At "
            "every decision its list of legal actions is compared with the stand-in's. Rates are "
            "shares of hands, with 95% Wilson intervals; *its players* are the players of that "
            "class in the records.",
            "",
            *games(played),
        ]
    out += [
        "## The bundled game",
        "",
        "`haiyomi demo` reviews a hanchan between four of these players, one of each style, at the "
        "package's own table. The first policy that was shipped played it, by this command:",
        "",
        "```",
        COMMAND,
        "```",
        "",
        "It is the first game of its seed in which every kind of event occurs that the demo should "
        "show (`tests/play/test_demo.py` has the list). riichienv, given the same walls, allows "
        "every choice, draws the same tiles and computes the same payments; so does "
        "`haiyomi verify`.",
        "",
    ]
    gone = results("absent")
    if gone:
        out += absent(gone)
    return "\n".join(out)


if __name__ == "__main__":
    write_page("imitation", page())
