"""A step of an experiment that is kept in a file, so that a killed run goes on from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from haiyomi.storage.resume import is_done
from haiyomi.storage.seal import read_seal, write_seal
from haiyomi.storage.whole_file import whole_file

Kept = TypeVar("Kept")


def once(path: Path, mark: str, make: Callable[[], Kept]) -> Kept:
    """What ``make`` gives, kept in a file: a killed run goes on. ``mark`` says of what input."""
    if is_done(path) and (kept := read_seal(path)).get("mark") == mark:
        value: Kept = kept["value"]
        return value
    value = make()
    with whole_file(path) as part:
        write_seal(part, [], {"mark": mark, "value": value})
    return value
