"""What a request may cost: a value, so that tests and options can change it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """``upload`` bytes of a record's body, ``body`` of any other; ``unpacked`` bytes of all that
    an upload unpacks to, in at most ``games`` games; ``receive`` seconds for a body to arrive,
    ``answer`` for a position, ``review`` for a whole review; ``kept`` records in the library,
    ``waiting`` reviews in the queue; ``tries`` of a review whose process died;
    ``processes`` that answer for positions (0: a thread of the server's own).
    """

    upload: int = 8 << 20
    body: int = 256 << 10
    unpacked: int = 32 << 20
    games: int = 200
    receive: float = 30.0
    answer: float = 10.0
    review: float = 600.0
    kept: int = 5000
    waiting: int = 500
    tries: int = 3
    processes: int = 2


DEFAULT = Limits()
