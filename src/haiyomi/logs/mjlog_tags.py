"""The tags of mjlog, and the numbers in them.

mjlog is XML of a narrow shape: empty elements with plain attributes, perhaps inside one
``mjloggm`` element (older records have none). A strict tokenizer of just that shape is
several times faster than an XML parser, and knows no entities or document types to be
bombed with. It takes one tag after the other, each of a limited size (``limits``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from haiyomi.errors import FormatError, SizeError
from haiyomi.events import FourScores
from haiyomi.logs.limits import MOST_ATTRIBUTES, MOST_TAG, MOST_VALUE
from haiyomi.tiles import TileId

_CHUNK = 1 << 16
"""Characters that are split into tags at a time."""
_NAME = re.compile(r"(/?)([A-Za-z]+)([0-9]*)")
_ATTRIBUTE = re.compile(r"\s+(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ENTITY = re.compile(r"&([^;]*);?")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_DECIMAL = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")
_DIGITS = re.compile(r"[-0-9,]+")
MOST_HUNDREDS = 10_000
"""Larger scores are damage, as in ``fields.MOST_POINTS``."""
_TILE_IDS = {str(i): TileId(i) for i in range(136)}


class Tag(NamedTuple):
    """A tag: ``</name>`` if ``closing``, ``<name12 key="value"/>`` if ``empty``."""

    closing: bool
    name: str
    digits: str
    attributes: dict[str, str]
    empty: bool


def tag_texts(text: str, at: int) -> Iterator[str]:
    """What stands behind each ``<`` from index ``at`` (a ``<`` itself) up to the next one."""
    return chain.from_iterable(_chunks(text, at))


def _chunks(text: str, at: int) -> Iterator[list[str]]:
    while 0 <= at < len(text):
        end = text.find("<", at + _CHUNK)
        end = len(text) if end < 0 else end
        yield text[at + 1 : end].split("<")
        at = end


def split_tag(text: str) -> Tag:
    """The parts of a tag, given without its ``<``. Raises FormatError, SizeError."""
    if len(text) > MOST_TAG:
        raise SizeError(f"a tag of more than {MOST_TAG} characters", value=text)
    body = text.rstrip()
    if not body.endswith(">"):
        raise FormatError("no tag of mjlog" if ">" in body else "ends inside a tag", value=text)
    empty = body.endswith("/>")
    body = body[: -2 if empty else -1]
    name = _NAME.match(body)
    if name is None:
        raise FormatError("no tag of mjlog", value=text)
    found: dict[str, str] = {}
    end = name.end()
    while match := _ATTRIBUTE.match(body, end):
        end = match.end()
        key, double, single = match.groups()
        value = double or single or ""
        if "&" in value:
            value = _ENTITY.sub(_character, value)
        if found.setdefault(key, value) != value:
            raise FormatError(f"the attribute {key} differs from itself in a tag", value=text)
    if end < len(body) and not body[end:].isspace():
        raise FormatError("no tag of mjlog", value=text)
    if len(found) > MOST_ATTRIBUTES:
        raise SizeError(f"a tag of more than {MOST_ATTRIBUTES} attributes", value=text)
    if len(body) > MOST_VALUE and (long := [k for k in found if len(found[k]) > MOST_VALUE]):
        raise SizeError(f"the attribute {long[0]} has more than {MOST_VALUE} characters")
    return Tag(name[1] == "/", name[2], name[3], found, empty)


def _character(match: re.Match[str]) -> str:
    if match[1] not in _ENTITIES:
        raise FormatError("an entity that XML does not define", value=match[0])
    return _ENTITIES[match[1]]


def numbers(text: str, count: int | None = None) -> list[int]:
    """Whole numbers with commas between them, in ASCII digits; ``count`` of them if given.

    Raises ValueError.
    """
    if _DIGITS.fullmatch(text) is None:
        raise ValueError(f"no whole number: {text[:40]!r}")
    try:
        found = [int(number) for number in text.split(",")]
    except ValueError:
        raise ValueError(f"no whole number: {text[:40]!r}") from None
    if count is not None and len(found) != count:
        raise ValueError(f"{text[:40]!r} is {len(found)} numbers, not {count}")
    return found


def number(text: str) -> int:
    """One whole number. Raises ValueError."""
    return numbers(text, 1)[0]


def decimal(text: str) -> float:
    """A number such as ``-12.0``. Raises ValueError."""
    if _DECIMAL.fullmatch(text) is None:
        raise ValueError(f"no number: {text[:40]!r}")
    return float(text)


def tile_ids(text: str) -> list[TileId]:
    """Tile ids with commas between them. Raises ValueError."""
    try:
        return [_TILE_IDS[ident] for ident in text.split(",")]
    except KeyError as error:
        raise ValueError(f"no tile id of 0 to 135: {error}") from None


def four_hundreds(text: str) -> FourScores:
    """Four scores in hundreds, as points. Raises ValueError."""
    a, b, c, d = numbers(text, 4)
    if max(abs(a), abs(b), abs(c), abs(d)) > MOST_HUNDREDS:
        raise ValueError(f"scores {text!r} are out of all bounds")
    return 100 * a, 100 * b, 100 * c, 100 * d


def changes(text: str) -> FourScores:
    """The changes among ``score,change,score,change,...``. Raises ValueError."""
    return four_hundreds(",".join(text.split(",")[1::2]))
