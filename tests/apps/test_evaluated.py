"""The records that an evaluation is made on: by split or by name, never overwritten."""

from __future__ import annotations

import pathlib

import pytest
import typer

from haiyomi.apps.evaluated import sources_of, tell_skipped
from haiyomi.errors import DatasetError, HaiyomiError


@pytest.fixture
def corpus(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for split in ("train", "valid", "test"):
        (folder / f"{split}.zip").touch()
    return folder


def test_the_test_split_is_read_unless_another_is_named(corpus: pathlib.Path) -> None:
    assert sources_of(None, None, corpus) == ([corpus / "test.zip"], "test")
    assert sources_of("valid", None, corpus) == ([corpus / "valid.zip"], "valid")
    with pytest.raises(DatasetError, match="no split 'later'"):
        sources_of("later", None, corpus)


def test_records_are_read_in_place_of_a_split(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    record = tmp_path / "game.mjlog"
    record.touch()
    assert sources_of(None, [record], None) == ([record], "game.mjlog")
    with pytest.raises(DatasetError, match="exclude each other"):
        sources_of("valid", [record], corpus)
    with pytest.raises(DatasetError, match="no such file or folder"):
        sources_of(None, [tmp_path / "missing"], None)
    with pytest.raises(HaiyomiError, match="one of the records"):
        sources_of(None, [record], None, None, record)


def test_what_was_left_out_is_listed_and_sets_the_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell_skipped([])
    assert capsys.readouterr().out == ""
    with pytest.raises(typer.Exit) as end:
        tell_skipped([("a.mjlog", "a.mjlog, hand 2: cut"), ("b.mjlog", "three players")])
    assert end.value.exit_code == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "2 skipped:",
        "  a.mjlog, hand 2: cut",
        "  b.mjlog: three players",
    ]
