"""``haiyomi verify``: counts, lists what fails, and says so by its exit status."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from game.small_hands import KAN, RIICHI, put
from typer.testing import CliRunner, Result

from haiyomi.apps.cli import build_app
from haiyomi.errors import HaiyomiError
from haiyomi.events import Game, Header
from haiyomi.logs.load import write


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build_app("verify"), ["verify", *arguments])


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A zip of two good fragments and one with a wrong payment, beside a file of nonsense."""
    names = ("a", "b", "c", "d")
    good = write(Game(Header(names=names), (RIICHI,)), "mjai")
    also = write(Game(Header(names=names), (KAN,)), "mjlog")
    wrong = replace(RIICHI.events[-1], deltas=(24000, 0, -23000, 0))  # type: ignore[type-var]
    bad = write(Game(Header(names=names), (put(RIICHI, -1, wrong),)), "mjai")
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("one.mjson", good)
        archive.writestr("two.mjlog", also)
        archive.writestr("three.mjson", bad)
    (tmp_path / "nonsense.txt").write_text("not a record")
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_failures_are_counted_and_listed_with_reasons(records: Path, jobs: str) -> None:
    result = run(str(records), "--jobs", jobs)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert "Error" not in result.stdout
    assert "three.mjson, hand 0, event 10: the score of seat 0 should change by 25000" in lines[0]

    assert "nonsense.txt" in lines[1]
    assert lines[2].startswith("3 games, 3 hands")
    assert lines[2].endswith("2 in order, 1 failed; 1 unreadable input")


def test_json_tells_the_same(records: Path) -> None:
    result = run(str(records), "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["games"], report["hands"]) == (3, 3)
    assert (report["failed"], report["unreadable"]) == (1, 1)
    first, second = report["failures"]
    assert (first["error"], first["hand"], first["event"]) == ("MismatchError", 0, 10)
    assert first["record"].endswith("games.zip/three.mjson")
    assert (second["error"], second["hand"]) == ("FormatError", None)


def test_good_records_pass(records: Path) -> None:
    with zipfile.ZipFile(records / "games.zip") as archive:
        archive.extract("one.mjson", records)
    result = run(str(records / "one.mjson"))
    assert result.exit_code == 0
    assert result.stdout.startswith("1 game, 1 hand, ")
    assert result.stdout.splitlines()[0].endswith("1 in order, 0 failed")
    assert json.loads(run(str(records / "one.mjson"), "--json").stdout)["failures"] == []


def test_what_is_not_there_fails() -> None:
    result = run("no-such-file.zip")
    assert isinstance(result.exception, HaiyomiError)
    assert "no-such-file.zip" in str(result.exception)


def test_what_is_not_stated_is_counted_and_a_missing_end_named(records: Path) -> None:
    """A named case: a record cut between two hands was called whole."""
    with zipfile.ZipFile(records / "games.zip") as archive:
        lines = archive.read("one.mjson").decode().splitlines(keepends=True)
    cut = records / "cut.mjson"
    cut.write_text("".join(lines[:-1]), encoding="utf-8")
    result = run(str(cut))
    assert result.exit_code == 0
    assert "cut.mjson: no end_game after the last hand" in result.stdout
    assert "not stated, so not compared: " in result.stdout
    assert "copy numbers of a hand 1" in result.stdout
    report = json.loads(run(str(cut), "--json").stdout)
    assert [entry["lacks"] for entry in report["without_end"]] == ["end_game"]
    assert report["not_stated"]["copy numbers of a hand"] == 1


def test_no_name_or_message_reaches_the_terminal_unescaped(tmp_path: Path) -> None:
    """A named case: a file's name and a record's text could move the cursor and set the title."""
    bad = tmp_path / "a\x1b]0;title\x07b\x9b31m\n.mjlog"
    bad.write_bytes(b'<mjloggm ver="2.3"><\x1b[31m/></mjloggm>')
    result = run(str(bad))
    assert result.exit_code == 1
    for text in (result.stdout, run(str(bad), "--json").stdout):
        assert all(c.isprintable() or c == "\n" for c in text)
    assert "a\\x1b]0;title\\x07b\\x9b31m\\n.mjlog" in result.stdout
    with pytest.raises(HaiyomiError) as caught:
        raise HaiyomiError("no such file: \x1b[31m")
    assert str(caught.value) == "no such file: \\x1b[31m"
