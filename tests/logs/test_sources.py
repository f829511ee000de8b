"""Files, folders, zips, standard input and addresses; and ``haiyomi convert`` over them."""

from __future__ import annotations

import io
import json
import pathlib
import subprocess
import sys
import zipfile
from urllib.parse import quote

import pytest
from logs.made_games import made_game

from haiyomi.errors import DatasetError, FormatError, RecordError, SizeError, UnsupportedError
from haiyomi.events import Game
from haiyomi.logs import sources
from haiyomi.logs.load import parse, write
from haiyomi.logs.missing import without
from haiyomi.logs.sources import read_all, unpacked
from haiyomi.training.entries import entries_of

GAMES = [made_game(s, hands=2) for s in range(3)]


def games(*paths: str | pathlib.Path) -> list[Game | RecordError]:
    return [outcome for _, outcome in read_all(paths)]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """One record a format under names that lie, a zip, and something else."""
    place = tmp_path / "records"
    place.mkdir()
    for game, format, name in zip(
        GAMES, ("mjlog", "tenhou6", "mjai"), ("a.json", "b.mjlog", "c"), strict=True
    ):
        (place / name).write_text(write(game, format), encoding="utf-8")
    (place / "d.txt").write_text("hello", encoding="utf-8")
    (place / ".hidden").write_text("hello", encoding="utf-8")
    with zipfile.ZipFile(place / "e.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/one.mjlog", write(GAMES[0], "mjlog"))
        archive.writestr("two", b"\x1f\x8bjunk")
    return place


def test_a_folder(folder: pathlib.Path) -> None:
    found = list(read_all([folder]))
    names = [name.removeprefix(str(folder)) for name, _ in found]
    assert names == ["/a.json", "/b.mjlog", "/c", "/d.txt", "/e.bin/in/one.mjlog", "/e.bin/two"]
    wanted = [
        GAMES[0],
        without(GAMES[1], "tenhou6"),
        without(GAMES[2], "mjai"),
        FormatError,
        GAMES[0],
        FormatError,
    ]
    for (name, outcome), want in zip(found, wanted, strict=True):
        if isinstance(want, type):
            assert isinstance(outcome, want)
            assert str(outcome).startswith(name)
        else:
            assert outcome == want


