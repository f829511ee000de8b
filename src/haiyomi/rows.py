"""``Rows``: n rows as a frozen dataclass of columns, which are joined and chosen from alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Ints32


class Rows:
    """The base of a dataclass whose fields are columns: arrays with n entries each, or Rows of n.

    Fields that ``_WHOLE`` names have no entry a row: ``take`` keeps them.
    """

    __slots__ = ()
    _WHOLE: ClassVar[tuple[str, ...]] = ()

    def __len__(self) -> int:
        names = _names(type(self))
        return len(getattr(self, next(name for name in names if name not in self._WHOLE)))

    def take(self, index: NDArray[Any] | slice) -> Self:
        """Some of the rows: a mask (n,), their numbers, or a slice."""
        columns = ((name, getattr(self, name)) for name in _names(type(self)))
        return type(self)(
            *(
                column
                if name in self._WHOLE
                else column.take(index)
                if isinstance(column, Rows)
                else column[index]
                for name, column in columns
            )
        )

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of some parts, at least one, in order. Arrays and tuples are joined; of any
        other field the first part's stays. Codes into a tuple are not renumbered: ``GameRows``
        does so for games."""
        return cls(*_joined(parts))


def _field_names(rows: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(rows))


_names: Any = cache(_field_names)
"""The fields of a class of Rows, looked up once."""


@dataclass(frozen=True, slots=True, eq=False)
class GameRows(Rows):
    """Rows of ``games``, which are named: ``game`` (n,) are codes into these."""

    _WHOLE: ClassVar[tuple[str, ...]] = ("games",)
    games: tuple[str, ...]
    game: Ints32

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of some parts, at least one, in order, games renumbered."""
        firsts = np.cumsum([0, *(len(part.games) for part in parts)], dtype=np.int32)
        renumbered = [
            replace(part, game=part.game + first)
            for part, first in zip(parts, firsts, strict=False)
        ]
        return cls(*_joined(renumbered))


def _joined(parts: Sequence[Rows]) -> Iterator[Any]:
    """The fields of ``Rows.join``."""
    for name in _names(type(parts[0])):
        columns = [getattr(part, name) for part in parts]
        first = columns[0]
        if isinstance(first, Rows):
            yield type(first).join(columns)
        elif isinstance(first, np.ndarray):
            yield np.concatenate(columns)
        else:
            yield tuple(chain.from_iterable(columns)) if isinstance(first, tuple) else first
