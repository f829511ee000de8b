"""Points of the Sobol sequence: those of PyTorch, shifted; every block fills each dimension."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from numpy.typing import NDArray

HERE = pathlib.Path(__file__).resolve().parent
POINTS, DIMENSIONS = 1024, 8

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> dict[int, NDArray[np.uint64]]:
    """By seed, (n, 8) points as 32-bit numbers."""
    program = tmp_path_factory.mktemp("sobol") / "sobol_points"
    core = HERE.parent.parent / "cpp" / "core"
    subprocess.run(
        ["g++", "-std=c++20", f"-I{core}", str(HERE / "sobol_points.cpp"), "-o", str(program)],
        check=True,
    )
    out = {}
    for seed in (1, 2):
        printed = subprocess.run(
            [str(program), str(seed), str(POINTS)], check=True, capture_output=True, text=True
        ).stdout
        out[seed] = np.array(printed.split(), np.uint64).reshape(POINTS, DIMENSIONS)
    return out


def test_they_are_those_of_pytorch(points: dict[int, NDArray[np.uint64]]) -> None:
    torch = pytest.importorskip("torch")
    engine = torch.quasirandom.SobolEngine(DIMENSIONS)
    wanted = engine.draw(POINTS, dtype=torch.float64).numpy()
    for shifted in points.values():
        # The first point is zero before the shift.
        found = (shifted ^ shifted[0]) / 2.0**32
        np.testing.assert_allclose(found, wanted, atol=2.0**-29)


def test_every_block_fills_every_dimension(points: dict[int, NDArray[np.uint64]]) -> None:
    for shifted in points.values():
        for bits in (4, 7, 10):
            parts = (shifted >> np.uint64(32 - bits)).reshape(-1, 2**bits, DIMENSIONS)
            assert (np.sort(parts, axis=1) == np.arange(2**bits)[:, None]).all()


def test_the_shift_is_that_of_the_seed(points: dict[int, NDArray[np.uint64]]) -> None:
    assert (points[1][0] != points[2][0]).all()
    assert (points[1] ^ points[1][0] == points[2] ^ points[2][0]).all()
