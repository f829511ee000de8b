"""Connections that wait for their clients may not shut others out.

uvicorn keeps a connection whose headers never end for as long as its client likes, and its
``limit_concurrency`` counts such connections and then refuses everybody. Here each connection
has a time to send its request and to take its reply, each address may hold so many of them, and
where there is no room the connection that has waited longest for its client is closed. A request
that was on its way there is refused with a reply.
"""

from __future__ import annotations

import asyncio
import json

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from haiyomi.apps.web.limits import Limits

LEAVING = "leaving"
"""In the state of a request: its connection was closed to make room."""
FULL = (503, "too_busy", "this address has too many requests open: try again")
_ON_ITS_WAY = 1.0
"""Seconds for a request to arrive that was sent before its connection was closed."""


class Connections:
    """The open connections of one server, by address, the longest open first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.leaving: set[Connection] = set()
        self._by_address: dict[str, dict[Connection, None]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_address.values()))

    def add(self, connection: Connection, address: str) -> bool:
        """Count a new connection, at the cost of others where there is no room; False where
        every other is being answered."""
        own = self._by_address.setdefault(address, {})
        if len(own) >= self.limits.per_address:
            room = _close_one(own)
        elif len(self) >= self.limits.connections:
            # Whoever holds most gives one up.
            room = any(map(_close_one, sorted(self._by_address.values(), key=len, reverse=True)))
        else:
            room = True
        if room:
            own[connection] = None
        return room

    def remove(self, connection: Connection, address: str) -> None:
        own = self._by_address.get(address, {})
        own.pop(connection, None)
        self.leaving.discard(connection)
        if not own:
            self._by_address.pop(address, None)


def _close_one(connections: dict[Connection, None]) -> bool:
    for connection in connections:
        if connection.waits_for_client():
            del connections[connection]
            connection.leave()
            return True
    return False


def connection_class(limits: Limits) -> type[Connection]:
    """The protocol of one server's connections, for uvicorn's ``http`` option."""

    class Counted(Connection):
        counted = Connections(limits)

    return Counted


class Connection(H11Protocol):
    """One connection: its client has ``Limits.receive`` seconds for the headers of each request,
    and as long again for each step in which it takes something of a reply."""

    counted: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        if self.counted.add(self, self._address):
            self._wait_for_client()
        else:
            self.leave()

    def connection_lost(self, exc: Exception | None) -> None:
        self.counted.remove(self, self._address)
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._idle():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._idle():
            self._wait_for_client()

    def _busy(self) -> bool:
        """Whether a request's headers are here and its reply is not complete."""
        return self.cycle is not None and not self.cycle.response_complete

    def _idle(self) -> bool:
        """Whether headers are to be sent, or a reply to be taken, by the client."""
        return not self._busy() or self.transport.get_write_buffer_size() > 0

    def waits_for_client(self) -> bool:
        """Whether the next step is the client's; a body may be missing, too."""
        return self._idle() or self.cycle.more_body

    def leave(self) -> None:
        """Make room: refuse the request that is here without its body, or may be on its way, and
        close."""
        if len(self.counted.leaving) >= self.counted.limits.connections:
            self.abort()
            return
        if self._busy():
            self._refuse(*FULL)
            return
        self.counted.leaving.add(self)
        self.app_state = {**self.app_state, LEAVING: True}
        self._wait_for_client(_ON_ITS_WAY)

    def abort(self) -> None:
        """Close at once, whatever is still to be sent."""
        self.transport.abort()

    def _wait_for_client(self, seconds: float | None = None) -> None:
        # It replaces the timer of kept connections, which ends with the next request's first byte.
        self._unset_keepalive_if_required()
        self._stop_waiting()
        self._unsent = self.transport.get_write_buffer_size()
        seconds = self.counted.limits.receive if seconds is None else seconds
        self._timer = self.loop.call_later(seconds, self._waited)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _waited(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        leaving = self in self.counted.leaving
        if unsent and unsent < self._unsent and not leaving:
            self._wait_for_client()
        elif leaving and not (unsent or self._busy()):
            self._refuse(*FULL)
        elif unsent or not (self._busy() or self.conn.trailing_data[0]):
            self.abort()
        elif not self._busy():
            self._refuse(408, "too_slow", "the request took too long to arrive")

    def send_400_response(self, msg: str) -> None:
        """A request that is no HTTP, in the shape of every other error."""
        self._refuse(400, "bad_request", "this is no HTTP request")

    def _refuse(self, status: int, code: str, message: str) -> None:
        body = json.dumps({"error": {"code": code, "message": message}}).encode()
        headers = [("content-type", "application/json"), ("connection", "close")]
        length = ("content-length", str(len(body)))
        reply = h11.Response(status_code=status, headers=[*headers, length])
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            for event in (reply, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
