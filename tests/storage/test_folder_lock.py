"""Two commands at once on one folder: the second stops; a kill leaves the folder free."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from haiyomi.errors import DatasetError
from haiyomi.storage.folder_lock import LOCK, only_writer
from haiyomi.storage.resume import Derived, PlannedFolder, Progress, Task
from haiyomi.storage.seal import write_seal
from haiyomi.storage.whole_file import PARTS, whole_file

pytest.importorskip("fcntl")
PLAN = {"of": "a test"}
HOLDER = """
import sys, time, pathlib
from haiyomi.storage.resume import PlannedFolder
with PlannedFolder(pathlib.Path(sys.argv[1]), {"of": "a test"}, "a test").claimed():
    pathlib.Path(sys.argv[1], ".half.abc.part").write_text("half")
    print("held", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def another(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is writing to the folder."""
    given = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(
        given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def make(path: Path) -> None:
    with whole_file(path) as part:
        write_seal(part, [], {"made": path.name})


def finish(folder: Path, progress: Progress | None = None, derived: Sequence[Derived] = ()) -> None:
    PlannedFolder(folder, PLAN, "a test").finish(tasks(folder), make, 1, progress, derived)


def tasks(folder: Path) -> list[Task[Path]]:
    return [Task(folder / name, folder / name, 1) for name in ("a", "b")]


def test_the_second_is_refused_and_takes_nothing(tmp_path: Path) -> None:
    with another(tmp_path):
        with pytest.raises(DatasetError, match="another haiyomi is writing there"):
            finish(tmp_path)
        # What the first has half-written is its own.
        assert (tmp_path / ".half.abc.part").exists()


def test_a_kill_leaves_the_folder_free(tmp_path: Path) -> None:
    with another(tmp_path) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        finish(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "plan.json"]


def test_it_is_free_again_when_the_first_is_done(tmp_path: Path) -> None:
    folder = PlannedFolder(tmp_path, PLAN, "a test")
    with folder.claimed():
        assert (tmp_path / LOCK).exists()
        # The same process asks by another file handle: locks are of those.
        with pytest.raises(DatasetError, match="another"), folder.claimed():
            pass
    assert not (tmp_path / LOCK).exists()
    with folder.claimed():
        pass


def test_a_finished_folder_is_read_beside_another(tmp_path: Path) -> None:
    """Where nothing is missing nothing is written, so nobody waits."""
    finish(tmp_path)
    counted: list[tuple[int, int]] = []
    with only_writer(tmp_path):
        finish(tmp_path, lambda *at: counted.append(at))
    assert counted == [(2, 2)]


@pytest.mark.parametrize("left", [LOCK, ".manifest.json.abc.part"])
def test_what_a_kill_left_behind_the_last_shard_goes(tmp_path: Path, left: str) -> None:
    """A named case: a lock that a kill left after the last shard stayed for good."""
    finish(tmp_path)
    (tmp_path / left).write_text("")
    finish(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "plan.json"]


def test_the_last_files_are_written_within_the_lock(tmp_path: Path) -> None:
    """A named case: a second command removed the first one's half-written manifest."""
    manifest = tmp_path / "manifest.json"
    seen: list[tuple[bool, bool]] = []

    def chunks() -> Iterator[bytes]:
        seen.append((any(tmp_path.glob(PARTS)), (tmp_path / LOCK).exists()))
        yield b"told\n"

    for again in range(3):
        finish(tmp_path, derived=[Derived(manifest, chunks)])
        assert manifest.read_text() == "told\n"
        if again == 1:
            manifest.unlink()
    # Written the first time, compared the second, written again the third.
    assert seen == [(True, True), (False, False), (True, True)]
    assert not (tmp_path / LOCK).exists()


def test_a_lock_of_another_user_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may be read alone can be locked all the same."""
    real = os.open

    def not_to_write(path: Path, flags: int, mode: int = 0o777) -> int:
        if Path(path).name == LOCK and flags & os.O_RDWR and Path(path).exists():
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, flags, mode)

    with another(tmp_path):
        monkeypatch.setattr(os, "open", not_to_write)
        with pytest.raises(DatasetError, match="another haiyomi"), only_writer(tmp_path):
            pass


def test_a_file_removed_between_opening_and_locking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock of a file that is gone is nobody's: the next would make another beside it."""
    import fcntl

    real, calls = fcntl.flock, []

    def late(held: int, how: int) -> None:
        real(held, how)
        if not calls:
            (tmp_path / LOCK).unlink()
        calls.append(held)

    monkeypatch.setattr(fcntl, "flock", late)
    with only_writer(tmp_path):
        assert len(calls) == 2
        assert (tmp_path / LOCK).exists()
