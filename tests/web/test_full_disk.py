"""A full disk: what cannot be kept is refused, deletion makes room, nothing ends."""

from __future__ import annotations

import os
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from served import Served, demo_bytes, running

from haiyomi.apps.web import worker
from haiyomi.apps.web.database import RESERVE
from haiyomi.apps.web.intake import Packed
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_errors import BusyError, LibraryError, NoSpaceError
from haiyomi.apps.web.limits import Limits

LIMITS = Limits(processes=0, readers=0)
SIZE = 16 << 20
only_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount"
)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


Opened = Callable[[Path], Library]


@pytest.fixture
def opened(disk: Path) -> Iterator[Opened]:
    """Opens a library on the disk, and closes it before the disk goes."""
    with ExitStack() as stack:
        yield lambda place: stack.enter_context(closing(Library(place / "library.sqlite3")))


def _fill(place: Path) -> None:
    """Another program takes all that is left."""
    with (place / "other").open("ab", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def _free(place: Path) -> int:
    found = os.statvfs(place)
    return found.f_bavail * found.f_frsize


def _game(number: int, size: int = 100_000) -> Packed:
    body = Random(number).randbytes(size)
    return Packed("x", tuple("abcd"), 1, sha256(body).hexdigest(), zlib.compress(body))


def _until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def _add_until_it_is_refused(library: Library, keys: list[str]) -> None:
    for number in range(1000):
        (record,) = library.add_records([_game(number)], 1000) or ()
        keys.append(record.id)


@only_root
def test_deleting_works_on_a_full_disk_and_gives_its_room_back(disk: Path, opened: Opened) -> None:
    library = opened(disk)
    keys: list[str] = []
    with pytest.raises(NoSpaceError, match="full"):
        _add_until_it_is_refused(library, keys)
    assert len(keys) > 20
    _fill(disk)
    assert _free(disk) == 0
    for key in keys[: len(keys) // 2]:
        assert library.delete_record(key)
    assert (disk / "library.sqlite3.reserve").stat().st_size == RESERVE
    assert _free(disk) > 40_000 * len(keys)
    for key in keys[len(keys) // 2 :]:
        assert library.body(key)
    assert library.add_records([_game(5000)], 1000) is not None


@only_root
def test_a_large_record_is_deleted_on_a_full_disk(disk: Path, opened: Opened) -> None:
    library = opened(disk)
    games = [_game(1), _game(2, 1 << 20), _game(3, 1 << 20)]
    _, large, last = library.add_records(games, 10) or ()
    _fill(disk)
    assert library.delete_record(large.id)
    assert _free(disk) > 900_000
    assert library.body(last.id) == Random(3).randbytes(1 << 20)


@only_root
def test_a_server_begins_and_deletes_on_a_full_disk(disk: Path) -> None:
    path = disk / "library.sqlite3"
    library = Library(path)
    (record,) = library.add_records([_game(1)], 10) or ()
    library.close()
    _fill(disk)
    with running(path, LIMITS) as (server, _):
        assert server.ask("DELETE", f"/api/v1/records/{record.id}")[0] == 204


@only_root
def test_what_cannot_be_kept_is_507_in_the_shape_of_every_error(disk: Path) -> None:
    with running(disk / "library.sqlite3", LIMITS) as (server, state):
        record = _added(server)
        _fill(disk)
        for _ in range(3):
            status, reply = server.ask("POST", "/api/v1/records", raw=demo_bytes() + b" ")
            assert (status, reply["error"]["code"]) == (507, "no_space")
            assert "full" in reply["error"]["message"]
        assert server.ask("GET", "/api/v1/records")[0] == 200
        request = {"record_id": record, "seat": 0}
        assert server.ask("POST", "/api/v1/reviews", request)[0] in (202, 507)
        before = state.reviewing.pid
        time.sleep(3)
        assert state.reviewing.pid == before, "the reviewing process was started again"
        assert server.ask("DELETE", f"/api/v1/records/{record}")[0] == 204
        assert server.ask("POST", "/api/v1/records", raw=demo_bytes())[0] == 201


@only_root
def test_a_review_made_on_a_full_disk_is_stored_once_there_is_room(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(disk / "library.sqlite3", LIMITS) as (server, state):
        request = {"record_id": _added(server), "seat": 0}
        _, review = server.ask("POST", "/api/v1/reviews", request)
        key = review["id"]
        _until(lambda: server.ask("GET", f"/api/v1/reviews/{key}")[1]["done"] >= 1)
        _fill(disk)
        before = state.reviewing.pid
        time.sleep(4)
        (disk / "other").unlink()
        _until(lambda: server.ask("GET", f"/api/v1/reviews/{key}")[1]["state"] == "done")
        assert state.reviewing.pid == before, "the reviewing process was started again"


def _added(server: Served) -> str:
    status, added = server.ask("POST", "/api/v1/records", raw=demo_bytes())
    assert status == 201
    key: str = added["records"][0]["id"]
    return key


def test_the_reviewing_process_waits_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(worker.time, "sleep", pauses.append)

    def change() -> str:
        if len(pauses) < 9:
            raise NoSpaceError("full")
        return "stored"

    assert worker.patiently(change) == "stored"
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_deletion_gives_all_its_pages_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library(tmp_path / "library.sqlite3")
    (record,) = library.add_records([_game(1, 1_000_000)], 10) or []
    written: list[int] = []
    checkpoint = library.database._checkpoint
    checkpoint()
    monkeypatch.setattr(library.database, "_checkpoint", lambda: (written.append(1), checkpoint()))
    before = (tmp_path / "library.sqlite3").stat().st_size
    assert library.delete_record(record.id)
    assert (tmp_path / "library.sqlite3").stat().st_size < before - 900_000
    assert len(written) <= 2  # each is flushed to the disk


def test_a_library_that_another_process_holds_is_busy(tmp_path: Path) -> None:
    holder = Library(tmp_path / "library.sqlite3")
    other = Library(tmp_path / "library.sqlite3", wait=0.05)
    with holder.database.transaction(), pytest.raises(BusyError):
        other.add_records([_game(1)], 10)


def test_a_damaged_file_is_one_error(tmp_path: Path) -> None:
    library = Library(tmp_path / "library.sqlite3")
    for number in range(20):
        library.add_records([_game(number)], 100)
    library.close()
    data = bytearray((tmp_path / "library.sqlite3").read_bytes())
    data[4096:] = Random(0).randbytes(len(data) - 4096)
    (tmp_path / "library.sqlite3").write_bytes(data)
    with pytest.raises(LibraryError):
        Library(tmp_path / "library.sqlite3").records()


def test_others_are_served_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite3"
    with running(path, Limits(processes=0, readers=0, locked=2.0)) as (here, _):
        holder = Library(path)
        with ThreadPoolExecutor(1) as pool:
            with holder.database.transaction():
                adding = pool.submit(here.ask, "POST", "/api/v1/records", None, demo_bytes())
                time.sleep(0.5)
                began = time.monotonic()
                assert here.ask("GET", "/api/v1/records")[0] == 200
                assert time.monotonic() - began < 1
                assert not adding.done()
            assert adding.result()[0] == 201
            with holder.database.transaction():
                status, reply = here.ask("POST", "/api/v1/records", raw=demo_bytes())
        assert (status, reply["error"]["code"]) == (503, "too_busy")
        holder.close()
