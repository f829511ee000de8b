"""One type for every table of results, printed as text, Markdown or JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a table with how it is printed (a format specification) and, where it has one,
    its 95% interval from ``low`` to ``high``. None is a figure that does not exist."""

    value: float | None
    spec: str = ",d"
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, estimate: Mapping[str, float | None], spec: str) -> Figure:
        """The figure of an estimate in results JSON: ``value``, ``low`` and ``high``."""
        return cls(estimate["value"], spec, estimate.get("low"), estimate.get("high"))

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        value = format(self.value, self.spec)
        if self.low is None or self.high is None:
            return value
        return f"{value} [{format(self.low, self.spec)}, {format(self.high, self.spec)}]"


_GAMES: Final = re.compile(r"[\d,]+ games? of ")
Cell: TypeAlias = str | int | Figure
"""A text, a count or a figure."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What the figures of a table were measured on: how many ``games`` of which ``split`` (or of
    which records), and what the ``interval`` in brackets is."""

    games: int | None = None
    split: str | None = None
    interval: str | None = None

    @classmethod
    def of(cls, results: Mapping[str, Any]) -> Scope:
        """The scope that results JSON states."""
        split = results.get("split") or results.get("records") or results.get("what")
        return cls(results.get("games"), split, results.get("interval"))

    def __str__(self) -> str:
        where = self.split or ""
        if self.games is not None and not where.startswith(f"{self.games:,} game"):
            # "329 of 380 games of valid"
            noun = "" if _GAMES.match(where) else " game" if self.games == 1 else " games"
            where = f"{self.games:,}{noun}" + (f" of {where}" if where else "")
        return "; ".join(part for part in (where, self.interval) if part)


@dataclass(frozen=True, slots=True)
class Report:
    """A table of results. The first column names the row, the others hold figures (or text)."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    scope: Scope = Scope()

    @property
    def _caption(self) -> str:
        scope = str(self.scope)
        return f"{self.title} ({scope})" if self.title and scope else self.title or scope

    @property
    def _text_columns(self) -> tuple[bool, ...]:
        """By column whether it is aligned to the left: the first, and those of words alone."""
        columns = list(zip(*self.rows, strict=True))
        return tuple(
            i == 0 or (bool(columns) and all(map(_is_words, columns[i])))
            for i in range(len(self.columns))
        )

    def text(self) -> str:
        """The table in aligned plain text."""
        rows = [self.columns, *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.columns))]
        lines = [self._caption] if self._caption else []
        for row in rows:
            cells = (
                cell.ljust(width) if is_text else cell.rjust(width)
                for cell, width, is_text in zip(row, widths, self._text_columns, strict=True)
            )
            lines.append("  " + "  ".join(cells).rstrip())
        return "\n".join(lines)

    def markdown(self) -> str:
        """The table in Markdown, its title in bold above it."""
        lines = [f"**{self._caption}**", ""] if self._caption else []
        lines.append(_line(self.columns))
        lines.append("".join("|---" if text else "|---:" for text in self._text_columns) + "|")
        return "\n".join([*lines, *map(_line, self.rows)])

    def to_json(self) -> dict[str, object]:
        """The table as JSON: each row a list of texts and of objects with value, low and high."""
        return {
            "title": self.title,
            "games": self.scope.games,
            "split": self.scope.split,
            "interval": self.scope.interval,
            "columns": list(self.columns),
            "rows": [[_plain(cell) for cell in row] for row in self.rows],
        }


def _line(cells: Sequence[Cell]) -> str:
    return "| " + " | ".join(map(_shown, cells)) + " |"


def _is_words(cell: Cell) -> bool:
    return isinstance(cell, str) and not any(character.isdigit() for character in cell[:2])


def _shown(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _plain(cell: Cell) -> object:
    if isinstance(cell, str | int):
        return cell
    return {"value": cell.value, "low": cell.low, "high": cell.high}
