"""Tournaments from Python: bots by class, by function and by name."""

from __future__ import annotations

import pathlib
import sys
from typing import Any

import pytest

from haiyomi.corpus import Corpus
from haiyomi.errors import ArgumentError, DatasetError, HaiyomiError, ModelError, RulesError
from haiyomi.evaluation.tournaments.entrants import parse_entrants
from haiyomi.evaluation.tournaments.run import run_tournament
from haiyomi.evaluation.tournaments.tournament_report import TournamentResult
from haiyomi.game.table import check_game
from haiyomi.play.decision import Decision
from haiyomi.play.player import Choice
from haiyomi.rules import TENHOU_EAST
from haiyomi.styles.bot import Bot


class Chance(Bot):
    """Draws from its own generator."""

    def sit_down(self, *given: Any) -> None:
        self.rng = self.generator(given[0])

    def choose(self, decision: Decision) -> Choice:
        return decision.choices[int(self.rng.integers(len(decision.choices)))]


def play(entrants: dict[str, Any], games: int = 6, **given: Any) -> TournamentResult:
    return run_tournament(entrants, games, rules=TENHOU_EAST, **given)


def test_a_bot_in_python_plays_what_the_bot_of_the_same_name_plays() -> None:
    made = play({"a": lambda: Bot(temperature=0), "b": "balanced"}, temperature=0, seed=3)
    named = play({"a": "policy:pooled", "b": "balanced"}, temperature=0, seed=3)
    assert made.games == named.games
    assert made.labels == ("a", "b")
    assert str(made) == str(named)


def test_games_are_whole_walls_and_do_not_depend_on_the_number_of_processes(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root))  # where other processes find this module
    seen: list[tuple[int, int]] = []
    entrants = {"mine": Chance, "random": "random"}
    one = play(entrants, 7, seed=2, progress=lambda done, n: seen.append((done, n)))
    assert [game.wall for game in one.games] == [0] * 6 + [1] * 6
    assert seen == [(6, 12), (12, 12)]
    assert play(entrants, 7, seed=2, jobs=2).games == one.games
    assert play(entrants, 7, seed=3).games != one.games
    assert one.to_json()["bots"] == ["mine", "random"]
    assert one.to_json()["networks"] == {}


def test_a_run_that_was_stopped_continues_in_its_folder(tmp_path: pathlib.Path) -> None:
    """It started anew: there was no folder."""
    seats: list[Bot] = []

    def maker() -> Bot:
        seats.append(Chance())
        return seats[-1]

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    entrants = {"mine": maker, "random": "random"}
    whole = play(entrants, 18)
    seats.clear()
    with pytest.raises(KeyboardInterrupt):
        play(entrants, 18, out=tmp_path / "out", progress=stop)
    stopped = len(seats)
    assert 0 < stopped < 36
    assert play(entrants, 18, out=str(tmp_path / "out")).games == whole.games
    assert len(seats) == 36
    assert play(entrants, 18, out=tmp_path / "out").games == whole.games
    assert len(seats) == 36
    with pytest.raises(DatasetError, match="tournament"):
        play(entrants, 18, out=tmp_path / "out", seed=1)


@pytest.mark.parametrize("other", ["balanced", "policy:pooled"])
def test_games_are_kept_as_records(tmp_path: pathlib.Path, other: str) -> None:
    """By players one after another, and in batches."""
    entrants = {"mine": "random", "other": other}
    out = tmp_path / "out"
    made = play(entrants, 12, out=out, records=True)
    assert made.games == play(entrants, 12).games
    kept = dict(Corpus([out / "records"]))
    assert len(kept) == 12
    for game, (name, record) in zip(made.games, sorted(kept.items()), strict=True):
        assert f"wall-{game.wall:05d}-" in name
        assert record.header.final == game.points
        check_game(record)
    before = {file.name: file.read_bytes() for file in (out / "records").iterdir()}
    (out / "records" / "wall-00000.zip").unlink()
    assert play(entrants, 12, out=out, records=True).games == made.games
    assert {file.name: file.read_bytes() for file in (out / "records").iterdir()} == before
    with pytest.raises(DatasetError, match=r"another version \(records\)"):
        play(entrants, 12, out=out)
    with pytest.raises(DatasetError, match="tournament"):
        play(entrants, 12, out=out)


