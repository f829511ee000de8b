"""The bundled record: made by its command, shows what it should, and an outside program that
deals the same walls plays it to the same end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from haiyomi.events import Deal, Game, Hand
from haiyomi.game.table import check_game
from haiyomi.logs.load import write
from haiyomi.play.demo import COMMAND, NUMBER, SEED, WANTED, demo_game, missing
from haiyomi.play.wall import DEAD, Wall
from haiyomi.seeds import generator
from haiyomi.tiles import Seat

Message = dict[str, Any]


def test_the_demo_is_of_the_walls_of_its_command() -> None:
    for number, hand in enumerate(demo_game().hands):
        wall = Wall.shuffled(generator(SEED, "game", NUMBER, "wall", number))
        deal = next(e for e in hand.events if isinstance(e, Deal))
        dealt = wall.deal(Seat(hand.start.kyoku % 4))
        for mine, theirs in zip(deal.hands, dealt, strict=True):
            assert sorted(tile.kind for tile in mine) == sorted(t // 4 for t in theirs)
    samples = Path(__file__).resolve().parent.parent / "samples" / "README.md"
    assert COMMAND in samples.read_text(encoding="utf-8").splitlines()


def test_the_demo_shows_everything_and_is_right() -> None:
    game = demo_game()
    assert missing(game) == []
    assert len(WANTED) >= 10
    check_game(game)


def _hands(game: Game) -> list[list[Message]]:
    """The mjai messages of each hand, from its start to its end."""
    out: list[list[Message]] = []
    for message in map(json.loads, write(game, "mjai").splitlines()):
        if message["type"] == "start_kyoku":
            out.append([])
        if message["type"] not in ("start_game", "end_game"):
            out[-1].append(message)
    return out


def _wall(number: int) -> list[int]:
    """The wall of a hand in riichienv's order: the deal, the draws, and the dead wall from its
    far end."""
    tiles = [int(t) for t in Wall.shuffled(generator(SEED, "game", NUMBER, "wall", number)).tiles]
    return [*tiles[DEAD:], *reversed(tiles[:DEAD])]


REASONS = {"exhaustive_draw": "fanpai"}
ACTS = {"dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan", "hora"}


def _without_dora(messages: list[Message]) -> list[Message]:
    """When the indicator of a kan is turned over, the two say at other moments."""
    return [m for m in messages if m["type"] != "dora"]


def _answer(seat: int, after: list[Message]) -> Message:
    """What a seat of the record does, by what comes after the events known so far."""
    for message in after:
        if message["type"] not in ACTS:
            break
        if message["actor"] == seat:
            return message
        if message["type"] != "hora":  # of two wins on one tile the second counts too
            break
    return {"type": "none"}


def _play_again(env: Any, hand: Hand, number: int, text: list[Message]) -> list[Message]:
    """riichienv's log of the hand, played as the record was; all of it must be allowed there."""
    start, expected = hand.start, _without_dora(text)
    views = env.reset(
        oya=start.kyoku % 4,
        wall=_wall(number),
        round_wind=start.kyoku // 4,
        scores=list(start.scores),
        honba=start.honba,
        kyotaku=start.sticks,
    )
    while True:
        log: list[Message] = env.mjai_log[1:]  # without start_game
        for end, message in enumerate(log):
            if message["type"] == "end_kyoku":
                return log[: end + 1]
        done = len(_without_dora(log))
        acts = {}
        for seat, view in views.items():
            answer = _answer(seat, expected[done:])
            acts[seat] = view.select_action_from_mjai(json.dumps(answer))
            assert acts[seat] is not None, f"hand {number}: {answer} of seat {seat} is not allowed"
        views = env.step(acts)


def test_an_outside_referee_plays_it_to_the_same_end() -> None:
    """riichienv, given each hand's wall, allows every choice, draws the same tiles, and comes to
    the same wins, payments and ends."""
    riichienv = pytest.importorskip("riichienv")
    game = demo_game()
    hands = _hands(game)
    rule = riichienv.GameRule.default_tenhou()
    compared = 0
    for number, (hand, text) in enumerate(zip(game.hands, hands, strict=True)):
        env = riichienv.RiichiEnv(game_mode="4p-red-half", rule=rule, seed=1)
        log = _play_again(env, hand, number, text)
        assert [m for m in log if m["type"] == "dora"] == [m for m in text if m["type"] == "dora"]
        for theirs, ours in zip(_without_dora(log), _without_dora(text), strict=True):
            for key, value in theirs.items():
                if theirs["type"] == "ankan" and key == "pai":
                    continue  # mjai's concealed kan has none
                if key == "reason":
                    value = REASONS.get(value, value)
                mine = ours["actor"] == ours["target"] if key == "tsumo" else ours.get(key)
                if key == "tehais":  # theirs are sorted
                    value, mine = ([sorted(tiles) for tiles in v] for v in (value, mine))
                assert mine == value, (key, number, theirs, ours)
                compared += 1
    assert compared > 1000
    assert any(m["type"] == "hora" for text in hands for m in text)
