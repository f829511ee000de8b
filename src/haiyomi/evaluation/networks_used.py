"""Which networks results were measured with: ``networks`` of every results JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from haiyomi.analysis.models import shipped_digests
from haiyomi.dealin.models import DEFAULT, NO_TEDASHI, STEPS
from haiyomi.evaluation.metrics import by_game
from haiyomi.networks import opponents
from haiyomi.storage.seal import digest

LENGTH: Final = 12
"""Hexadecimal digits that are kept of a SHA-256."""


def networks_of(*models: str | Path | None) -> dict[str, str]:
    """File name -> the first digits of its SHA-256, of model files and of the networks in folders.
    None names no file."""
    places = [Path(model) for model in models if model is not None]
    files = [f for p in places for f in (sorted(p.glob("*.safetensors")) if p.is_dir() else [p])]
    return {file.name: digest(file)[:LENGTH] for file in files}


def shipped_networks(*more: Path) -> dict[str, str]:
    """The networks of a review, as ``networks_of``, and ``more`` files."""
    found = {name: whole[:LENGTH] for name, whole in shipped_digests().items()}
    return found | networks_of(*more)


def head_of(schema: str, records: str, games: int, *more: Path) -> dict[str, Any]:
    """What results JSON of a review's networks, and of ``more``, on some records begins with."""
    return {
        "schema": schema,
        "version": 1,
        "records": records,
        "networks": shipped_networks(*more),
        "games": games,
        "interval": by_game(games),
    }


def deal_in_networks(*names: str) -> dict[str, str]:
    """As ``networks_of``, of names or files of deal-in models; a regression is no network."""
    by_name = dict.fromkeys((DEFAULT, NO_TEDASHI, *STEPS), opponents.SHIPPED)
    files = (by_name.get(name, name) for name in names)
    return networks_of(*(file for file in files if str(file).endswith(".safetensors")))
