"""The library: records and their reviews in one file. ``claims`` says who works on a review."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, cast

from haiyomi.apps.web.database import Database, Value
from haiyomi.apps.web.intake import Packed
from haiyomi.apps.web.library_errors import DamagedRowError
from haiyomi.apps.web.library_rows import (
    StoredBody,
    StoredRecord,
    StoredReview,
    body_of,
    names_of,
    record_of,
    review_of,
)
from haiyomi.errors import HaiyomiError

_RECORDS = "SELECT id, name, names, hands, created FROM records"
_REVIEWS = (
    "SELECT v.id, v.record, r.name, r.names, v.seat, v.model, v.state, v.done, v.total, v.error, "
    "v.created, CASE WHEN json_valid(v.stats) THEN json_extract(v.stats, '$.career.place') END, "
    "CASE WHEN json_valid(v.stats) THEN json_extract(v.stats, '$.career.points') END, "
    "CASE WHEN json_valid(v.stats) THEN json_extract(v.stats, '$.given_up.cost') "
    "/ json_extract(v.stats, '$.given_up.decisions') END "
    "FROM reviews v JOIN records r ON r.id = v.record"
)
_COUNTED = (
    "SELECT r.names, v.seat, v.id, "
    "CASE WHEN json_valid(v.stats) THEN json_extract(v.stats, '$.played') END "
    "FROM reviews v JOIN records r ON r.id = v.record "
    "WHERE v.stats IS NOT NULL AND v.model = ? ORDER BY r.created, r.id, v.seat"
)
"""The reviews that count, in the order in which the records came. ``played`` is the same for two
records of one game."""


class Library:
    """The library in the file at ``path``, made if it is not there; ``wait`` seconds for another
    process's change.

    Everything raises LibraryError: NoSpaceError where there is no room, DamagedRowError for a row
    that cannot be read.
    """

    def __init__(self, path: Path, wait: float = 30.0) -> None:
        self.path = path
        self.database = Database(path, wait)

    def close(self) -> None:
        self.database.close()

    # -- records ---------------------------------------------------------------------------

    def add_records(self, games: Sequence[Packed], limit: int) -> list[StoredRecord] | None:
        """Store records, or find those whose bytes are stored; None, and nothing is stored, where
        there would be more than ``limit``. Raises DamagedRowError."""
        with self.database.transaction():
            keys = {game.digest: self._key_of(game.digest) for game in games}
            new = sum(key is None for key in keys.values())
            if new and self._count("records", "TRUE") + new > limit:
                return None
            for game in games:
                keys[game.digest] = keys[game.digest] or self._insert(game)
        found = [self.record(keys[game.digest] or "") for game in games]
        return [record for record in found if record is not None]

    def _key_of(self, digest: str) -> str | None:
        rows = self.database.rows("SELECT id FROM records WHERE digest = ?", (digest,))
        return str(rows[0][0]) if rows else None

    def _insert(self, game: Packed) -> str:
        key = secrets.token_hex(8)
        names = json.dumps(game.names)
        self.database.run(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
            (key, game.digest, game.name, names, game.hands, time.time(), game.body),
        )
        return key

    def record(self, key: str) -> StoredRecord | None:
        """Raises DamagedRowError."""
        for row in self.database.rows(f"{_RECORDS} WHERE id = ?", (key,)):
            record = record_of(row)
            if record.error is not None:
                raise DamagedRowError.of("record", key)
            return record
        return None

    def records(self, limit: int = 200) -> list[StoredRecord]:
        """The newest first; damaged ones are marked as such."""
        rows = self.database.rows(f"{_RECORDS} ORDER BY created DESC, id LIMIT ?", (limit,))
        return [record_of(row) for row in rows]

    def body(self, key: str) -> bytes:
        """The record as it was uploaded (of a zip, the entry). Raises DamagedRowError."""
        return body_of(*self.stored(key))

    def stored(self, key: str) -> StoredBody:
        """The same as it is stored."""
        rows = self.database.rows("SELECT body, digest FROM records WHERE id = ?", (key,))
        if not rows:
            raise HaiyomiError(f"record {key} is no longer in the library")
        blob, digest = cast(tuple[bytes, str], rows[0])
        return key, blob, digest

    def delete_record(self, key: str) -> bool:
        """Delete a record and its reviews; False where there was none."""
        return self.database.delete("DELETE FROM records WHERE id = ?", (key,)) > 0

    # -- reviews ---------------------------------------------------------------------------

    def ask(self, record: str, seat: int, model: str, total: int, limit: int) -> str | None:
        """The id of the review of that seat, queued if there is none; None past ``limit``."""
        with self.database.transaction():
            found = self.database.rows(
                "SELECT id, state FROM reviews WHERE record = ? AND seat = ? AND model = ?",
                (record, seat, model),
            )
            if found:
                key, state = cast(tuple[str, str], found[0])
                if state == "failed":
                    self.database.run(
                        "UPDATE reviews SET state = 'queued', tries = 0, done = 0, error = NULL "
                        "WHERE id = ?",
                        (key,),
                    )
                return key
            if self._count("reviews", "state IN ('queued', 'running')") >= limit:
                return None
            key = secrets.token_hex(8)
            self.database.run(
                "INSERT INTO reviews (id, record, seat, model, state, total, created) "
                "VALUES (?, ?, ?, ?, 'queued', ?, ?)",
                (key, record, seat, model, total, time.time()),
            )
        return key

    def _count(self, table: str, condition: str) -> int:
        rows = self.database.rows(f"SELECT COUNT(*) FROM {table} WHERE {condition}")
        return cast(int, rows[0][0])

    def review(self, key: str) -> StoredReview | None:
        """A damaged one counts as failed, and its error names the damage."""
        rows = self.database.rows(f"{_REVIEWS} WHERE v.id = ?", (key,))
        return review_of(rows[0]) if rows else None

    def reviews(self) -> list[StoredReview]:
        """The newest 200, the newest first."""
        rows = self.database.rows(f"{_REVIEWS} ORDER BY v.created DESC, v.id LIMIT 200")
        return [review_of(row) for row in rows]

    def page(self, key: str) -> bytes | None:
        """What the page of a review draws, ``packed``, once that is done, else None."""
        return self._of_review("page", key)

    def result(self, key: str) -> bytes | None:
        """What the API answers of a review, ``packed``, once that is done, else None."""
        return self._of_review("result", key)

    def _of_review(self, column: Literal["page", "result"], key: str) -> bytes | None:
        rows = self.database.rows(f"SELECT {column} FROM reviews WHERE id = ?", (key,))
        return cast(bytes | None, rows[0][0]) if rows else None

    def delete_review(self, key: str) -> bool:
        """Delete a review; its record stays. False where there was none."""
        return self.database.delete("DELETE FROM reviews WHERE id = ?", (key,)) > 0

    # -- players ---------------------------------------------------------------------------

    def players(self, model: str) -> list[tuple[str, int]]:
        """(name, games) of those whose games a model has reviewed, the most games first."""
        count: dict[str, int] = {}
        for name, _ in self._counted(model):
            if name:
                count[name] = count.get(name, 0) + 1
        return sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))

    def games_of(self, player: str, model: str) -> list[tuple[str, str]]:
        """(review's id, the figures as JSON text) of each game of a player that a model has
        reviewed, in the order in which the records came. A game counts once, in whatever formats
        it was uploaded."""
        mine = [key for name, key in self._counted(model) if name == player]
        stats = "SELECT stats FROM reviews WHERE id = ?"
        return [(key, str(row[0])) for key in mine for row in self.database.rows(stats, (key,))]

    def _counted(self, model: str) -> Iterator[tuple[str, str]]:
        """(player, review's id) of the first review of each seat of each game."""
        seen: set[tuple[Value, Value]] = set()
        for names, seat, key, played in self.database.rows(_COUNTED, (model,)):
            if played is None or (played, seat) not in seen:
                yield _player(names, seat), str(key)
            seen.add((played, seat))


def _player(names: object, seat: object) -> str:
    """Who sat there; nobody where the row is damaged, or two players of the game have the name."""
    found = names_of(str(names))
    if not found or not isinstance(seat, int) or not 0 <= seat < 4:
        return ""
    return found[seat] if found.count(found[seat]) == 1 else ""
