"""The cards of the shipped models: a page for each, made with the site from their manifests."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "haiyomi"
INTRODUCTION = """# Model cards

A card for each model that the package ships, made from the manifests of its files. Every model was
fitted on records of Tenhou's highest tables (see [Data](data.md)), that of options also on hands
played on from them: it says what those players did and held, not what is best, and it has not been
measured on other tables. No file holds a record or the name of a
person; two programs are named.

| model | what it answers |
|---|---|
"""
LIMITS = (
    "Fitted on games of Tenhou's highest tables under Tenhou's rules; other tables, other rules "
    "and three-player games have not been measured. It says what those players did "
    "and held, not what is best."
)
OF_VALID = "valid "
"""What a network's manifest puts before a loss on the valid split."""


@dataclass(frozen=True, slots=True)
class About:
    """What no manifest says: ``answers`` what the model predicts, ``used`` where it is asked,
    ``measured`` the page of its figures, ``limits`` what it cannot do besides LIMITS."""

    answers: str
    used: str
    measured: str = ""
    limits: str = ""


ABOUT = {
    "kurita-hoki": About(
        "Deal-in risk after Kurita and Hoki.",
        "`--model kurita-hoki` or `kurita-hoki-literal` of `review`, `risk`, `evaluate dealin`.",
        "[their page](../../reproduction/kurita-hoki.md)",
        "It knows tenpai and waits by classes of opponents, not by hands.",
    ),
    "nemoto": About(
        "Hidden hands after Nemoto, Komiya and Kotani; one file for each kind of sequence.",
        "`haiyomi hands --model nemoto-d` and `review --hands-model`.",
        "[their page](../../reproduction/nemoto.md)",
        "Its counts know neither how many tiles the hand has nor how many are left.",
    ),
    "policy": About(
        "The imitation: every choice of a player, in a style, and how the hand ends.",
        "`haiyomi bot`, `play`, `styles`, and the forecast of outcomes in reviews.",
        "[The imitation](../../explanation/imitation.md)",
        "It does not search for the best move. A player's style is eight numbers.",
    ),
    "player": About(
        "The policy that plays the games of the benchmark, an earlier and shorter fit.",
        "`haiyomi benchmark make`.",
        "[the benchmark](../../how-to/benchmark.md)",
        "It does not change with the policy, so that the benchmark's games stay the same.",
    ),
    "opponents": About(
        "The default deal-in model and model of hidden hands: tenpai, rons by tile, hidden tiles.",
        "`haiyomi review`, `risk`, `hands`, `stats` and the server.",
        "[Deal-in risk](../../explanation/deal-in.md)",
        "It does not know who plays.",
    ),
    "count-tilts": About(
        "How much likelier hands near tenpai are made among those drawn, by discards.",
        "`haiyomi hands`, the hands shown in reviews, and playing on.",
        "[Hidden hands](../../explanation/hidden-hands.md)",
        "It belongs to the shipped network of opponents; `haiyomi fit tilts` fits it anew.",
    ),
    "options": About(
        "What each option adds to the forecast of how the hand ends.",
        "Reviews, `haiyomi value` and the server.",
        "[Outcomes](../../explanation/outcomes.md)",
        "It learnt from hands that the imitation played on: it values an option as if people of "
        "those tables went on from there.",
    ),
    "rollout": About(
        "A small imitation, with which hands are played on by the thousand.",
        "`haiyomi value --playouts`, `review --confirm` and `fit branches`.",
        "",
        "It has no styles, and agrees with players a little less often than the policy.",
    ),
    "style-classes": About(
        "Classes of playing styles.",
        "`haiyomi styles`, and the styles of the policy.",
        "[their page](../../reproduction/maekawa-takeuchi.md)",
        "A class is the mean of at least three players; a player needs about twenty games.",
    ),
    "placement": About(
        "The places at the end of the game.",
        "`haiyomi value` and the values of options.",
        "[Placement](../../explanation/placement.md)",
        "It knows scores, hand, honba and deposits, and nothing of the players.",
    ),
    "worth": About(
        "How many points a won hand is worth, by its number of han.",
        "The forecast of outcomes.",
        "",
        "A table of means, not a model of the hand.",
    ),
}
"""The name of a model (its kind; of a network its file's name) -> what its card says beside the
manifest."""
Found = tuple[Path, dict[str, Any]]


def pages() -> dict[str, str]:
    """Path in docs -> Markdown: the index, and a page for each model."""
    models = models_by_name()
    lines = [f"| [{name}](models/{name}.md) | {_answers(name)} |\n" for name in models]
    out = {"reference/models.md": INTRODUCTION + "".join(lines)}
    return out | {f"reference/models/{n}.md": _page(n, files) for n, files in models.items()}


def models_by_name() -> dict[str, list[Found]]:
    """The files and manifests of each model, by its name."""
    found: dict[str, list[Found]] = {}
    for path, kind, manifest in shipped_models():
        found.setdefault(path.stem if kind == "network" else kind, []).append((path, manifest))
    return dict(sorted(found.items()))


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


def _answers(name: str) -> str:
    about = ABOUT.get(name)
    return about.answers if about is not None else ""


def _page(name: str, files: list[Found]) -> str:
    about = ABOUT.get(name)
    lines = [f"# {name}\n"]
    if about is not None:
        lines.append(f"{about.answers}\n\nUsed by: {about.used}\n")
        if about.measured:
            lines.append(f"Measured: {about.measured}.\n")
    lines += ["## Limits\n", LIMITS + (f" {about.limits}" if about and about.limits else "") + "\n"]
    for path, manifest in files:
        inner = path.relative_to(PACKAGE).as_posix()
        lines.append(f"## `haiyomi/{inner}`\n\n{path.stat().st_size:,} bytes.\n")
        rest = dict(manifest)
        lines += _fitted_on(rest) + _figures(rest)
        lines += ["| manifest | |", "|---|---|"]
        lines += [f"| {key} | {_cell(value)} |" for key, value in sorted(rest.items())]
        lines.append("")
    return "\n".join(lines)


def _fitted_on(rest: dict[str, Any]) -> list[str]:
    """The games by kind of table and year, which leave the manifest's other facts."""
    data = rest.get("data")
    games = data.get("games") if isinstance(data, dict) else None
    if not isinstance(games, dict) or not all(isinstance(v, dict) for v in games.values()):
        return []
    rest["data"] = {key: value for key, value in data.items() if key != "games"}
    years = sorted({year for by_year in games.values() for year in by_year})
    titles = ["unknown" if year == "0" else year for year in years]
    lines = [
        f"Fitted on {sum(n for found in games.values() for n in found.values()):,} games, by kind "
        "of table and year:\n",
        f"| table | all | {' | '.join(titles)} |",
        "|---|" + "---:|" * (len(years) + 1),
    ]
    for table, found in games.items():
        cells = [f"{found[year]:,}" if year in found else "" for year in years]
        lines.append(f"| {table} | {sum(found.values()):,} | {' | '.join(cells)} |")
    return [*lines, ""]


def _figures(rest: dict[str, Any]) -> list[str]:
    """A network's losses on the valid split, which leave the manifest's other facts."""
    valid = rest.get("valid")
    losses = {k: v for k, v in valid.items() if k.startswith(OF_VALID)} if valid else {}
    if not losses:
        return []
    rest["valid"] = {key: value for key, value in valid.items() if key not in losses}
    lines = ["Losses on the valid split at the end of the fit:\n", "| head | loss |", "|---|---:|"]
    lines += [f"| {key.removeprefix(OF_VALID)} | {loss:.5g} |" for key, loss in losses.items()]
    return [*lines, ""]


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
