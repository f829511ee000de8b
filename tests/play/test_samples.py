"""The records that are shipped are those that their commands make."""

from __future__ import annotations

import pathlib
import shlex

import pytest
from typer.testing import CliRunner

from haiyomi.apps.cli import build_app
from haiyomi.game.table import check_game
from haiyomi.logs.load import parse

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"


def run(arguments: list[str]) -> tuple[int, str]:
    result = CliRunner().invoke(build_app("play"), arguments)
    return result.exit_code, result.output


def test_the_samples_are_made_by_their_commands(tmp_path: pathlib.Path) -> None:
    lines = (SAMPLES / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [shlex.split(line) for line in lines if line.endswith("-o tests/samples")]
    assert len(commands) == 3
    for words in commands:
        words[words.index("-o") + 1] = str(tmp_path)
        assert run(words[1:])[0] == 0
    made = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    kept = {p.name: p.read_bytes() for p in SAMPLES.iterdir() if p.name != "README.md"}
    assert made == kept


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("haiyomi-*")), ids=lambda p: p.name)
def test_the_samples_are_right(path: pathlib.Path) -> None:
    check_game(parse(path.read_bytes(), path.name))


def test_processes_do_not_change_the_games(tmp_path: pathlib.Path) -> None:
    alone, pair = tmp_path / "alone", tmp_path / "pair"
    words = ["play", "--games", "12", "--seed", "6", "--east", "-o"]
    assert run([*words, str(alone)])[0] == 0
    assert run([*words, str(pair), "--jobs", "2"])[0] == 0
    games = {p.name: p.read_bytes() for p in alone.iterdir()}
    assert len(games) == 12
    assert games == {p.name: p.read_bytes() for p in pair.iterdir()}


def test_one_game_goes_to_standard_output() -> None:
    code, output = run(["play", "--seed", "7", "--first", "3", "--east", "--to", "mjai"])
    assert code == 0
    assert output.startswith((SAMPLES / "haiyomi-7-00003.mjson").read_text(encoding="utf-8")[:200])


def test_bad_calls_say_why(tmp_path: pathlib.Path) -> None:
    from haiyomi.errors import HaiyomiError

    for arguments, text in (
        (["--games", "2"], "2 games need a folder"),
        (["--styles", "wild"], "no style 'wild'"),
        (["--styles", "policy:wild"], "no style 'wild' in the policy"),
        (["--temperature", "0.5"], "--temperature is for players of the imitation"),
        (["-o", str(SAMPLES / "README.md")], "is a file: name a folder"),
    ):
        result = CliRunner().invoke(build_app("play"), ["play", *arguments])
        assert isinstance(result.exception, HaiyomiError)
        assert text in str(result.exception)
