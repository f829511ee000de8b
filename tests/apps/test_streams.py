"""What is closed, full or in the way: a sentence or silence, and no file cut short."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from haiyomi.apps.bot_zip import BotSettings, write_bot_zip

posix = pytest.mark.skipif(os.name != "posix", reason="a shell's redirections, limits of POSIX")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.fixture
def record(root: Path) -> Path:
    return root / "tests" / "samples" / "haiyomi-7-00003.mjson"


@pytest.fixture(scope="module")
def bot_py(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of a bot's zip."""
    folder = tmp_path_factory.mktemp("bot")
    write_bot_zip(folder / "bot.zip", BotSettings("pooled", 0.0, 0), None, None)
    with zipfile.ZipFile(folder / "bot.zip") as archive:
        archive.extractall(folder)
    return folder / "bot.py"


@posix
@pytest.mark.parametrize(
    ("command", "status"),
    [("verify RECORD", 0), ("convert RECORD --to mjlog", 0), ("--version", 0), ("review X", 2)],
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream(command: str, status: int, closed: str, record: Path) -> None:
    """A named case: what was to be printed was lost without a word."""
    command = command.replace("RECORD", shlex.quote(str(record)))
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi {command} {closed}")
    assert done.returncode == (2 if ">&-" in closed.split() else status)
    assert "Traceback" not in done.stderr
    if closed == ">&-" and status == 0:
        said = "haiyomi: standard output: closed, and there was something to print\n"
        assert done.stderr == said


@posix
def test_a_file_is_written_without_standard_output(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.mjlog"
    command = f"convert {shlex.quote(str(record))} --to mjlog -o {shlex.quote(str(out))}"
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi {command} >&-")
    assert done.returncode == 0, done.stderr
    assert out.stat().st_size > 0


@posix
@pytest.mark.parametrize("command", ["convert RECORD --to mjai", "value --round E1", "play"])
def test_a_reader_that_leaves(command: str, record: Path) -> None:
    """What was written before the end of the command ended it with status 1, the rest with 0."""
    command = command.replace("RECORD", shlex.quote(str(record)))
    line = f"( {shlex.quote(sys.executable)} -m haiyomi {command}; echo $? >&2 ) | true"
    assert shell(line).stderr == "0\n"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8:strict"])
def test_a_bot_reads_utf_8_and_outlives_a_bad_byte(encoding: str, bot_py: Path) -> None:
    """A named case: the bot and bot.py of its zip ended at a name in kanji, and at a bad byte."""
    told = (
        b'{"type":"start_game","id":1,"names":["\xe6\x9d\xb1\xe9\xa2\xa8","b","c","d"]}\n'
        b'{"type":"x\xff"}\n{"type":"end_game"}\n'
    )
    for command in (["-m", "haiyomi", "bot"], [str(bot_py)]):
        done = subprocess.run(
            [sys.executable, *command],
            input=told,
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        first, odd, last = map(json.loads, done.stdout.splitlines())
        assert first == last == {"type": "none"}
        assert odd["type"] == "error"
        assert odd["message"].startswith("message 2: no message of type 'x")


@posix
def test_results_are_written_before_a_reader_can_leave(tmp_path: Path) -> None:
    """``play --versus ... --results result.json | head -1`` left no result.json."""
    python, results = shlex.quote(sys.executable), shlex.quote(str(tmp_path / "result.json"))
    shell(
        f"PYTHONUNBUFFERED=1 {python} -m haiyomi play --versus random,balanced --east "
        f"--results {results} | true"
    )
    assert (tmp_path / "result.json").stat().st_size > 0


@posix
def test_a_closed_input_is_empty() -> None:
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi convert - --to mjai <&-")
    assert done.returncode == 1
    assert "standard input: is empty" in done.stderr


@posix
@pytest.mark.parametrize(
    "command", ["convert RECORD --to tenhou6", "stats RECORD --player haiyomi-1 --json"]
)
def test_an_output_is_written_to_a_pipe(command: str, record: Path) -> None:
    """A named case: ``-o /dev/stdout | jq`` ended with "No such file or directory"."""
    command = command.replace("RECORD", shlex.quote(str(record)))
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi {command} -o /dev/stdout | cat")
    json.loads(done.stdout)


@posix
def test_a_reader_of_an_output_that_leaves(record: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m haiyomi convert {shlex.quote(str(record))}"
    assert shell(f"( {command} --to mjlog -o /dev/stdout; echo $? >&2 ) | true").stderr == "0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize(
    "command", ["bot --zip /dev/full", "convert RECORD --to mjai -o /dev/full"]
)
def test_a_full_device_is_named(command: str, record: Path) -> None:
    command = command.replace("RECORD", shlex.quote(str(record)))
    done = shell(f"{shlex.quote(sys.executable)} -m haiyomi {command}")
    assert done.returncode == 2
    assert done.stderr.startswith("haiyomi: /dev/full")


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
