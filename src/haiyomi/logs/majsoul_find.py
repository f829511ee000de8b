"""Where a record of Mahjong Soul lies in what programs save of it.

JSON: ``{"head": .., "data": ..}`` where ``data`` is the list of entries, or ``GameDetailRecords``
with ``records`` or ``actions``; or the list alone. An entry is ``{"name": ".lq.RecordDealTile",
"data": {..}}``, within ``result`` in ``actions``; its ``data`` may be protobuf in base64. Binary:
``ResGameRecord``, a wrapper of ``GameDetailRecords``, or that alone.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from haiyomi.errors import FormatError, UnsupportedError
from haiyomi.json_types import Json
from haiyomi.logs.limits import MOST_DEPTH
from haiyomi.logs.majsoul_schema import (
    ACTION,
    ACTIONS_FIELD,
    ANSWER,
    HEAD,
    RECORDS,
    RECORDS_FIELD,
    WRAPPER,
)
from haiyomi.logs.protobuf import Decoder, Message

HOW = "convert it to Tenhou's JSON with tensoul and give that"
"""What to do with a record that haiyomi does not read."""
_PLACES = ("data", "records", "actions", "record", "result", "game_record")
"""Where entries lie, in the order in which they are looked for."""
_ENTRY = re.compile(r"(?:[\w./]*[./])?(?:Record|Action|Notify)[A-Z]\w*")


def _camel(message: Message) -> Iterator[tuple[str, str]]:
    """The names of a message's fields with humps -> with underscores."""
    for each in message.fields.values():
        yield re.sub(r"_(\w)", lambda found: found[1].upper(), each.name), each.name
        if isinstance(each.type, Message):
            yield from _camel(each.type)


_NAMES = {name: known for message in (HEAD, *RECORDS.values()) for name, known in _camel(message)}


@dataclass(slots=True)
class Found:
    """The head, if there is one, and the entries: (name without ``.lq.``, fields)."""

    head: Json | None = None
    entries: list[tuple[str, Json]] = field(default_factory=list)


def find_json(value: object) -> Found:
    """The record in a decoded JSON value. Raises RecordError, ValueError."""
    found = Found()
    if isinstance(value, dict):
        head = value.get("head")
        found.head = _named(head) if isinstance(head, dict) else None
        if not any(place in value for place in _PLACES):
            raise FormatError(f"has no entries of a Mahjong Soul record: {HOW}")
    found.entries.extend(_entries(value, Decoder(), 0))
    if not found.entries:
        where = "only the address of its entries (data_url)"
        what = where if isinstance(value, dict) and value.get("data_url") else "no entries"
        raise FormatError(f"is a Mahjong Soul record with {what}: {HOW}")
    return found


def find_binary(data: bytes) -> Found:
    """The record in protobuf bytes. Raises RecordError, ValueError."""
    decoder = Decoder()
    found = Found()
    answer = decoder.decode(data, ANSWER) if data[:1] not in (b"\x0a", b"\x12") else {}
    if answer.get("data"):
        head = answer.get("head")
        found.head = head if isinstance(head, dict) else None
        data = _bytes(answer["data"])
    found.entries.extend(_unwrapped(data, decoder))
    if not found.entries:
        raise FormatError(f"is a Mahjong Soul record with no entries: {HOW}")
    return found


def _unwrapped(data: bytes, decoder: Decoder) -> Iterator[tuple[str, Json]]:
    """The entries of a wrapper, or of ``GameDetailRecords`` without one."""
    inner = data
    if data[:1] == b"\x0a" and data[2:6] == b".lq.":
        wrapper = decoder.decode(data, WRAPPER)
        if wrapper.get("name") != ".lq.GameDetailRecords":
            yield from _wrapper(data, decoder)
            return
        inner = _bytes(wrapper.get("data", b""))
    for number, _, value in decoder.fields(inner):
        if not isinstance(value, bytes):
            continue
        if number == ACTIONS_FIELD:
            value = _bytes(decoder.decode(value, ACTION).get("result", b""))
        if value and number in (RECORDS_FIELD, ACTIONS_FIELD):
            yield from _wrapper(value, decoder)


def _wrapper(data: bytes, decoder: Decoder) -> Iterator[tuple[str, Json]]:
    """The entry of a wrapper."""
    wrapper = decoder.decode(data, WRAPPER)
    yield from _entry(str(wrapper.get("name", "")), wrapper.get("data", b""), decoder)


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def _entries(value: object, decoder: Decoder, depth: int) -> Iterator[tuple[str, Json]]:
    """The entries within a value, wherever they lie."""
    if depth > MOST_DEPTH:
        return
    if isinstance(value, list):
        for each in value:
            yield from _entries(each, decoder, depth + 1)
    elif isinstance(value, dict):
        name = value.get("name", value.get("@type"))
        if isinstance(name, str) and _ENTRY.fullmatch(name):
            yield from _entry(name, value.get("data", value), decoder)
            return
        for place in _PLACES:
            yield from _entries(value.get(place), decoder, depth + 1)
    elif isinstance(value, str) and value:
        yield from _unwrapped(_from_base64(value), decoder)


def _entry(name: str, data: object, decoder: Decoder) -> Iterator[tuple[str, Json]]:
    """One entry, its fields by the schema's names. Raises UnsupportedError for a live stream."""
    short = name.rpartition(".")[2]
    if not short.startswith("Record"):
        raise UnsupportedError(f"a Mahjong Soul stream as one seat sees it, no record: {HOW}")
    if short not in RECORDS:
        raise UnsupportedError(f"is a Mahjong Soul record of other rules ({short})")
    if isinstance(data, str):
        data = _from_base64(data)
    if isinstance(data, bytes):
        yield short, decoder.decode(data, RECORDS[short])
    elif isinstance(data, dict):
        yield short, _named(data)
    else:
        raise ValueError(f"the entry {short} has no fields")


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(f"{text[:30]!r} is no protobuf in base64") from None


def _named(value: Json) -> Json:
    """The same object, its fields under the schema's names: some programs write ``deltaScores``."""
    for key in [key for key in value if _NAMES.get(key, key) != key]:
        value[_NAMES[key]] = value.pop(key)
    for inner in value.values():
        for each in inner if isinstance(inner, list) else [inner]:
            if isinstance(each, dict):
                _named(each)
    return value
