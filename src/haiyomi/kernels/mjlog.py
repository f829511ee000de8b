"""mjlog straight to the words of the checked replay, without events: for what only counts.

The core reads a record in the one spelling that Tenhou writes. All else, right or wrong, is for
``logs.mjlog_read``, which alone says what is wrong with a record.
"""

from __future__ import annotations

from typing import NamedTuple

from haiyomi import _core


class MjlogWords(NamedTuple):
    """The hands of a game as ``kernels.replay.encode`` has them, end to end.

    ``rounds`` as in ``Ruleset``; ``names`` by absolute seat, percent-encoded as the record has
    them; ``words`` int32; ``hands`` (n + 1,) int64, where each hand begins, and the end;
    ``absent`` (n,) uint8, bit s where seat s was disconnected in a hand.
    """

    rounds: int
    names: tuple[str, str, str, str]
    words: memoryview
    hands: memoryview
    absent: memoryview


def read_mjlog(record: bytes) -> MjlogWords | None:
    """The game of a record; None where the record is not read here."""
    found = _core.read_mjlog(record)
    return None if found is None else MjlogWords(*found)
