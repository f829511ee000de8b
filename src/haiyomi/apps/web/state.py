"""What the routes share: the library, the limits, the processes that work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar, cast

from fastapi import Request

from haiyomi.apps.web.answers import risks
from haiyomi.apps.web.intake import Packed, found, read_upload
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_errors import BusyError
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.pool import Died, Fault, Pool, Work
from haiyomi.apps.web.refused import Refused
from haiyomi.apps.web.reviewing import Reviewing
from haiyomi.apps.web.together import Together

T = TypeVar("T")
MOST_TOGETHER: Final = 12
"""Positions that a process is asked about together: about 40 ms of work."""


class State:
    """One server's state, made in its event loop. Only that loop's thread uses the library."""

    def __init__(self, library: Library, limits: Limits, reviewing: Reviewing) -> None:
        self.library = library
        self.limits = limits
        self.reviewing = reviewing
        waiting = limits.in_line
        self.reading = Pool(
            Work(
                "haiyomi.apps.web.intake:prepare",
                limits.readers,
                limits.read_memory,
                limits.read,
                waiting,
            )
        )
        self.answering = Pool(
            Work(
                "haiyomi.apps.web.answers:warm",
                limits.processes,
                limits.answer_memory,
                limits.answer,
                waiting,
            )
        )

        self._risks = Together(self.answering, risks, limits.processes, MOST_TOGETHER, waiting)

    def start(self) -> None:
        """Start the processes before the first question comes."""
        self.reading.start()
        self.answering.start()

    async def close(self) -> None:
        """End the processes."""
        self._risks.close()
        await self.reading.close()
        await self.answering.close()

    async def read(
        self, request: Request, name: str, data: bytes
    ) -> tuple[list[Packed], list[str]]:
        """The games of an upload. Raises RecordError, and Refused past the limits."""
        limits = self.limits
        task = self.reading.run(read_upload, name, data, limits.unpacked, limits.games)
        try:
            return found(await _while_there(request, task))
        except TimeoutError:
            raise Refused(
                413, "too_large", f"reading this takes longer than {limits.read:g} s"
            ) from None
        except MemoryError:
            size = limits.read_memory >> 20
            raise Refused(413, "too_large", f"reading this takes more than {size} MiB") from None
        except Died:
            raise Refused(413, "too_large", "the process that read this ended") from None

    async def write(self, change: Callable[[], T]) -> T:
        """What a change of the library returns, as soon as no other process writes it; others are
        served meanwhile. Raises LibraryError, BusyError past the limit."""
        end = time.monotonic() + self.limits.locked
        while True:
            try:
                return change()
            except BusyError:
                if time.monotonic() >= end:
                    raise
            await asyncio.sleep(0.1)

    async def answer(
        self, request: Request, task: Callable[..., bytes], *args: object, long: bool = False
    ) -> bytes:
        """Run what answers for a position; ``long``: it takes seconds. Raises Refused (503) past
        the limits."""
        return await _in_time(request, self.answering.run(task, *args, long=long))

    async def risk(
        self,
        request: Request,
        position: dict[str, object],
        names: list[str],
        model: str,
        points: bool,
    ) -> bytes:
        """The risk of every tile, answered with the other questions that wait. Raises as
        ``answer``."""
        return await _in_time(request, self._risks.ask((position, names, model, points)))


async def _in_time(request: Request, work: Coroutine[object, object, bytes]) -> bytes:
    try:
        return await _while_there(request, work)
    except TimeoutError:
        raise Refused(503, "too_busy", "the answer took too long: try again") from None
    except Fault:
        raise Refused(500, "internal", "this is a fault of haiyomi: please report it") from None
    except (MemoryError, Died):
        raise Refused(503, "too_busy", "the answering process died: try again") from None


async def _while_there(request: Request, work: Coroutine[object, object, T]) -> T:
    """What ``work`` returns; it is cancelled as soon as the client has gone."""
    working = asyncio.create_task(work)
    # The body has been received: all that can still come is the end of the connection.
    gone = asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refused(499, "client_gone", "the client closed the connection")
        return working.result()
    finally:
        working.cancel()
        gone.cancel()
        del working, gone  # an error would keep them, and they the error: the body with both


def state_of(request: Request) -> State:
    """The state of the server that a request came to."""
    return cast(State, request.app.state.haiyomi)
