"""Writes ``docs/explanation/imitation.md`` from results: ``python docs/fill_imitation.py``.

The results are made by ``haiyomi evaluate styles --history ROWS --json docs/results/policy.json``,
``haiyomi evaluate stand-in --json docs/results/stand-in.json`` (with ``--temperature 0`` for
``stand-in-likeliest.json``) and ``haiyomi evaluate absent --json docs/results/absent.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from haiyomi.play.demo import COMMAND

DOCS = Path(__file__).resolve().parent


def _read(name: str) -> Any:
    file = DOCS / "results" / name
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def _of(e: dict[str, Any], digits: int = 4) -> str:
    if e["value"] is None:
        return "-"
    return f"{e['value']:.{digits}f} [{e['low']:.{digits}f}, {e['high']:.{digits}f}]"


def _signed(e: dict[str, float]) -> str:
    return f"{e['value']:+.4f} [{e['low']:+.4f}, {e['high']:+.4f}]"


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
        f"({data['discards']:,} discards); {left:,} decisions of absent seats left out.",
        f"- Network: width {shape['width']}, {shape['blocks']} residual blocks, weights shared by "
        "the suits; each row seen as it is or with every suit turned round (1 for 9); an answer "
        "is the mean of both.",
        f"- Fit: {manifest['steps_done']:,} steps of {s['batch']} decisions "
        f"({manifest['passes']} passes) of {s['steps']:,} planned, Adam at {s['rate']} falling as "
        "a cosine, the running mean of the weights kept; last look at valid (one view): "
        f"top-1 {manifest['valid']['top1']}, top-3 {manifest['valid']['top3']}, "
        f"{manifest['valid']['valid']} nats.",
        f"- Styles: {behind}; {manifest['players_with_a_vector']} players had a vector while "
        "fitting, none is in the file.",
        f"- Limits: {manifest['limits']}.",
        "",
    ]


def scores(r: dict[str, Any]) -> list[str]:
    """Agreement and choices on the test split."""
    out = [
        f"## On the {r['what']} split",
        "",
        f"{r['games']} games, {r['rows']:,} decisions; forced discards are no rows, a red five "
        "counts as a five; 95% intervals by game. Always discarding the tile just drawn agrees "
        f"in {r['discard_just_drawn']:.3f}.",
        "",
        "| discards | n | top-1 | top-3 | cross-entropy, nats |",
        "|---|---:|---|---|---|",
    ]
    out += [
        f"| {name} | {s['n']:,} | {_of(s['top1'])} | {_of(s['top3'])} | {_of(s['nats'])} |"
        for name, s in r["discards"].items()
        if s["n"]
    ]
    out += [
        "",
        "| choice | n | yes | accuracy | base | AUC | log loss | constant |",
        "|---|---:|---:|---|---:|---|---:|---:|",
    ]
    out += [
        f"| {name} | {s['n']:,} | {s['rate']:.1%} | {_of(s['accuracy'])} | "
        f"{s['base_accuracy']:.4f} | {_of(s['auc'])} | {s['log_loss']['value']:.4f} | "
        f"{s['constant']:.4f} |"
        for name, s in r["choices"].items()
    ]
    gains = r.get("style_gains")
    if gains and gains["players"]:
        out += [
            "",
            "### What a style gains",
            "",
            "Log loss of the pooled policy minus that of the same policy given the player's "
            "vector, nats a decision, on test games; vectors by their choices in train and valid "
            f"(at most {gains['rows_looked_at']:,} of them). {len(gains['players'])} players, "
            f"{gains['n']:,} decisions, pooled {gains['pooled']:.4f} nats; better for "
            f"{gains['better']} of {len(gains['players'])}.",
            "",
            "| vector by | gain |",
            "|---|---|",
            f"| all games | {_signed(gains['gain'])} |",
            f"| the same, discards alone | {_signed(gains['discard_gain'])} |",
            *(f"| {name} | {_signed(e)} |" for name, e in gains["by"].items()),
            "",
            "| player | games before | held out | n | pooled | gain |",
            "|---:|---:|---:|---:|---:|---|",
        ]
        for number, p in enumerate(gains["players"], 1):
            gain = _signed({"value": p["gain"], "low": p["low"], "high": p["high"]})
            out.append(
                f"| {number} | {p['games_before']} | {p['games']} | {p['n']:,} | "
                f"{p['pooled']:.4f} | {gain} |"
            )
    return [*out, ""]


def games(r: dict[str, Any], title: str) -> list[str]:
    """One campaign before the referee."""
    ms = r["milliseconds"]
    out = [
        f"### {title}",
        "",
        f"{r['games']} games, {r['decisions']:,} answers, {r['taken_over']} seats taken over "
        f"midway for {r['decisions_of_reliefs']:,} of them: illegal {r['illegal']}, other ideas "
        f"of what is allowed {r['differing_options']}, fallbacks {r['fallbacks']}, messages not "
        f"understood {r['messages_not_understood']}. A decision: {ms['median']:.2f} ms (median), "
        f"{ms['p99']:.1f} ms (99%).",
        "",
        "| style | seats | hands | 1st | 2nd | 3rd | 4th | mean | riichi | call | win | deal-in |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|---|---|---|",
    ]
    for name, s in r["styles"].items():
        places = " | ".join(str(n) for n in s["placements"])
        rates = " | ".join(_of(e, 3) for e in s["rates"].values())
        out.append(
            f"| {name} | {s['seats']} | {s['hands']:,} | {places} | {s['mean_place']:.2f} | "
            f"{rates} |"
        )
        if name in r["people"]:
            people = " | ".join(f"{v:.3f}" for v in r["people"][name].values())
            out.append(f"| its people | | | | | | | | {people} |")
    return [*out, ""]


def absent(r: dict[str, Any]) -> list[str]:
    """Real dropped lines."""
    turns = max(r["turns"], 1)
    return [
        "## Where lines really dropped",
        "",
        f"{r['games']} games of {r['what']}, {r['hands']} hands, {r['turns']:,} turns of absent "
        "seats, for which the server threw the tile just drawn. The stand-in throws that kind "
        f"too in {r['same_tile'] / turns:.1%} [{r['same_tile_low']:.1%}, "
        f"{r['same_tile_high']:.1%}]; its discards leave {r['shanten_kept'] / turns:.2f} shanten "
        f"on average, the server's {r['shanten_thrown'] / turns:.2f}. It declares riichi "
        f"{r['riichi']} times, calls {r['calls']} of {r['offers']:,} tiles on offer, and wins "
        f"{r['wins_taken']} of {r['wins_offered']} times it could have. Of the server's "
        f"{r['dealt_in']} deal-ins it throws the same tile in {r['dealt_in_too']}. Each turn by "
        "itself, the game before it as it went (`haiyomi evaluate absent --every` lists them).",
        "",
    ]


def page() -> str:
    """The whole page."""
    out = [
        "# The imitation and the stand-in",
        "",
        "Generated by `docs/fill_imitation.py`; do not edit.",
        "",
        "`styles/policy.json` says for every decision of a seat, from what that seat sees, what a "
        "player of Tenhou's highest table would do: discards, riichi, calls, kans, wins, nine "
        "terminals. A *style vector* of eight numbers turns it towards one player or a class of "
        "players; zeros are the pooled policy. `haiyomi bot` plays a seat by it, as an mjai "
        "process.",
        "",
    ]
    policy = _read("policy.json")
    if policy:
        out += card(policy["policy"]) + scores(policy)
    found = [(_read("stand-in.json"), "Drawn from the probabilities (temperature 1, the default)")]
    found.append((_read("stand-in-likeliest.json"), "Always what is most likely (temperature 0)"))
    if any(r for r, _ in found):
        out += ["## In games", ""]
        referee = next(r for r, _ in found if r)["referee"]
        out += [
            f"Whole hanchan inside {referee}, which checks every answer by its own rules and "
            "whose list of legal actions is held against the stand-in's own at every decision. "
            "Rates are shares of hands, with 95% Wilson intervals; *its people* are the records' "
            "players of the class.",
            "",
        ]
        for r, title in found:
            if r:
                out += games(r, title)
    out += [
        "## The bundled game",
        "",
        "The record that `haiyomi demo` reviews is a hanchan of these players at the package's "
        "own table, one of each style, written to the byte by",
        "",
        "```",
        COMMAND,
        "```",
        "",
        "It is the first game of its seed that shows all that a demo should "
        "(`python docs/make_demo.py --find`; `play/demo.py` has the list). riichienv, given the "
        "same walls, allows every choice, draws the same tiles and comes to the same payments, as "
        "`haiyomi verify` does: `tests/play/test_demo.py`.",
        "",
    ]
    gone = _read("absent.json")
    if gone:
        out += absent(gone)
    out += [
        "## Scale",
        "",
        "The fit runs in the core on processors alone: some 3,400 decisions a second and thread "
        "at this size (the rows' numbers, forward and back), up to four threads, or processes "
        "and machines (`--spread`; `--engine torchrun`), with the same bits for any number of "
        "them. "
        "At width 64 it reads 7,500; torch 2.13 read 2,400 (32 "
        "bits) and 3,400 (bfloat16) through the blocks of that network alone on the same "
        "processor. The planned 18,000 steps are 2,700 seconds of one processor; making the rows "
        "takes .06 seconds a game, over processes or machines. Agreement on valid stood still over "
        "the last third of the steps ([log.md](log.md)): more passes over these games would not "
        "help, more records might, and twice the records are twice the time a pass. There is no "
        "GPU path: a GPU would do the network's arithmetic a hundred times as fast and then wait "
        "for the rows' numbers (some 10 microseconds each).",
        "",
    ]
    return "\n".join(out)


if __name__ == "__main__":
    (DOCS / "explanation" / "imitation.md").write_text(page(), encoding="utf-8")
