"""What a request may cost: a value, so that tests and options can change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LONGEST_NAME: Final = 200
"""The most characters of a name, of a player or of a record."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes: ``upload`` of a record's body, ``body`` of any other, ``bodies`` of all that the
    server holds, ``unpacked`` of all that an
    upload unpacks to, in at most ``games`` games; ``read_memory`` and ``answer_memory`` that each
    process which reads uploads or answers may take beyond what it has once it is ready.

    Seconds: ``receive`` for a request's headers to arrive and again for its body; ``read`` to read
    an upload, ``answer`` for a position, ``review`` for a whole review; ``locked`` for a library
    that another process writes.

    Counts: ``kept`` records in the library; ``waiting`` reviews in the queue; ``tries`` of a review
    whose process died; ``readers`` and ``processes``, which read uploads and answer (0: threads of
    the server's own, which nothing can stop); ``in_line`` requests that wait for either;
    ``connections`` open at a time, ``per_address`` of them from one address.
    """

    upload: int = 8 << 20
    body: int = 256 << 10
    bodies: int = 128 << 20
    unpacked: int = 32 << 20
    games: int = 200
    receive: float = 30.0
    read: float = 20.0
    answer: float = 10.0
    review: float = 600.0
    locked: float = 5.0
    kept: int = 5000
    waiting: int = 500
    tries: int = 3
    processes: int = 2
    readers: int = 2
    answer_memory: int = 1 << 30
    read_memory: int = 512 << 20
    in_line: int = 64
    connections: int = 200
    per_address: int = 64


DEFAULT = Limits()