def test_names_in_records_are_as_many_as_seats(tmp_path: pathlib.Path) -> None:
    """A named case: a label was that of another bot's second seat."""
    entrants: dict[str, Any] = {"a": "random", "a-2": "timid"}
    made = play(entrants, 6, out=tmp_path, records=True)
    first_east = set()
    for game, (_, record) in zip(made.games, Corpus([tmp_path / "records"]), strict=True):
        assert sorted(record.header.names) == ["a", "a#2", "a-2", "a-2#2"]
        labels = [made.labels[bot] for bot in game.seats]
        assert [name.partition("#")[0] for name in record.header.names] == labels
        first_east.add(record.header.names[0])
    assert first_east == {"a", "a#2", "a-2", "a-2#2"}


def test_no_zip_is_written_where_every_game_was_forfeited(tmp_path: pathlib.Path) -> None:
    entrants: dict[str, Any] = {"mine": f"cmd:{sys.executable} -c ''", "other": "random"}
    made = play(entrants, 6, out=tmp_path, records=True)
    assert all(game.failed is not None for game in made.games)
    assert not (tmp_path / "records").exists()


def test_records_need_a_folder() -> None:
    with pytest.raises(ArgumentError, match="records need a folder"):
        play({"mine": "random", "other": "balanced"}, records=True)


def test_each_seat_of_each_game_has_a_bot_and_random_numbers_of_its_own() -> None:
    bots: list[Bot] = []

    def maker() -> Bot:
        bots.append(Chance())
        return bots[-1]

    play({"mine": maker, "random": "random"})
    assert len({id(bot) for bot in bots}) == len({id(bot.seed) for bot in bots}) == 12


def test_what_cannot_play_is_refused_before_any_game() -> None:
    for entrants, kind, sentence in (
        (["random", "balanced"], ArgumentError, "run_tournament takes a Mapping, not a list"),
        ({"a": "random"}, RulesError, "two bots or more: there are 1"),
        ({"a": "random", "b b": "random"}, RulesError, "the label 'b b'"),
        ({"a": "random", 1: "random"}, RulesError, "the label 1:"),
        ({"a": "random", "b": "ev:1e-320"}, RulesError, "a number from 1e-06"),
        ({"a": "random", "b": Chance()}, RulesError, "b is .*expected a name, a class of bots"),
        ({"a": "random", "b": "balenced"}, RulesError, "no bot 'balenced'"),
        ({"a": "random", "b": "policy:nobody"}, ModelError, "no style 'nobody'"),
        ({"a": "random", "b": "python:a"}, RulesError, "no bot 'python:a'"),
        ({"a": "random", "b": dict}, RulesError, r"b made \{\}: expected a Bot"),
    ):
        with pytest.raises(kind, match=sentence):
            play(entrants)
    two = {"a": "random", "b": lambda: Chance()}
    for given in ({"games": 0}, {"seed": -1}, {"temperature": 3.0}):
        with pytest.raises(ArgumentError):
            play(two, **given)
    with pytest.raises(HaiyomiError, match=r"must be importable by name: .*lambda"):
        play(two, jobs=2)
    with pytest.raises(RulesError, match="no bot 'python:a'"):
        parse_entrants(["python:a", "random"])


def test_an_exception_of_a_bot_ends_the_tournament() -> None:
    class Broken(Bot):
        def choose(self, decision: Decision) -> Choice:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        play({"a": Broken, "b": "random"})
    (note,) = caught.value.__notes__
    assert note.startswith("in a game of wall 0; from the first dealer on sit ")
    assert "a=python:a" in note
