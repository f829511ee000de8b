"""The tutorial 'Fit a model on your own records': its commands run, on fewer games and steps."""

from __future__ import annotations

import json
import pathlib
import re
import shlex

import pytest
from apps.in_process import haiyomi

PAGE = pathlib.Path(__file__).parent.parent / "docs" / "tutorial" / "own-records.md"
SHORTER = {
    "--games": "8", "--styles": "balanced", "--share": "0.00005", "--valid": "0.25",
    "--test": "0.25", "--jobs": "1",
}  # fmt: skip
"""Options of the page that the test gives other values."""


def _commands() -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```bash\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [shlex.split(line)[1:] for block in blocks for line in block.splitlines()]


def _shorter(arguments: list[str]) -> list[str]:
    out = list(arguments)
    for option, value in SHORTER.items():
        if option in out:
            out[out.index(option) + 1] = value
    if out[:2] == ["corpus", "split"]:
        out += ["--valid", SHORTER["--valid"], "--test", SHORTER["--test"]]
    return out


def test_the_commands_of_the_page_lead_from_records_to_a_measured_model(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="needs the extra [torch]")
    pytest.importorskip("pyarrow", reason="needs the extra [data]")
    monkeypatch.chdir(tmp_path)
    for arguments in map(_shorter, _commands()):
        if arguments[:2] == ["play", "--versus"]:
            arguments[arguments.index("--games") + 1] = "1"
        done = haiyomi(*arguments)
        assert done.returncode == 0, (arguments, done.stderr, done.stdout)
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["split"] == "test"
    card = (tmp_path / "decisions" / "README.md").read_text(encoding="utf-8")
    assert "| train |" in card
    files = json.loads((tmp_path / "corpus" / "split.json").read_text(encoding="utf-8"))
    assert sum(files["games"].values()) == 8
