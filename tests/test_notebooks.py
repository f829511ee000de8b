"""The notebooks of the manual run, in a short form, and their pages hold their code."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import sys
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_notebooks", DOCS / "run_notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["run_notebooks"] = module
    spec.loader.exec_module(module)
    return module


def test_there_are_four() -> None:
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_a_notebook_runs_and_draws(notebook: pathlib.Path, runner: ModuleType) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra [plot]")
    if "tenpai" in notebook.stem:
        pytest.importorskip("torch", reason="needs the extra [torch]")
        pytest.importorskip("pyarrow", reason="needs the extra [data]")
    ran = runner.run(notebook, short=True)
    assert ran.pictures
    for text in ran.pictures.values():
        ElementTree.fromstring(text)
    assert "```text" in ran.page
    if not any(cell.short for cell in runner.cells_of(notebook)):
        page = notebook.with_suffix(".md").read_text(encoding="utf-8")
        assert _printed(ran.page) == _printed(page)


def _printed(page: str) -> list[str]:
    return re.findall(r"```text\n(.*?)\n```", page, re.DOTALL)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_the_page_holds_the_notebook_s_code_and_pictures(
    notebook: pathlib.Path, runner: ModuleType
) -> None:
    page = notebook.with_suffix(".md").read_text(encoding="utf-8")
    code = [cell.source for cell in runner.cells_of(notebook) if cell.kind == "code"]
    assert re.findall(r"```python\n(.*?)\n```", page, re.DOTALL) == code
    pictures = re.findall(r"!\[.*?\]\((\S+\.svg)\)", page)
    assert pictures
    assert all((DOCS / "notebooks" / name).exists() for name in pictures)
    assert "outputs" in notebook.read_text(encoding="utf-8")
