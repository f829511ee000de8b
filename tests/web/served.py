"""A real server in a process of its own, and small records to give it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.server import create_app, listen, server_of
from haiyomi.apps.web.state import State

T = TypeVar("T", bound=BaseModel)


def demo_bytes() -> bytes:
    """The bundled record."""
    from importlib.resources import files

    return files("haiyomi").joinpath("data", "demo.mjlog").read_bytes()


def evil_record() -> bytes:
    """The bundled record with players called as no player should be."""
    from dataclasses import replace

    from haiyomi.logs.load import parse, write

    game = parse(demo_bytes())
    names = ("<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>", "</script>", "{name}")
    game = replace(game, header=replace(game.header, names=names), hands=game.hands[:2])
    return write(game, "mjai").encode()


class Served:
    """One running server."""

    def __init__(self, process: subprocess.Popen[str] | None, address: str) -> None:
        self.process = process
        self.address = address

    def ask(self, method: str, path: str, body: Any = None, raw: bytes | None = None) -> Any:
        """(status, JSON value)."""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        kind = "application/octet-stream" if raw is not None else "application/json"
        request = urllib.request.Request(
            self.address + path, data, {"content-type": kind}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                text = reply.read()
                return reply.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def kill(self) -> None:
        """As ``kill -9``: nothing is tidied up."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)


@contextmanager
def served(library: Path, folder: Path | None = None) -> Iterator[Served]:
    """Start ``haiyomi serve`` on a free port, in a ``folder`` as the installed command would be;
    end it afterwards."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [
            *(sys.executable, *(["-P"] if folder else []), "-m", "haiyomi"),
            *("serve", "--port", "0", "--library", str(library)),
        ],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://[^/]+", line)
        assert found, line
        watchdog.cancel()
        address = found[0]
        server = Served(process, address)
        for _ in range(200):
            try:
                server.ask("GET", "/api/v1/health")
                break
            except OSError:
                threading.Event().wait(0.05)
        yield server
    finally:
        watchdog.cancel()
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


@contextmanager
def running(library: Path, limits: Limits) -> Iterator[tuple[Served, State]]:
    """A server with other limits, in a thread of this process; its state can be looked at."""
    app = create_app(library, limits)
    server = server_of(app, limits)
    sock = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{sock.getsockname()[1]}"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    try:
        here = Served(None, address)
        here.ask("GET", "/api/v1/health")
        yield here, app.state.haiyomi
    finally:
        server.should_exit = True
        thread.join(60)


def error_of(reply: Any, status: int, code: str) -> str:
    """The message of a refusal."""
    assert reply.status_code == status, reply.text
    assert reply.json()["error"]["code"] == code
    message = reply.json()["error"]["message"]
    assert isinstance(message, str)
    return message


def typed(model: type[T], reply: Any) -> T:
    """A reply as its schema, which names each of its fields."""
    value = model.model_validate(reply)
    assert value.model_dump(mode="json", by_alias=True, exclude_unset=True) == reply
    return value
