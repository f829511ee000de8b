"""The map from equations to functions is true."""

from __future__ import annotations

import inspect
import re
from importlib import import_module

import pytest

from haiyomi.evaluation.papers.equations import KURITA_HOKI, MAEKAWA_TAKEUCHI, NEMOTO, TOMOHXX

NUMBERED = (KURITA_HOKI, NEMOTO, TOMOHXX)


def resolve(dotted: str) -> object:
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name)
        return found
    raise AssertionError(dotted)


def numbers(text: str) -> set[int]:
    """Every equation number that a text names, ranges such as (14)-(16) filled in."""
    out: set[int] = set()
    for low, high in re.findall(r"\((\d+)\)(?:-\((\d+)\))?", text):
        out |= set(range(int(low), int(high or low) + 1))
    return out


@pytest.mark.parametrize(("equation", "paper"), [(e, p) for p in NUMBERED for e in p])
def test_equation_is_named_by_its_function(
    equation: str, paper: dict[str, tuple[str, str]]
) -> None:
    function, _ = paper[equation]
    doc = inspect.getdoc(resolve(function))
    assert doc is not None
    assert numbers(equation) <= numbers(doc)


def test_every_equation_of_the_paper_has_a_place() -> None:
    assert set().union(*(numbers(e) for e in KURITA_HOKI)) == set(range(1, 35))
    assert set().union(*(numbers(e) for e in NEMOTO)) == {1, 2}
    assert set().union(*(numbers(e) for e in TOMOHXX)) == set(range(1, 10))


@pytest.mark.parametrize("part", MAEKAWA_TAKEUCHI)
def test_a_part_of_the_paper_without_equations_is_named_by_its_function(part: str) -> None:
    function, _ = MAEKAWA_TAKEUCHI[part]
    assert part in (inspect.getdoc(resolve(function)) or "")
