"""The base installation works without the extras; what needs one says which, before any work."""

from __future__ import annotations

import importlib
import json
import pathlib
import subprocess
import sys

import pytest
from base_install import NEEDS, PROMISED

from haiyomi.errors import MissingExtraError
from haiyomi.extras import EXTRAS, missing_extra, require

HIDDEN = sorted({module for modules in EXTRAS.values() for module in modules})
RUN = f"""
import contextlib, io, json, sys
sys.modules.update(dict.fromkeys({HIDDEN!r}))
from haiyomi.apps.cli import main
answers = []
for line in json.loads(sys.argv[1]):
    sys.argv = ["haiyomi", *line]
    out, err, status = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code
    answers.append((status, err.getvalue()))
print(json.dumps(answers))
"""


def _without_extras(
    lines: list[list[str]], folder: pathlib.Path
) -> list[tuple[list[str], int, str]]:
    """Each command line with its exit status and what it printed to standard error."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(lines)],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    return [(line, *answer) for line, answer in zip(lines, answers, strict=True)]


def test_what_the_base_installation_promises_needs_no_extra(tmp_path: pathlib.Path) -> None:
    for line, status, errors in _without_extras(PROMISED, tmp_path):
        assert not status, f"{line}: {errors}"


def test_a_command_without_its_extra_says_which_to_install(tmp_path: pathlib.Path) -> None:
    answers = _without_extras([line for _, line in NEEDS], tmp_path)
    for (extra, _), (line, status, errors) in zip(NEEDS, answers, strict=True):
        assert status == 2, f"{line}: {errors}"
        assert errors.startswith("haiyomi: this needs "), f"{line}: {errors}"
        assert errors.rstrip().count("\n") == 0, f"{line}: {errors}"
        assert f"pip install '.[{extra}]'" in errors, f"{line}: {errors}"
    assert not [p for p in tmp_path.iterdir() if p.suffix in {".json", ".parquet"}]


def test_the_environment_without_its_extra_says_which_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A named case: the import ended with a bare ModuleNotFoundError."""
    for module in EXTRAS["rl"]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "haiyomi.play.pettingzoo_env", raising=False)
    with pytest.raises(MissingExtraError, match=r"^this needs gymnasium, .*'\.\[rl\]'"):
        importlib.import_module("haiyomi.play.pettingzoo_env")


def test_an_import_that_fails_midway_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"scikit-learn.*'\.\[train\]'"):
        require("train")
    error = missing_extra(ModuleNotFoundError("No module", name="sklearn.ensemble"))
    assert "'.[train]'" in str(error)
    assert missing_extra(ModuleNotFoundError("No module", name="haiyomi.nothing")) is None
    assert missing_extra(ModuleNotFoundError("No module")) is None
