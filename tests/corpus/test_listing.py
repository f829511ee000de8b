"""Files, folders, zips, standard input and pasted addresses become entries of a corpus."""

from __future__ import annotations

import gzip
import io
import os
import pathlib
import subprocess
import sys
import zipfile
from urllib.parse import quote

import pytest
from logs.made_games import made_game
from logs.test_containers import overlapped, packed

from haiyomi.apps.batch_review import SEAL as REVIEW
from haiyomi.benchmark.folder import ABOUT as BENCHMARK
from haiyomi.corpus import Corpus, listing
from haiyomi.corpus.partition import SPLIT_FILE
from haiyomi.errors import DatasetError, FormatError, RecordError, SizeError, UnsupportedError
from haiyomi.events import Game
from haiyomi.logs import containers
from haiyomi.logs.load import write
from haiyomi.logs.missing import without
from haiyomi.storage.resume import PLAN
from haiyomi.training.packed_corpus import MANIFEST
from haiyomi.training.packed_corpus import SEAL as SHARD

GAMES = [made_game(s, hands=2) for s in range(3)]


def games(*paths: str | pathlib.Path) -> list[Game | RecordError]:
    return [outcome for _, outcome in Corpus(paths, strict=False).games_and_errors()]


def test_a_slash_behind_a_folder_changes_no_name(folder: pathlib.Path) -> None:
    names = [entry.name for entry in Corpus(f"{folder}/").entries]
    assert names == [entry.name for entry in Corpus(folder).entries]


def test_a_folder(folder: pathlib.Path) -> None:
    found = [(entry.name, outcome) for entry, outcome in Corpus(folder).games_and_errors()]
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


def test_files_beside_the_records_are_left_out(tmp_path: pathlib.Path) -> None:
    record = write(GAMES[0], "mjlog")
    beside = ("README.md", "index.csv", "page.HTML", ".DS_Store", "__MACOSX/in/._one.mjlog")
    place = tmp_path / "records"
    place.mkdir()
    for name in ("one.mjlog", *beside[:4]):
        (place / name).write_text(record if name == "one.mjlog" else "x", encoding="utf-8")
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in/one.mjlog", record)
        for name in beside:
            archive.writestr(name, "x")
    assert games(place) == games(packed) == [GAMES[0]]
    (error,) = games(place / "README.md")  # a file that is named itself is read
    assert isinstance(error, FormatError)


@pytest.mark.parametrize("name", [SPLIT_FILE, PLAN, SHARD, MANIFEST, REVIEW, BENCHMARK])
def test_what_haiyomi_writes_beside_records_is_no_record(name: str, tmp_path: pathlib.Path) -> None:
    """A folder of splits, ``split.json`` in it, was refused as one of bad records."""
    place = tmp_path / "corpus"
    (place / "inner").mkdir(parents=True)
    record = write(GAMES[0], "mjlog")
    (place / "one.mjlog").write_text(record, encoding="utf-8")
    (place / "inner" / name).write_text("{}", encoding="utf-8")
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.mjlog", record)
        archive.writestr(name, "{}")
    assert games(place) == games(packed) == [GAMES[0]]
    (error,) = games(place / "inner" / name)
    assert isinstance(error, FormatError)


def test_a_folder_and_a_zip_without_records(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "README.md").write_text("x", encoding="utf-8")
    empty, other = tmp_path / "empty.zip", tmp_path / "other.zip"
    zipfile.ZipFile(empty, "w").close()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("README.md", "x")
    for path in (empty, other):
        assert str(games(path)[0]) == f"{path}: is a zip without records"
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        assert str(games("-")[0]) == "standard input: is a zip without records"
        path.unlink()
    assert str(games(tmp_path)[0]) == f"{tmp_path}: is a folder without records"


