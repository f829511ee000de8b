"""Checked access to JSON values that nobody has vouched for.

Each function raises ValueError with a short reason; the readers add file, hand and event. Only
what haiyomi does not read at all is an UnsupportedError.
"""

from __future__ import annotations

import json
import re
from typing import Any

from haiyomi.errors import SizeError, UnsupportedError, not_json
from haiyomi.events import FourScores
from haiyomi.logs.limits import MOST_CONTAINERS, MOST_DEPTH, MOST_ITEMS, MOST_LINE
from haiyomi.tiles import Seat

MOST_POINTS = 1_000_000
"""Larger scores are damage; the networks would not bear them."""


_MARK = re.compile(r"[\[\]{}\"]")
_STRING_END = re.compile(r"[\"\\]")


def decode_json(text: str, strict: bool = False) -> Any:
    """The value of a JSON text. Raises ValueError; SizeError past the caps of ``limits``.

    A text no longer than a line of mjai may be is too short to take much. ``strict``: an object
    that has a key twice is a ValueError; otherwise the last one counts.
    """
    if len(text) > MOST_LINE:
        _check_sizes(text)
    try:
        return (_STRICT if strict else _DECODER).decode(text)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(not_json(error)) from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a key twice")
    return found


# Made once: json.loads makes a decoder for every text.
_DECODER = json.JSONDecoder(parse_constant=_no_number)
_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def _check_sizes(text: str) -> None:
    """Refuse a JSON text whose value would take much more memory than the text."""
    if text.count(",") > MOST_ITEMS:
        raise SizeError(f"a JSON text of more than {MOST_ITEMS} entries")
    depth = opened = at = 0
    while mark := _MARK.search(text, at):
        at = mark.end()
        if mark[0] in "[{":
            depth += 1
            opened += 1
            if depth > MOST_DEPTH:
                raise SizeError(f"a JSON text of arrays nested more than {MOST_DEPTH} deep")
            if opened > MOST_CONTAINERS:
                raise SizeError(f"a JSON text of more than {MOST_CONTAINERS} arrays and objects")
        elif mark[0] in "]}":
            depth -= 1
        else:
            while (end := _STRING_END.search(text, at)) and end[0] == "\\":
                at = end.end() + 1
            at = len(text) if end is None else end.end()


def integer(value: object, low: int, high: int, what: str) -> int:
    """``value`` if it is a whole number from ``low`` to ``high``."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{what} {_short(value)} is not a whole number from {low} to {high}")
    return value


def seat(value: object, what: str = "seat") -> Seat:
    """An absolute seat 0-3."""
    return Seat(integer(value, 0, 3, what))


def array(value: object, what: str, length: int | None = None) -> list[Any]:
    """``value`` if it is a JSON array, of ``length`` entries if that is given."""
    if not isinstance(value, list):
        raise ValueError(f"{what} {_short(value)} is not an array")
    if length is not None and len(value) != length:
        raise ValueError(f"{what} has {len(value)} entries, not {length}")
    return value


def names(value: object, what: str) -> list[Any]:
    """The array of four players' names. Raises UnsupportedError for three."""
    if isinstance(value, list) and len(value) == 3:
        raise UnsupportedError("is a three-player record, which haiyomi does not read")
    return array(value, what, 4)


def mapping(value: object, what: str) -> dict[str, Any]:
    """``value`` if it is a JSON object."""
    if not isinstance(value, dict):
        raise ValueError(f"{what} {_short(value)} is not an object")
    return value


def points(value: object, what: str) -> FourScores:
    """Four scores or changes of scores, in points."""
    a, b, c, d = (integer(v, -MOST_POINTS, MOST_POINTS, what) for v in array(value, what, 4))
    return a, b, c, d


def text(value: object, what: str) -> str:
    """``value`` if it is a JSON string."""
    if not isinstance(value, str):
        raise ValueError(f"{what} {_short(value)} is not text")
    return value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def is_mjai(text: str) -> bool:
    """Whether a text is mjai lines, by its first."""
    try:
        message = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "type" in message
