"""Fills README's excerpt of the demo and its tables of figures: ``python docs/fill_readme.py``.

The excerpt is cut from what ``haiyomi demo`` prints, the figures from
``docs/results/dealin.json`` and ``reading.json`` (made by ``haiyomi reproduce``): none is typed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def figures(results: dict[str, Any]) -> str:
    """README's table of figures."""
    from haiyomi.evaluation.dealin_tables import REFERENCE

    def cell(e: dict[str, float], spec: str) -> str:
        return f"{e['value']:{spec}} [{e['low']:{spec}}, {e['high']:{spec}}]"

    lines = [
        f"Deal-in risk, model `{results['model']}` fitted on {results['cells'][0]['n']:,} and more "
        f"rows of other games, on the {results['games']} games of the test split while some "
        "opponent is in riichi or melded: one row for each tile in the hand and opponent, label "
        "= that opponent could have won on it. *Skill* is 1 - log loss / log loss of the "
        "constant; in brackets 95% intervals by game; beside them the same method's reference "
        "program.",
        "",
        "| opponent | rows | AUC | reference | skill | reference |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, s in results["tile"]["threat"].items():
        auc, skill = REFERENCE[name]
        lines.append(
            f"| {name} | {s['n']:,} | {cell(s['auc'], '.3f')} | {auc:.3f} | "
            f"{cell(s['skill'], '.1%')} | {skill:.1%} |"
        )
    bins = [b for b in results["table2"]["b"]["bins"] if b["n"]]
    worst = max(bins, key=lambda b: abs(b["observed"] - b["predicted"]))
    lines += [
        "",
        f"Of {results['table2']['b']['nodes']:,} tenth discards, each judged by a model fitted "
        "without its game, predicted and observed deal-ins differ by at most "
        f"{100 * abs(worst['observed'] - worst['predicted']):.1f} points in every one-percent bin "
        "(the paper: about one). All tables: [docs/reproduction.md](docs/reproduction.md).",
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
        "from 3 to 15. All tables: [docs/reproduction.md](docs/reproduction.md).",
    ]
    return "\n".join(lines) + "\n"


def filled(readme: str, demo: str, results: dict[str, Any], reading: dict[str, Any]) -> str:
    """README with all blocks made anew."""

    def put(text: str, mark: str, body: str) -> str:
        name = mark.split()[0]
        pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        made, count = pattern.subn(lambda m: m[1] + body + m[2], text)
        if count != 1:
            raise SystemExit(f"README has no place for {mark}")
        return made

    readme = put(readme, "demo", f"```text\n{excerpt(demo)}```\n")
    readme = put(readme, "results dealin", figures(results))
    return put(readme, "reading-results", reading_figures(reading))


def main() -> None:
    """Rewrite README.md in place."""
    demo = subprocess.run(
        [sys.executable, "-m", "haiyomi", "demo"], capture_output=True, text=True, check=True
    ).stdout
    results, reading = (
        json.loads((ROOT / f"docs/results/{room}.json").read_text(encoding="utf-8"))
        for room in ("dealin", "reading")
    )
    path = ROOT / "README.md"
    readme = filled(path.read_text(encoding="utf-8"), demo, results, reading)
    path.write_text(readme, encoding="utf-8")


if __name__ == "__main__":
    main()
