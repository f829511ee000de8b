"""Who works on a queued review, so that several servers may share a library.

A server claims a review for its reviewing process and renews the claim while that process lives.
Another server takes over only what is not renewed any more, and nobody but the owner of a claim
ends it.
"""

from __future__ import annotations

import json
import time

from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_rows import StoredReview, packed
from haiyomi.json_types import Json

RENEWED_EVERY = 3.0
SILENT = 15.0
"""Seconds without renewal after which a claim is nobody's."""
_HELD = "id = ? AND owner = ? AND state = 'running'"


class Claims:
    """What one owner has claimed of a library."""

    def __init__(self, library: Library, owner: str) -> None:
        self.library = library
        self.owner = owner
        self._database = library.database

    def claim(self) -> StoredReview | None:
        """Take the oldest queued review, now running; None where nothing waits."""
        with self._database.transaction():
            rows = self._database.rows(
                "SELECT id FROM reviews WHERE state = 'queued' ORDER BY created, id LIMIT 1"
            )
            if not rows:
                return None
            now = time.time()
            self._database.run(
                "UPDATE reviews SET state = 'running', done = 0, tries = tries + 1, started = ?, "
                "owner = ?, heartbeat = ? WHERE id = ?",
                (now, self.owner, now, rows[0][0]),
            )
        return self.library.review(str(rows[0][0]))

    def renew(self) -> None:
        """Say that the owner is still at work."""
        if self._running("owner = ?", (self.owner,)):
            self._database.change(
                "UPDATE reviews SET heartbeat = ? WHERE owner = ? AND state = 'running'",
                (time.time(), self.owner),
            )

    def progress(self, key: str, done: int) -> None:
        self._database.change(f"UPDATE reviews SET done = ? WHERE {_HELD}", (done, key, self.owner))

    def finish(self, key: str, page: Json, result: Json, stats: Json | None = None) -> bool:
        """Store what the page draws, what the API answers and the game's figures: the review is
        done. False where the claim is another's by now, or the review was deleted."""
        text = None if stats is None else json.dumps(stats)
        changed = self._database.change(
            "UPDATE reviews SET state = 'done', done = total, page = ?, result = ?, stats = ?, "
            f"finished = ?, error = NULL, owner = NULL WHERE {_HELD}",
            (packed(page), packed(result), text, time.time(), key, self.owner),
        )
        return changed > 0

    def fail(self, key: str, error: str) -> None:
        """Mark a review of this owner as failed."""
        self._database.change(
            "UPDATE reviews SET state = 'failed', error = ?, finished = ?, owner = NULL "
            f"WHERE {_HELD}",
            (error, time.time(), key, self.owner),
        )

    def requeue_own(self, tries: int) -> int:
        """Queue what this owner's process left when it died; what died ``tries`` times failed."""
        return self._requeue("owner = ?", (self.owner,), tries)

    def take_over(self, tries: int) -> int:
        """Queue what its owner does not renew any more, in the same way."""
        now = time.time()
        # A heartbeat of the future is one of a clock that was set back.
        silent = "(owner IS NULL OR heartbeat IS NULL OR heartbeat NOT BETWEEN ? AND ?)"
        return self._requeue(silent, (now - SILENT, now + SILENT), tries)

    def _requeue(self, condition: str, values: tuple[str | float, ...], tries: int) -> int:
        if not self._running(condition, values):
            return 0
        with self._database.transaction():
            self._database.run(
                "UPDATE reviews SET state = 'failed', error = ?, owner = NULL "
                f"WHERE state = 'running' AND {condition} AND tries >= ?",
                (f"the reviewing process died {tries} times on this record", *values, tries),
            )
            return self._database.run(
                "UPDATE reviews SET state = 'queued', done = 0, owner = NULL "
                f"WHERE state = 'running' AND {condition}",
                values,
            )

    def overdue(self, seconds: float) -> list[str]:
        """Reviews of this owner that have run for longer than that."""
        return self._running("owner = ? AND started < ?", (self.owner, time.time() - seconds))

    def _running(self, condition: str, values: tuple[str | float, ...]) -> list[str]:
        rows = self._database.rows(
            f"SELECT id FROM reviews WHERE state = 'running' AND {condition}", values
        )
        return [str(row[0]) for row in rows]
