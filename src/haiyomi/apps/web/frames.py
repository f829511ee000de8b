"""What travels between the server and its processes: a list of JSON values and bytes.

A frame is its length in four bytes and its parts; a part is its kind (``j`` JSON, ``b`` bytes),
its length in four bytes and itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, TypeAlias

from haiyomi import errors
from haiyomi.apps.web.library_errors import DamagedRowError
from haiyomi.errors import HaiyomiError

Reply: TypeAlias = bytes | HaiyomiError
"""The answer to one question, or what is wrong with it."""
FAULT: Final = "Fault"
"""In place of an error's name: what a task raised is no HaiyomiError."""


def pack(parts: Iterable[object]) -> bytes:
    """The parts of a frame, without its length; what is no bytes has to be a JSON value."""
    packed = bytearray()
    for part in parts:
        if isinstance(part, bytes):
            kind, data = b"b", part
        else:
            kind, data = b"j", json.dumps(part, separators=(",", ":")).encode()
        packed += kind + len(data).to_bytes(4, "big") + data
    return bytes(packed)


def unpack(packed: bytes) -> list[object]:
    """The parts that ``pack`` was given; tuples come back as lists."""
    parts: list[object] = []
    at = 0
    while at < len(packed):
        kind, begin = packed[at : at + 1], at + 5
        at = begin + int.from_bytes(packed[at + 1 : begin], "big")
        data = packed[begin:at]
        parts.append(data if kind == b"b" else json.loads(data))
    return parts


def with_length(packed: bytes) -> bytes:
    """The whole frame."""
    return len(packed).to_bytes(4, "big") + packed


def pack_replies(replies: Iterable[Reply]) -> bytes:
    """The replies to several questions as a frame, without its length."""
    parts: list[object] = []
    for reply in replies:
        if isinstance(reply, bytes):
            parts += ["", reply]
        else:
            parts += [type(reply).__name__, str(reply).encode("utf-8", "replace")]
    return pack(parts)


def unpack_replies(packed: bytes) -> list[Reply]:
    """The replies that ``pack_replies`` was given."""
    parts = unpack(packed)
    replies: list[Reply] = []
    for name, data in zip(parts[::2], parts[1::2], strict=True):
        assert isinstance(data, bytes)
        replies.append(error_of(str(name), data) if name else data)
    return replies


def error_of(name: str, text: bytes) -> HaiyomiError:
    """The error of a process: its class, if that is in ``haiyomi.errors`` or a DamagedRowError, and
    what it says."""
    known = {DamagedRowError.__name__: DamagedRowError}.get(name, HaiyomiError)
    made: HaiyomiError = getattr(errors, name, known)(text.decode())
    return made
