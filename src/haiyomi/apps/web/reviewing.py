"""Keeps one reviewing process alive beside the server, within its time limit."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from haiyomi.apps.web.library import Library
from haiyomi.apps.web.limits import Limits

LOOK_EVERY = 0.5


class Reviewing:
    """``watch`` runs for as long as the server does; ``wake`` says that something was queued."""

    def __init__(self, library: Library, limits: Limits) -> None:
        self._library = library
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process now at work, for tests."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Queue what an earlier server left half done, and start the process."""
        self._library.requeue(self._limits.tries)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "haiyomi.apps.web.worker", str(self._library.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
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
        """Start the process again where it died; end it where a review takes too long."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for key in self._library.overdue(self._limits.review):
                self.stop()
                self._library.fail(key, f"took longer than {self._limits.review:g} s")
            if self._process is None or self._process.poll() is not None:
                self.start()

    def stop(self) -> None:
        """End the process; a review that was running stays marked so."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None
