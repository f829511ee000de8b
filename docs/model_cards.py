"""The cards of the shipped models: their files' manifests as a page, made with the site."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "haiyomi"
INTRODUCTION = """# Model cards

One card for each model file that the package ships, made from the file's manifest. Every model
was fitted on records of Tenhou's highest tables (see [Data](data.md)), that of options also on
hands played on from them: it says what those players did and held, not what is best, and it has not
been measured on other tables. No file holds a record or a player's name.
"""


@dataclass(frozen=True, slots=True)
class About:
    """What no manifest says: ``answers`` what the model predicts, ``measured`` where."""

    answers: str
    measured: str = ""


ABOUT = {
    "kurita-hoki": About(
        "Deal-in risk after Kurita and Hoki.", "[their page](../reproduction/kurita-hoki.md)"
    ),
    "nemoto": About(
        "Hidden hands after Nemoto, Komiya and Kotani.", "[their page](../reproduction/nemoto.md)"
    ),
    "policy": About(
        "The imitation: every choice of a player, in a style.",
        "[The imitation](../explanation/imitation.md)",
    ),
    "opponents": About(
        "The default deal-in model and model of hidden hands: tenpai, rons by tile, hidden tiles.",
        "[Deal-in risk](../explanation/deal-in.md)",
    ),
    "options": About(
        "What each option adds to the forecast of how the hand ends.",
        "[Outcomes](../explanation/outcomes.md)",
    ),
    "rollout": About("A small imitation, with which hands are played on by the thousand."),
    "style-classes": About(
        "Classes of playing styles.", "[their page](../reproduction/maekawa-takeuchi.md)"
    ),
    "balance": About(
        "From wins by own draws to all wins of a hand.",
        "[Balance of a discard](../explanation/balance.md)",
    ),
    "placement": About(
        "The places at the end of the game.", "[Placement](../explanation/placement.md)"
    ),
    "worth": About("How many points a won hand is worth, by its number of han."),
}
"""Kind of a model file, of a network its file's name -> what its card says beside the manifest."""


def cards_page() -> str:
    """The Markdown page of all cards."""
    return INTRODUCTION + "".join(_card(*found) for found in shipped_models())


def shipped_models() -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """(file, kind, manifest) of each model file in the package, by path."""
    for path in sorted([*PACKAGE.rglob("*.json"), *PACKAGE.rglob("*.safetensors")]):
        if path.suffix == ".json":
            value = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(value, dict) and "haiyomi_model" in value:
                yield path, value["haiyomi_model"], value["manifest"]
        else:
            with path.open("rb") as file:
                (length,) = struct.unpack("<Q", file.read(8))
                header = json.loads(file.read(length))["__metadata__"]
            yield path, header["haiyomi_model"], json.loads(header["manifest"])


def _card(path: Path, kind: str, manifest: dict[str, Any]) -> str:
    about = ABOUT.get(path.stem if kind == "network" else kind)
    lines = [f"\n## {path.stem}\n"]
    if about is not None:
        measured = f" Measured: {about.measured}." if about.measured else ""
        lines.append(f"{about.answers}{measured}\n")
    inner = path.relative_to(PACKAGE).as_posix()
    lines += ["| | |", "|---|---|", f"| file | `haiyomi/{inner}`, {path.stat().st_size:,} bytes |"]
    lines += [f"| {name} | {_cell(value)} |" for name, value in sorted(manifest.items())]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    """A value of a manifest in one cell of a table."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return value.replace("|", "\\|")
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > 300:
        text = text[:300] + " ..."
    return f"`{text}`"
