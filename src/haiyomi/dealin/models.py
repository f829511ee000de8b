"""Deal-in models by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from haiyomi.dealin.variant import LITERAL, Variant
from haiyomi.dealin.variant import NAME as KURITA_HOKI
from haiyomi.errors import ModelError

if TYPE_CHECKING:
    from haiyomi.dealin.grid import GridModel

MODELS: tuple[str, ...] = (
    "posterior",
    "posterior:no-tedashi",
    "kurita-hoki",
    "kurita-hoki-literal",
)
"""``posterior``: the network of opponents and every tenpai hand by its weights;
``posterior:no-tedashi``: the same for a viewer who does not remember tedashi from tsumogiri.
``kurita-hoki-literal``: the paper's model, every equation to the letter; ``kurita-hoki``: the same
with five corrections."""
STEPS: tuple[str, ...] = (
    "posterior:availability", "posterior:shape", "posterior:furiten", "posterior:yaku",
    "posterior:weights",
)  # fmt: skip
"""The ablation steps of ``posterior``: each adds the part that it is named after."""
DEFAULT = "posterior"
NO_TEDASHI = "posterior:no-tedashi"


def load_model(name: str = DEFAULT) -> GridModel:
    """The model of a name in MODELS or STEPS, or of a model file's path, ready to answer at
    once. A name of ``dealin.variant`` may follow a file's path after ``=``.

    Raises ModelError.
    """
    model = _named(name)
    model.prepare()
    return model


def _named(name: str) -> GridModel:
    if name.partition(":")[0] in (KURITA_HOKI, LITERAL):
        from haiyomi.dealin import kurita_hoki

        return kurita_hoki.shipped(Variant.parse(name))
    if name in (DEFAULT, NO_TEDASHI) or name in STEPS:
        from haiyomi.dealin.network_model import shipped

        if name == DEFAULT:
            return shipped()
        if name == NO_TEDASHI:
            return shipped().forgetting(name)
        from haiyomi.dealin.ablation import step

        return step(shipped(), name)
    if name.endswith(".safetensors"):
        from haiyomi.dealin.network_model import NetworkModel

        return NetworkModel.load(Path(name))
    file, _, variant = name.partition(".json=")
    path = Path(f"{file}.json") if variant else Path(name)
    if path.suffix == ".json":
        from haiyomi.dealin.kurita_hoki import KuritaHoki

        return KuritaHoki.load(path, Variant.parse(variant or KURITA_HOKI))
    if path.is_file():
        raise ModelError(f"{name} is no model file: their names end in .safetensors or .json")
    raise ModelError(f"no model {name!r}: choose from {', '.join(MODELS)} or give a model file")
