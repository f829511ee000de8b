"""What the routes share: the library, the limits, the processes that work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from haiyomi.apps.web.answers import prepare, warm
from haiyomi.apps.web.guard import Refused
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.reviewing import Reviewing

T = TypeVar("T")


class State:
    """One server's state. The library is used by the event loop's thread alone."""

    def __init__(self, library: Library, limits: Limits, reviewing: Reviewing) -> None:
        self.library = library
        self.limits = limits
        self.reviewing = reviewing
        self._reader = ThreadPoolExecutor(1, "intake")
        self._answering = self._pool()

    def _pool(self) -> Executor:
        n = self.limits.processes
        if n == 0:
            return ThreadPoolExecutor(1, "answer")
        return ProcessPoolExecutor(n, get_context("spawn"), initializer=prepare)

    def warm(self) -> None:
        """Start the answering processes before the first question comes."""
        for _ in range(self.limits.processes):
            self._answering.submit(warm)

    def close(self) -> None:
        """End the threads and processes."""
        for pool in (self._reader, self._answering):
            pool.shutdown(wait=True, cancel_futures=True)

    async def read(self, task: Callable[[], T]) -> T:
        """Run what reads an upload, one at a time, within the time limit."""
        return await self._timed(asyncio.get_running_loop().run_in_executor(self._reader, task))

    async def answer(self, task: Callable[..., T], *args: Any) -> T:
        """Run what answers for a position. Raises Refused (503) past the time limit."""
        loop = asyncio.get_running_loop()
        try:
            return await self._timed(loop.run_in_executor(self._answering, task, *args))
        except BrokenProcessPool:
            self._answering.shutdown(wait=False)
            self._answering = self._pool()
            raise Refused(503, "too_busy", "the answering process died: try again") from None

    async def _timed(self, future: asyncio.Future[T]) -> T:
        try:
            return await asyncio.wait_for(future, self.limits.answer)
        except TimeoutError:
            raise Refused(503, "too_busy", "the answer took too long: try again") from None
