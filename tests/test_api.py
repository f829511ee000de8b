"""The public API: every name loads lazily, is documented, and has an example that runs.

``tests/test_readme.py`` runs the examples of the page.
"""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_origin

import pytest

import haiyomi

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
NAMES = [name for name in haiyomi.__all__ if name != "__version__"]
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##)", PAGE + "\n##", re.MULTILINE | re.DOTALL))


def _at(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def test_the_page_has_a_section_for_each_name_and_no_other() -> None:
    assert set(SECTIONS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented_with_an_example(name: str) -> None:
    public = getattr(haiyomi, name)
    assert len(inspect.getdoc(public) or "") > 30
    code = "\n".join(re.findall(r"^(?:>>>|\.\.\.) (.*)", SECTIONS[name], re.MULTILINE))
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    assert name in used, f"the example of {name} does not use it"
    described = [_at(path) for path in re.findall(r"^::: ([\w.]+)", SECTIONS[name], re.MULTILINE)]
    assert public in described


@pytest.mark.parametrize("name", NAMES)
def test_public_methods_are_documented(name: str) -> None:
    public = getattr(haiyomi, name)
    if not inspect.isclass(public):
        return
    for member, value in vars(public).items():
        if member.startswith("_") or not callable(getattr(public, member)):
            continue
        if inspect.isfunction(value) or isinstance(value, classmethod | property):
            assert inspect.getdoc(getattr(public, member)), f"{name}.{member}"


def test_a_type_checker_sees_the_lazy_names() -> None:
    tree = ast.parse((ROOT / "src" / "haiyomi" / "__init__.py").read_text(encoding="utf-8"))
    block = next(
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    seen = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    lazy = {name: f"{module}.{name}" for name, module in haiyomi._LAZY.items()}
    assert seen == lazy


def test_no_public_name_hides_a_module() -> None:
    """Importing ``haiyomi.x`` sets the attribute ``x`` of the package."""
    modules = {path.stem for path in (ROOT / "src" / "haiyomi").iterdir()}
    assert not modules & set(NAMES)


def test_the_page_names_what_shows_itself_in_a_notebook() -> None:
    """It said so of all answers."""
    section = PAGE.partition("## In a notebook")[2].partition("\n## ")[0]
    pictures, _, tables = section.partition("(`_repr_svg_`)")
    classes = {path.rpartition(".")[2]: _at(path) for path in re.findall(r"^::: (\S+)", PAGE, re.M)}
    for method, text in (("_repr_svg_", pictures), ("_repr_html_", tables.partition("(`")[0])):
        assert set(re.findall(r"`(\w+)`", text)) == {
            name for name, public in classes.items() if hasattr(public, method)
        }


def _taken(path: str) -> set[str]:
    """The classes of haiyomi that a public function takes, or the public methods of a class, as
    their annotations name them."""
    module, _, name = path.rpartition(".")
    tree = ast.parse(Path(inspect.getfile(import_module(module))).read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    origin = {node.name: module for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            origin |= {alias.name: node.module or "" for alias in node.names}
    (public,) = (node for node in tree.body if getattr(node, "name", None) == name)
    functions = [public] if isinstance(public, ast.FunctionDef) else getattr(public, "body", [])
    found = set()
    for function in functions:
        if isinstance(function, ast.FunctionDef) and re.match("__init__|[^_]", function.name):
            for each in (*function.args.args, *function.args.kwonlyargs):
                names = ast.walk(each.annotation) if each.annotation else ()
                found |= {n.id for n in names if isinstance(n, ast.Name)}
    full = {f"{origin[n]}.{n}" for n in found if origin.get(n, "").startswith("haiyomi")}
    classes = {n: get_origin(_at(n)) or _at(n) for n in full}
    return {n for n, c in classes.items() if getattr(c, "__module__", "").startswith("haiyomi")}


def test_what_public_functions_take_is_public() -> None:
    documented = re.findall(r"^::: ([\w.]+)", PAGE, re.MULTILINE)
    listed = re.findall(r"`(haiyomi\.[\w.]+)`", PAGE.partition("## What is public")[2])
    # Made by haiyomi itself: a seat that follows a game, and a record of a Corpus.
    own = {"haiyomi.play.seat_state.SeatState", "haiyomi.play.player.Options",
           "haiyomi.corpus.entry.Entry"}  # fmt: skip
    public = {*documented, *listed, *own}
    taken = set().union(*map(_taken, documented))
    assert {name for name in taken - public if name.rpartition(".")[0] not in public} == set()


def _imports(page: str) -> set[str]:
    """What the Python examples of a page import from inside the package, as full names."""
    fences = "\n".join(re.findall(r"^```python[^\n]*\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    found = re.findall(r"^(?:>>> |\.\.\. )?\s*from (haiyomi[\w.]*) import ([\w, ]+)", fences, re.M)
    return {f"{module}.{name.strip()}" for module, names in found for name in names.split(",")}


def test_what_the_manual_s_examples_import_is_public() -> None:
    public = set(re.findall(r"`(haiyomi\.[\w.]+)`", PAGE.partition("## What is public")[2]))
    for path in public - {"haiyomi.__all__"}:
        if all(find_spec(extra) for extra in ("pettingzoo", "torch") if extra in path):
            assert _at(path) is not None
    public |= {f"haiyomi.{name}" for name in NAMES}
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    pages = [page for page in pages if page.parent.name != "notebooks"]
    used = set().union(*(_imports(page.read_text(encoding="utf-8")) for page in pages))
    assert "haiyomi.play.demo.demo_bytes" in used
    assert [n for n in sorted(used) if n not in public and n.rpartition(".")[0] not in public] == []
