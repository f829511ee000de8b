"""The stub of the core says what the built module has: each function, its arguments by name."""

from __future__ import annotations

import ast
import pathlib
import re

from haiyomi import _core


def _built(name: str, owner: object = _core) -> list[str]:
    """Argument names from the signature that nanobind writes at the head of a docstring."""
    signature = str(getattr(owner, name).__doc__).splitlines()[0]
    inside = signature[len(name) + 1 : signature.rindex(") ->")]
    depth, flat = 0, ""
    for char in inside:
        depth += (char in "([{") - (char in ")]}")
        flat += char if depth == 0 and char not in ")]}" else ""
    return re.findall(r"(?:^|, )(\w+):", flat)


def test_every_function_and_argument(root: pathlib.Path) -> None:
    tree = ast.parse((root / "src" / "haiyomi" / "_core.pyi").read_text(encoding="utf-8"))
    stub = {
        f.name: [a.arg for a in f.args.args] for f in tree.body if isinstance(f, ast.FunctionDef)
    }
    built = {
        n: _built(n)
        for n in dir(_core)
        if not n.startswith("_")
        and callable(getattr(_core, n))
        and not isinstance(getattr(_core, n), type)
    }
    assert stub == built
    assert list(stub) == sorted(stub)
    assert stub["score"][:3] == ["concealed", "melds", "context"]


def test_every_method(root: pathlib.Path) -> None:
    tree = ast.parse((root / "src" / "haiyomi" / "_core.pyi").read_text(encoding="utf-8"))
    classes = {c.name: c for c in tree.body if isinstance(c, ast.ClassDef)}
    built = {n for n in dir(_core) if isinstance(getattr(_core, n), type)}
    assert set(classes) == built
    for name, described in classes.items():
        owner = getattr(_core, name)
        for method in (f for f in described.body if isinstance(f, ast.FunctionDef)):
            if method.name == "__new__" or method.decorator_list:
                assert hasattr(owner, method.name)
                continue
            assert [a.arg for a in method.args.args][1:] == _built(method.name, owner), method.name
        named = {f.name for f in described.body if isinstance(f, ast.FunctionDef)}
        assert {n for n in dir(owner) if not n.startswith("_")} <= named
