"""The programs beside the package, which no test runs as a whole, name only what haiyomi has."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = ("bench", "docs", ".ci")


def _trees(source: str) -> Iterator[ast.Module]:
    """A program, and those that it holds as text for a process of their own."""
    tree = ast.parse(source)
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "import " not in node.value:
                continue
            try:
                yield ast.parse(node.value)
            except SyntaxError:  # prose
                continue


def _imports(source: str) -> Iterator[tuple[str, str]]:
    """The modules of haiyomi and the name taken from each, empty for none."""
    for tree in _trees(source):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                for alias in node.names:
                    yield node.module, alias.name
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.name, ""


def _has(module: str, name: str) -> bool:
    found = importlib.import_module(module)
    if not name or hasattr(found, name):
        return True
    return hasattr(found, "__path__") and bool(importlib.util.find_spec(f"{module}.{name}"))


def test_every_import_of_haiyomi_is_found(root: Path) -> None:
    files = [path for folder in PROGRAMS for path in sorted((root / folder).glob("*.py"))]
    wanted = {
        (path.name, module, name)
        for path in files
        for module, name in _imports(path.read_text(encoding="utf-8"))
        if module.split(".")[0] == "haiyomi"
    }
    assert len(wanted) > 100
    missing = []
    for file, module, name in sorted(wanted):
        try:
            if not _has(module, name):
                missing.append((file, module, name))
        except ModuleNotFoundError as error:
            if error.name is None or error.name.split(".")[0] == "haiyomi":
                missing.append((file, module, name))
    assert not missing


def test_a_program_in_a_text_is_read() -> None:
    source = 'RUN = """\nfrom haiyomi.tiles import Nothing\n"""\nimport haiyomi.rules\n'
    assert sorted(_imports(source)) == [("haiyomi.rules", ""), ("haiyomi.tiles", "Nothing")]
    assert not _has("haiyomi.tiles", "Nothing")


@pytest.mark.parametrize("what", ["dataset", "rows"])
def test_the_builds_that_are_timed_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.syspath_prepend(str(root))
    monkeypatch.chdir(root)
    throughput = importlib.import_module("bench.throughput")
    corpus = tmp_path / "corpus"
    game = next((root / "tests" / "samples").glob("*.mjlog"))
    for split in ("train", "valid", "test"):
        (corpus / split).mkdir(parents=True)
        (corpus / split / f"{split}.mjlog").write_bytes(game.read_bytes())
    took, peak = throughput.in_process(what, corpus, tmp_path / "out")
    assert took > 0
    assert peak > 0
