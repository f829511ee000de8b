"""Questions that wait for a process are answered by it as one batch.

A batch of positions costs the models much less than the same positions one after the other. No
question waits for others to come: a batch is what waits when a process is free.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from haiyomi.apps.web.frames import Reply, unpack_replies
from haiyomi.apps.web.pool import Pool
from haiyomi.apps.web.refused import Refused


@dataclass(frozen=True, slots=True, eq=False)
class _Pending:
    question: object
    reply: asyncio.Future[bytes]


class Together:
    """Asks ``task`` of a pool about lists of questions; at most ``most`` at a time, and at most
    ``waiting`` in line. ``task`` returns ``pack_replies`` of as many."""

    def __init__(
        self, pool: Pool, task: Callable[..., bytes], processes: int, most: int, waiting: int
    ) -> None:
        self._pool = pool
        self._task = task
        self._processes = max(1, processes)
        self._most = most
        self._room = waiting
        self._waiting: deque[_Pending] = deque()
        self._runners: set[asyncio.Task[None]] = set()

    async def ask(self, question: object) -> bytes:
        """The answer to a question (a JSON value). A process that works only for callers that have
        gone ends. Raises as ``Pool.run`` does."""
        if len(self._waiting) >= self._room:
            raise Refused(503, "too_busy", f"{self._room} requests wait: try again")
        pending = _Pending(question, asyncio.get_running_loop().create_future())
        self._waiting.append(pending)
        if len(self._runners) < self._processes:
            runner = asyncio.create_task(self._run())
            self._runners.add(runner)
            runner.add_done_callback(self._runners.discard)
        try:
            return await pending.reply
        finally:
            with suppress(ValueError):  # most have left the line
                self._waiting.remove(pending)

    def close(self) -> None:
        """Ask no more."""
        for runner in self._runners:
            runner.cancel()

    async def _run(self) -> None:
        while self._waiting:
            share = -(-len(self._waiting) // self._processes)
            batch = [self._waiting.popleft() for _ in range(min(self._most, share))]
            await self._answer([pending for pending in batch if not pending.reply.done()])

    async def _answer(self, batch: list[_Pending]) -> None:
        if not batch:
            return
        working = asyncio.create_task(self._pool.run(self._task, [a.question for a in batch]))

        def left(_: asyncio.Future[bytes]) -> None:
            if all(pending.reply.done() for pending in batch):
                working.cancel()

        for pending in batch:
            pending.reply.add_done_callback(left)
        try:
            await asyncio.wait({working})
        except asyncio.CancelledError:
            working.cancel()
            raise
        if working.cancelled():
            return
        error = working.exception()
        if error is None:
            for pending, reply in zip(batch, unpack_replies(working.result()), strict=True):
                _reply(pending, reply)
        elif len(batch) == 1:
            _reply(batch[0], error)
        else:
            # One question may have ended the process: the others are still answered.
            for pending in batch:
                await self._answer([pending])


def _reply(pending: _Pending, reply: Reply | BaseException) -> None:
    if pending.reply.done():
        return  # its caller has gone
    if isinstance(reply, bytes):
        pending.reply.set_result(reply)
    else:
        pending.reply.set_exception(reply)
