"""Bodies of requests: each arrives within a size and a time, all of them within one memory."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Scope

from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.refused import Refused

UPLOADS = ("/api/v1/records",)


class Bodies:
    """The bodies that a server holds, the oldest first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = 0
        self._bodies: dict[Body, None] = {}

    def receive(self, scope: Scope, receive: Receive) -> Body:
        """The body of a request, to be read by its ``message`` and closed afterwards.

        Raises Refused (413) where it is announced as too large.
        """
        limit = self.limits.upload if scope["path"] in UPLOADS else self.limits.body
        declared = next((v for n, v in scope["headers"] if n == b"content-length"), b"0")
        if not declared.isdigit() or int(declared) > limit:
            raise _too_large(limit)
        body = Body(self, limit, receive)
        self._bodies[body] = None
        return body

    def make_room(self, asking: Body) -> None:
        """Give up the oldest bodies that are still to arrive; refuse ``asking`` where none is."""
        for body in list(self._bodies):
            if self.held <= self.limits.bodies:
                return
            if body is not asking and body.give_up():
                body.close()
        if self.held > self.limits.bodies:
            raise Refused(503, "too_busy", "too much is being uploaded: try again")

    def remove(self, body: Body) -> None:
        if body in self._bodies:
            del self._bodies[body]
            self.held -= body.size


class Body:
    """One body; ``size`` bytes of it have come."""

    def __init__(self, bodies: Bodies, limit: int, receive: Receive) -> None:
        self.size = 0
        self._bodies = bodies
        self._limit = limit
        self._receive = receive
        self._end = asyncio.get_running_loop().time() + bodies.limits.receive
        self._timer: asyncio.Timeout | None = None
        self._given_up = self._complete = False

    async def message(self) -> Message:
        """The next ASGI message. Raises Refused: 413 past the size, 408 past the time."""
        if self._complete:
            return await self._receive()
        if self._given_up:
            raise _too_slow()
        try:
            async with asyncio.timeout_at(self._end) as self._timer:
                message = await self._receive()
        except TimeoutError:
            raise _too_slow() from None
        finally:
            self._timer = None
        if self._given_up:  # as this part came: it is counted no more
            raise _too_slow()
        came = len(message.get("body", b""))
        self.size += came
        self._bodies.held += came
        self._complete = not message.get("more_body", False)
        if self.size > self._limit:
            raise _too_large(self._limit)
        self._bodies.make_room(self)
        return message

    def give_up(self) -> bool:
        """End the wait for the rest; False where nothing is missing."""
        if self._complete or self._given_up:
            return False
        self._given_up = True
        if self._timer is not None:
            self._timer.reschedule(asyncio.get_running_loop().time())
        return True

    def close(self) -> None:
        """Its bytes are held no longer."""
        self._bodies.remove(self)


def _too_large(limit: int) -> Refused:
    return Refused(413, "too_large", f"a body of more than {limit} bytes")


def _too_slow() -> Refused:
    return Refused(408, "too_slow", "the body took too long to arrive")
