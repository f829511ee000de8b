"""``docs/results/draws.json``: how far points of a ron are off because hands are drawn for them.

The likeliest han class and the mean points of the shipped number of draws are compared with those
of 20,000 draws, at decisions of games played here from a seed. Run: python docs/measure_draws.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.dealin.models import DEFAULT
from haiyomi.dealin.network_model import shipped
from haiyomi.dealin.payment import points_grid
from haiyomi.dealin.posterior_opponents import LEAST, MOST, SAMPLES
from haiyomi.evaluation.networks_used import deal_in_networks
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.kernels.posterior import ron_cells
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.seeds import generator
from haiyomi.storage.whole_file import write_json
from haiyomi.tiles import Seat

SEED, GAMES, DRAWS = 23, 120, 20_000
BINS = ((0.02, 0.2), (0.005, 0.02), (0.0005, 0.005))
A_BIN = 600


def main() -> None:
    """Measure and write the file."""
    rng = generator(SEED)
    found: dict[int, list[tuple[Position, int, int]]] = {b: [] for b in range(len(BINS))}
    for number in range(GAMES):
        for hand in simulate_rule_players(SEED, number).hands:
            some = [p for _, _, p in positions(hand.events, Seat(0)) if p.to_act and p.threat]
            for position in some[:: max(1, len(some) // 2)]:
                ron = shipped().read([position])[0].ron
                kinds = sorted({t.kind for t in position.hand})
                for b, (low, high) in enumerate(BINS):
                    cells = [(s, k) for s in range(3) for k in kinds if low <= ron[s, k] < high]
                    if cells:
                        s, k = cells[int(rng.integers(len(cells)))]
                        found[b].append((position, s, k))
    rows = []
    for b, (low, high) in enumerate(BINS):
        chosen = rng.permutation(len(found[b]))[:A_BIN]
        apart = [_compared(*found[b][i]) for i in chosen]
        rows.append({
            "low": low, "high": high, "cells": len(apart),
            "draws": float(np.mean([a["draws"] for a in apart])),
            "class_differs": float(np.mean([a["class"] for a in apart])),
            "points_off": float(np.mean([a["points"] for a in apart])),
        })  # fmt: skip
        print(rows[-1])
    write_json(
        Path(__file__).parent / "results" / "draws.json",
        {"seed": SEED, "games": GAMES, "against": DRAWS, "samples": SAMPLES, "least": LEAST,
         "most": MOST, "networks": deal_in_networks(DEFAULT), "rows": rows},
    )  # fmt: skip


def _compared(position: Position, s: int, kind: int) -> dict[str, Any]:
    """One cell by its number of draws, and by DRAWS."""
    found = shipped().read([position])[0]
    p = float(found.ron[s, kind])
    few = int(np.clip(SAMPLES * np.sqrt(p), LEAST, MOST))
    shown = found.seen.take(slice(s, s + 1)).shown(position.rules)
    posterior, one = found.rows[s].posterior, np.ones((1, 1))
    grid = points_grid(position.dealer == s + 1, 0)
    classes, means = [], []
    for n in (few, DRAWS):
        samples = np.full((1, 1), n, np.int32)
        cell = ron_cells([posterior], shown, [kind], samples, one).cells[0, 0]
        cell = cell / max(cell.sum(), 1e-12)
        han = cell.sum(axis=1)
        classes.append(int(np.argmax([han[1], han[2], han[3], han[4:].sum()])))
        means.append(float((cell * grid).sum()))
    off = abs(means[0] - means[1]) / max(means[1], 1.0)
    return {"draws": few, "class": classes[0] != classes[1], "points": off}


if __name__ == "__main__":
    main()
