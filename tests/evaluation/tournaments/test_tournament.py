"""Tournaments: the same walls in all orders, programs held to limits, and runs that resume."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import subprocess
import sys
import time
import zipfile
from collections import Counter
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from haiyomi.apps.cli import main
from haiyomi.errors import ArgumentError, DatasetError, HaiyomiError, ModelError, RulesError
from haiyomi.evaluation.tournaments import tournament as module
from haiyomi.evaluation.tournaments.entrants import (
    Conditions,
    bot_of,
    command_of,
    improved_of,
    label_of,
    parse_entrants,
)
from haiyomi.evaluation.tournaments.tournament import (
    PlayedGame,
    Tournament,
    forfeited,
    lineups,
    play_tournament,
)
from haiyomi.evaluation.tournaments.tournament_report import TournamentResult, tournament_reports
from haiyomi.events import Game, Header
from haiyomi.outcomes import later_models
from haiyomi.play.match import play_game
from haiyomi.play.mjai_process import TimeLimits
from haiyomi.play.seat_failure import ProgramError, SeatFailure
from haiyomi.rules import TENHOU_EAST
from haiyomi.tiles import Seat

BOT = pathlib.Path(__file__).resolve().parents[2] / "play" / "mjai_bot.py"
POSIX = pytest.mark.skipif(os.name != "posix", reason="looks for processes as POSIX has them")


def conditions(answer: float = 20.0, start: float = 60.0, seed: int = 0) -> Conditions:
    return Conditions(TENHOU_EAST, seed, 0.0, TimeLimits(start, answer))


def program(manner: str, folder: pathlib.Path) -> str:
    return "cmd:" + shlex.join([sys.executable, str(BOT), manner, str(folder)])


def test_two_bots_sit_in_six_orders_three_in_36_and_four_in_24() -> None:
    for bots, orders in (("ab", 6), ("abc", 36), ("abcd", 24), ("abbb", 4), ("bbab", 4),
                         ("abcde", 120)):  # fmt: skip
        made = Tournament(tuple(bots), 1, conditions())
        assert len(made.orders) == orders
        seats = Counter((bot, seat) for order in made.orders for seat, bot in enumerate(order))
        by_bot: dict[int, set[int]] = {}
        for (bot, _), n in seats.items():
            by_bot.setdefault(bot, set()).add(n)
        # Every bot holds each seat equally often.
        assert all(len(found) == 1 for found in by_bot.values())
    assert Tournament(tuple("bbab"), 1, conditions()).names == ("b", "a")


@pytest.mark.parametrize("bots", ["a", "aaaa", "aa", "aab", "aabcd"])
def test_bots_that_cannot_be_seated_evenly_are_refused(bots: str) -> None:
    with pytest.raises(RulesError):
        lineups(tuple(bots))


def test_two_different_bots_of_one_label_are_refused() -> None:
    for versus in ("a=random,a=balanced", "random,random=balanced"):
        with pytest.raises(RulesError, match="two different bots are called"):
            parse_entrants([versus])
    assert parse_entrants(["a=random,random"]) == ("a=random", "random")


def test_a_seed_of_more_than_64_bits_plays_one_game_after_another() -> None:
    made = Tournament(("random", "balanced"), 1, conditions(seed=2**70))
    batched = Tournament(("a=random", "b=random"), 1, conditions(seed=2**70))
    assert len(play_tournament(made, engine=1)) == len(play_tournament(batched, engine=1)) == 6


def test_every_order_plays_the_same_walls_and_the_same_seed_the_same_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deals: list[object] = []

    def watched(*given: Any, **named: Any) -> Game:
        game = play_game(*given, **named)
        deals.append(game.hands[0].events[1])
        return game

    monkeypatch.setattr(module, "play_game", watched)
    made = Tournament(("balanced", "random"), 2, conditions(seed=3))
    games = play_tournament(made, engine=1)
    assert [game.wall for game in games] == [0] * 6 + [1] * 6
    assert [game.seats for game in games[:6]] == list(made.orders)
    assert len(set(deals[:6])) == len(set(deals[6:])) == 1
    assert deals[0] != deals[6]
    monkeypatch.undo()
    assert games == play_tournament(made, engine=2)
    for game in games:
        assert sum(game.points) == 100_000
        assert sorted(game.places) == [1, 2, 3, 4]
        a, b, c, d = game.points
        assert Header(final=(a, b, c, d)).places == game.places


def test_names_are_checked_before_any_game(tmp_path: pathlib.Path) -> None:
    here = shlex.join([sys.executable, "bot.py", "--level", "1,2"])
    assert parse_entrants(["random, balanced", f"cmd:{here}"])[:2] == ("random", "balanced")
    assert command_of(f"cmd:{here}")[-1] == "1,2"
    (named,) = parse_entrants([f"mine=cmd:{here}"])
    assert label_of(named) == "mine"
    assert bot_of(named) == f"cmd:{here}"
    assert label_of("cmd:bot --level=3") == "cmd:bot --level=3"
    assert parse_entrants(["a=random,b=random"]) == ("a=random", "b=random")
    for text, sentence in (
        ("balenced", "no bot 'balenced'"),
        ("policy:nobody", "no style 'nobody'"),
        (f"model:{tmp_path / 'none.json'}", "none.json"),
        ("cmd:", "expected a program"),
        ("cmd:'open", "closing quotation"),
        ("cmd:no-such-program-here", "there is no program 'no-such-program-here'"),
    ):
        with pytest.raises(HaiyomiError, match=sentence):
            parse_entrants([text])


def test_no_shell_reads_a_program_name(tmp_path: pathlib.Path) -> None:
    words = command_of("cmd:bot $(touch x) ; touch y")
    assert words == ["bot", "$(touch", "x)", ";", "touch", "y"]


def test_a_well_behaved_program_plays_what_its_policy_plays() -> None:
    here = "cmd:" + shlex.join([sys.executable, "-m", "haiyomi", "bot", "--temperature", "0"])
    apart = play_tournament(Tournament((here, *["balanced"] * 3), 1, conditions()), engine=1)
    inside = play_tournament(
        Tournament(("policy:pooled", *["balanced"] * 3), 1, conditions()), engine=1
    )
    assert [game.failure for game in apart] == [None] * 4
    assert apart == inside


@pytest.mark.parametrize(
    ("manner", "failure", "sentence"),
    [
        ("slow", "slow", "no answer within 2 s to tsumo"),
        ("silent", "slow", "no answer within 3 s after its start to start_game"),
        ("lying", "illegal", "dahai 9z is not legal: expected dahai"),
        ("talking", "unreadable", "'my move is 5p'"),
        ("crashing", "crashed", "ended with status 1: out of tiles"),
        ("flooding", "flooding", "longer than 65,536 bytes"),
        ("twice", "flooding|illegal", ""),
    ],
)
def test_a_program_that_fails_forfeits_and_its_failure_is_counted(
    tmp_path: pathlib.Path, manner: str, failure: str, sentence: str
) -> None:
    bots = (program(manner, tmp_path), program("good", tmp_path), "random", "balanced")
    made = Tournament(bots, 1, conditions(2.0, 3.0))
    few = made.orders[:2]
    began = time.monotonic()
    with module.Seating(made.names, made.conditions) as seating:
        found = [module._play(made, 0, seating, (0, 1, 2, 3), i, o) for i, o in enumerate(few)]
    assert time.monotonic() - began < 25
    failures = [each for each in found if isinstance(each, SeatFailure)]
    games = [forfeited(0, order, each) for order, each in zip(few, failures, strict=True)]
    for game in games:
        assert game.failed is not None
        assert game.seats[game.failed] == 0
        assert game.failure in failure.split("|")
        assert sentence in (game.detail or "")
        assert game.places[game.failed] == 4
        assert sum(game.points) == 100_000
        assert all(not any(row) for row in game.tallies)
    table = tournament_reports(made, games)[-1]
    assert table.title == "Forfeited games"
    assert table.rows[0][0] == bots[0]
    assert sum(int(str(row[2])) for row in table.rows) == 2


def test_what_a_program_that_failed_was_sent_makes_it_fail_again(tmp_path: pathlib.Path) -> None:
    bots = (program("lying", tmp_path), "random")
    made, out = Tournament(bots, 1, conditions()), tmp_path / "out"
    games = play_tournament(made, out)
    with zipfile.ZipFile(out / "failed" / "wall-00000.zip") as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    failed = [i for i, game in enumerate(games) if game.failed is not None]
    assert list(kept) == [f"wall-00000-{i + 1}.mjson" for i in failed]
    sent = kept["wall-00000-1.mjson"]
    assert json.loads(sent.splitlines()[0])["id"] == games[0].failed
    answers = subprocess.run(command_of(bot_of(bots[0])), input=sent, capture_output=True).stdout
    assert json.loads(answers.splitlines()[-1])["pai"] == "9z"
    assert "dahai 9z is not legal" in (games[0].detail or "")
    assert play_tournament(made, out) == games


@POSIX
def test_a_program_is_killed_with_its_children(tmp_path: pathlib.Path) -> None:
    bots = (program("flooding", tmp_path), "random", "random", "random")
    made = Tournament(bots, 1, conditions())
    with module.Seating([bots[0], *["random"] * 3], made.conditions) as seating:
        failure = module._play(made, 0, seating, (0, 1, 1, 1), 0, made.orders[0])
    assert isinstance(failure, SeatFailure)
    assert failure.kind == "flooding"
    (child,) = (int(path.name.removeprefix("child-")) for path in tmp_path.glob("child-*"))
    for _ in range(100):
        if not _runs(child):
            return
        time.sleep(0.05)
    pytest.fail(f"the program's child {child} still runs")


def _runs(process: int) -> bool:
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").split()[2]
    except OSError:
        return False
    return state != "Z"


def test_a_forfeit_gives_the_points_to_the_others_and_the_deposits_to_their_first() -> None:
    error = ProgramError("illegal", "it answered dahai 9z")
    game = forfeited(
        0, (3, 2, 1, 0), SeatFailure(Seat(2), error, (30_000, 20_000, 40_100, 8_900), 1)
    )
    assert game.points == (44_300, 33_300, 0, 22_400)
    assert game.places == (1, 2, 4, 3)
    broke = SeatFailure(Seat(0), error, (-500, 25_500, 0, 75_000), 0)
    game = forfeited(0, (3, 2, 1, 0), broke)
    assert game.points == (-500, 25_500, 0, 75_000)
    below = SeatFailure(Seat(1), error, (-500, 30_000, 0, 70_500), 0)
    assert forfeited(0, (3, 2, 1, 0), below).places == (3, 4, 2, 1)


def test_a_stopped_tournament_goes_on_and_ends_with_the_same_games(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Tournament(("balanced", "random"), 3, conditions())
    whole = play_tournament(made, tmp_path / "whole", 1)
    played = module.play_walls

    def stops(shard: module._Walls) -> list[PlayedGame]:
        if shard.walls[0] == 2:
            raise KeyboardInterrupt
        return played(shard)

    monkeypatch.setattr(module, "play_walls", stops)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(made, tmp_path / "stopped", 1)
    assert sorted(p.name for p in (tmp_path / "stopped").glob("wall-*")) == [
        "wall-00000.json",
        "wall-00001.json",
    ]
    again: list[int] = []

    def counts(shard: module._Walls) -> list[PlayedGame]:
        again.extend(shard.walls)
        return played(shard)

    monkeypatch.setattr(module, "play_walls", counts)
    assert play_tournament(made, tmp_path / "stopped", 1) == whole
    assert again == [2]
    for path in sorted((tmp_path / "whole").iterdir()):
        assert (tmp_path / "stopped" / path.name).read_bytes() == path.read_bytes()
    with pytest.raises(DatasetError, match=r"holds a tournament of other .*\(seed\)"):
        play_tournament(Tournament(made.bots, 3, conditions(seed=9)), tmp_path / "whole", 1)


def test_a_tournament_does_not_go_on_with_other_networks(tmp_path: pathlib.Path) -> None:
    shipped = later_models.shipped()
    file = tmp_path / "options.safetensors"
    shipped.save(file)
    made = Tournament((f"ev@{file}", "random"), 1, conditions())
    play_tournament(made, tmp_path / "out", 1)
    silent = {name: np.zeros_like(part) for name, part in shipped.layers.items()}
    replace(shipped, layers=silent).save(file)
    with pytest.raises(DatasetError, match=r"holds a tournament of other .*\(networks\)"):
        play_tournament(made, tmp_path / "out", 1)


def test_the_tables_hold_the_games() -> None:
    nothing = ((0,) * 5,) * 4
    points = ((40_000, 30_000, 20_000, 10_000), (10_000, 20_000, 30_000, 40_000))
    rows = ((10, 3, 1, 2, 5), (10, 2, 1, 1, 2), (10, 1, 2, 0, 4), (10, 0, 3, 4, 1))
    made = Tournament(("a", "b"), 2, conditions())
    games = [
        PlayedGame(0, (0, 0, 1, 1), points[0], (1, 2, 3, 4), rows),
        PlayedGame(1, (1, 1, 0, 0), points[1], (4, 3, 2, 1), nothing),
    ]
    places, play, differences = tournament_reports(made, games)
    assert [str(cell).split(" ")[0] for cell in places.rows[0]] == [
        "a", "4", "+10,000", "1.500", "50.0%", "50.0%", "0.0%", "0.0%",
    ]  # fmt: skip
    assert [str(cell).split(" ")[0] for cell in play.rows[0][1:]] == [
        "20", "25.0%", "10.0%", "15.0%", "35.0%",
    ]  # fmt: skip
    assert str(differences.rows[0][3]).startswith("-2.000")
    result = TournamentResult(made, tuple(games))
    assert result.figure("a", "1st").value == 0.5
    assert result.figure("a minus b", "points").value == 20_000
    with pytest.raises(ArgumentError, match="no row 'c': there are a, b, a minus b"):
        result.figure("c", "place")
    with pytest.raises(
        ArgumentError, match="no column 'win' of a minus b: there are points, place"
    ):
        result.figure("a minus b", "win")
    whole = result.to_json()
    assert json.loads(json.dumps(whole))["games"] == 2
    assert whole["forfeited"] == 0
    assert PlayedGame.from_json(json.loads(json.dumps(asdict(games[0])))) == games[0]


def test_the_command_prints_the_tables_and_writes_them(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    line = ["haiyomi", "play", "--versus", "random,balanced", "--games", "7", "--east"]
    monkeypatch.setattr(sys, "argv", [*line, "-o", str(out), "--results", str(report)])
    main()
    shown = capsys.readouterr()
    assert "12 games: each of 2 walls in 6 seat orders" in shown.err
    few = "fewer than 6 walls have no interval"
    assert f"Places (12 games of 2 walls in 6 seat orders; {few})" in shown.out
    assert json.loads(report.read_text(encoding="utf-8"))["games"] == 12
    assert len(list(out.glob("wall-*.json"))) == 2
    for words, sentence in (
        (["--first", "1"], "--first and --styles are for games without --versus"),
        (["--answer-seconds", "0"], "the time limit for a program's answer is 0.0"),
        (["--answer-seconds", "1e308"], "is 1e+308: expected > 0, at most 1,000,000"),
        (["-o", "one", "--results", "one"], "one is named as a file and as a folder"),
    ):
        monkeypatch.setattr(sys, "argv", [*line, *words])
        with pytest.raises(SystemExit):
            main()
        assert sentence in capsys.readouterr().err


def test_policies_play_in_batches_from_the_same_walls_as_players_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Tournament(("policy:pooled", "policy:open-riichi"), 1, conditions(seed=5))
    batched = play_tournament(made, engine=1)
    monkeypatch.setattr(module, "can_batch", lambda bots: False)
    # At temperature 0 nothing is drawn: the games are equal.
    assert play_tournament(made, engine=1) == batched
    assert len({game.points for game in batched}) > 1


def test_an_improved_bot_plays_in_batches_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    east = Conditions(TENHOU_EAST, 5, 0.0, TimeLimits())
    made = Tournament(("ev:0.01", "policy:pooled"), 1, east)
    monkeypatch.setattr(Tournament, "orders", ((0, 0, 1, 1),))
    batched = play_tournament(made, engine=1)
    monkeypatch.setattr(module, "can_batch", lambda bots: False)
    assert play_tournament(made, engine=1) == batched


def test_an_improved_bot_may_have_the_options_of_a_file(
    tmp_path: pathlib.Path,
) -> None:
    shipped = later_models.shipped()
    silent = {name: np.zeros_like(part) for name, part in shipped.layers.items()}
    file = tmp_path / "options.safetensors"
    replace(shipped, layers=silent).save(file)
    (name,) = parse_entrants([f"none=ev:0.02@{file}"])
    improved = improved_of(bot_of(name))
    assert improved.scale == 0.02
    assert not improved.model.layers["out"].any()
    assert improved.policy is shipped.policy_model
    with pytest.raises(ModelError, match="absent"):
        parse_entrants(["ev@absent.safetensors"])


def test_a_game_does_not_depend_on_the_walls_beside_it() -> None:
    made = Tournament(("policy:pooled", "random"), 2, replace(conditions(), temperature=1.0))
    (shard,) = module._shards(made, None)
    assert shard.walls == range(2)
    alone = module.play_walls(replace(shard, walls=range(1, 2)))
    assert module.play_walls(shard)[len(alone) :] == alone
