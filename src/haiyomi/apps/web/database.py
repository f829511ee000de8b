"""The library's SQLite file: opened, and kept usable on a full disk.

Every change is one transaction in a write-ahead log that is flushed to disk before it counts,
so a process that dies leaves each row whole or not begun. A deletion needs room for the log, too.
So a file of some megabytes lies beside the library: on a full disk it goes, and after the deletion
the library gives its free pages back to the disk and takes the room again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from haiyomi.apps.web.library_errors import LibraryError, NoSpaceError, named_errors
from haiyomi.errors import HaiyomiError

SCHEMA = 6
RESERVE = 8 << 20
"""Bytes of the file beside the library: more than the write-ahead log holds between checkpoints
and a deletion adds to it."""
_STEP = 64
"""Pages that are given back at a time where there is little room."""

Value: TypeAlias = str | bytes | int | float | None

_TABLES = """
CREATE TABLE records (
  id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL, names TEXT NOT NULL,
  hands INTEGER NOT NULL, created REAL NOT NULL, body BLOB NOT NULL
) STRICT;
CREATE TABLE reviews (
  id TEXT PRIMARY KEY, record TEXT NOT NULL REFERENCES records(id) ON DELETE CASCADE,
  seat INTEGER NOT NULL, model TEXT NOT NULL, state TEXT NOT NULL,
  done INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  error TEXT, created REAL NOT NULL, started REAL, finished REAL, page BLOB,
  result BLOB, stats TEXT, owner TEXT, heartbeat REAL,
  UNIQUE (record, seat, model)
) STRICT;
CREATE INDEX reviews_by_state ON reviews(state, created)
"""


class Database:
    """One connection to the file at ``path``, made if it is not there; ``wait`` seconds for
    another process's change. Raises LibraryError."""

    def __init__(self, path: Path, wait: float) -> None:
        self.path = path
        self._reserve = path.with_name(path.name + ".reserve")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._db = self._open(wait)
            except NoSpaceError:
                if not self._release():
                    raise
                self._db = self._open(wait)
        except OSError as error:
            why = error.strerror or error
            raise LibraryError(f"{path}: the library cannot be opened: {why}") from None
        self._hold()

    def _open(self, wait: float) -> sqlite3.Connection:
        with named_errors(self.path):
            db = sqlite3.connect(self.path, timeout=wait, isolation_level=None)
            try:
                db.text_factory = lambda text: text.decode("utf-8", "replace")
                if db.execute("PRAGMA page_count").fetchone()[0] == 0:
                    # Later it would take a rewrite of the whole file.
                    db.execute("PRAGMA auto_vacuum = INCREMENTAL")
                for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                    db.execute(f"PRAGMA {pragma}")
                db.execute("PRAGMA temp_store = MEMORY")
                if _version(db) != SCHEMA:
                    self._make(db)
            except BaseException:
                db.close()
                raise
            return db

    def _make(self, db: sqlite3.Connection) -> None:
        with _transaction(db):
            version = _version(db)
            if version not in (0, 4, 5, SCHEMA):
                raise HaiyomiError(
                    f"{self.path}: the library has version {version}; this haiyomi reads {SCHEMA}"
                )
            if version == 0:
                for statement in _TABLES.split(";"):
                    db.execute(statement)
            if version in (4, 5):
                # Their pages or figures are made of other data: every review is made again.
                db.execute(
                    "UPDATE reviews SET state = 'queued', tries = 0, done = 0, error = NULL, "
                    "owner = NULL, page = NULL, result = NULL, stats = NULL"
                )
            if version < SCHEMA:
                db.execute(f"PRAGMA user_version = {SCHEMA}")

    def close(self) -> None:
        self._db.close()

    def rows(self, statement: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """What a SELECT finds. Raises LibraryError."""
        with named_errors(self.path):
            return self._db.execute(statement, values).fetchall()

    def change(self, statement: str, values: tuple[Value, ...]) -> int:
        """How many rows a statement changed. Raises LibraryError."""
        with self.transaction():
            return self.run(statement, values)

    def run(self, statement: str, values: tuple[Value, ...]) -> int:
        """The same within a ``transaction``."""
        return self._db.execute(statement, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes within the block, or none. Raises LibraryError."""
        try:
            with named_errors(self.path), _transaction(self._db):
                yield
        except NoSpaceError:
            # The log of what was not written takes the last room of the disk.
            self._checkpoint()
            raise

    def delete(self, statement: str, values: tuple[Value, ...]) -> int:
        """The same as ``change`` for a DELETE, which works on a full disk and gives its room back
        to the disk."""
        pages_at_a_time = 0  # all
        try:
            count = self.change(statement, values)
        except NoSpaceError:
            if not self._release():
                raise
            count = self.change(statement, values)
            pages_at_a_time = _STEP
        self._give_back(pages_at_a_time)
        self._hold()
        return count

    def _give_back(self, pages_at_a_time: int) -> None:
        with suppress(sqlite3.Error):
            self._checkpoint()
            left = _free_pages(self._db)
            while left:
                # It has a step for each page and no columns: ``execute`` takes the first step only.
                self._db.executescript(f"PRAGMA incremental_vacuum({pages_at_a_time})")
                self._checkpoint()
                before, left = left, _free_pages(self._db)
                if left >= before:
                    break

    def _checkpoint(self) -> None:
        """Bring the log into the file and cut it, unless another process reads just now."""
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _hold(self) -> None:
        """Take the room for later deletions, if there is so much."""
        try:
            with self._reserve.open("xb") as file:
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, RESERVE)
                else:
                    file.write(bytes(RESERVE))
        except FileExistsError:
            return
        except OSError:
            self._release()

    def _release(self) -> bool:
        try:
            self._reserve.unlink()
        except OSError:
            return False
        return True


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _free_pages(db: sqlite3.Connection) -> int:
    count: int = db.execute("PRAGMA freelist_count").fetchone()[0]
    return count


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # A full disk may have ended it already.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
