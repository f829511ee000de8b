"""The application, and the process that serves it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from html import escape
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

import haiyomi
from haiyomi.apps.web import api, pages
from haiyomi.apps.web.connections import connection_class
from haiyomi.apps.web.guard import Guard
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.limits import DEFAULT, Limits
from haiyomi.apps.web.reviewing import Reviewing
from haiyomi.apps.web.state import State, state_of
from haiyomi.apps.web.static_page import static_page
from haiyomi.errors import HaiyomiError, printable

_CODES = {404: "not_found", 405: "wrong_method", 400: "bad_request"}


def create_app(path: Path, limits: Limits, hosts: tuple[str, ...] = ()) -> FastAPI:
    """The application on the library at ``path``; ``hosts`` are further names of this server."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as ends:  # each is ended, whatever becomes of the others
            library = Library(path, wait=0.1)  # in which nobody is served: ``State.write``
            ends.callback(library.close)
            reviewing = Reviewing(library, limits)
            app.state.haiyomi = state = State(library, limits, reviewing)
            state.start()
            ends.push_async_callback(state.close)
            reviewing.start()
            ends.callback(reviewing.close)
            ends.push_async_callback(_cancelled, asyncio.create_task(reviewing.watch()))
            yield

    app = FastAPI(
        title="haiyomi",
        version=haiyomi.__version__,
        description="Deal-in risk of riichi mahjong records and positions.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.include_router(api.router)
    app.include_router(pages.router)
    app.add_exception_handler(HaiyomiError, _error_reply)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_middleware(Guard, limits=limits, hosts=hosts)
    return app


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def _error(request: Request, status: int, code: str, message: str) -> Response:
    """The reply of an error: JSON for programs, a page for who looks at one in a browser."""
    if request.url.path.startswith("/api/") or not _wants_page(request):
        return JSONResponse({"error": {"code": code, "message": message}}, status)
    text, policy = static_page("haiyomi", "haiyomi", f"<p>{escape(message)}</p>")
    return HTMLResponse(text, status, {"content-security-policy": policy})


def _wants_page(request: Request) -> bool:
    """Whether the headers ask for HTML, as those of browsers do where a page is opened."""
    wanted = request.headers.get("accept", "").lower().replace(" ", "").split(",")
    return any(kind.startswith("text/html") and ";q=0;" not in f"{kind};" for kind in wanted)


async def _error_reply(request: Request, error: Exception) -> Response:
    assert isinstance(error, HaiyomiError)
    status, code = api.error_of(error)
    # Where the library lies is for its operator, not for its clients.
    message = str(error).removeprefix(f"{state_of(request).library.path}: ")
    return _error(request, status, code, message)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = getattr(error, "code", _CODES.get(error.status_code, "refused"))
    message = "there is no such address" if error.detail == "Not Found" else str(error.detail)
    reply = _error(request, error.status_code, code, message)
    reply.headers.update(error.headers or {})
    if error.status_code == 405 and (allowed := _methods(request)):
        reply.headers["allow"] = ", ".join(sorted(allowed))
    return reply


def _methods(request: Request) -> set[str]:
    """The methods that the path of a request answers; several routes may share a path."""
    found: set[str] = set()
    for route in (*api.router.routes, *pages.router.routes):
        if isinstance(route, Route) and route.matches(request.scope)[0] != Match.NONE:
            found |= route.methods or set()
    return found | ({"HEAD"} if "GET" in found else set())


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    kind, place = first["type"], first["loc"]
    if kind == "string_pattern_mismatch":  # only ids of records have a pattern
        return _error(request, 404, "not_found", "there is no such record")
    if place == ("body",) and kind != "missing" and not _is_json(request):
        return _error(request, 415, "content_type", "send a JSON object as application/json")
    if kind == "json_invalid":
        what = f"the body is not JSON: it goes wrong at character {place[-1]}"
    elif place == ("body",):
        what = "the body is to be a JSON object, sent with content-type: application/json"
    else:
        what = ".".join(map(str, place)) + ": " + first["msg"].removeprefix("Value error, ")
    return _error(request, 422, "invalid", printable(what))


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def library_file() -> Path:
    """Where the library lies by default: the user's folder for data."""
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "haiyomi" / "library.sqlite3"


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; callers wait from now on instead of being refused.

    Raises HaiyomiError where the address cannot be had.
    """
    # asyncio sets TCP_NODELAY only where the protocol is named. Without it each reply on a kept
    # connection waits about 40 ms for an acknowledgement.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(256)
    except (OSError, OverflowError) as error:
        sock.close()
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise HaiyomiError(f"cannot listen on {host} port {port}: {why}") from None
    return sock


def serve(
    path: Path, host: str, port: int, hosts: tuple[str, ...] = (), limits: Limits = DEFAULT
) -> None:
    """Serve until interrupted. Raises HaiyomiError where the address or library cannot be had."""
    Library(path).close()  # a library that cannot be opened ends the server here
    sock = listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{sock.getsockname()[1]}/"
    print(f"haiyomi: {address} (library {path}; Ctrl-C ends it)", flush=True)
    server_of(create_app(path, limits, hosts), limits).run(sockets=[sock])


def server_of(app: FastAPI, limits: Limits) -> uvicorn.Server:
    """The server of an application, with the limits on connections."""
    config = uvicorn.Config(
        app,
        http=connection_class(limits),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    return uvicorn.Server(config)
