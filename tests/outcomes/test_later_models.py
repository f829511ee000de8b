"""Models of what comes later are read from a folder or a file, and value whole decisions; networks
that do not fit each other are refused by a sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from forecasts import played, small_network
from numpy.typing import NDArray

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.errors import ModelError
from haiyomi.networks.network import Network
from haiyomi.networks.shape import OPPONENT_KINDS, OPPONENT_WHOLE, Shape, Tower
from haiyomi.outcomes.later_models import load_later
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_inputs import NAMES
from haiyomi.outcomes.option_model import NAME, OUTPUTS, VERSION, OptionModel
from haiyomi.outcomes.state import StateLater
from haiyomi.seeds import generator
from haiyomi.storage.tensors_file import read_tensors, write_tensors
from haiyomi.styles.policy import Policy

WIDTH = 16
Layers: TypeAlias = Mapping[str, NDArray[np.float32]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random networks of a policy, of opponents and of options."""
    out = tmp_path_factory.mktemp("models")
    rng = generator(5, "layers")
    shape = Shape(Tower(16, 1), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE))
    policy = Policy(small_network())
    opponents = Network(shape, rng.normal(0, 0.1, shape.size).astype(np.float32))
    shapes = {
        "channels": (2, 16, WIDTH), "pooled": (2, 16, WIDTH), "exact": (2, len(NAMES), WIDTH),
        "bias": (2, 1, WIDTH), "hidden": (2, WIDTH, WIDTH), "hidden bias": (2, 1, WIDTH),
        "out": (2, WIDTH, OUTPUTS),
    }  # fmt: skip
    layers = {name: rng.normal(0, 0.2, of).astype(np.float32) for name, of in shapes.items()}
    policy.save(out / "policy.safetensors")
    opponents.save(out / "opponents.safetensors")
    OptionModel(policy, opponents, layers).save(out / "options.safetensors")
    return out


def test_a_folder_is_the_network_of_options(folder: Path) -> None:
    later = load_later(folder)
    assert later.policy == "pooled"
    some = [d for d in played(1) if len(options_of(d)) > 1][:60:4]
    found = Analyzer(Models(later=later)).outcomes(some)
    for decision, outcomes in zip(some, found, strict=True):
        assert {outcome.option for outcome in outcomes} == set(options_of(decision))
    # Options differ by more than their deal-in at once.
    ends = later.later(OptionBlock.of(some[:1]))
    assert np.ptp(ends.ending, axis=1).max() > 1e-3


def test_a_file_is_the_state(folder: Path) -> None:
    assert isinstance(load_later(folder / "policy.safetensors"), StateLater)


def test_a_folder_that_lacks_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"policy\.safetensors"):
        load_later(tmp_path)


def test_a_policy_is_no_network_of_opponents(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "models")
    shutil.copy(folder / "policy.safetensors", tmp_path / "models" / "opponents.safetensors")
    with pytest.raises(ModelError, match="a network without the opponents' heads"):
        load_later(tmp_path / "models")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda layers: {**layers, "bias": layers["bias"][:0]}, "without members"),
        (lambda layers: {**layers, "bias": layers["bias"][..., :8]}, "a multiple of 16"),
        (lambda layers: {**layers, "hidden": layers["hidden"][:, :8]}, "layer hidden has"),
        (lambda layers: {**layers, "exact": layers["exact"][:1]}, "layer exact has the shape"),
        (lambda layers: {**layers, "out": layers["out"][..., 1:]}, "fitted on other networks"),
        (lambda layers: {**layers, "more": layers["out"]}, "other layers than channels, pooled"),
    ],
)
def test_layers_of_other_shapes_are_refused(
    folder: Path, tmp_path: Path, change: Callable[[Layers], Layers], said: str
) -> None:
    shutil.copytree(folder, tmp_path / "models")
    file = tmp_path / "models" / "options.safetensors"
    layers, manifest = read_tensors(file, NAME, VERSION)
    write_tensors(file, NAME, VERSION, change(layers), manifest)
    with pytest.raises(ModelError, match=said) as error:
        load_later(tmp_path / "models")
    assert "options.safetensors" in str(error.value)
    assert "\n" not in str(error.value)
