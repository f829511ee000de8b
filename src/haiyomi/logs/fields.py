"""Checked access to JSON values that nobody has vouched for.

Each function raises ValueError with a short reason; the readers add file, hand and event. Only
what haiyomi does not read at all is an UnsupportedError.
"""

from __future__ import annotations

import json
from typing import Any

from haiyomi.errors import UnsupportedError
from haiyomi.events import FourScores
from haiyomi.tiles import Seat

MOST_POINTS = 10_000_000
"""Larger scores are damage, and would not fit the core's integers."""


def decode_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, also for absurd nesting or numbers."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def integer(value: object, low: int, high: int, what: str) -> int:
    """``value`` if it is a whole number from ``low`` to ``high``."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{what} {_short(value)} is no whole number from {low} to {high}")
    return value


def seat(value: object, what: str = "seat") -> Seat:
    """An absolute seat 0-3."""
    return Seat(integer(value, 0, 3, what))


def array(value: object, what: str, length: int | None = None) -> list[Any]:
    """``value`` if it is a JSON array, of ``length`` entries if that is given."""
    if not isinstance(value, list):
        raise ValueError(f"{what} {_short(value)} is no array")
    if length is not None and len(value) != length:
        raise ValueError(f"{what} has {len(value)} entries, not {length}")
    return value


def names(value: object, what: str) -> list[Any]:
    """The array of four players' names. Raises UnsupportedError for three."""
    if isinstance(value, list) and len(value) == 3:
        raise UnsupportedError("a three-player record, which haiyomi does not read")
    return array(value, what, 4)


def mapping(value: object, what: str) -> dict[str, Any]:
    """``value`` if it is a JSON object."""
    if not isinstance(value, dict):
        raise ValueError(f"{what} {_short(value)} is no object")
    return value


def points(value: object, what: str) -> FourScores:
    """Four scores or changes of scores, in points."""
    a, b, c, d = (integer(v, -MOST_POINTS, MOST_POINTS, what) for v in array(value, what, 4))
    return a, b, c, d


def text(value: object, what: str) -> str:
    """``value`` if it is a JSON string."""
    if not isinstance(value, str):
        raise ValueError(f"{what} {_short(value)} is no text")
    return value


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 40 else said[:37] + "..."
