"""What stands before every request: whose page may ask, how much may come, what goes back.

A server on this machine can be reached by any page that the browser shows. So a request must
name this machine (no other name that was made to resolve to it), must not come from another
site's page, and its body must arrive within a size and a time.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import closing
from ipaddress import ip_address

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from haiyomi.apps.web.bodies import Bodies
from haiyomi.apps.web.connections import FULL, LEAVING
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.refused import Refused

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cache-control", b"no-store"),
)
POLICY = b"default-src 'none'; frame-ancestors 'none'"
_HOST = re.compile(r"(?P<name>\[[^\[\]]+\]|[^\[\]:]+)(:[0-9]*)?")
"""A name or address, that of IPv6 in brackets, and a port."""
_SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """ASGI middleware; ``hosts`` are names beside localhost and plain addresses."""

    def __init__(self, app: ASGIApp, limits: Limits, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._bodies = Bodies(limits)
        self._hosts = {"localhost", *(h.lower() for h in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        began = False
        # HEAD is answered as GET, without the body.
        heads = scope["method"] == "HEAD"
        asked = {**scope, "method": "GET"} if heads else scope

        async def answer(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                have = {name for name, _ in message.get("headers", [])}
                extra = [h for h in HEADERS if h[0] not in have]
                if b"content-security-policy" not in have:
                    extra.append((b"content-security-policy", POLICY))
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            elif heads:
                message = {**message, "body": b""}
            await send(message)

        try:
            self._check(scope)
            with closing(self._bodies.receive(scope, receive)) as body:
                if LEAVING in scope.get("state", {}):
                    # A client that still sends would see its connection end and no reply.
                    while (await body.message()).get("more_body"):
                        pass
                    raise Refused(*FULL)
                await self._app(asked, body.message, answer)
        except Refused as refused:
            if not began:
                await _send_error(answer, refused)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except asyncio.CancelledError:  # the server ends, and waits no longer for this request
            if not began:
                await _send_error(answer, Refused(503, "stopping", "the server is stopping"))
        except Exception as error:
            if not began:
                what = f"an error of the server's own: {type(error).__name__}"
                await _send_error(answer, Refused(500, "internal", what))
            raise  # for the server's log

    def _check(self, scope: Scope) -> None:
        headers = {n.decode("latin-1"): v.decode("latin-1") for n, v in scope["headers"]}
        host = headers.get("host", "")
        if not self._known(host):
            raise Refused(421, "wrong_host", f"this server is not {host[:100]!r}")
        if scope["method"] in _SAFE:
            return
        origin = headers.get("origin")
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign or (origin is not None and origin.partition("//")[2] != host):
            raise Refused(403, "other_site", "a page of another site may not ask this")

    def _known(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        if (name := found["name"].lower()) in self._hosts:
            return True
        try:
            ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


async def _send_error(send: Send, refused: Refused) -> None:
    body = json.dumps({"error": {"code": refused.code, "message": refused.detail}}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": body})