def test_standard_input(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> None:
    def feed(data: bytes) -> list[Game | RecordError]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        return games("-")

    assert feed(write(GAMES[0], "mjlog").encode()) == [GAMES[0]]
    assert feed((folder / "e.bin").read_bytes())[0] == GAMES[0]
    address = "https://tenhou.net/6/#json=" + quote(write(GAMES[1], "tenhou6"))
    assert feed(address.encode()) == [without(GAMES[1], "tenhou6")]


@pytest.mark.skipif(not pathlib.Path("/dev/fd").exists(), reason="pipes have no names here")
def test_a_pipe_is_read_once(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> None:
    """``haiyomi verify <(cat game.mjlog)``: looking for a zip's mark took the first bytes."""

    def feed(data: bytes) -> list[Game | RecordError]:
        read_end, write_end = os.pipe()
        os.write(write_end, data)
        os.close(write_end)
        try:
            return games(f"/dev/fd/{read_end}")
        finally:
            os.close(read_end)

    assert feed(write(GAMES[0], "mjlog").encode()) == [GAMES[0]]
    assert feed((folder / "e.bin").read_bytes())[0] == GAMES[0]
    monkeypatch.setattr(listing, "MAX_BYTES", 1000)
    assert isinstance(feed(b"x" * 1001)[0], SizeError)


@pytest.mark.parametrize("tail", ["", "&ts=0", "&ts=3&tw=1"])
def test_a_pasted_address(tail: str) -> None:
    text = write(GAMES[1], "tenhou6").strip()
    want = [without(GAMES[1], "tenhou6")]
    assert games("https://tenhou.net/6/#json=" + quote(text) + tail) == want
    assert games("tenhou.net/6/#json=" + text + tail) == want


@pytest.mark.parametrize("tail", ["", "nonsense", "%7B", "[1]"])
def test_a_link_that_holds_no_json_object_is_not_called_empty(tail: str) -> None:
    (found,) = games(f"https://tenhou.net/6/#json={tail}")
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


def test_a_file_and_a_folder_named_like_an_address_are_read(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``mahjongsoul.mjson``, and ``tenhou.net/0/log`` as ``wget -r`` makes it, were refused."""
    monkeypatch.chdir(tmp_path)
    pathlib.Path("tenhou.net/0/log").mkdir(parents=True)
    for name in ("mahjongsoul.mjlog", "tenhou.net/0/log/one.mjlog"):
        assert isinstance(games(name)[0], UnsupportedError)
        pathlib.Path(name).write_text(write(GAMES[0], "mjlog"), encoding="utf-8")
        assert games(name) == [GAMES[0]]
    assert games("tenhou.net/0/log") == [GAMES[0]]


def test_what_is_not_there(tmp_path: pathlib.Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (tmp_path / "none", empty, "x" * 5000, "a\0b", ""):
        (error,) = games(path)
        assert isinstance(error, FormatError)


def test_zip_bomb_and_damaged_zip(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_BYTES", 1 << 20)
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


def test_a_zip_with_an_entry_without_a_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nameless.zip"
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo("a")
        entry.filename = ""
        archive.writestr(entry, b"abc")
    with pytest.raises(FormatError, match=r"^nameless.zip: is a damaged zip: an entry has no name"):
        Corpus.of_bytes("nameless.zip", path.read_bytes(), 1 << 20)
    with pytest.raises(DatasetError, match=r"nameless.zip: is a damaged zip: an entry has no name"):
        Corpus(path)
    for command in ("verify", "review"):
        ran = subprocess.run(
            [sys.executable, "-m", "haiyomi", command, str(path)], capture_output=True, text=True
        )
        assert ran.returncode in (1, 2)
        assert "an entry has no name" in ran.stdout + ran.stderr
        assert "Traceback" not in ran.stderr


def zipped(path: pathlib.Path, **entries: bytes) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.mjlog", data)


def test_a_folder_s_files_and_the_entries_of_its_zips_are_named_and_read(
    tmp_path: pathlib.Path,
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "loose.json").write_bytes(b"loose")
    (tmp_path / ".hidden").write_bytes(b"no record")
    zipped(tmp_path / "sub" / "games.zip", two=b"22", one=b"1")
    entries = Corpus(tmp_path).entries
    places = [entry.place for entry in entries]
    assert places == ["sub/games.zip/one.mjlog", "sub/games.zip/two.mjlog", "sub/loose.json"]
    assert [entry.raw() for entry in entries] == [b"1", b"22", b"loose"]
    one, two = Corpus(tmp_path / "sub" / "games.zip").entries
    assert (one.place, two.place) == ("one.mjlog", "two.mjlog")
    assert two.raw() == b"22"


def test_a_damaged_zip_stops_nothing_but_itself(tmp_path: pathlib.Path) -> None:
    (tmp_path / "good.mjlog").write_bytes(b"good")
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and no more")
    bad, good = Corpus(tmp_path).entries
    assert good.raw() == b"good"
    with pytest.raises(FormatError, match=r"bad\.zip: is a damaged zip"):
        bad.raw()
    with pytest.raises(DatasetError, match=r"bad\.zip: is a damaged zip"):
        Corpus(tmp_path / "bad.zip")
    (tmp_path / "good.mjlog").unlink()
    with pytest.raises(FormatError, match="no such file or folder"):
        good.raw()


@pytest.mark.parametrize("command", ["verify", "convert", "review"])
def test_bombs_end_every_command_at_once(tmp_path: pathlib.Path, command: str) -> None:
    """Twenty bzip2 bombs in 3 KB, one 30 MiB entry named 2,000 times, gzip within deflate."""
    made = {
        "bzip2": packed({str(i): b"<" * (20 << 20) for i in range(3)}, zipfile.ZIP_BZIP2),
        "overlapped": overlapped(b"<" * (30 << 20), 2000),
        "nested": packed({str(i): gzip.compress(b" " * (60 << 20)) for i in range(3)}),
    }
    for name, data in made.items():
        path = tmp_path / f"{name}.zip"
        path.write_bytes(data)
        more = ["-o", str(tmp_path / f"out-{name}")] if command != "verify" else []
        more += ["--to", "mjai"] if command == "convert" else []
        ran = subprocess.run(
            [sys.executable, "-m", "haiyomi", command, str(path), *more],
            capture_output=True, text=True, timeout=20,
        )  # fmt: skip
        assert ran.returncode in (1, 2), ran.stderr
        message = ran.stdout + ran.stderr
        reasons = {"bzip2": "packed by bzip2", "overlapped": "overlap", "nested": "MiB"}
        assert reasons[name] in message
        assert "Traceback" not in message


def test_a_path_in_a_zip_that_leads_upwards_is_no_hidden_file(
    tmp_path: pathlib.Path,
) -> None:
    file = tmp_path / "games.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../etc/one.mjlog", "x")
        archive.writestr("./two.mjlog", "x")
        archive.writestr(".hidden/three.mjlog", "x")
    assert [entry.inner for entry in Corpus(file).entries] == ["../../etc/one.mjlog", "./two.mjlog"]


def test_a_name_with_half_a_character_is_named() -> None:
    with pytest.raises(DatasetError, match=r"^a\N{REPLACEMENT CHARACTER}b: "):
        Corpus("a\ud800b")


def test_a_link_that_may_not_be_followed_is_left_out_alone(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.mjlog").symlink_to(tmp_path / "closed" / "b.mjlog")
    (tmp_path / "good.mjlog").write_bytes(b"good")
    asked = pathlib.Path.is_file

    def closed(path: pathlib.Path) -> bool:
        if path.name == "a.mjlog":
            raise PermissionError(13, "Permission denied")
        return asked(path)

    monkeypatch.setattr(pathlib.Path, "is_file", closed)
    bad, good = Corpus(tmp_path).entries
    assert good.raw() == b"good"
    with pytest.raises(FormatError, match=r"a\.mjlog"):
        bad.raw()
