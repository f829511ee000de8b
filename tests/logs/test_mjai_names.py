"""mjai's names of yaku: one for each of Tenhou's, and back by the winner's seat and the round."""

from __future__ import annotations

import json
import typing

import pytest

from haiyomi.events import AbortiveReason
from haiyomi.logs.load import parse
from haiyomi.logs.mjai_names import (
    NAGASHI,
    REASONS,
    REASONS_OF_RIICHIENV,
    YAKU_NAMES,
    yaku_id,
)
from haiyomi.tiles import Seat

JIKAZE, BAKAZE = range(10, 14), range(14, 18)


def test_every_yaku_but_the_winds_comes_back_from_its_name() -> None:
    assert len(YAKU_NAMES) == 55
    for ident, name in enumerate(YAKU_NAMES):
        if ident not in (*JIKAZE, *BAKAZE):
            assert yaku_id(name, Seat(2), 5) == ident


def test_a_wind_is_that_of_the_seat_and_of_the_round() -> None:
    for kyoku in range(12):
        for seat in range(4):
            own = yaku_id("jikaze", Seat(seat), kyoku)
            assert own == 10 + (seat - kyoku) % 4, "East is the seat of the dealer"
            assert yaku_id("bakaze", Seat(seat), kyoku) == 14 + kyoku // 4
    assert yaku_id("jikaze", Seat(1), 1) == 10
    assert {YAKU_NAMES[i] for i in JIKAZE} == {"jikaze"}
    assert {YAKU_NAMES[i] for i in BAKAZE} == {"bakaze"}


def test_a_name_that_is_none_has_no_id() -> None:
    assert yaku_id("sangenpai", Seat(0), 0) is None
    assert yaku_id("", Seat(0), 0) is None


def test_every_abortive_draw_has_a_reason_of_its_own() -> None:
    kinds = set(typing.get_args(AbortiveReason))
    assert set(REASONS) == {*kinds, None}
    assert len({*REASONS.values(), NAGASHI}) == len(REASONS) + 1


@pytest.mark.parametrize(("theirs", "name"), REASONS_OF_RIICHIENV.items())
def test_a_draw_by_riichienv_s_name_is_the_same_draw(theirs: str, name: str) -> None:
    """A named case: of twelve games of riichienv nine could not be read."""
    hand = ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "2m"]
    others = [
        [f"{n}{suit}" for n in range(1, 10)] + [wind] * 3 for suit, wind in ("sE", "pS", "mW")
    ]
    begun = [
        {"type": "start_game"},
        {
            "type": "start_kyoku", "bakaze": "E", "dora_marker": "C", "kyoku": 1, "honba": 0,
            "kyotaku": 0, "oya": 0, "scores": [25000] * 4,
            "tehais": [hand, *([*other, "N"] for other in others)],
        },
        {"type": "tsumo", "actor": 0, "pai": "3m"},
    ]  # fmt: skip
    games = []
    for reason in (theirs, name):
        drawn = {"type": "ryukyoku", "reason": reason, "deltas": [0] * 4}
        lines = [*begun, drawn, {"type": "end_kyoku"}, {"type": "end_game"}]
        games.append(parse("\n".join(map(json.dumps, lines)).encode()))
    assert games[0] == games[1]
