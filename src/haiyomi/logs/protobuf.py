"""Protocol Buffers' wire format, read by a table of fields: bounded, and without a dependency.

A message is a run of (number, type, value). ``decode`` gives the fields that a ``Message`` names as
a mapping like the message's JSON; all others are skipped. Fields that are absent stay absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from haiyomi.errors import SizeError
from haiyomi.logs.limits import MOST_DEPTH, MOST_ITEMS, MOST_MESSAGES

Scalar: TypeAlias = Literal["uint", "int", "bool", "text", "bytes"]
_WIDTHS = {1: 8, 5: 4}
"""Bytes of the fixed-width types; no field that haiyomi reads has one."""
_TEN = 10
"""Bytes of the longest number."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field's name in JSON, its type or message, and whether it is an array."""

    name: str
    type: Scalar | Message
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """The fields by number."""

    fields: Mapping[int, Field]


class Decoder:
    """Decodes messages of one input; their values together are counted against the limit."""

    def __init__(self) -> None:
        self._items = 0

    def decode(self, data: bytes, message: Message, depth: int = 0) -> dict[str, object]:
        """The named fields of a message. Raises ValueError, SizeError."""
        if depth > MOST_DEPTH:
            raise SizeError(f"messages nested more than {MOST_DEPTH} deep")
        found: dict[str, object] = {}
        for number, wire, value in self.fields(data):
            field = message.fields.get(number)
            if field is None:
                continue
            for each in self._values(field, wire, value, depth):
                if not field.repeated:
                    found[field.name] = each
                    continue
                several = found.setdefault(field.name, [])
                assert isinstance(several, list)
                several.append(each)
                if isinstance(each, dict) and len(several) > MOST_MESSAGES:
                    raise SizeError(f"an array of more than {MOST_MESSAGES} messages")
        return found

    def fields(self, data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
        """Number, wire type and value of each field. Raises ValueError, SizeError."""
        at = 0
        while at < len(data):
            self._count()
            key, at = _number(data, at)
            wire = key & 7
            if wire == 0:
                value, at = _number(data, at)
                yield key >> 3, wire, value
                continue
            if wire == 2:
                size, at = _number(data, at)
            elif wire in _WIDTHS:
                size = _WIDTHS[wire]
            else:
                raise ValueError(f"a field of the wire type {wire}, which does not exist")
            if size > len(data) - at:
                raise ValueError("a field is longer than its message")
            yield key >> 3, wire, data[at : at + size]
            at += size

    def _values(self, field: Field, wire: int, value: int | bytes, depth: int) -> Iterator[object]:
        """The value of a field; several where numbers are packed."""
        kind = field.type
        if isinstance(value, int):
            if wire != 0 or not isinstance(kind, str) or kind in ("text", "bytes"):
                raise ValueError(f"the field {field.name} is a number")
            yield _scalar(kind, value)
        elif isinstance(kind, Message):
            yield self.decode(value, kind, depth + 1)
        elif kind == "bytes":
            yield value
        elif kind == "text":
            yield value.decode("utf-8")
        elif field.repeated:
            at = 0
            while at < len(value):
                self._count()
                number, at = _number(value, at)
                yield _scalar(kind, number)
        else:
            raise ValueError(f"the field {field.name} is not a number")

    def _count(self) -> None:
        self._items += 1
        if self._items > MOST_ITEMS:
            raise SizeError(f"a record of more than {MOST_ITEMS} fields")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins at ``at``, seven bits a byte, and where it ends."""
    value = 0
    for i, byte in enumerate(data[at : at + _TEN]):
        value |= (byte & 127) << 7 * i
        if byte < 128:
            return value, at + i + 1
    raise ValueError("a number has no end")


def _scalar(kind: Scalar, value: int) -> int | bool:
    if kind == "bool":
        return value != 0
    if kind == "int" and value >> 63 & 1:
        return value - (1 << 64)
    return value
