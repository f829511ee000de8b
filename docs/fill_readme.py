"""Fills README's excerpt of the demo and its table of figures: ``python docs/fill_readme.py``.

The excerpt is cut from what ``haiyomi demo`` prints, the figures from
``docs/results/dealin.json`` (made by ``haiyomi reproduce dealin``): neither is typed.
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


def filled(readme: str, demo: str, results: dict[str, Any]) -> str:
    """README with both blocks made anew."""

    def put(text: str, mark: str, body: str) -> str:
        name = mark.split()[0]
        pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        made, count = pattern.subn(lambda m: m[1] + body + m[2], text)
        if count != 1:
            raise SystemExit(f"README has no place for {mark}")
        return made

    readme = put(readme, "demo", f"```text\n{excerpt(demo)}```\n")
    return put(readme, "results dealin", figures(results))


def main() -> None:
    """Rewrite README.md in place."""
    demo = subprocess.run(
        [sys.executable, "-m", "haiyomi", "demo"], capture_output=True, text=True, check=True
    ).stdout
    results = json.loads((ROOT / "docs/results/dealin.json").read_text(encoding="utf-8"))
    path = ROOT / "README.md"
    path.write_text(filled(path.read_text(encoding="utf-8"), demo, results), encoding="utf-8")


if __name__ == "__main__":
    main()
