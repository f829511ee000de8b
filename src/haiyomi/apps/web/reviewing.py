"""Keeps one reviewing process alive beside the server, within its time limit."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
import sys
import time
from contextlib import suppress

from haiyomi.apps.web.claims import RENEWED_EVERY, Claims
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_errors import BusyError, LibraryError
from haiyomi.apps.web.limits import Limits

LOOK_EVERY = 0.5
LONGEST_PAUSE = 60.0
SOUND = 60.0
"""Seconds after which a process that dies is started again at once."""


class Reviewing:
    """``watch`` runs for as long as the server does; ``wake`` says that something was queued."""

    def __init__(self, library: Library, limits: Limits) -> None:
        self._claims = Claims(library, secrets.token_hex(8))
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._pause = LOOK_EVERY
        self._started = self._renewed = -LONGEST_PAUSE

    @property
    def pid(self) -> int | None:
        """The process now at work, for tests."""
        return None if self._process is None else self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process."""
        self._started = time.monotonic()
        path = str(self._claims.library.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "haiyomi.apps.web.worker", path, self._claims.owner],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # a terminal's Ctrl-C is for the server, which ends it
        )

    def wake(self) -> None:
        """Something was queued."""
        process = self._process
        if process is not None and process.stdin is not None:
            try:
                process.stdin.write(b"\n")
                process.stdin.flush()
            except OSError:
                return  # it died; ``watch`` starts another

    async def watch(self) -> None:
        """Start the process where it died; end it where a review takes too long.

        A process that dies early is started again after pauses that grow to LONGEST_PAUSE.
        """
        while True:
            try:
                if not self.alive:
                    await self._again()
                self._look_at_claims()
            except BusyError:
                pass  # another process writes just now
            except (LibraryError, OSError) as error:
                # A full disk or no process to be had, say: there may be room again later.
                print(f"haiyomi: {error}", file=sys.stderr, flush=True)
                await asyncio.sleep(RENEWED_EVERY)
            await asyncio.sleep(LOOK_EVERY)

    async def _again(self) -> None:
        lived = time.monotonic() - self._started
        self._pause = LOOK_EVERY if lived > SOUND else min(2 * self._pause, LONGEST_PAUSE)
        self.stop()
        self._claims.requeue_own(self._limits.tries)
        await asyncio.sleep(max(0.0, self._pause - lived))
        self.start()

    def _look_at_claims(self) -> None:
        for key in self._claims.overdue(self._limits.review):
            self.stop()
            self._claims.fail(key, f"took longer than {self._limits.review:g} s")
        now = time.monotonic()
        if now - self._renewed >= RENEWED_EVERY:
            self._renewed = now
            if self.alive:
                self._claims.renew()
            if self._claims.take_over(self._limits.tries):
                self.wake()

    def close(self) -> None:
        """End the process and give back what it was at, for the next server."""
        self.stop()
        with suppress(LibraryError):
            self._claims.requeue_own(self._limits.tries)

    def stop(self) -> None:
        """End the process; a review that was running stays marked so."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdin is not None:
                with suppress(OSError):  # what ``wake`` wrote after its end is still to be sent
                    self._process.stdin.close()
            self._process = None
