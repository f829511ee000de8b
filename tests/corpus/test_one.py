"""``read``: one game of whatever holds one."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from haiyomi.corpus.one import read
from haiyomi.errors import FormatError, TruncatedError
from haiyomi.logs.load import write
from haiyomi.play.demo import demo_bytes, demo_game


def packed(*names: str) -> bytes:
    """A zip of the demo under some names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, demo_bytes())
    return out.getvalue()


@pytest.mark.parametrize("form", ["mjlog", "tenhou6", "mjai"])
def test_every_format_as_a_file_as_text_and_as_bytes(tmp_path: Path, form: str) -> None:
    text = write(demo_game(), form)
    place = tmp_path / "game"
    place.write_text(text, encoding="utf-8")
    assert [h.start for h in read(place)] == [h.start for h in demo_game()]
    assert read(str(place)) == read(place) == read(text.encode())


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: packed("a.mjlog")])
def test_a_packed_record(tmp_path: Path, pack: object) -> None:
    data = pack(demo_bytes())  # type: ignore[operator]
    (tmp_path / "game").write_bytes(data)
    assert read(tmp_path / "game") == read(data) == demo_game()


def test_several_records_are_refused_with_their_number(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds 2 records where one is wanted: Corpus"):
        read(packed("a.mjlog", "b.mjlog"))
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(demo_bytes())
    with pytest.raises(FormatError, match="holds 3 records"):
        read(tmp_path)
    twice = write(demo_game(), "mjai") * 2
    with pytest.raises(FormatError, match="holds 2 games where one is wanted"):
        read(twice.encode())


def test_what_is_no_record_names_its_file(tmp_path: Path) -> None:
    place = tmp_path / "empty.mjlog"
    place.write_bytes(b"")
    with pytest.raises(TruncatedError, match=r"empty\.mjlog: is empty"):
        read(place)
    with pytest.raises(FormatError, match=r"none\.mjlog: no such file"):
        read(tmp_path / "none.mjlog")
    with pytest.raises(FormatError, match="record: "):
        read(b"no record at all")
    for form in ("mjlog", "tenhou6", "mjai"):  # the error held the text itself
        with pytest.raises(FormatError, match=r"^this is a record's text .*: give it as bytes"):
            read(write(demo_game(), form))
