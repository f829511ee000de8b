"""Names and bytes of the records in files, zips and folders of both."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from haiyomi.errors import DatasetError, FormatError
from haiyomi.training.entries import entries_of, entry_bytes, first_of_each_name, source_hash


def zipped(path: Path, **entries: bytes) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.mjlog", data)


def test_a_folder_s_files_and_the_entries_of_its_zips_are_named_and_read(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "loose.json").write_bytes(b"loose")
    (tmp_path / ".hidden").write_bytes(b"no record")
    zipped(tmp_path / "sub" / "games.zip", one=b"1", two=b"22")
    names = entries_of(tmp_path)
    assert names == ["sub/games.zip/one.mjlog", "sub/games.zip/two.mjlog", "sub/loose.json"]
    assert [entry_bytes(tmp_path, n) for n in names] == [b"1", b"22", b"loose"]
    assert entries_of(tmp_path / "sub" / "games.zip") == ["one.mjlog", "two.mjlog"]
    assert entry_bytes(tmp_path / "sub" / "games.zip", "two.mjlog") == b"22"
    before = source_hash(tmp_path, names)
    (tmp_path / "sub" / "loose.json").write_bytes(b"longer")
    assert source_hash(tmp_path, names) != before


def test_a_damaged_zip_stops_nothing_but_itself(tmp_path: Path) -> None:
    (tmp_path / "good.mjlog").write_bytes(b"good")
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and no more")
    assert entries_of(tmp_path) == ["bad.zip", "good.mjlog"]
    with pytest.raises(DatasetError, match=r"bad\.zip is a damaged zip"):
        entries_of(tmp_path / "bad.zip")
    with pytest.raises(FormatError, match="cannot be read"):
        entry_bytes(tmp_path, "gone.mjlog")


def test_one_record_a_name() -> None:
    seen: set[str] = set()
    names = ["a/x.mjlog", "b/x.mjlog.gz", "y.json"]
    assert first_of_each_name(names, seen, Path("folder")) == (
        ["a/x.mjlog", "y.json"],
        ["b/x.mjlog.gz"],
    )
    assert first_of_each_name(["."], seen, Path("y.mjlog")) == ([], ["."])
