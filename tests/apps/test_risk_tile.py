"""``haiyomi risk --tile`` prints a risk as the table of all tiles does."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from haiyomi.apps.cli import build_app


def test_a_tiny_risk_of_one_tile_is_not_zero(root: Path, tmp_path: Path) -> None:
    """A named case: 9p of the manual's example had ``risk 0.00%``, and ``<.1%`` in the table."""
    page = (root / "docs/reference/position-json.md").read_text("utf-8")
    example = re.findall(r"```json\n(.*?)```", page, re.DOTALL)[0]
    (tmp_path / "position.json").write_text(example, encoding="utf-8")
    call = ["risk", str(tmp_path / "position.json"), "--tile", "9p"]
    ran = CliRunner().invoke(build_app("risk"), call)
    assert ran.exit_code == 0
    assert "risk <.1%" in ran.stdout
    assert "0.00%" not in ran.stdout
