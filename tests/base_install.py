"""The command lines that the base installation promises, and those that name an extra.

``test_extras.py`` runs them with the other packages hidden, ``test_packaging.py`` from a wheel in
a virtual environment that never had them.
"""

from __future__ import annotations

import pathlib

SAMPLES = pathlib.Path(__file__).resolve().parent / "samples"
RECORD = str(SAMPLES / "haiyomi-7-00000.mjlog")
PLAYER = "haiyomi-1"

PROMISED: list[list[str]] = [
    ["demo"],
    ["play", "--games", "1", "--seed", "3", "-o", "played"],
    ["play", "--games", "1", "--east", "--styles", "policy:pooled", "-o", "imitated"],
    ["review", RECORD, "--seat", "0", "--hand", "E1", "--json"],
    ["review", RECORD, "--seat", "0", "--hand", "E1", "-o", "review.html"],
    ["review", "played", "--seat", "0", "-o", "pages", "--jobs", "1"],
    ["hands", RECORD, "--seat", "0", "--hand", "E1", "--turn", "5"],
    ["win", "789m14568p67s5557z", "--seen", "9s", "--turn", "5"],
    ["stats", "played", "--player", PLAYER, "--jobs", "1", "-o", "stats.html"],
    ["styles", "show", "played", "--player", PLAYER, "--jobs", "1"],
    ["bot", "--history", "played", "--player", PLAYER],
    ["convert", RECORD, "--to", "mjai", "-o", "record.mjson"],
    ["verify", "played"],
]
"""Each ends with status 0, with nothing on standard input."""

NEEDS: list[tuple[str, list[str]]] = [
    ("data", ["dataset", "build", str(SAMPLES), "--out", "dataset"]),
    ("data", ["evaluate", "dealin", str(SAMPLES), "--rows", "rows.parquet"]),
    ("data", ["benchmark", "make", "--size", "tiny", "-o", "bench"]),
    ("train", ["fit", "dealin", "dataset"]),
    ("train", ["fit", "nemoto"]),
    ("train", ["styles", "fit", str(SAMPLES)]),
    ("train", ["reproduce", "dealin", "--docs", "docs"]),
    ("train", ["reproduce", "reading", "--docs", "docs"]),
    ("train", ["reproduce", "styles", "--docs", "docs"]),
    ("plot", ["plot", "win", "123456789m1123p", "-o", "win.svg"]),
    ("bench", ["evaluate", "stand-in", "--games", "1"]),
    ("web", ["serve", "--port", "0"]),
    ("ray", ["stats", str(SAMPLES), "--player", PLAYER, "--engine", "ray"]),
]
"""Extra, command line: each ends with status 2 and one sentence that names the extra."""
