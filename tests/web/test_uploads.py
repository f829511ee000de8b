"""What an upload may cost: its process is limited in memory and time, and ends with it."""

from __future__ import annotations

import asyncio
import gc
import gzip
import hashlib
import os
import socket
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from served import Served, demo_bytes, running, served

from haiyomi.apps.web.intake import found, read_upload
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.pool import Pool, Work
from haiyomi.apps.web.state import State
from haiyomi.errors import FormatError, RecordError
from haiyomi.logs.load import parse, write

SMALL = Limits(read=3.0, games=100_000, processes=0)
PATH = "/api/v1/records"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, State]]:
    with running(tmp_path_factory.mktemp("library") / "library.sqlite3", SMALL) as found:
        yield found


def _many_games() -> bytes:
    """One game over and over: some 30 MB in few bytes, more than 3 s of reading."""
    game = parse(demo_bytes())
    text = write(replace(game, hands=game.hands[:1]), "mjai").encode()
    return gzip.compress(text * ((30 << 20) // len(text)))


def _one_gap_in_a_tag() -> bytes:
    return gzip.compress(b"<UN " + b'a="b" ' * 5_400_000 + b"/>")


def _gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def _until(held: object, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not held():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def _pids(state: State) -> list[int]:
    """The ids of the processes that read uploads, once all have started."""

    def started() -> list[int]:
        return [child.pid for child in state.reading._children if child.pid is not None]

    _until(lambda: len(started()) == SMALL.readers)
    return started()


def test_an_upload_past_its_time_is_killed_and_its_neighbour_succeeds(
    server: tuple[Served, State],
) -> None:
    here, state = server
    before = _pids(state)
    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(here.ask, "POST", PATH, None, _many_games())
        time.sleep(0.3)
        began = time.monotonic()
        assert here.ask("POST", PATH, raw=demo_bytes())[0] == 201
        assert time.monotonic() - began < 2.5
        assert not long.done()
        status, reply = long.result()
    assert (status, reply["error"]["code"]) == (413, "too_large")
    assert "longer than 3 s" in reply["error"]["message"]
    _until(lambda: any(map(_gone, before)))
    assert len(_pids(state)) == SMALL.readers
    assert here.ask("POST", PATH, raw=demo_bytes())[0] == 201


def test_uploads_wait_behind_hanging_ones_and_are_read(server: tuple[Served, State]) -> None:
    here, _ = server
    with ThreadPoolExecutor(3) as pool:
        hanging = [pool.submit(here.ask, "POST", PATH, None, _many_games()) for _ in range(3)]
        time.sleep(0.3)
        assert here.ask("POST", PATH, raw=demo_bytes())[0] == 201
        assert {future.result()[0] for future in hanging} == {413}


def test_an_upload_ends_with_its_client(server: tuple[Served, State]) -> None:
    here, state = server
    before = _pids(state)
    body = _many_games()
    host, port = here.address.removeprefix("http://").split(":")
    head = f"POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n"
    with socket.create_connection((host, int(port))) as client:
        client.sendall(head.encode() + b"content-type: application/octet-stream\r\n\r\n" + body)
        time.sleep(0.3)
        assert not any(map(_gone, before))
    began = time.monotonic()
    _until(lambda: any(map(_gone, before)))
    assert time.monotonic() - began < 2


def test_an_upload_past_its_memory_is_refused(tmp_path: Path) -> None:
    limits = replace(SMALL, read=60, read_memory=40 << 20)
    with running(tmp_path / "library.sqlite3", limits) as (here, _):
        status, reply = here.ask("POST", PATH, raw=_many_games())
        assert (status, reply["error"]["code"]) == (413, "too_large")
        assert "40 MiB" in reply["error"]["message"]
        assert here.ask("POST", PATH, raw=demo_bytes())[0] == 201


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux alone tells")
def test_a_bomb_leaves_the_servers_memory_as_it_was(tmp_path: Path) -> None:
    bomb = _one_gap_in_a_tag()
    assert len(bomb) < 50_000
    with served(tmp_path / "library.sqlite3") as server:
        assert server.ask("POST", PATH, raw=demo_bytes())[0] == 201
        before = _peak(server)
        assert server.ask("POST", PATH, raw=bomb)[0] in (413, 422)
        assert _peak(server) - before < 10_000


def _peak(server: Served) -> int:
    """The most kilobytes that the server's own process has had."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(x for x in status.splitlines() if x.startswith("VmHWM")).split()[1])


def test_what_cannot_be_read_is_not_kept_by_its_error() -> None:
    """An error's frames hold the upload, and were held by the error."""
    held: list[weakref.ref[Any]] = []

    class Name(str):
        """A text that can be watched."""

    gc.disable()
    try:
        for data in (b"no record", gzip.compress(b"no record"), b"PK\x03\x04"):
            name = Name("upload")
            held.append(weakref.ref(name))
            with pytest.raises(RecordError):
                read_upload(name, data, 1 << 20, 5)
            del name
            assert held.pop()() is None
    finally:
        gc.enable()


def test_a_name_beyond_measure_is_refused_and_that_of_a_file_is_cut() -> None:
    game = parse(demo_bytes())
    names = ("x" * 201, "b", "c", "d")
    long = replace(game, header=replace(game.header, names=names), hands=game.hands[:1])
    with pytest.raises(FormatError, match="a player's name has 201 characters"):
        read_upload("upload", write(long, "mjai").encode(), 1 << 25, 5)
    games, _ = found(read_upload("n" * 5000, demo_bytes(), 1 << 25, 5))
    assert games[0].name == "n" * 200


def test_long_tasks_leave_a_process_to_the_others() -> None:
    async def scenario() -> list[str]:
        pool = Pool(Work("haiyomi.apps.web.intake:prepare", 2, 1 << 30, 20.0, 4))
        ended: list[str] = []

        async def run(name: str, rounds: int, long: bool) -> None:
            await pool.run(hashlib.pbkdf2_hmac, "sha256", b"", b"", rounds, long=long)
            ended.append(name)

        tasks = [asyncio.create_task(run(f"long {n}", 3_000_000, True)) for n in range(2)]
        await asyncio.sleep(0.1)
        tasks.append(asyncio.create_task(run("quick", 1, False)))
        await asyncio.gather(*tasks)
        await pool.close()
        return ended

    assert asyncio.run(scenario()) == ["quick", "long 0", "long 1"]


def test_a_task_past_its_time_leaves_nothing_behind() -> None:
    class Seconds(float):
        """A number that can be watched."""

    async def asked() -> Callable[[], object]:
        pool = Pool(Work("haiyomi.apps.web.intake:prepare", 1, 1 << 30, 0.2, 4))
        question = Seconds(30)
        held = weakref.ref(question)
        with pytest.raises(TimeoutError):
            await asyncio.create_task(pool.run(time.sleep, question))  # type: ignore[arg-type]
        del question
        await pool.close()
        return held

    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(asked())() is None
    finally:
        gc.enable()
