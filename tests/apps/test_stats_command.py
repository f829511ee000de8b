"""``haiyomi stats`` as it is called."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from apps.in_process import haiyomi

from haiyomi.logs.load import write
from haiyomi.play.demo import demo_game


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return haiyomi("stats", *arguments)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    done = subprocess.run(
        [sys.executable, "-m", "haiyomi", "play", "--games", "2", "--east", "-o", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def _somebody(records: Path) -> str:
    from haiyomi.logs.load import parse

    file = min(records.rglob("*.mjlog"))
    return parse(file.read_bytes(), file.name).header.names[0]


def test_lines_json_csv_and_page(records: Path, tmp_path: Path) -> None:
    name = _somebody(records)
    assert _run(str(records), "--player", name).returncode == 0
    value = json.loads(_run(str(records), "--player", name, "--json").stdout)
    assert value["player"] == name
    assert len(value["games"]) == 2
    assert _run(str(records), "--player", name, "--csv").stdout.count("\n") == 3
    table = tmp_path / "stats.csv"
    assert _run(str(records), "--player", name, "--csv", "-o", str(table)).returncode == 0
    assert table.read_text(encoding="utf-8").count("\n") == 3
    page = tmp_path / "stats.html"
    assert _run(str(records), "--player", name, "-o", str(page)).returncode == 0
    assert page.stat().st_size > 50_000


def test_as_many_processes_as_you_like(records: Path) -> None:
    result = [
        _run(str(records), "--player", _somebody(records), "--json", "--jobs", jobs)
        for jobs in ("1", "2")
    ]
    assert [done.returncode for done in result] == [0, 0]
    assert result[0].stdout == result[1].stdout


def test_a_game_goes_by_its_name_without_endings(records: Path, tmp_path: Path) -> None:
    """A named case: of ``one.mjlog.gz`` one ending was left."""
    import gzip

    file = tmp_path / "one.mjlog.gz"
    file.write_bytes(gzip.compress(min(records.rglob("*.mjlog")).read_bytes()))
    value = json.loads(_run(str(file), "--player", _somebody(records), "--json").stdout)
    assert [game["game"] for game in value["games"]] == ["one"]


def test_wrong_calls_are_one_sentence(records: Path) -> None:
    for arguments in (
        (str(records), "--player", "nobody at all"),
        (str(records), "--player", ""),
        (str(records), "--player", "x", "--json", "--csv"),
        ("/no/such/place", "--player", "x"),
    ):
        done = _run(*arguments)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
        assert "Traceback" not in done.stderr


def test_a_name_of_several_players_is_refused_before_any_review(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("haiyomi.review.reviewer.review_game", None)
    done = _run(str(records), "--player", "haiyomi", "--jobs", "1")
    assert done.returncode == 2
    assert done.stderr == (
        "haiyomi: more than one player is named 'haiyomi': haiyomi-1, haiyomi-2, haiyomi-3, "
        "haiyomi-4\n"
    )


def test_without_a_game_the_reason_is_named_not_the_player() -> None:
    done = _run("/no/such/place/", "--player", "x")
    assert done.stderr == (
        "haiyomi: no game could be read: /no/such/place/: no such file or folder\n"
    )


def test_a_bad_record_is_listed_and_the_rest_counted(records: Path) -> None:
    bad = records / "zz.mjlog"
    bad.write_text("no record")
    try:
        done = _run(str(records), "--player", _somebody(records))
        assert done.returncode == 1
        assert "zz.mjlog" in done.stderr
        assert "2" in done.stdout
    finally:
        bad.unlink()


def test_a_game_counts_once_whatever_its_format(records: Path, tmp_path: Path) -> None:
    name, file = _somebody(records), min(records.rglob("*.mjlog"))
    other = tmp_path / "the-\u202esame.json"
    run = [sys.executable, "-m", "haiyomi", "convert", str(file), "--to", "tenhou6"]
    subprocess.run([*run, "-o", str(other)], check=True)
    once = _run(str(file), "--player", name, "--json")
    more = _run(str(file), str(other), str(file), "--player", name, "--json")
    assert (once.returncode, more.returncode) == (0, 0)
    assert json.loads(once.stdout) == json.loads(more.stdout)
    assert more.stderr.count("counted once") == 2
    assert "the-\\u202esame" in more.stderr  # shown, not obeyed
    assert once.stderr == ""
    # Two games of the same players are two.
    assert len(json.loads(_run(str(records), "--player", name, "--json").stdout)["games"]) == 2


def test_a_game_with_two_players_of_the_name_is_left_out(tmp_path: Path) -> None:
    """It counted as two games of one player."""
    game = demo_game()
    names = ("Ann", "Ben", "Ann", "Cem")
    twice = replace(game, header=replace(game.header, names=names), hands=game.hands[:1])
    file = tmp_path / "twice.mjson"
    file.write_text(write(twice, "mjai"), encoding="utf-8")
    done = _run(str(file), "--player", "Ann", "--jobs", "1")
    assert done.returncode == 2
    assert "more than one player who is named 'Ann'" in done.stderr
    assert done.stderr.count("\n") == 1
