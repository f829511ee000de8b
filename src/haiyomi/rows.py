"""``Rows``: n rows as a frozen dataclass of columns, which are joined and chosen from alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Rows:
    """The base of a dataclass whose fields are columns: arrays with n entries each."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(getattr(self, self._names()[0]))

    @classmethod
    def _names(cls) -> list[str]:
        return [field.name for field in fields(cls)]  # type: ignore[arg-type]

    def take(self, index: NDArray[Any]) -> Self:
        """Some of the rows: a mask (n,), or their numbers."""
        return type(self)(*(getattr(self, name)[index] for name in self._names()))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of some parts, at least one, in order."""
        columns = ([getattr(part, name) for part in parts] for name in cls._names())
        return cls(*map(np.concatenate, columns))
