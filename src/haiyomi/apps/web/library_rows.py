"""The library's rows as values; a row that cannot be read is known as damaged."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Literal, TypeAlias, cast, get_args

from haiyomi.apps.web.database import Value
from haiyomi.apps.web.library_errors import DamagedRowError
from haiyomi.json_types import Json

State: TypeAlias = Literal["queued", "running", "done", "failed"]
STATES: tuple[State, ...] = get_args(State)
StoredBody: TypeAlias = tuple[str, bytes, str]
"""A record's id, its bytes compressed, and their SHA-256: what ``body_of`` takes."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record of the library; ``names`` by absolute seat; ``error`` where it is damaged."""

    id: str
    name: str
    names: tuple[str, ...]
    hands: int
    created: float
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review, whatever its state; ``done`` of ``total`` hands are read. ``place`` (1 to 4) and
    ``points`` at the game's end, and the points ``given_up`` a decision, once it is done and where
    they are known."""

    id: str
    record: str
    record_name: str
    player: str
    seat: int
    model: str
    state: State
    done: int
    total: int
    error: str | None
    created: float
    place: int | None = None
    points: int | None = None
    given_up: float | None = None


def record_of(row: tuple[Value, ...]) -> StoredRecord:
    """Columns: id, name, names, hands, created."""
    key, name, names, hands, created = cast(tuple[str, str, str, int, float], row)
    found = names_of(names)
    if found is None or not isfinite(created):
        error = str(DamagedRowError.of("record", key))
        return StoredRecord(key, name, ("",) * 4, hands, 0.0, error)
    return StoredRecord(key, name, found, hands, created)


def review_of(row: tuple[Value, ...]) -> StoredReview:
    """Columns: id, record, the record's name, its names, seat, model, state, done, total, error,
    created, place, points, points given up per decision."""
    key, record, name, names, seat, model, state, done, total, error, created = cast(
        tuple[str, str, str, str, int, str, State, int, int, str | None, float], row[:11]
    )
    place, points, given_up = cast(tuple[int | None, int | None, float | None], row[11:])
    found = names_of(names)
    if found is None or not 0 <= seat < 4 or state not in STATES or not isfinite(created):
        error = str(DamagedRowError.of("review", key))
        return StoredReview(key, record, name, "", 0, model, "failed", done, total, error, 0.0)
    return StoredReview(
        key, record, name, found[seat], seat, model, state, done, total, error, created,
        place, points, given_up,
    )  # fmt: skip


def names_of(text: str) -> tuple[str, ...] | None:
    """Four names by seat, None where the text holds none."""
    try:
        names = json.loads(text)
    except ValueError:
        return None
    if not isinstance(names, list) or len(names) != 4:
        return None
    return tuple(names) if all(isinstance(name, str) for name in names) else None


def body_of(key: str, blob: bytes, digest: str) -> bytes:
    """A record's bytes. Raises DamagedRowError."""
    try:
        body = zlib.decompress(blob)
    except zlib.error:
        raise DamagedRowError.of("record", key) from None
    if sha256(body).hexdigest() != digest:
        raise DamagedRowError.of("record", key)
    return body


def packed(value: Json) -> bytes:
    """What ``text_of`` and ``unpacked`` take: ASCII, so that any text can be kept and sent."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return zlib.compress(text.encode())


def text_of(key: str, blob: bytes) -> bytes:
    """The JSON text that was packed of a review. Raises DamagedRowError."""
    try:
        text = zlib.decompress(blob)
    except zlib.error:
        raise DamagedRowError.of("review", key) from None
    if not (text[:1] == b"{" and text[-1:] == b"}"):
        raise DamagedRowError.of("review", key)
    return text


def unpacked(key: str, blob: bytes) -> Json:
    """What was packed of a review. Raises DamagedRowError."""
    try:
        value = json.loads(text_of(key, blob))
    except ValueError:
        raise DamagedRowError.of("review", key) from None
    assert isinstance(value, dict)  # as it begins with a brace
    return value
