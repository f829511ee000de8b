"""Kill -9 in the middle of reviews loses no stored review; work goes on when it is back."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from served import Served, demo_bytes, served

from haiyomi.apps.web.library import Library
from haiyomi.apps.web.limits import DEFAULT
from haiyomi.apps.web.reviewing import Reviewing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kill -9 is POSIX")


def _states(server: Served) -> dict[str, Any]:
    _, reviews = server.ask("GET", "/api/v1/reviews")
    return {review["id"]: review for review in reviews}


def _until(server: Served, wanted: Any, seconds: float = 90) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        states = _states(server)
        if wanted(states):
            return states
        time.sleep(0.05)
    raise AssertionError(states)


def _children(pid: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(line) for line in listed.stdout.split()]


def _watch_until_alive(reviewing: Reviewing) -> None:
    async def watch() -> None:
        task = asyncio.create_task(reviewing.watch())
        while not reviewing.alive:
            await asyncio.sleep(0.05)
            assert not task.done()
        task.cancel()

    asyncio.run(asyncio.wait_for(watch(), 30))


def test_a_death_that_is_noticed_by_who_asks_for_a_review_is_mended(tmp_path: Path) -> None:
    """What was to be said to the dead process is still to be sent when its pipe is closed."""
    library = Library(tmp_path / "library.sqlite3")
    reviewing = Reviewing(library, DEFAULT)
    reviewing.start()
    first = reviewing.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while reviewing.alive:
        time.sleep(0.01)
    reviewing.wake()

    _watch_until_alive(reviewing)
    assert reviewing.pid != first
    reviewing.close()
    library.close()


def test_where_no_process_can_be_started_another_try_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    library = Library(tmp_path / "library.sqlite3")
    reviewing = Reviewing(library, DEFAULT)
    start = reviewing.start
    tries: list[int] = []

    def starts() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("Too many open files")
        start()

    monkeypatch.setattr(reviewing, "start", starts)
    monkeypatch.setattr("haiyomi.apps.web.reviewing.RENEWED_EVERY", 0.1)

    _watch_until_alive(reviewing)
    assert "Too many open files" in capsys.readouterr().err
    reviewing.close()
    library.close()


@pytest.mark.slow
def test_kill_in_the_middle_of_a_review(tmp_path: Path) -> None:
    library = tmp_path / "library.sqlite3"
    with served(library) as server:
        status, added = server.ask("POST", "/api/v1/records", raw=demo_bytes())
        assert status == 201
        record = added["records"][0]["id"]
        for seat in range(4):
            server.ask("POST", "/api/v1/reviews", {"record_id": record, "seat": seat})
        states = _until(
            server,
            lambda s: (
                any(r["state"] == "done" for r in s.values())
                and any(r["state"] == "running" for r in s.values())
            ),
        )
        done = {key for key, r in states.items() if r["state"] == "done"}
        pages = {key: server.ask("GET", f"/api/v1/reviews/{key}/result")[1] for key in done}
        children = _children(server.process.pid)
        server.kill()
    for _ in range(100):
        left = [c for c in children if Path(f"/proc/{c}/stat").exists() and not _dead(c)]
        if not left:
            break
        time.sleep(0.1)
    assert not left, "the server's own processes outlive it"
    with served(library) as server:
        assert done <= {k for k, r in _states(server).items() if r["state"] == "done"}
        for key, page in pages.items():
            assert server.ask("GET", f"/api/v1/reviews/{key}/result")[1] == page
        states = _until(server, lambda s: all(r["state"] == "done" for r in s.values()))
        assert len(states) == 4
    check = sqlite3.connect(library)
    assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()


def _dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
def test_a_reviewing_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with served(tmp_path / "library.sqlite3") as server:
        _, added = server.ask("POST", "/api/v1/records", raw=demo_bytes())
        record = added["records"][0]["id"]
        server.ask("POST", "/api/v1/reviews", {"record_id": record, "seat": 0})
        _until(server, lambda s: any(r["state"] == "running" for r in s.values()))
        children = _children(server.process.pid)
        commands = {child: Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
        (worker,) = [pid for pid, of in commands.items() if b"haiyomi.apps.web.worker" in of]
        os.kill(worker, signal.SIGKILL)
        _until(server, lambda s: all(r["state"] == "done" for r in s.values()))


@pytest.mark.slow
def test_twenty_clients_at_once(tmp_path: Path) -> None:
    """No error; how long it takes is measured by ``python -m bench.web``."""
    from concurrent.futures import ThreadPoolExecutor

    from haiyomi.apps.web.schemas import EXAMPLE

    with served(tmp_path / "library.sqlite3") as server, ThreadPoolExecutor(20) as pool:
        futures = [
            pool.submit(server.ask, "POST", "/api/v1/positions/risk", EXAMPLE) for _ in range(200)
        ]
        replies = [future.result() for future in futures]
    assert {status for status, _ in replies} == {200}
    assert len({str(value) for _, value in replies}) == 1


@pytest.mark.slow
def test_two_servers_review_on_one_library(tmp_path: Path) -> None:
    """The second leaves the first one's work alone, and takes it over when the first is killed."""
    library = tmp_path / "library.sqlite3"
    with served(library) as first:
        _, added = first.ask("POST", "/api/v1/records", raw=demo_bytes())
        record = added["records"][0]["id"]
        for seat in range(4):
            first.ask("POST", "/api/v1/reviews", {"record_id": record, "seat": seat})
        _until(first, lambda s: any(r["state"] == "running" for r in s.values()))
        with served(library) as second:
            _until(second, lambda s: any(r["state"] == "done" for r in s.values()))
            assert not [r for r in _states(second).values() if r["state"] == "failed"]
            first.kill()
            states = _until(second, lambda s: all(r["state"] == "done" for r in s.values()))
            assert len(states) == 4
            assert {r["error"] for r in states.values()} == {None}


def test_a_request_that_outlives_the_server_is_answered_and_leaves_no_traceback(
    tmp_path: Path,
) -> None:
    with served(tmp_path / "library.sqlite3") as server:
        host, port = server.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as upload:
            upload.sendall(
                b"POST /api/v1/records HTTP/1.1\r\nhost: localhost\r\n"
                b"content-type: application/octet-stream\r\ncontent-length: 1000000\r\n\r\nhalf"
            )
            server.ask("GET", "/api/v1/health")  # which comes after the upload has begun
            time.sleep(1)
            assert server.process is not None
            server.process.terminate()
            reply = b""
            while part := upload.recv(4096):
                reply += part
            assert server.process.wait(20) in (0, -signal.SIGTERM)
        assert server.process.stdout is not None
        assert "Traceback" not in server.process.stdout.read()
    assert reply.startswith(b"HTTP/1.1 503")
    assert b'"stopping"' in reply
