"""How far each table, figure and claim of a paper is reproduced: the list of the first page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from haiyomi.evaluation.report import Report

State: TypeAlias = Literal["reproduced", "in shape", "not"]


@dataclass(frozen=True, slots=True)
class Item:
    """A table, figure or claim of a paper by its ``name``, its ``state`` and the ``numbers`` that
    show it. *In shape*: the same order or course, with other numbers."""

    name: str
    state: State
    numbers: str


def items_report(papers: Sequence[tuple[str, Sequence[Item]]]) -> Report:
    """The items of papers, by the papers' names, as one table."""
    rows = tuple(
        (paper, item.name, item.state, item.numbers) for paper, items in papers for item in items
    )
    return Report("", ("paper", "what", "reproduced", "numbers"), rows)
