"""Reliability diagrams as SVG: observed against predicted in equal-count bins."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.evaluation.dealin_rows import Rows
from haiyomi.evaluation.metrics import rate_interval
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.storage.whole_file import write_text

SIZE, EDGE = 360, 52
LABEL = 30
BINS = 20


def points(p: NDArray[Any], label: NDArray[Any]) -> list[tuple[float, float, float, float]]:
    """(mean predicted, observed, low, high) of each equal-count bin, 95% Wilson intervals."""
    out = []
    for part in np.array_split(np.argsort(p, kind="stable"), BINS):
        if len(part):
            hits = int(label[part].sum())
            out.append((float(p[part].mean()), hits / len(part), *rate_interval(hits, len(part))))
    return out


def svg(p: NDArray[Any], label: NDArray[Any], title: str) -> str:
    """One diagram; both axes are square roots, so that small risks can be distinguished."""
    found = points(p, label)
    top = max([0.02, *(max(a, high) for a, _, _, high in found)]) * 1.05
    inside = SIZE - 2 * EDGE

    def x(value: float) -> float:
        return EDGE + inside * math.sqrt(min(max(value, 0.0), top) / top)

    def y(value: float) -> float:
        return SIZE - EDGE - inside * math.sqrt(min(max(value, 0.0), top) / top)

    marks: list[float] = []
    for t in (0.8, 0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001):
        # From the right: what would run into its neighbour is left out.
        if t <= top and (not marks or x(marks[-1]) - x(t) >= LABEL):
            marks.append(t)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" '
        f'font-family="sans-serif" font-size="11" role="img" aria-label="{title}">',
        f"<title>{title}</title>",
        f'<rect width="{SIZE}" height="{SIZE}" fill="white"/>',
        f'<text x="{SIZE / 2}" y="22" text-anchor="middle" font-size="13">{title}</text>',
        f'<text x="{SIZE / 2}" y="{SIZE - 12}" text-anchor="middle">predicted</text>',
        f'<text x="14" y="{SIZE / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {SIZE / 2})">observed</text>',
        f'<path d="M{x(0):.1f} {y(0):.1f}L{x(top):.1f} {y(top):.1f}" stroke="#999" '
        'stroke-dasharray="4 3"/>',
        f'<path d="M{x(0):.1f} {y(top):.1f}V{y(0):.1f}H{x(top):.1f}" stroke="#333" fill="none"/>',
    ]
    for t in marks:
        tick = f"{t:.1%}" if t < 0.01 else f"{t:.0%}"
        lines += [
            f'<path d="M{x(t):.1f} {y(0):.1f}v4M{x(0):.1f} {y(t):.1f}h-4" stroke="#333"/>',
            f'<text x="{x(t):.1f}" y="{y(0) + 16:.1f}" text-anchor="middle">{tick}</text>',
            f'<text x="{x(0) - 7:.1f}" y="{y(t) + 4:.1f}" text-anchor="end">{tick}</text>',
        ]
    for predicted, observed, low, high in found:
        lines.append(
            f'<path d="M{x(predicted):.1f} {y(low):.1f}V{y(high):.1f}" stroke="#0b62a4"/>'
            f'<circle cx="{x(predicted):.1f}" cy="{y(observed):.1f}" r="3" fill="#0b62a4"/>'
        )
    return "\n".join([*lines, "</svg>", ""])


def write_diagrams(folder: Path, rows: Rows, model: str) -> list[Path]:
    """One SVG for all threat rows and one a class of opponent; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    tile = rows.tables["tile"]
    out = []
    for i, name in enumerate(("all", *CLASSES)):
        mask = tile["threat"] if i == 0 else tile["threat"] & (tile["cls"] == i - 1)
        if not mask.any():
            continue
        path = folder / f"reliability-{name.replace(' ', '-')}.svg"
        title = f"{model}: {name}, {int(mask.sum()):,} rows"
        write_text(path, svg(tile["probability"][mask], tile["label"][mask], title))
        out.append(path)
    return out