def test_standard_input(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> None:
    def feed(data: bytes) -> list[Game | RecordError]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        return games("-")

    assert feed(write(GAMES[0], "mjlog").encode()) == [GAMES[0]]
    assert feed((folder / "e.bin").read_bytes())[0] == GAMES[0]
    address = "https://tenhou.net/6/#json=" + quote(write(GAMES[1], "tenhou6"))
    assert feed(address.encode()) == [without(GAMES[1], "tenhou6")]


@pytest.mark.parametrize("tail", ["", "&ts=0", "&ts=3&tw=1"])
def test_a_pasted_address(tail: str) -> None:
    text = write(GAMES[1], "tenhou6").strip()
    want = [without(GAMES[1], "tenhou6")]
    assert games("https://tenhou.net/6/#json=" + quote(text) + tail) == want
    assert games("tenhou.net/6/#json=" + text + tail) == want


@pytest.mark.parametrize("tail", ["", "nonsense", "%7B", "[1]"])
def test_a_link_that_holds_no_json_object_is_not_called_empty(tail: str) -> None:
    ((_, found),) = read_all([f"https://tenhou.net/6/#json={tail}"])
    assert isinstance(found, FormatError)
    assert "no JSON object after #json=" in str(found)
    assert "empty" not in str(found)


@pytest.mark.parametrize(
    "address",
    [
        "https://tenhou.net/0/?log=2000010100gm-0001-0000-xxxxxxxx&tw=1",
        "https://game.mahjongsoul.com/?paipu=000000-00000000-0000-0000-0000-000000000000",
        "http://example.org/x.mjlog",
    ],
)
def test_other_addresses(address: str) -> None:
    (error,) = games(address)
    assert isinstance(error, UnsupportedError)
    assert "save" in str(error)


def test_what_is_not_there(tmp_path: pathlib.Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (tmp_path / "none", empty, "x" * 5000, "a\0b"):
        (error,) = games(path)
        assert isinstance(error, FormatError)


def test_zip_bomb_and_damaged_zip(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES", 1 << 20)
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big", b"<" * (1 << 24))
    (error,) = games(bomb)
    assert isinstance(error, SizeError)
    data = bomb.read_bytes()
    for cut in (10, 40, 300, len(data) - 30):
        bomb.write_bytes(data[:cut])
        assert all(isinstance(e, RecordError) for e in games(bomb))
    bomb.write_bytes(data[:60] + b"\xff" * 40 + data[100:])
    assert all(isinstance(e, RecordError) for e in games(bomb))


def convert(*arguments: str | pathlib.Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    run = "from haiyomi.apps.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", run, "convert", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_a_zip_with_an_entry_without_a_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nameless.zip"
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo("a")
        entry.filename = ""
        archive.writestr(entry, b"abc")
    (told,) = list(unpacked("nameless.zip", path.read_bytes()))
    assert str(told[1]) == "nameless.zip: is a damaged zip: an entry has no name"
    with pytest.raises(DatasetError, match=r"nameless.zip is a damaged zip: an entry has no name"):
        entries_of(path)
    for command in ("verify", "review"):
        ran = subprocess.run(
            [sys.executable, "-m", "haiyomi", command, str(path)], capture_output=True, text=True
        )
        assert ran.returncode in (1, 2)
        assert "an entry has no name" in ran.stdout + ran.stderr
        assert "Traceback" not in ran.stderr


def test_convert_one(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "game"
    source.write_text(write(GAMES[0], "mjlog"), encoding="utf-8")
    done = convert(source, "--to", "mjai")
    assert done.returncode == 0
    assert parse(done.stdout.encode(), "out") == without(GAMES[0], "mjai")
    done = convert("-", "--to", "tenhou6", "-o", tmp_path / "out.json", stdin=done.stdout)
    assert (done.returncode, done.stdout) == (0, "")
    assert "log" in json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))


def test_convert_a_batch(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """It goes on past what it cannot read, lists that, and says so by its exit status."""
    out = tmp_path / "out"
    done = convert(folder, "--to", "mjlog", "-o", out)
    assert done.returncode == 1
    assert sorted(p.name for p in out.iterdir()) == ["a.mjlog", "b.mjlog", "c.mjlog", "one.mjlog"]
    assert parse((out / "a.mjlog").read_bytes(), "a") == GAMES[0]
    assert "4 converted, 2 skipped" in done.stderr
    assert done.stderr.count("skipped: ") == 2
    assert "Traceback" not in done.stderr


def test_convert_nothing_to_write_to(folder: pathlib.Path) -> None:
    done = convert(folder, "--to", "mjlog")
    assert done.returncode == 2
    assert "-o" in done.stderr
    done = convert(folder / "none", "--to", "mjlog")
    assert done.returncode == 1
    assert "none" in done.stderr


def test_convert_a_zip_of_one_record(tmp_path: pathlib.Path) -> None:
    """It needs no folder: one game goes to standard output, whatever it came in."""
    path = tmp_path / "one.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("game", write(GAMES[0], "mjlog"))
    done = convert(path, "--to", "mjlog")
    assert done.returncode == 0
    assert parse(done.stdout.encode(), "out") == GAMES[0]


@pytest.mark.parametrize("many", [False, True])
def test_convert_to_where_nothing_can_be_written(
    folder: pathlib.Path, tmp_path: pathlib.Path, many: bool
) -> None:
    """A named case: a traceback."""
    file = tmp_path / "file"
    file.write_text("kept")
    done = convert(folder if many else folder / "a.json", "--to", "mjai", "-o", file / "inner")
    assert done.returncode == 2
    assert done.stderr.startswith("haiyomi: ")
    assert str(file) in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_sentence(folder: pathlib.Path) -> None:
    run = "from haiyomi.apps.cli import main; main()"
    with pathlib.Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", run, "convert", str(folder / "a.json"), "--to", "mjai"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("haiyomi: output: ")
    assert done.stderr.count("\n") == 1
