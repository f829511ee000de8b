"""The listening socket, and errors of the server's own."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from served import demo_bytes, served
from starlette.testclient import TestClient

from haiyomi.apps.commands.serve import command
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.server import create_app, listen
from haiyomi.errors import HaiyomiError


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


def test_a_bug_is_one_error_in_the_documented_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    app = create_app(tmp_path / "library.sqlite3", Limits(processes=0, readers=0))
    with TestClient(app, "http://localhost", raise_server_exceptions=False) as client:
        monkeypatch.setattr(app.state.haiyomi.library, "records", broken)
        reply = client.get("/api/v1/records")
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "internal"
    assert reply.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["http://example.com", "example.com:8642", "a b", "", "[::1]"])
def test_a_host_that_no_request_can_name_is_refused(name: str) -> None:
    """The server began, and answered 421 to everyone who came by the name."""
    with pytest.raises(HaiyomiError, match=r"^--allow-host .*: expected the name alone"):
        command(allow_host=[name])


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path) -> None:
    """A json.py among records that somebody gave away was run by the server's processes."""
    for name in ("json", "http", "numpy"):
        (tmp_path / f"{name}.py").write_text("open('run', 'w')\n", encoding="utf-8")
    with served(tmp_path / "library.sqlite3", tmp_path) as server:
        status, uploaded = server.ask("POST", "/api/v1/records", raw=demo_bytes())
        assert status == 201, uploaded
        key = uploaded["records"][0]["id"]
        status, review = server.ask("POST", "/api/v1/reviews", {"record_id": key, "seat": 0})
        assert status == 202, review
        address = f"/api/v1/reviews/{review['id']}"
        while (found := server.ask("GET", address)[1])["state"] in ("queued", "running"):
            time.sleep(0.2)
        assert found["state"] == "done"
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(os.name == "nt", reason="a terminal of Windows sends Ctrl-C otherwise")
def test_ctrl_c_while_the_processes_start_prints_nothing(tmp_path: Path) -> None:
    """A terminal sends it to all processes of the group: those that still imported printed
    tracebacks, and asyncio that it did not know their ends."""
    serve = ("serve", "--port", "0", "--library", str(tmp_path / "library.sqlite3"))
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "haiyomi", *serve],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        assert "http://" in server.stdout.readline()
        time.sleep(0.3)
        os.killpg(server.pid, signal.SIGINT)
        assert server.stdout.read() == ""
