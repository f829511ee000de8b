"""Output files: refused before the work where they cannot be written, and never a record."""

from __future__ import annotations

import pathlib
import re

import pytest
from apps.in_process import haiyomi

from haiyomi.apps.commands.demo import command as demo
from haiyomi.apps.commands.review import command as review
from haiyomi.apps.outputs import (
    ends_in,
    named_as,
    not_an_input,
    not_within,
    try_folders,
    try_outputs,
    write_output,
)
from haiyomi.errors import HaiyomiError
from haiyomi.play.demo import demo_bytes


def test_a_file_that_can_be_written_leaves_no_trace(tmp_path: pathlib.Path) -> None:
    try_outputs(tmp_path / "new.json", None)
    try_folders(tmp_path / "a" / "b", tmp_path, None)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(HaiyomiError, match=f"^{re.escape(str(tmp_path))} is a folder"):
        try_outputs(tmp_path)
    missing = tmp_path / "missing" / "x.json"
    with pytest.raises(
        HaiyomiError, match=f"^{re.escape(str(missing))} cannot be written: No such"
    ):
        try_outputs(missing)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(HaiyomiError, match=f"^{re.escape(str(file))} is a file: name a folder$"):
        try_folders(file / "folder")


@pytest.mark.parametrize(
    "command",
    [
        ("convert", "RECORD", "--to", "mjai", "-o", ""),
        ("convert", "RECORD", "--to", "mjai", "--out="),
        ("corpus", "split", "", "-o", "corpus"),
        ("styles", "fit", ""),
        ("evaluate", "dealin", ""),
    ],
)
def test_an_empty_name_is_not_the_current_folder(
    command: tuple[str, ...], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable of the shell that had no value: it was read and written as ``.``."""
    (tmp_path / "game.mjlog").write_bytes(demo_bytes())
    monkeypatch.chdir(tmp_path)
    done = haiyomi(*("game.mjlog" if part == "RECORD" else part for part in command))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "haiyomi: the name of a file or folder is empty\n"
    assert [each.name for each in tmp_path.iterdir()] == ["game.mjlog"]


def test_standard_input_is_no_output(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``review ... --out -`` wrote a file named ``-``."""
    monkeypatch.chdir(tmp_path)
    there = pathlib.Path("-")
    for refused in (try_outputs, try_folders, lambda path: write_output(path, "text")):
        with pytest.raises(HaiyomiError, match=r"^- is standard input and nothing to write to"):
            refused(there)
    assert not there.exists()


def test_a_review_is_not_made_for_a_page_that_cannot_be_written(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("the review began")

    monkeypatch.setattr("haiyomi.apps.commands.demo.show", work)
    monkeypatch.setattr("haiyomi.apps.commands.review.read_one", work)
    for call in (
        lambda out: demo(output=out),
        lambda out: review("game.mjlog", seat=0, output=out),
    ):
        with pytest.raises(HaiyomiError, match="is a folder: name the file to write"):
            call(tmp_path)
        with pytest.raises(HaiyomiError, match="cannot be written"):
            call(tmp_path / "missing" / "x.html")


def test_a_record_is_not_overwritten(tmp_path: pathlib.Path) -> None:
    record = tmp_path / "records" / "deep" / "game.mjlog"
    record.parent.mkdir(parents=True)
    record.write_text("x")
    (tmp_path / "link").symlink_to(record)
    for output, records in (
        (record, [record]),
        (record, [tmp_path / "records"]),
        (tmp_path / "link", ["-", record]),
    ):
        with pytest.raises(HaiyomiError, match="one of the records"):
            not_an_input(output, records)
    not_an_input(tmp_path / "other", [record])
    not_an_input(None, [record])


@pytest.mark.parametrize("name", ["st.json", "deep/deck.txt", ""])
def test_what_is_written_is_no_record_of_the_next_run(tmp_path: pathlib.Path, name: str) -> None:
    """``stats two -o two/st.json --json`` made every later run on ``two`` exit with 1, and
    ``convert two -o two`` doubled its games."""
    with pytest.raises(HaiyomiError, match=r"lies in .*, which is read: name a place outside it"):
        not_an_input(tmp_path / name, ["-", tmp_path])
    for harmless in ("page.html", ".hidden", "rows.csv", "manifest.json"):
        not_an_input(tmp_path / harmless, [tmp_path])
        (tmp_path / harmless).touch()  # what an earlier run wrote
        not_an_input(tmp_path / harmless, [tmp_path])


def test_a_folder_of_output_does_not_lie_among_the_records(tmp_path: pathlib.Path) -> None:
    with pytest.raises(HaiyomiError, match="lies in"):
        not_within(tmp_path / "a" / ".." / "pages", tmp_path)
    not_within(tmp_path.parent / "pages", tmp_path)
    file = tmp_path / "game.mjlog"
    file.touch()
    not_within(tmp_path / "pages", file)


def test_a_name_that_promises_something_else_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(HaiyomiError, match="named as JSON and would be a page: name another"):
        named_as(tmp_path / "x.JSON", "a page")
    named_as(tmp_path / "x.htm", "a page")
    named_as(tmp_path / "x.txt", "a page")
    named_as(None, "JSON")
    (tmp_path / "folder.json").mkdir()
    named_as(tmp_path / "folder.json", "a page")


def test_a_model_file_is_named_for_its_format(tmp_path: pathlib.Path) -> None:
    ends_in(tmp_path / "m.json", ".json")
    with pytest.raises(HaiyomiError, match=r"m.npz would be a model file in json: name it m.json"):
        ends_in(tmp_path / "m.npz", ".json")


def test_what_is_written_is_whole_and_its_size_is_printed(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    write_output(out, "牌" * 10_000, ", ready")
    assert out.read_text(encoding="utf-8") == "牌" * 10_000
    assert capsys.readouterr().err == f"{out}: 0.03 MB, ready\n"
    with pytest.raises(HaiyomiError, match="is a folder"):
        write_output(tmp_path, "x")
    with pytest.raises(HaiyomiError, match="cannot be written"):
        write_output(tmp_path / "missing" / "x", "x")
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]
