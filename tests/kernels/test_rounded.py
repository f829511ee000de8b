"""A network with rounded products: the same bits whatever the compiler's options."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from haiyomi.kernels.network import NO_TOWER, STYLE, ForwardPass
from haiyomi.kernels.tables import new_games
from haiyomi.rules import TENHOU
from haiyomi.styles.policy import rollout_policy

HERE = pathlib.Path(__file__).resolve().parent
CORE = HERE.parent.parent / "cpp" / "core"
SOURCES = ("network", "tower", "convolution", "gemm", "opponent_features")
ROUNDED = ("gemm_rounded", "decision_features")
"""Sources that CMakeLists.txt has compiled without contraction."""
FLAGS = {
    "no optimisation": ["-O0"],
    "the oldest instructions": ["-O2", "-DHAIYOMI_NO_DISPATCH"],
    "this processor's instructions": ["-O3", "-march=native", "-DHAIYOMI_NO_DISPATCH"],
    "those chosen when it runs": ["-O3"],
}


def test_rounded_products_are_close_to_the_others() -> None:
    policy = rollout_policy()
    tables = new_games(TENHOU, [1] * 8, list(range(8)))
    records = tables.records(1)
    mirror, style = np.zeros(len(records), np.uint8), np.zeros((len(records), STYLE), np.float32)
    sizes = policy.network.shape.decision.sizes
    weights = policy.network.weights
    fast = ForwardPass(sizes, NO_TOWER, weights).outputs(records, mirror, style)
    rounding = ForwardPass(sizes, NO_TOWER, weights, rounded=True)
    rounded = rounding.outputs(records, mirror, style)
    for a, b in zip(fast, rounded, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-4)
    again = rounding.outputs(records[3:4], mirror[3:4], style[3:4])
    np.testing.assert_array_equal(again[0][0], rounded[0][3])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_same_bits_with_every_option_of_the_compiler(tmp_path: pathlib.Path) -> None:
    network = rollout_policy().network
    tables = new_games(TENHOU, [1] * 64, list(range(64)))
    tables.answer(tables.legal().argmax(axis=1).astype(np.uint8), 1)
    records = tables.records(1)
    file = tmp_path / "weights"
    sizes = np.array([*network.shape.decision.sizes, len(records)], "<u8")
    file.write_bytes(sizes.tobytes() + network.weights.tobytes() + records.tobytes())
    folders = [tmp_path / str(number) for number in range(len(FLAGS))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for its compiler
        printed = pool.map(_printed, folders, FLAGS.values(), [file] * len(FLAGS))
        found = dict(zip(FLAGS, printed, strict=True))
    assert len(set(found.values())) == 1, found


def _printed(folder: pathlib.Path, flags: list[str], file: pathlib.Path) -> str:
    """What the program prints if it is compiled with ``flags``."""
    program = folder / "rounded_bits"
    folder.mkdir()
    compiler = ["g++", "-std=c++20", *flags, f"-I{CORE}"]
    rounded = [HERE / "rounded_bits.cpp", *(CORE / f"{name}.cpp" for name in ROUNDED)]
    subprocess.run(
        [*compiler, "-ffp-contract=off", "-c", *map(str, rounded)], check=True, cwd=folder
    )
    others = [str(CORE / f"{name}.cpp") for name in SOURCES]
    objects = [str(folder / f"{source.stem}.o") for source in rounded]
    subprocess.run([*compiler, *others, *objects, "-o", str(program)], check=True)
    run = subprocess.run([str(program), str(file)], check=True, capture_output=True, text=True)
    return run.stdout
