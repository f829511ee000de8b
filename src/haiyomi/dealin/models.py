"""Deal-in models by name."""

from __future__ import annotations

from pathlib import Path

from haiyomi.dealin.answer import DealInModel
from haiyomi.errors import ModelError
from haiyomi.storage.model_file import model_name

MODELS: tuple[str, ...] = ("posterior", "kurita-hoki", "kurita-hoki-literal")
"""``posterior``: every tenpai hand by learned weight. ``kurita-hoki``: the paper's model;
``kurita-hoki-literal`` takes every equation of the paper to the letter."""
STEPS: tuple[str, ...] = (
    "posterior:availability", "posterior:shape", "posterior:furiten", "posterior:yaku",
    "posterior:weights",
)  # fmt: skip
"""The ablation steps of ``posterior``: each adds the part that it is named after."""
DEFAULT = "posterior"


def load_model(name: str = DEFAULT) -> DealInModel:
    """The model of a name in MODELS or STEPS, or of a model file's path, ready to answer at
    once.

    Raises ModelError.
    """
    model = _named(name)
    model.prepare()
    return model


def _named(name: str) -> DealInModel:
    if name in ("kurita-hoki", "kurita-hoki-literal"):
        from haiyomi.dealin import kurita_hoki

        return kurita_hoki.shipped(literal=name == "kurita-hoki-literal")
    if name == "posterior" or name in STEPS:
        from haiyomi.dealin.posterior_model import shipped

        return _step(name) if name in STEPS else shipped()
    path = Path(name)
    if path.suffix == ".json":
        return _from_file(path)
    raise ModelError(f"no model {name!r}: choose from {', '.join(MODELS)} or give a .json file")


def _step(name: str) -> DealInModel:
    from haiyomi.dealin.ablation import step
    from haiyomi.dealin.posterior_model import shipped

    return step(shipped(), name)


def _from_file(path: Path) -> DealInModel:
    from haiyomi.dealin.kurita_hoki import NAME, KuritaHoki
    from haiyomi.dealin.posterior_model import PosteriorModel

    paper = path.is_file() and model_name(path) == NAME
    return KuritaHoki.load(path) if paper else PosteriorModel.load(path)
