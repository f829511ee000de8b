"""Writes ``docs/balance.md`` from ``docs/results/balance.json``: ``python docs/fill_balance.py``.

The results are made by ``haiyomi evaluate balance --json docs/results/balance.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent


def table(bins: list[dict[str, float]], scale: float, unit: str) -> list[str]:
    """A Markdown table of predicted and observed means."""
    lines = [
        f"| bin | n | predicted{unit} | observed{unit} | 95% by game |",
        "|---:|---:|---:|---:|---|",
    ]
    for number, b in enumerate(bins, 1):
        lines.append(
            f"| {number} | {b['n']:,} | {scale * b['predicted']:,.1f} | "
            f"{scale * b['observed']:,.1f} | "
            f"[{scale * b['low']:,.1f}, {scale * b['high']:,.1f}] |"
        )
    return lines


def page(r: dict[str, Any]) -> str:
    """The whole page."""
    win, own, points = r["win"], r["own_draws_alone"], r["points_of_wins"]
    gap = 100 * r["largest_gap"]
    return "\n".join(
        [
            "# The balance of a discard",
            "",
            "balance = P(win the hand) x mean points of such a win - mean points lost by dealing "
            "in with the discard",
            "",
            "P(win) starts from the win by own draws of `winning` and is recalibrated on the train "
            "split to wins by ron or own draw (`haiyomi fit balance`). Left out: later deal-ins, "
            "what others win by their own draw, payments for tenpai, a riichi stick of one's own, "
            "the placement. So the balance stands above what hands bring, most where it is low; it "
            "ranks discards, it is no forecast of the score.",
            "",
            f"Measured on the {r['what']} split: {r['games']} games, {r['rows']:,} decisions (up "
            f"to three a seat and hand, by a seed), deal-in model `{r['deal_in_model']}`. Log loss "
            f"{win['log_loss']['value']:.4f} [{win['log_loss']['low']:.4f}, "
            f"{win['log_loss']['high']:.4f}], AUC {win['auc']['value']:.3f}; by own draws alone "
            f"{own['log_loss']['value']:.4f}, {own['auc']['value']:.3f}; constant "
            f"{win['constant']:.4f}. Largest gap between predicted and observed win rate "
            f"{gap:.1f} points (the aim is 2). Points of a win: predicted "
            f"{points['predicted']:,.0f}, observed {points['observed']:,.0f} "
            f"(n {points['n']:,}).",
            "",
            "## Win rate in ten equal-count bins, per cent",
            "",
            *table(r["win_bins"], 100, ""),
            "",
            "## Change of score over the hand by balance decile, points",
            "",
            *table(r["balance_deciles"], 1, ""),
            "",
        ]
    )


if __name__ == "__main__":
    results = json.loads((DOCS / "results" / "balance.json").read_text(encoding="utf-8"))
    (DOCS / "balance.md").write_text(page(results), encoding="utf-8")
