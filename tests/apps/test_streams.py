"""What is closed, full or in the way: a sentence or silence, and no file cut short."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="a shell's redirections, limits of POSIX")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.fixture
def record(root: Path) -> Path:
    return root / "tests" / "samples" / "haiyomi-7-00003.mjson"


@posix
@pytest.mark.parametrize(
    ("command", "status"),
    [("verify RECORD", 0), ("convert RECORD --to mjlog", 0), ("--version", 0), ("review X", 2)],
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream(command: str, status: int, closed: str, record: Path) -> None:
    command = command.replace("RECORD", shlex.quote(str(record)))
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi {command} {closed}")
    assert done.returncode == status
    assert "Traceback" not in done.stderr


@posix
@pytest.mark.parametrize("command", ["convert RECORD --to mjai", "value --round E1", "play"])
def test_a_reader_that_leaves(command: str, record: Path) -> None:
    """What was written before the end of the command ended it with status 1, the rest with 0."""
    command = command.replace("RECORD", shlex.quote(str(record)))
    line = f"( {shlex.quote(sys.executable)} -m haiyomi {command}; echo $? >&2 ) | true"
    assert shell(line).stderr == "0\n"


@posix
def test_a_closed_input_is_empty() -> None:
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi convert - --to mjai <&-")
    assert done.returncode == 1
    assert "standard input: is empty" in done.stderr


@posix
@pytest.mark.parametrize("where", ["out.mjlog", "folder"])
def test_a_record_that_does_not_fit_is_not_cut_short(
    where: str, record: Path, tmp_path: Path
) -> None:
    """A named case: half a record stood under the final name."""
    out = tmp_path / where
    if where == "folder":
        out.mkdir()
    arguments = map(shlex.quote, [sys.executable, str(record), str(out)])
    python, given, output = arguments
    # In units of 512 bytes.
    done = shell(f"ulimit -f 8; {python} -m haiyomi convert {given} --to mjlog -o {output}")
    assert done.returncode == 2
    assert done.stderr.startswith("haiyomi: ")
    assert done.stderr.count("\n") == 1
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_a_record_is_not_converted_onto_itself(record: Path, tmp_path: Path) -> None:
    copy = tmp_path / "game.mjson"
    copy.write_bytes(record.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "haiyomi", "convert", str(copy), "--to", "mjlog", "-o", str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "is one of the records" in done.stderr
    assert copy.read_bytes() == record.read_bytes()


@pytest.mark.parametrize("command", ["review", "hands"])
def test_a_seat_and_a_player_are_one_too_many(command: str, record: Path) -> None:
    given = ["--seat", "0", "--player", "x"]
    if command == "hands":
        given += ["--hand", "E1", "--turn", "3"]
    done = subprocess.run(
        [sys.executable, "-m", "haiyomi", command, str(record), *given],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "give one of them" in done.stderr
