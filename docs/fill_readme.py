"""Fills README's excerpt of the demo and its tables of figures: ``python docs/fill_readme.py``.

The excerpt is cut from what ``haiyomi demo`` prints, the figures from ``docs/results``:
``dealin.json`` and ``reading.json`` are made by ``haiyomi reproduce``, ``posterior.json`` by
``haiyomi evaluate dealin --against kurita-hoki --json``; the speeds by ``python -m bench``. None
is typed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from speed_table import speed_table

ROOT = Path(__file__).resolve().parent.parent


def excerpt(demo: str) -> str:
    """The decision that cost most, and the head of the closing list."""
    blocks = demo.split("\n\n")
    dear = max(
        (b for b in blocks if "DEALS IN" in b and b.startswith("Turn")),
        key=lambda b: int(re.search(r": -([\d,]+)", b)[1].replace(",", "")),  # type: ignore[index]
    )
    closing = demo[demo.index("Most dangerous discards") :].splitlines()
    # Three dots mark what is left out.
    return "\n".join([*dear.splitlines(), "...", *closing[:8]]) + "\n"


def figures(results: dict[str, Any], default: dict[str, Any]) -> str:
    """README's table of deal-in figures: the default model beside the paper's."""
    from haiyomi.evaluation.dealin_tables import REFERENCE

    def cell(e: dict[str, float], spec: str) -> str:
        return f"{e['value']:{spec}} [{e['low']:{spec}}, {e['high']:{spec}}]"

    beside = default["beside"]["kurita-hoki"]["tile"]
    lines = [
        f"Deal-in risk on the {default['games']} games of the test split, while some opponent is "
        "in riichi or melded: one row for each tile in the hand and opponent, label = that "
        "opponent could have won on it. *Skill* is 1 - log loss / log loss of the constant; in "
        "brackets 95% intervals by game. `posterior` is the default model, `kurita-hoki` the "
        "paper's, *reference* what the same method's reference program reaches. Models were "
        "fitted on the train split and chosen on valid, on which the default model's blend (four "
        "numbers a class) is fitted, too.",
        "",
        "| opponent | rows | `posterior` AUC | skill | `kurita-hoki` AUC | skill | difference of "
        "skill | reference AUC | skill |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, ours in default["tile"]["threat"].items():
        paper, gain = results["tile"]["threat"][name], beside[name]
        auc, skill = REFERENCE[name]
        lines.append(
            f"| {name} | {ours['n']:,} | {cell(ours['auc'], '.3f')} | "
            f"{cell(ours['skill'], '.1%')} | {paper['auc']['value']:.3f} | "
            f"{paper['skill']['value']:.1%} | {gain['gain']:+.1%} "
            f"[{gain['gain_low']:+.1%}, {gain['gain_high']:+.1%}] | {auc:.3f} | {skill:.1%} |"
        )
    bins = [b for b in results["table2"]["b"]["bins"] if b["n"]]
    worst = max(bins, key=lambda b: abs(b["observed"] - b["predicted"]))
    lines += [
        "",
        f"Of {results['table2']['b']['nodes']:,} tenth discards, each judged by the paper's model "
        "fitted without its game, predicted and observed deal-ins differ by at most "
        f"{100 * abs(worst['observed'] - worst['predicted']):.1f} points in every one-percent bin "
        "(the paper: about one). All tables of the default model: "
        "[docs/explanation/deal-in.md](docs/explanation/deal-in.md), of the paper's: "
        "[docs/explanation/reproduction.md](docs/explanation/reproduction.md).",
    ]
    return "\n".join(lines) + "\n"


READERS = (
    ("random hand", "random", None),
    ("unseen counts alone", "unseen best", "unseen"),
    ("the paper's CRF, roulette", "nemoto-d roulette", None),
    ("the paper's CRF, best hand", "nemoto-d best", "nemoto-d"),
    ("the chain, best hand", "chain best", "chain"),
)


def reading_figures(results: dict[str, Any]) -> str:
    """README's table of hidden hands."""
    told = results["evaluation"]
    agreement, bits = told["agreement"], told["bits"]

    def cell(e: dict[str, float]) -> str:
        return f"{e['value']:.3f} [{e['low']:.3f}, {e['high']:.3f}]"

    lines = [
        f"Hidden hands, fitted on the train split, at the {told['decisions']:,} free discards of "
        f"the {told['games']} games of the test split ({told['rows']:,} rows, one for each "
        "opponent). *Agreement* is the share of an opponent's concealed tiles that the named hand "
        "has right; *bits* the mean -log2 of the probability given to the true count of a kind.",
        "",
        "| hand named by | agreement | against riichi | bits a kind |",
        "|---|---:|---:|---:|",
    ]
    for label, way, model in READERS:
        loss = "" if model is None else cell(bits["all"]["by"][model])
        lines.append(
            f"| {label} | {cell(agreement['all']['by'][way])} | "
            f"{cell(agreement['riichi']['by'][way])} | {loss} |"
        )
    worst = told["shanten"]["worst"]
    lines += [
        "",
        f"The mean shanten of sampled hands is within {worst:.2f} of the true one at every turn "
        "from 3 to 15. All tables: "
        "[docs/explanation/reproduction.md](docs/explanation/reproduction.md).",
    ]
    return "\n".join(lines) + "\n"


def filled(readme: str, demo: str, results: dict[str, dict[str, Any]]) -> str:
    """README with all blocks made anew; ``results`` by the name of their file."""

    def put(text: str, mark: str, body: str) -> str:
        name = mark.split()[0]
        pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        made, count = pattern.subn(lambda m: m[1] + body + m[2], text)
        if count != 1:
            raise SystemExit(f"README has no place for {mark}")
        return made

    readme = put(readme, "demo", f"```text\n{excerpt(demo)}```\n")
    readme = put(readme, "results dealin", figures(results["dealin"], results["posterior"]))
    readme = put(readme, "speeds", speed_table(results["speeds"]))
    return put(readme, "reading-results", reading_figures(results["reading"]))


def main() -> None:
    """Rewrite README.md in place."""
    demo = subprocess.run(
        [sys.executable, "-m", "haiyomi", "demo"], capture_output=True, text=True, check=True
    ).stdout
    results = {
        name: json.loads((ROOT / f"docs/results/{name}.json").read_text(encoding="utf-8"))
        for name in ("dealin", "posterior", "reading")
    }
    speeds = ROOT / "bench" / "results" / "throughput.json"
    results["speeds"] = json.loads(speeds.read_text(encoding="utf-8"))
    path = ROOT / "README.md"
    readme = filled(path.read_text(encoding="utf-8"), demo, results)
    path.write_text(readme, encoding="utf-8")


if __name__ == "__main__":
    main()
