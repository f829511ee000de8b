"""``haiyomi convert``: one record, a batch, and what cannot be read or written."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import zipfile

import pytest
from logs.made_games import made_game

from haiyomi.logs.load import parse, write
from haiyomi.logs.missing import without
from haiyomi.storage.folder_lock import only_writer

GAMES = [made_game(s, hands=2) for s in range(3)]


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


def test_convert_one(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "game"
    source.write_text(write(GAMES[0], "mjlog"), encoding="utf-8")
    done = convert(source, "--to", "mjai")
    assert done.returncode == 0
    assert parse(done.stdout.encode(), "out") == without(GAMES[0], "mjai")
    done = convert("-", "--to", "tenhou6", "-o", tmp_path / "out.json", stdin=done.stdout)
    assert (done.returncode, done.stdout) == (0, "")
    text = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert done.stderr.startswith(f"{tmp_path / 'out.json'}: {len(text.encode()):,} bytes\n")
    assert "log" in json.loads(text)
    done = convert(source, "--to", "mjai", "-o", tmp_path)
    assert (done.returncode, done.stderr) == (0, "1 converted, 0 skipped\n")
    assert (tmp_path / "game.mjson").exists()


@pytest.mark.parametrize(
    ("to", "name", "message"),
    [
        ("mjai", "x.mjlog", "x.mjlog is named as mjlog and would be mjai: name another"),
        ("mjlog", "x.mjson", "x.mjson is named as mjai and would be mjlog: name another"),
        ("mjai", "x.json", "x.json is named as JSON and would be mjai: name another"),
        ("tenhou6", "x.html", "x.html is named as a page and would be JSON: name another"),
        ("mjai", "x.mjson.gz", "x.mjson.gz is named as gzip and would be mjai: name another"),
        ("mjlog", "x.zip", "x.zip is named as a zip and would be mjlog: name another"),
    ],
)
def test_a_file_named_as_another_format(
    tmp_path: pathlib.Path, to: str, name: str, message: str
) -> None:
    """A named case: mjai lines were written into x.mjlog."""
    source = tmp_path / "game"
    source.write_text(write(GAMES[0], "mjlog"), encoding="utf-8")
    done = convert(source, "--to", to, "-o", tmp_path / name)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (tmp_path / name).exists()


def test_many_records_are_not_written_over_a_file(
    folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    done = convert(folder, "--to", "mjlog", "-o", notes)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"haiyomi: {notes} is a file: name a folder\n"
    assert notes.read_text() == "mine"


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


def test_convert_into_the_folder_that_is_read(folder: pathlib.Path) -> None:
    """A named case: every further run doubled the games."""
    before = sorted(folder.iterdir())
    for out in (folder, folder / "out"):
        done = convert(folder, "--to", "mjai", "-o", out)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(f"lies in {folder}, which is read: name a place outside it\n")
    assert sorted(folder.iterdir()) == before


def test_convert_nothing_to_write_to(folder: pathlib.Path) -> None:
    done = convert(folder, "--to", "mjlog")
    assert done.returncode == 2
    assert "-o" in done.stderr
    done = convert(folder / "none", "--to", "mjlog")
    assert done.returncode == 2
    assert done.stderr == f"haiyomi: {folder / 'none'}: no such file or folder\n"


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


def test_names_of_a_batch_are_portable(tmp_path: pathlib.Path) -> None:
    """A named case: one name of 300 letters ended the batch, and ``ESC``, ``<`` and ``CON`` stayed
    in names of files."""
    text = write(GAMES[0], "mjlog")
    names = [
        "x" * 300,
        "麻" * 200,
        "a\x1b]0;t\x07<b>",
        "CON",
        "con.mjlog",
        "nul.x",
        "A",
        "a",
        " . ",
    ]
    archive = tmp_path / "games.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for name in names:
            zipped.writestr(name, text)
    out = tmp_path / "out"
    done = convert(archive, "--to", "mjai", "-o", out)
    assert done.returncode == 0, done.stderr
    assert f"{len(names)} converted, 0 skipped" in done.stderr
    written = [path.name for path in out.iterdir()]
    assert len({name.casefold() for name in written}) == len(names)
    for name in written:
        assert len(name.encode()) < 255
        assert name.isprintable()
        assert not set(name) & set('<>:"/\\|?*')
        assert name.split(".")[0].casefold() not in ("con", "nul")
        assert not name.startswith((" ", "."))
    for path in out.iterdir():
        assert parse(path.read_bytes()) == without(GAMES[0], "mjai")


def test_what_a_format_has_no_place_for_is_said(tmp_path: pathlib.Path) -> None:
    """A named case: the fu of limit hands were lost in silence."""
    game = next(g for g in map(made_game, range(50)) if without(g, "tenhou6") != g)
    source = tmp_path / "game.mjson"
    source.write_text(write(game, "mjai"), encoding="utf-8")
    done = convert(source, "--to", "tenhou6", "-o", tmp_path / "out.json")
    assert done.returncode == 0
    assert "1 game loses fu of a hand of mangan or more" in done.stderr
    out = tmp_path / "same.mjson"
    assert convert(source, "--to", "mjai", "-o", out).stderr == f"{out}: 0.03 MB\n"


def test_a_folder_has_one_writer(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("fcntl")
    source, out = tmp_path / "game.mjlog", tmp_path / "out"
    source.write_text(write(GAMES[0], "mjlog"), encoding="utf-8")
    out.mkdir()
    with only_writer(out):
        done = convert(source, "--to", "mjai", "-o", out)
    assert done.returncode == 2
    assert "another haiyomi is writing there" in done.stderr
    assert not any(out.iterdir())
    assert convert(source, "--to", "mjai", "-o", out).returncode == 0
    assert [path.name for path in out.iterdir()] == ["game.mjson"]


def test_messages_are_safe_to_print(tmp_path: pathlib.Path) -> None:
    bad = tmp_path / "a\x1b[31m.mjlog"
    bad.write_bytes(b"<\x1b[2J/>")
    done = convert(bad, "--to", "mjai")
    assert "\x1b" not in done.stdout + done.stderr
    assert "a\\x1b[31m.mjlog" in done.stderr


def test_a_record_that_lacks_a_discard_is_not_written(tmp_path: pathlib.Path) -> None:
    """Another reader would give its draws to other players."""
    lines = write(GAMES[0], "mjai").splitlines()
    lost = [n for n, line in enumerate(lines) if '"dahai"' in line][3]
    source = tmp_path / "game.mjai"
    source.write_text("\n".join(lines[:lost] + lines[lost + 1 :]), encoding="utf-8")
    done = convert(source, "--to", "tenhou6")
    assert (done.returncode, done.stdout) == (2, "")
    assert "hand 0, event" in done.stderr
