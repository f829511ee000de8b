"""The bundled record: made by its command, shows what it should, and an outside program that
deals the same walls plays it to the same end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    ExhaustiveDraw,
    Game,
    Hand,
    Kakan,
    Pon,
    RiichiAccepted,
    Win,
)
from haiyomi.game.table import check_game
from haiyomi.logs.load import write
from haiyomi.play.demo import COMMAND, NUMBER, SEED, demo_game
from haiyomi.play.wall import DEAD, Wall
from haiyomi.seeds import generator
from haiyomi.tiles import Seat

Message = dict[str, Any]
DEAR = 5200
"""Points of a hand that is expensive to deal into."""


def _has(*types: type) -> Callable[[Hand], bool]:
    return lambda hand: any(isinstance(e, types) for e in hand.events)


def _riichi_seats(hand: Hand) -> set[int]:
    return {e.seat for e in hand.events if isinstance(e, RiichiAccepted)}


def _wins(hand: Hand) -> list[Win]:
    return [e for e in hand.events if isinstance(e, Win)]


def _opened(hand: Hand) -> set[int]:
    return {e.seat for e in hand.events if isinstance(e, Chi | Pon | Daiminkan)}


WANTED: dict[str, Callable[[Hand], bool]] = {
    "a chi": _has(Chi),
    "a pon": _has(Pon),
    "a concealed kan": _has(Ankan),
    "an open or added kan": _has(Daiminkan, Kakan),
    "an exhaustive draw": _has(ExhaustiveDraw),
    "a tsumo of a riichi": lambda hand: any(
        w.tsumo and w.seat in _riichi_seats(hand) for w in _wins(hand)
    ),
    "a tsumo of an open hand": lambda hand: any(
        w.tsumo and w.seat in _opened(hand) for w in _wins(hand)
    ),
    "a discard won on by a riichi": lambda hand: any(
        not w.tsumo and w.seat in _riichi_seats(hand) for w in _wins(hand)
    ),
    "a riichi that deals in": lambda hand: any(
        not w.tsumo and w.target in _riichi_seats(hand) for w in _wins(hand)
    ),
    "two riichi in a hand": lambda hand: len(_riichi_seats(hand)) >= 2,
    "a discard won on by an open hand": lambda hand: any(
        not w.tsumo and w.seat in _opened(hand) for w in _wins(hand)
    ),
    "a riichi that wins dearly on the first seat's discard": lambda hand: any(
        w.target == 0 and w.seat in _riichi_seats(hand) - {0} and (w.points or 0) >= DEAR
        for w in _wins(hand)
    ),
    "a win of the first seat": lambda hand: any(w.seat == 0 for w in _wins(hand)),
    "a red five dealt": lambda hand: any(
        t.red for e in hand.events if isinstance(e, Deal) for tiles in e.hands for t in tiles
    ),
}
"""What the demo shows, each in some hand of it."""


def missing(game: Game) -> list[str]:
    """The names in ``WANTED`` that a game does not show, and other reasons against it."""
    lacks = [name for name, shows in WANTED.items() if not any(map(shows, game.hands))]
    if not any(hand.start.kyoku == 7 for hand in game.hands) or len(game.hands) > 14:
        lacks.append("eight rounds in at most fourteen hands")
    return lacks


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
