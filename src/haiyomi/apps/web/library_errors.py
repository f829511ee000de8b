"""What can go wrong with the library's file, by what a client can do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from haiyomi.errors import HaiyomiError


class LibraryError(HaiyomiError):
    """The file cannot be used; nothing was changed."""


class NoSpaceError(LibraryError):
    """There is no room to write, or the file may not be written."""


class BusyError(LibraryError):
    """Another process keeps the file locked."""


class DamagedRowError(LibraryError):
    """One row cannot be read; it can be deleted."""

    @classmethod
    def of(cls, kind: str, key: str) -> DamagedRowError:
        """That of a ``record`` or ``review``."""
        return cls(f"{kind} {key} of the library is damaged: delete it")


_WRITING = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
}


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """SQLite's errors as those above; ``path`` is named in their sentence."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code in _WRITING or code & 0xFF in _WRITING:
            raise NoSpaceError(f"{path}: the library cannot be written: {error}") from None
        if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BusyError(f"{path}: another process uses the library: try again") from None
        raise LibraryError(f"{path}: the library cannot be used: {error}") from None
