"""The example programs run in their short form."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_the_student_learns_and_beats_chance(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "imitate.py", "--minute"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    losses = [float(loss) for loss in re.findall(r"loss (\d\.\d+)", done.stdout)]
    assert losses[-1] < 0.7 * losses[0]
    (share,) = re.findall(r"agreement on \d+ other decisions: (\d\.\d+)", done.stdout)
    assert float(share) > 0.45
    (points,) = re.findall(r"^  student +\d+ +([+-][\d,]+)", done.stdout, re.MULTILINE)
    assert int(points.replace(",", "")) > 0
