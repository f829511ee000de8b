"""Clients that send nothing, too little or read nothing shut nobody else out."""

from __future__ import annotations

import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median

import pytest
from served import Served, demo_bytes, running

from haiyomi.apps.web import connections
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.schemas import EXAMPLE

LIMITS = Limits(processes=0, readers=0, receive=1.0)
BODY = b"POST /api/v1/records HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n"
HALF = {
    "idle": b"",
    "half a header": b"GET /api/v1/health HTTP/1.1\r\nhost: local",
    "half a body": BODY + b"content-type: application/octet-stream\r\n\r\nxxx",
}


@contextmanager
def _held(server: Served, number: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """So many connections that send that and no more."""
    with ExitStack() as stack:
        made = [stack.enter_context(_connected(server)) for _ in range(number)]
        for one in made:
            one.sendall(sent)
        yield made


def _connected(server: Served) -> socket.socket:
    host, port = server.address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def _all(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    came = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 20):
            came += part
    return came


def _error(reply: bytes) -> tuple[int, str]:
    head, _, body = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.parametrize("sent", HALF.values(), ids=HALF)
def test_a_new_client_is_answered_beside_230_that_wait(tmp_path: Path, sent: bytes) -> None:
    with (
        running(tmp_path / "library.sqlite3", Limits(processes=0, readers=0)) as (server, _),
        _held(server, 230, sent),
    ):
        took = []
        for _ in range(3):
            began = time.monotonic()
            assert server.ask("GET", "/api/v1/health")[0] == 200
            took.append(time.monotonic() - began)
    assert median(took) < 1


@pytest.mark.parametrize("before", [b"", b"GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n"])
def test_headers_that_do_not_end_are_given_up_in_time(tmp_path: Path, before: bytes) -> None:
    """Of a new connection and of a kept one, however slowly more comes."""
    with running(tmp_path / "library.sqlite3", LIMITS) as (server, _), _connected(server) as one:
        began = time.monotonic()
        if before:
            one.sendall(before)
            came = b""
            while not came.endswith(b"}"):
                came += one.recv(65536)
            assert came.startswith(b"HTTP/1.1 200")
        one.sendall(HALF["half a header"])
        one.settimeout(0.2)
        came = b""
        # Head and body of the reply may arrive one after the other.
        while not came.endswith(b"}"):
            assert time.monotonic() - began < 10
            try:
                came += one.recv(65536)
            except TimeoutError:
                one.sendall(b"x")
        assert time.monotonic() - began > 0.7
        assert _error(came) == (408, "too_slow")


def test_a_connection_without_a_request_is_closed_in_time(tmp_path: Path) -> None:
    with running(tmp_path / "library.sqlite3", LIMITS) as (server, _):
        began = time.monotonic()
        with _connected(server) as one:
            assert one.recv(1) == b""
        assert 0.7 < time.monotonic() - began < 10


def test_a_client_that_reads_nothing_is_given_up(tmp_path: Path) -> None:
    with running(tmp_path / "library.sqlite3", LIMITS) as (server, _):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        host, port = server.address.removeprefix("http://").split(":")
        one.settimeout(10)
        one.connect((host, int(port)))
        with one:
            # More than the system's own buffers take.
            one.sendall(b"GET /position HTTP/1.1\r\nhost: localhost\r\n\r\n" * 1000)
            time.sleep(3)
            assert _all(one).count(b"HTTP/1.1 200") < 1000


def test_an_address_with_all_its_connections_at_work_is_refused(tmp_path: Path) -> None:
    limits = Limits(processes=0, readers=0, per_address=1)
    body = json.dumps({"hand": "123456789m1123p1s", "turn": 1}).encode()
    head = b"POST /api/v1/hands/win HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json"
    head += b"\r\ncontent-length: %d\r\n\r\n" % len(body)
    with running(tmp_path / "library.sqlite3", limits) as (server, state):
        lock = state.answering._free._value
        assert lock == 1
        with _connected(server) as busy:
            state.answering._free._value = 0  # nobody answers
            busy.sendall(head + body)
            time.sleep(0.3)
            with _connected(server) as other:
                assert _error(_all(other)) == (503, "too_busy")


def test_150_requests_at_once_are_all_answered_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections that were closed to make room were reset: their clients saw no status."""
    # However busy the machine is, no time runs out.
    long = 600.0
    monkeypatch.setattr(connections, "_ON_ITS_WAY", long)
    limits = Limits(processes=0, readers=0, receive=long, answer=long)
    met: list[str] = []
    add = connections.Connections.add

    def added(self: connections.Connections, one: connections.Connection, address: str) -> bool:
        met.append(address)
        return add(self, one, address)

    monkeypatch.setattr(connections.Connections, "add", added)
    body = json.dumps(EXAMPLE).encode()
    head = b"POST /api/v1/positions/risk HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    head += b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    with (
        running(tmp_path / "library.sqlite3", limits) as (server, _),
        _held(server, 150, b"") as held,
    ):
        # A connection that comes later than the headers of others would cost one of those.
        while len(met) < 150:
            time.sleep(0.01)
        for part in (head, body):
            for one in held:
                one.settimeout(long)
                one.sendall(part)
        assert Counter(int(_all(one).split()[1]) for one in held) == {200: 64, 503: 86}


def test_a_request_without_its_body_is_refused_where_there_is_no_room(tmp_path: Path) -> None:
    limits = Limits(processes=0, readers=0, per_address=1)
    with running(tmp_path / "library.sqlite3", limits) as (server, _), _connected(server) as one:
        one.sendall(HALF["half a body"])
        time.sleep(0.3)
        assert server.ask("GET", "/api/v1/health")[0] == 200
        assert _error(_all(one)) == (503, "too_busy")


def test_what_is_no_http_is_refused_in_the_shape_of_every_error(tmp_path: Path) -> None:
    with running(tmp_path / "library.sqlite3", LIMITS) as (server, _), _connected(server) as one:
        one.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert _error(_all(one)) == (400, "bad_request")


def test_half_sent_uploads_take_little_memory_and_leave_room(tmp_path: Path) -> None:
    """The oldest of them are given up; a whole one is stored beside them."""
    size = 1 << 20
    limits = Limits(processes=0, readers=0, upload=size, bodies=8 * size)
    head = HALF["half a body"].replace(b"length: 1000", b"length: %d" % size)
    with (
        running(tmp_path / "library.sqlite3", limits) as (server, _),
        _held(server, 30, head + b"x" * (size - 1000)) as held,
    ):
        assert server.ask("POST", "/api/v1/records", raw=demo_bytes())[0] == 201
        came = b""
        while not came.endswith(b"}}"):
            came += held[0].recv(65536)
        assert _error(came) == (408, "too_slow")
        held[29].settimeout(0.2)
        with pytest.raises(TimeoutError):
            held[29].recv(1)
