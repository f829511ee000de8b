"""The listening socket."""

from __future__ import annotations

import asyncio
import socket

from haiyomi.apps.web.server import listen


def test_replies_do_not_wait_for_an_acknowledgement() -> None:
    """A connection that the server accepts has TCP_NODELAY set."""

    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            sock = writer.get_extra_info("socket")
            found.set_result(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        sock = listen("127.0.0.1", 0)
        async with await asyncio.start_server(look, sock=sock):
            _, writer = await asyncio.open_connection(*sock.getsockname())
            try:
                return await asyncio.wait_for(found, 10)
            finally:
                writer.close()

    assert asyncio.run(accepted()) != 0
