"""The library: records and their reviews in one SQLite file that survives a kill.

Every change is one transaction in a write-ahead log that is flushed to disk before it counts,
so a process that dies leaves each review whole or not begun. The server and the reviewing
process each open the file themselves.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from haiyomi.apps.web.intake import Packed
from haiyomi.errors import HaiyomiError

SCHEMA = 2
State: TypeAlias = Literal["queued", "running", "done", "failed"]

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
  stats TEXT,
  UNIQUE (record, seat, model)
) STRICT;
CREATE INDEX reviews_by_state ON reviews(state, created);
"""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record of the library; ``names`` by absolute seat."""

    id: str
    name: str
    names: tuple[str, str, str, str]
    hands: int
    created: float


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review, whatever its state; ``done`` of ``total`` hands are read."""

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


class Library:
    """One connection to the file at ``path``, made if it is not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise HaiyomiError(f"{path}: the library cannot be opened: {error}") from None

    def _prepare(self) -> None:
        with self._transaction():
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in _TABLES.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            elif version == 1:
                # Reviews of version 1 stay; their games are counted once they are reviewed anew.
                self._db.execute("ALTER TABLE reviews ADD COLUMN stats TEXT")
                self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            elif version != SCHEMA:
                raise HaiyomiError(
                    f"{self.path}: the library has version {version}; this haiyomi reads {SCHEMA}"
                )

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # -- records ---------------------------------------------------------------------------

    def add_record(self, game: Packed, limit: int) -> StoredRecord | None:
        """Store a record, or find it where the same bytes are stored; None past ``limit``."""
        with self._transaction():
            found = self._db.execute(
                "SELECT id FROM records WHERE digest = ?", (game.digest,)
            ).fetchone()
            if found is None:
                n = self._db.execute("SELECT COUNT(*) FROM records").fetchone()[0]
                if n >= limit:
                    return None
                key = secrets.token_hex(8)
                self._db.execute(
                    "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(key, game.digest, game.name, json.dumps(game.names)),
                        *(game.hands, time.time(), game.body),
                    ),
                )
            else:
                key = found[0]
        return self.record(key)

    def record(self, key: str) -> StoredRecord | None:
        row = self._db.execute(
            "SELECT id, name, names, hands, created FROM records WHERE id = ?", (key,)
        ).fetchone()
        return None if row is None else _record(row)

    def records(self, limit: int = 200) -> list[StoredRecord]:
        """The newest first."""
        rows = self._db.execute(
            "SELECT id, name, names, hands, created FROM records ORDER BY created DESC, id LIMIT ?",
            (limit,),
        )
        return [_record(row) for row in rows]

    def body(self, key: str) -> bytes:
        """The record as it was uploaded (of a zip, the entry)."""
        row = self._db.execute("SELECT body FROM records WHERE id = ?", (key,)).fetchone()
        return zlib.decompress(row[0])

    def delete_record(self, key: str) -> bool:
        """Delete a record and its reviews; False where there was none."""
        return self._db.execute("DELETE FROM records WHERE id = ?", (key,)).rowcount > 0

    # -- reviews ---------------------------------------------------------------------------

    def ask(self, record: str, seat: int, model: str, total: int, limit: int) -> str | None:
        """The id of the review of that seat, queued if there is none; None past ``limit``."""
        with self._transaction():
            found = self._db.execute(
                "SELECT id, state FROM reviews WHERE record = ? AND seat = ? AND model = ?",
                (record, seat, model),
            ).fetchone()
            if found is not None:
                if found[1] == "failed":
                    self._db.execute(
                        "UPDATE reviews SET state = 'queued', tries = 0, done = 0, error = NULL "
                        "WHERE id = ?",
                        (found[0],),
                    )
                return str(found[0])
            waiting = self._db.execute(
                "SELECT COUNT(*) FROM reviews WHERE state IN ('queued', 'running')"
            ).fetchone()[0]
            if waiting >= limit:
                return None
            key = secrets.token_hex(8)
            self._db.execute(
                "INSERT INTO reviews (id, record, seat, model, state, total, created) "
                "VALUES (?, ?, ?, ?, 'queued', ?, ?)",
                (key, record, seat, model, total, time.time()),
            )
        return key

    def claim(self) -> StoredReview | None:
        """Take the oldest queued review, now running; None where nothing waits."""
        with self._transaction():
            row = self._db.execute(
                "SELECT id FROM reviews WHERE state = 'queued' ORDER BY created, id LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            self._db.execute(
                "UPDATE reviews SET state = 'running', done = 0, tries = tries + 1, started = ? "
                "WHERE id = ?",
                (time.time(), row[0]),
            )
        return self.review(row[0])

    def progress(self, key: str, done: int) -> None:
        self._db.execute("UPDATE reviews SET done = ? WHERE id = ?", (done, key))

    def finish(self, key: str, page: Any, stats: Any = None) -> None:
        """Store the page's data and the game's figures: the review is done."""
        text = json.dumps(page, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        blob = zlib.compress(text.encode("utf-8", "surrogatepass"))
        self._db.execute(
            "UPDATE reviews SET state = 'done', done = total, page = ?, stats = ?, finished = ?, "
            "error = NULL WHERE id = ?",
            (blob, None if stats is None else json.dumps(stats), time.time(), key),
        )

    def fail(self, key: str, error: str) -> None:
        self._db.execute(
            "UPDATE reviews SET state = 'failed', error = ?, finished = ? WHERE id = ?",
            (error, time.time(), key),
        )

    def requeue(self, tries: int) -> int:
        """Queue what was running when its process died; what died ``tries`` times has failed."""
        with self._transaction():
            self._db.execute(
                "UPDATE reviews SET state = 'failed', error = ? "
                "WHERE state = 'running' AND tries >= ?",
                (f"the reviewing process died {tries} times on this record", tries),
            )
            return self._db.execute(
                "UPDATE reviews SET state = 'queued', done = 0 WHERE state = 'running'"
            ).rowcount

    def overdue(self, seconds: float) -> list[str]:
        """Reviews that have run for longer than that."""
        rows = self._db.execute(
            "SELECT id FROM reviews WHERE state = 'running' AND started < ?",
            (time.time() - seconds,),
        )
        return [row[0] for row in rows]

    def review(self, key: str) -> StoredReview | None:
        row = self._db.execute(f"{_REVIEWS} WHERE v.id = ?", (key,)).fetchone()
        return None if row is None else _review(row)

    def reviews(self, limit: int = 200) -> list[StoredReview]:
        """The newest first."""
        rows = self._db.execute(f"{_REVIEWS} ORDER BY v.created DESC, v.id LIMIT ?", (limit,))
        return [_review(row) for row in rows]

    def page(self, key: str) -> Any:
        """The page's data of a review that is done, else None."""
        row = self._db.execute("SELECT page FROM reviews WHERE id = ?", (key,)).fetchone()
        if row is None or row[0] is None:
            return None
        return json.loads(zlib.decompress(row[0]).decode("utf-8", "surrogatepass"))

    # -- players ---------------------------------------------------------------------------

    def players(self, model: str) -> list[tuple[str, int]]:
        """(name, games) of those whose games a model has reviewed, the most games first."""
        count: dict[str, int] = {}
        for names, seat in self._db.execute(
            "SELECT r.names, v.seat FROM reviews v JOIN records r ON r.id = v.record "
            "WHERE v.stats IS NOT NULL AND v.model = ?",
            (model,),
        ):
            name = json.loads(names)[seat]
            if name:
                count[name] = count.get(name, 0) + 1
        return sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))

    def games_of(self, player: str, model: str) -> list[Any]:
        """The figures of each game of a player that a model has reviewed, in the order in which
        the records came."""
        rows = self._db.execute(
            "SELECT r.names, v.seat, v.stats FROM reviews v JOIN records r ON r.id = v.record "
            "WHERE v.stats IS NOT NULL AND v.model = ? ORDER BY r.created, r.id, v.seat",
            (model,),
        )
        return [json.loads(s) for names, seat, s in rows if json.loads(names)[seat] == player]

    def delete_review(self, key: str) -> bool:
        return self._db.execute("DELETE FROM reviews WHERE id = ?", (key,)).rowcount > 0


_REVIEWS = (
    "SELECT v.id, v.record, r.name, r.names, v.seat, v.model, v.state, v.done, v.total, v.error, "
    "v.created FROM reviews v JOIN records r ON r.id = v.record"
)


def _record(row: Any) -> StoredRecord:
    a, b, c, d = json.loads(row[2])
    return StoredRecord(row[0], row[1], (a, b, c, d), row[3], row[4])


def _review(row: Any) -> StoredReview:
    key, record, name, names, seat, *rest = row
    return StoredReview(key, record, name, json.loads(names)[seat], seat, *rest)
