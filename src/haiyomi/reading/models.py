"""Models of hidden hands by name: the network's counts and the paper's CRF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from haiyomi.errors import ModelError

if TYPE_CHECKING:
    from haiyomi.reading.model import HandModel

DEFAULT: Final = "counts"
NAMES: Final = (DEFAULT, "nemoto-none", "nemoto-0", "nemoto-d")
"""The shipped models."""


def is_published(name: str) -> bool:
    """Whether a model of that name is the CRF of Nemoto, Komiya and Kotani."""
    return name.startswith("nemoto")


def load_hand_model(name: str) -> HandModel:
    """The model of one of NAMES, or of a model file's path. Raises ModelError."""
    from haiyomi.reading import counts, nemoto

    if name == DEFAULT:
        return counts.shipped()
    if name in NAMES:
        return nemoto.shipped(name.removeprefix("nemoto-"))
    path = Path(name)
    if path.suffix == ".safetensors":
        return counts.CountModel.load(path)
    if path.suffix != ".json":
        listed = ", ".join(NAMES)
        raise ModelError(f"no model of hands {name!r}: choose from {listed} or give a model file")
    return nemoto.NemotoModel.load(path)
