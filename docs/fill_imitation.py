"""Writes ``docs/explanation/imitation.md`` from results: ``python docs/fill_imitation.py``.

The results are made by ``haiyomi evaluate styles --work ROWS --results docs/results/policy.json``,
``haiyomi evaluate stand-in --results docs/results/stand-in.json`` (with ``--temperature 0`` for
``stand-in-likeliest.json``) and ``haiyomi evaluate absent --results docs/results/absent.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from haiyomi.evaluation.policy_print import reports
from haiyomi.evaluation.report import Report
from haiyomi.evaluation.stand_in_experiment import styles_report
from haiyomi.play.demo import COMMAND

DOCS = Path(__file__).resolve().parent


def _read(name: str) -> Any:
    file = DOCS / "results" / name
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def card(manifest: dict[str, Any]) -> list[str]:
    """The model card of the shipped policy."""
    data, s = manifest["data"], manifest["settings"]
    shape = s["shape"]
    behind = ", ".join(f"`{k}` ({v} players)" for k, v in manifest["players_behind_styles"].items())
    left = data["left_out_while_the_line_was_down"]
    return [
        "## Model card",
        "",
        f"- Data: the train split, {data['games']:,} games, {data['decisions']:,} decisions "
        f"({data['discards']:,} discards). {left:,} decisions of absent seats are left out.",
        f"- Network: width {shape['width']}, {shape['blocks']} residual blocks, weights shared by "
        "the suits. It evaluates each row as it is and with the ranks of every suit reversed (1 "
        "for 9), and averages both.",
        f"- Fit: {manifest['steps_done']:,} of {s['steps']:,} planned steps of {s['batch']} "
        f"decisions ({manifest['passes']} passes); Adam with learning rate {s['rate']} and a "
        "cosine schedule; exponential moving average of the weights. On valid, without the "
        f"reversed view: top-1 {manifest['valid']['top1']}, top-3 {manifest['valid']['top3']}, "
        f"cross-entropy {manifest['valid']['valid']} nats.",
        f"- Styles: {behind}. {manifest['players_with_a_vector']} players had a style vector "
        "during the fit; the file holds none of them.",
        f"- Limits: {manifest['limits']}.",
        "",
    ]


def scores(r: dict[str, Any]) -> list[str]:
    """Agreement and choices on the test split."""
    out = [
        f"## On the {r['what']} split",
        "",
        f"{r['games']} games, {r['rows']:,} decisions without forced discards; a red five counts "
        "as a five; 95% intervals by bootstrap over games. A rule that always discards the tile "
        f"just drawn has top-1 {r['discard_just_drawn']:.3f}.",
        "",
    ]
    discards, choices, *styles = reports(r)
    out += [discards.markdown(), "", choices.markdown()]
    gains = r.get("style_gains")
    if gains and gains["players"]:
        out += [
            "",
            "### The gain of a style",
            "",
            "The gain is the log loss of the pooled policy minus that of the same policy with the "
            "player's style vector, in nats a decision, on test games. The vector is estimated "
            f"from at most {gains['rows_looked_at']:,} choices of the player in train and valid. "
            f"{len(gains['players'])} players, {gains['n']:,} decisions; log loss of the pooled "
            f"policy {gains['pooled']:.4f} nats. The vector lowers the log loss of "
            f"{gains['better']} of the {len(gains['players'])} players.",
            "",
            *(report.markdown() for report in styles),
        ]
    return [*out, ""]


def games(r: dict[str, Any], title: str) -> list[str]:
    """One campaign before the referee."""
    ms = r["milliseconds"]
    differs = "decisions at which the list of legal actions differs from riichienv's"
    counts = (
        ("illegal answers", r["illegal"]),
        (differs, r["differing_options"]),
        ("fallback answers", r["fallbacks"]),
        ("messages not understood", r["messages_not_understood"]),
    )
    return [
        f"### {title}",
        "",
        f"{r['games']} games, {r['decisions']:,} answers. In {r['taken_over']} seats the stand-in "
        f"took over in the middle of the game ({r['decisions_of_reliefs']:,} of the answers). A "
        f"decision takes {ms['median']:.2f} ms (median), {ms['p99']:.1f} ms (99th percentile).",
        "",
        Report("", ("event", "count"), counts).markdown(),
        "",
        styles_report(r).markdown(),
        "",
    ]


def absent(r: dict[str, Any]) -> list[str]:
    """Real dropped lines."""
    turns = max(r["turns"], 1)
    return [
        "## Where the line of a player dropped",
        "",
        f"{r['games']} games of {r['what']}, {r['hands']} hands, {r['turns']:,} turns of absent "
        "seats. There the server discarded the tile just drawn. Each turn is predicted on its own, "
        "with the game before it as it was played (`haiyomi evaluate absent --every` lists them).",
        "",
        "| | stand-in | server |",
        "|---|---:|---:|",
        f"| discards the tile just drawn | {r['same_tile'] / turns:.1%} [{r['same_tile_low']:.1%}, "
        f"{r['same_tile_high']:.1%}] | 100% |",
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
        "zero vector is the pooled policy. `haiyomi bot` plays a seat by it, as an mjai process.",
        "",
    ]
    policy = _read("policy.json")
    if policy:
        out += card(policy["policy"]) + scores(policy)
    found = [
        (
            _read("stand-in.json"),
            "Choices drawn from the probabilities (temperature 1, the default)",
        )
    ]
    found.append((_read("stand-in-likeliest.json"), "Always the likeliest choice (temperature 0)"))
    if any(r for r, _ in found):
        out += ["## In games", ""]
        referee = next(r for r, _ in found if r)["referee"]
        out += [
            f"Whole hanchan in {referee}, which checks every answer by its own rules. At every "
            "decision its list of legal actions is compared with the stand-in's. Rates are shares "
            "of hands, with 95% Wilson intervals; *its players* are the players of that class in "
            "the records.",
            "",
        ]
        for r, title in found:
            if r:
                out += games(r, title)
    out += [
        "## The bundled game",
        "",
        "`haiyomi demo` reviews a hanchan between four of these players, one of each style, at the "
        "package's own table. This command writes the record, byte for byte:",
        "",
        "```",
        COMMAND,
        "```",
        "",
        "It is the first game of its seed in which every kind of event occurs that the demo should "
        "show (`python docs/make_demo.py --find`; `play/demo.py` has the list). riichienv, given "
        "the same walls, allows every choice, draws the same tiles and computes the same payments; "
        "so does `haiyomi verify` (`tests/play/test_demo.py`).",
        "",
    ]
    gone = _read("absent.json")
    if gone:
        out += absent(gone)
    out += [
        "## Scale",
        "",
        "This network was fitted by a trainer in the core, which is gone: torch trains now "
        "(`haiyomi fit policy`), with bfloat16, on a GPU where there is one, and in several "
        "processes by torchrun. On one busy core torch processed 2,520 decisions a second of the "
        "processor's time (features, forward and backward pass, AdamW), the former trainer 3,480.",
        "",
        "- Top-1 on valid did not change over the last third of the steps ([log](log.md)). More "
        "passes over these games are unlikely to raise it; more records may. The time of a pass is "
        "proportional to the number of records.",
        "",
    ]
    return "\n".join(out)


if __name__ == "__main__":
    (DOCS / "explanation" / "imitation.md").write_text(page(), encoding="utf-8")
