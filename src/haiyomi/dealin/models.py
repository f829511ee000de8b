"""Deal-in models by name."""

from __future__ import annotations

from pathlib import Path

from haiyomi.dealin.answer import DealInModel
from haiyomi.dealin.kurita_hoki import KuritaHoki, shipped
from haiyomi.errors import ModelError

MODELS: tuple[str, ...] = ("kurita-hoki", "kurita-hoki-literal")
"""``kurita-hoki-literal`` takes every equation of the paper to the letter."""
DEFAULT = "kurita-hoki"


def load_model(name: str = DEFAULT) -> DealInModel:
    """The model of a name in MODELS, or of a model file's path, ready to answer at once.

    Raises ModelError.
    """
    model = _named(name)
    model.prepare()
    return model


def _named(name: str) -> DealInModel:
    if name == "kurita-hoki":
        return shipped()
    if name == "kurita-hoki-literal":
        return shipped(literal=True)
    path = Path(name)
    if path.suffix == ".json":
        return KuritaHoki.load(path)
    raise ModelError(f"no model {name!r}: choose from {', '.join(MODELS)} or give a .json file")
