"""One record of a corpus: where it lies, what it is called, and how any process reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from haiyomi.errors import DatasetError, FormatError, RecordError, SizeError, printable, unreadable
from haiyomi.logs.containers import (
    MAX_BYTES,
    Budget,
    gunzip,
    is_gzip,
    open_zip,
    zip_entry,
)

if TYPE_CHECKING:
    from zipfile import ZipFile

    from haiyomi.events import Game

_ONE_OF_MANY = 1 << 20
"""The bytes to which an entry of a zip may unpack, however small, where it is read by itself."""
SUFFIXES: Final = (".gz", ".mjlog", ".json", ".mjson", ".jsonl", ".xml")
"""What the names of records end in."""
_SAVED_FROM: Final = re.compile(r"&tw=[0-3]$")


class Skipped(NamedTuple):
    """A record that was left out, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        """In one printable line: a reason mostly begins with the name already."""
        name, reason = printable(self.name), printable(self.reason)
        return reason if reason.startswith(name) else f"{name}: {reason}"


def nothing_read(skipped: Sequence[tuple[str, str]], otherwise: str) -> DatasetError:
    """The error that no record could be read, with the first reason; ``otherwise`` where none was
    left out."""
    if not skipped:
        return DatasetError(otherwise)
    more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
    return DatasetError(f"no record could be read: {Skipped(*skipped[0])}{more}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One record, which any process that sees the same files can read.

    ``source`` is the path as the user gave it; ``file`` the path of a file in that folder;
    ``inner`` the name of an entry in that zip. ``number``: only the game of that number (from 1) of
    a record of several. ``data``: the bytes of what cannot be read again (standard input, an
    upload). ``fault``: why it cannot be read at all. ``packed``: its bytes in its zip.
    """

    source: str
    file: str = ""
    inner: str = ""
    number: int = 0
    data: bytes | None = None
    fault: RecordError | None = None
    packed: int = 0

    @property
    def place(self) -> str:
        """Its place within the source: ``games.zip/one.mjlog``; ``.`` for a plain file."""
        return "/".join(part for part in (self.file, self.inner) if part) or "."

    @property
    def label(self) -> str:
        """What it is called in tables and manifests, wherever the source lies."""
        label = Path(self.source).name if self.place == "." else self.place
        return as_unicode(label) + self._suffix

    @property
    def name(self) -> str:
        """The name that leads back to it: ``folder/games.zip/one.mjlog``; ``#2`` is appended for
        the second game of a record."""
        place = self.source if self.place == "." else f"{self.source}/{self.place}"
        return as_unicode(place) + self._suffix

    @property
    def game_name(self) -> str:
        """The name of its game in tables, as ``game_name`` makes it of the file's name."""
        label = replace(self, number=0).label if self.number else self.label
        return game_name(label) + self._suffix

    @property
    def _suffix(self) -> str:
        return f"#{self.number}" if self.number else ""

    @property
    def path(self) -> Path:
        """The file that it lies in."""
        return Path(self.source, self.file) if self.file else Path(self.source)

    def raw(self) -> bytes:
        """Its bytes as stored, perhaps gzipped. Raises RecordError."""
        if self.fault is not None:
            raise copy(self.fault)
        if self.data is not None:
            return self.data
        try:
            if self.inner:
                archive = _archive(self.path, self.name)
                return zip_entry(archive, archive.getinfo(self.inner), self.name)
            with self.path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            raise FormatError(unreadable(error), shorten(self.name)) from None
        except KeyError:
            raise FormatError("cannot be read: it is gone from its zip", self.name) from None
        if len(data) > MAX_BYTES:
            raise SizeError(f"larger than {MAX_BYTES >> 20} MiB", self.name)
        return data

    def unpacked(self, budget: Budget | None = None, raw: bytes | None = None) -> bytes:
        """Its bytes, no longer gzipped; what they unpack to counts against the budget of the
        input, or of this record by itself. ``raw``: its stored bytes where they are at hand. Raises
        RecordError."""
        data = self.raw() if raw is None else raw
        if not is_gzip(data):
            return data
        if budget is None:
            budget = Budget(base=_ONE_OF_MANY if self.inner else MAX_BYTES)
        budget.packed += self.packed or len(data)
        data = gunzip(data, self.name, budget)
        if is_gzip(data):
            raise FormatError("is gzip within gzip: unpack it first", self.name)
        return data

    def games(self, budget: Budget | None = None, raw: bytes | None = None) -> tuple[Game, ...]:
        """The games of the record, at least one; arguments as ``unpacked``. Raises RecordError."""
        return self.games_in(self.unpacked(budget, raw))

    def games_in(self, data: bytes) -> tuple[Game, ...]:
        """The games of the record, whose unpacked bytes are at hand. Raises RecordError."""
        from haiyomi.logs.load import parse_all

        games = parse_all(data, self.name)
        return (games[self.number - 1],) if self.number else games

    def game(self, budget: Budget | None = None, raw: bytes | None = None) -> Game:
        """The one game of the record. Raises RecordError, also where there are several."""
        games = self.games(budget, raw)
        if len(games) != 1:
            raise FormatError(f"holds {len(games)} games where one is wanted", self.name)
        return games[0]


def game_name(name: str) -> str:
    """The name of a record's game in tables: its file name without folders and suffixes, and
    without the seat (``&tw=2``) from which Tenhou's viewer saved it."""
    name = Path(name).name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return _SAVED_FROM.sub("", name)


def as_unicode(path: str) -> str:
    """A path as text: what of a name is no UTF-8 becomes U+FFFD."""
    try:
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        return path.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def shorten(text: str, limit: int = 500) -> str:
    """At most ``limit`` characters of a name."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


_OPEN: dict[Path, tuple[tuple[int, int], ZipFile]] = {}


def _archive(place: Path, name: str) -> ZipFile:
    """The zip, left open for its next entry: to open it reads the names of all its entries."""
    stat = place.stat()
    version = stat.st_mtime_ns, stat.st_size
    kept = _OPEN.pop(place, None)
    if kept is not None:
        if kept[0] == version:
            _OPEN[place] = kept
            return kept[1]
        kept[1].close()
    while len(_OPEN) >= 4:
        _OPEN.pop(next(iter(_OPEN)))[1].close()
    archive = open_zip(str(place), name)
    _OPEN[place] = version, archive
    return archive
