"""A folder of networks that do not fit each other is refused by a sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import haiyomi
from haiyomi.errors import ModelError
from haiyomi.outcomes.later_models import FILES, load_later
from haiyomi.outcomes.option_model import NAME, VERSION
from haiyomi.storage.tensors_file import read_tensors, write_tensors

PACKAGE = Path(haiyomi.__file__).parent
SHIPPED = {
    "options": PACKAGE / "outcomes" / "options.safetensors",
    "policy": PACKAGE / "styles" / "policy.safetensors",
    "opponents": PACKAGE / "networks" / "opponents.safetensors",
}
Layers = Mapping[str, NDArray[np.float32]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(SHIPPED[name], tmp_path / f"{name}.safetensors")
    return tmp_path


def test_the_shipped_networks_fit(folder: Path) -> None:
    load_later(folder)


def test_a_policy_is_no_network_of_opponents(folder: Path) -> None:
    shutil.copy(SHIPPED["policy"], folder / "opponents.safetensors")
    with pytest.raises(ModelError, match="a network without the opponents' heads"):
        load_later(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda layers: {**layers, "bias": layers["bias"][:0]}, "without members"),
        (lambda layers: {**layers, "bias": layers["bias"][..., :8]}, "a multiple of 16"),
        (lambda layers: {**layers, "hidden": layers["hidden"][..., :16]}, "layer hidden has"),
        (lambda layers: {**layers, "exact": layers["exact"][:1]}, "layer exact has the shape"),
        (lambda layers: {**layers, "out": layers["out"][..., 1:]}, "fitted on other networks"),
        (lambda layers: {**layers, "more": layers["out"]}, "other layers than channels, pooled"),
    ],
)
def test_layers_of_other_shapes_are_refused(
    folder: Path, change: Callable[[Layers], Layers], said: str
) -> None:
    file = folder / "options.safetensors"
    layers, manifest = read_tensors(file, NAME, VERSION)
    write_tensors(file, NAME, VERSION, change(layers), manifest)
    with pytest.raises(ModelError, match=said) as error:
        load_later(folder)
    assert "options.safetensors" in str(error.value)
    assert "\n" not in str(error.value)
