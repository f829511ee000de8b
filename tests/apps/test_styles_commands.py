"""``haiyomi styles`` as it is called."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from apps.in_process import haiyomi


def _run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return haiyomi("styles", *arguments, stdin=stdin)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from haiyomi.logs.load import write
    from haiyomi.play.rule_games import simulate_rule_players
    from haiyomi.play.rule_style import RULE_STYLES

    folder = tmp_path_factory.mktemp("records")
    styles = [RULE_STYLES[s] for s in ("caller", "closed", "bold", "timid")]
    for number in range(6):
        names = ("Ann", "Bob <b>", "Cem", "Dai")
        game = simulate_rule_players(77, number, styles=styles, names=names)
        (folder / f"game-{number}.mjlog").write_text(write(game, "mjlog"), encoding="utf-8")
    return folder


def test_show_and_classify(records: Path) -> None:
    shown = _run("show", str(records), "--player", "Ann", "--jobs", "1")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("\n") == 2 + 2 + 1 + 19
    value = json.loads(
        _run("show", str(records), "--player", "Ann", "--json", "--jobs", "1").stdout
    )
    assert (value["player"], value["games"], len(value["statistics"])) == ("Ann", 6, 19)
    result = json.loads(
        _run("classify", str(records), "--player", "ann", "--json", "--jobs", "1").stdout
    )
    assert (
        result["style"] == value["style"] == min(result["distances"], key=result["distances"].get)
    )
    lines = _run("classify", str(records), "--player", "ann", "--jobs", "1").stdout
    assert "this player" in lines
    assert value["style"] in lines


def test_standard_input_is_read(records: Path) -> None:
    text = (records / "game-0.mjlog").read_text(encoding="utf-8")
    done = _run("classify", "-", "--player", "Cem", "--json", stdin=text)
    assert json.loads(done.stdout)["games"] == 1


def test_fit_needs_players_enough(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "classes.json"
    few = _run("fit", str(records), "--least", "9", "--out", str(out), "--jobs", "1")
    assert few.returncode == 2
    assert "nobody has 9 hanchan" in few.stderr
    assert "--least" in few.stderr
    none = _run(
        "fit", str(records), "--least", "5", "--classes", "3", "--out", str(out), "--jobs", "1"
    )
    assert none.returncode == 2
    assert "can be made of 4 players" in none.stderr
    assert not out.exists()


def test_wrong_calls_are_one_sentence(records: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    bad = tmp_path / "bad.json"
    bad.write_text("{}", encoding="utf-8")
    for arguments in (
        ("show", str(records), "--player", "nobody at all"),
        ("show", str(records), "--player", ""),
        ("classify", str(tmp_path / "empty"), "--player", "Ann"),
        ("classify", "/no/such/place", "--player", "Ann"),
        ("show", str(records), "--player", "Ann", "--model", str(bad)),
        ("fit", str(tmp_path / "empty")),
    ):
        done = _run(*arguments)
        assert done.returncode == 2, arguments
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert "Traceback" not in done.stderr


def test_a_bad_record_is_listed_and_the_rest_counted(records: Path) -> None:
    bad = records / "zz.mjlog"
    bad.write_text("no record", encoding="utf-8")
    try:
        done = _run("show", str(records), "--player", "Dai", "--jobs", "1")
        assert done.returncode == 1
        assert "zz" in done.stderr
        assert "6 hanchan" in done.stdout
    finally:
        bad.unlink()
