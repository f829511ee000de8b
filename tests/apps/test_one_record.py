"""One record as named on the command line."""

from __future__ import annotations

import os
import pathlib
import zipfile

import pytest

from haiyomi.apps.one_record import is_many, read_one
from haiyomi.errors import FormatError, HaiyomiError
from haiyomi.logs.load import parse

SAMPLES = pathlib.Path(__file__).resolve().parents[1] / "samples"
FIRST, SECOND = SAMPLES / "haiyomi-7-00000.mjlog", SAMPLES / "haiyomi-7-00001.mjlog"


def zip_of(path: pathlib.Path, *records: pathlib.Path) -> pathlib.Path:
    with zipfile.ZipFile(path, "w") as archive:
        for record in records:
            archive.write(record, record.name)
    return path


def test_one_game_is_read_wherever_it_lies(tmp_path: pathlib.Path) -> None:
    game = parse(FIRST.read_bytes(), FIRST.name)
    assert read_one(str(FIRST)).hands == game.hands
    assert read_one(str(zip_of(tmp_path / "one.zip", FIRST))).hands == game.hands


def test_none_or_several_games_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FormatError, match="holds several games where one is wanted"):
        read_one(str(zip_of(tmp_path / "two.zip", FIRST, SECOND)))
    (tmp_path / "empty").mkdir()
    with pytest.raises(HaiyomiError):
        read_one(str(tmp_path / "empty"))
    broken = tmp_path / "broken.mjlog"
    broken.write_bytes(FIRST.read_bytes()[:500])
    with pytest.raises(HaiyomiError, match=r"broken\.mjlog"):
        read_one(str(broken))


def test_folders_and_zips_of_several_are_many(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_many(str(SAMPLES))
    assert is_many(str(SAMPLES), archives=False)
    assert is_many(str(zip_of(tmp_path / "two.zip", FIRST, SECOND)))
    assert not is_many(str(tmp_path / "two.zip"), archives=False)
    assert not is_many(str(zip_of(tmp_path / "one.zip", FIRST)))
    assert not is_many(str(FIRST))
    assert not is_many("-")
    (tmp_path / "-").write_bytes((tmp_path / "two.zip").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert not is_many("-")
    single = tmp_path / "single"
    single.mkdir()
    (single / "game.mjlog").write_bytes(FIRST.read_bytes())
    assert is_many(str(single))
    assert not is_many(str(single), archives=False)


@pytest.mark.skipif(not pathlib.Path("/dev/fd").exists(), reason="pipes have no names here")
def test_a_pipe_is_left_for_the_one_who_reads_it() -> None:
    """``haiyomi review /dev/stdin``: asking whether it holds many emptied it."""
    read_end, write_end = os.pipe()
    os.write(write_end, FIRST.read_bytes())
    os.close(write_end)
    try:
        assert not is_many(f"/dev/fd/{read_end}")
        assert read_one(f"/dev/fd/{read_end}").hands == parse(FIRST.read_bytes(), "").hands
    finally:
        os.close(read_end)
