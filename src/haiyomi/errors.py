"""The tree of the errors that haiyomi raises on purpose.

::

    HaiyomiError
    ├── ArgumentError         an argument of a call that is not one of the values it may have
    ├── TileError             a tile or hand notation that cannot be read
    ├── RulesError            rules that haiyomi does not play, or players that cannot play a game
    ├── RecordError           a game record; carries file, hand, event number and value
    │   ├── FormatError       the bytes are no record of any known format
    │   ├── TruncatedError    the record ends before it should
    │   ├── SizeError         larger than the limit (also when unpacked)
    │   ├── UnsupportedError  a kind of record refused by name (three players, ...)
    │   ├── IllegalError      an event that the rules forbid at that point
    │   └── MismatchError     the record's payment, yaku, han or fu is not what the rules give
    ├── PositionError         a position that cannot occur, or has a missing field
    ├── ModelError            a model file that is missing, damaged or of another version
    ├── DatasetError          a dataset folder that is missing, damaged or of another version
    │   └── DamageError       one of its files is not as it was written
    └── MissingExtraError     an optional package that the call needs is not installed

What only one part of haiyomi raises and handles is a HaiyomiError that this part defines: the
server's library, the programs at a table, a studio's requests.

A record error reads as one sentence: ``game.mjlog, hand 3, event 41: draws 5m, of which
four copies are already gone``. Asserts are left for bugs of haiyomi itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path


def printable(text: str) -> str:
    """A text that a terminal shows and does not obey: control characters as ``\\x1b``."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class HaiyomiError(Exception):
    """Root of all errors raised on purpose; its text is one printable sentence for a person."""

    def __str__(self) -> str:
        return "\n".join(map(printable, super().__str__().split("\n")))


def some_of(names: Iterable[str]) -> str:
    """Names in a printable sentence: at most ten, and how many more there are."""
    every = list(map(printable, names))
    more = len(every) - 10
    return ", ".join(every[:10]) + (f" and {more} more" if more > 0 else "")


def no_player(
    player: str, where: str, names: Collection[str], skipped: Sequence[RecordError] = ()
) -> HaiyomiError:
    """The error for a player whose name, or part of it, is none of some names; ``skipped``: the
    records that could not be read."""
    if skipped and not names:
        more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
        return HaiyomiError(f"no game could be read: {skipped[0]}{more}")
    unread = f" (not read: {len(skipped)}, the first {skipped[0]})" if skipped else ""
    there = some_of(sorted({name for name in names if name}))
    named = f": the players are {there}" if there else ""
    return HaiyomiError(f"no player is named {player!r} in {where}{unread}{named}")


def unreadable(error: OSError | ValueError) -> str:
    """Why a file could not be read, to stand behind its name."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def not_json(error: Exception) -> str:
    """What is wrong with a JSON text, to stand behind its name: without the words of Python's own
    limits, and of one line only the column."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if "int_max_str_digits" in str(error):
        return "a number has too many digits"
    if isinstance(error, json.JSONDecodeError) and "\n" not in error.doc.strip():
        # a text that is cut ends before its line does
        before = error.doc[: error.pos].strip("\r\n")
        return f"{error.msg.removesuffix(' at')} at column {len(before) + 1}"
    return str(error)


class ArgumentError(HaiyomiError, ValueError):
    """An argument of a call that is not one of the values it may have."""


def check_type(value: object, call: str, *kinds: type) -> None:
    """Raise ArgumentError where what a ``call`` was given is of none of these types."""
    if not isinstance(value, kinds):
        wanted, given = " or ".join(map(_one, kinds)), _one(type(value))
        raise ArgumentError(f"{call} takes {wanted}, not {given}")


def _one(kind: type) -> str:
    """The name of a type with its article."""
    return f"{'an' if kind.__name__[0] in 'AEIOUaeio' else 'a'} {kind.__name__}"


class TileError(HaiyomiError):
    """A tile or hand notation that cannot be read."""


class RulesError(HaiyomiError):
    """Rules that haiyomi does not play, or players that cannot play a game or a tournament."""


@dataclass(eq=False)
class RecordError(HaiyomiError):
    """Something wrong with a game record.

    ``what`` is the sentence; ``file`` the name as the user gave it; ``hand`` the 0-based
    hand in the game; ``event`` the 0-based event in the hand (or tag or line in the file,
    as ``what`` says); ``value`` the offending value. All but ``what`` may be unknown.
    """

    what: str
    file: str | None = None
    hand: int | None = None
    event: int | None = None
    value: object = None

    def __str__(self) -> str:
        place = [] if self.file is None else [self.file]
        if self.hand is not None:
            place.append(f"hand {self.hand}")
        if self.event is not None:
            place.append(f"event {self.event}")
        text = self.what if self.value is None else f"{self.what} (found {_short(self.value)})"
        return printable(f"{', '.join(place)}: {text}" if place else text)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions travel between worker processes; the default would lose the fields.
        given = self.what, self.file, self.hand, self.event, self.value
        return type(self), given, self.__dict__


def _short(value: object) -> str:
    """At most 80 characters of a value."""
    text = _plain(value) if is_dataclass(value) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _plain(value: object) -> str:
    """An event as a person reads it: ``pon, seat 3, target 1, tile 3m, consumed 3m 3m``."""
    if isinstance(value, tuple):
        return " ".join(map(_plain, value))
    if not is_dataclass(value) or type(value).__str__ is not object.__str__:
        return str(value)
    words = [type(value).__name__.lower()]
    for field in fields(value):
        inner = getattr(value, field.name)
        if inner is True:
            words.append(field.name)
        elif inner is not None and inner is not False and inner != ():
            words.append(f"{field.name} {_plain(inner)}")
    return ", ".join(words)


class FormatError(RecordError):
    """The bytes are no record of any known format."""


class TruncatedError(RecordError):
    """The record ends before it should."""


class SizeError(RecordError):
    """The input, or what it unpacks to, is larger than the limit."""


class UnsupportedError(RecordError):
    """A kind of record that is refused by name."""


class IllegalError(RecordError):
    """An event that the rules forbid at that point."""


class MismatchError(RecordError):
    """The record claims a payment, yaku, han or fu that the rules do not give."""


class PositionError(HaiyomiError):
    """A position that cannot occur, or lacks a field."""


class ModelError(HaiyomiError):
    """A model file that is missing, damaged, or of another version."""


class DatasetError(HaiyomiError):
    """A dataset folder that is missing, damaged, or of another version."""


class DamageError(DatasetError):
    """A file that is not as it was written: ``file``, and what is found instead."""

    def __init__(self, file: Path, found: str = "not as it was written") -> None:
        super().__init__(f"{file}: damaged ({found})")
        self.file, self.found = file, found

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions travel between worker processes; the default would lose the fields.
        return type(self), (self.file, self.found)


class MissingExtraError(HaiyomiError):
    """An optional package that the call needs is not installed; names the extra that brings it."""
