"""The statistics: against a second count of the same games, and in cases made to measure."""

from __future__ import annotations

import json
import math
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from naive_counts import count

from haiyomi.corpus import Corpus, Entry
from haiyomi.events import Absence, Game, visible_to
from haiyomi.logs.load import parse, write
from haiyomi.play.demo import demo_game
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU, TENHOU_EAST
from haiyomi.styles.count_records import tally_piece
from haiyomi.styles.game_sums import tally_game
from haiyomi.styles.statistics import (
    COLUMN,
    EAST_ONLY,
    HANCHAN,
    JAPANESE,
    NAMES,
    RATES,
    SUMS,
    VECTOR,
    definition,
    divide,
    occasions,
)
from haiyomi.tiles import Seat

EVERY = (*VECTOR, *RATES)


def _compare(game: Game, absent: dict[int, set[int]] | None = None) -> None:
    sums = tally_game(game)
    values, behind = divide(sums, EVERY), occasions(sums, EVERY)
    text = write(game, "mjai")
    for seat in range(4):
        naive = count(text, seat, (absent or {}).get(seat, set()))
        for j, function in enumerate(EVERY):
            above, below = naive.get(function.__name__, (0.0, 0))
            assert behind[seat, j] == below, (function.__name__, seat)
            if below:
                assert values[seat, j] == pytest.approx(above / below), (function.__name__, seat)
            else:
                assert math.isnan(values[seat, j]), (function.__name__, seat)


@pytest.mark.parametrize("styles", ["balanced", "caller,closed,bold,timid"])
def test_a_second_count_of_played_games_agrees(styles: str) -> None:
    names = styles.split(",") * (4 // len(styles.split(",")))
    for number in range(3):
        _compare(simulate_rule_players(31, number, styles=[RULE_STYLES[n] for n in names]))


def test_a_second_count_of_the_demo_agrees() -> None:
    _compare(demo_game())


@pytest.mark.corpus
def test_a_second_count_of_real_games_agrees(corpus: object) -> None:
    with zipfile.ZipFile(f"{corpus}/valid.zip") as archive:
        for entry in sorted(archive.namelist())[:24:3]:
            game = parse(archive.read(entry), entry)
            absent = {
                seat: {
                    h for h in range(len(game.hands)) if seat in {s for s, _, _ in game.absent(h)}
                }
                for seat in range(4)
            }
            _compare(game, absent)


def test_hands_with_the_line_down_are_left_out_and_counted() -> None:
    game = demo_game()
    dropped = replace(game, absences=(Absence(2, 5, Seat(1)), Absence(4, 3, Seat(1), back=True)))
    before, after = tally_game(game), tally_game(dropped)
    assert after[1, COLUMN["absent_hands"]] == 3
    assert after[1, COLUMN["hands"]] == before[1, COLUMN["hands"]] - 3
    others = [0, 2, 3]
    assert np.array_equal(before[others], after[others])
    _compare(dropped, {1: {2, 3, 4}})


def test_one_seat_s_stream_gives_that_seat_the_same() -> None:
    game = demo_game()
    seen = replace(
        game,
        hands=tuple(
            replace(h, events=tuple(visible_to(e, Seat(2)) for e in h.events), copies=None)
            for h in game.hands
        ),
    )
    whole, one = tally_game(game), tally_game(seen)
    assert np.array_equal(whole[2], one[2])
    for seat in (0, 1, 3):
        assert one[seat, COLUMN["hidden_hands"]] == len(game.hands)
        assert one[seat, COLUMN["hands"]] == 0


def _tiles(text: str) -> list[str]:
    return text.split()


HAND = [
    {"type": "start_game", "names": ["a", "b", "c", "d"], "kyoku_first": 0, "aka_flag": True},
    {
        "type": "start_kyoku", "bakaze": "S", "dora_marker": "4p", "kyoku": 1, "honba": 2,
        "kyotaku": 0, "oya": 0, "scores": [20000, 30000, 26000, 24000],
        "tehais": [
            _tiles("1m 2m 3m 4m 5mr 6m 7p 8p 9p E E S S"),
            _tiles("1s 1s 2s 3s 4s 5s 6s 7s 8s 9s N N P"),
            _tiles("1p 1p 2p 2p 3p 3p 5p 5p W W F F C"),
            _tiles("9m 9m 9m 8m 8m 7m 7m 6s 6s P P C C"),
        ],
    },
]  # fmt: skip


def _made(*events: dict[str, object]) -> Game:
    lines = [*HAND, *events, {"type": "ryukyoku", "reason": "fanpai", "deltas": [0, 0, 0, 0]}]
    lines += [{"type": "end_kyoku"}, {"type": "end_game"}]
    return parse("".join(json.dumps(m) + "\n" for m in lines).encode(), "made.mjson")


def test_a_hand_made_by_hand() -> None:
    game = _made(
        # Seat 0 is tenpai as dealt, says nothing on its first discard, riichi on its second.
        {"type": "tsumo", "actor": 0, "pai": "9s"},
        {"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "C"},
        {"type": "dahai", "actor": 1, "pai": "C", "tsumogiri": True},
        # Seat 3 calls the dragon: four honours in hand, no dora (5p) among its tiles.
        {"type": "pon", "actor": 3, "target": 1, "pai": "C", "consumed": ["C", "C"]},
        {"type": "dahai", "actor": 3, "pai": "9m", "tsumogiri": False},
        {"type": "tsumo", "actor": 0, "pai": "2s"},
        {"type": "reach", "actor": 0},
        {"type": "dahai", "actor": 0, "pai": "2s", "tsumogiri": True},
        {"type": "reach_accepted", "actor": 0},
    )
    sums = dict(zip(SUMS, tally_game(game).T, strict=True))

    def row(name: str) -> list[float]:
        return sums[name].tolist()

    assert row("hands") == [1, 1, 1, 1]
    assert row("first_riichi") == row("riichi") == [1, 0, 0, 0]
    assert row("riichi_turn") == [2, 0, 0, 0]
    assert (row("tenpai")[0], row("immediate")[0], row("tenpai_child")[0]) == (1, 0, 0)
    assert row("riichi_points") == [20000, 0, 0, 0]
    assert row("riichi_dora") == [1, 0, 0, 0]  # the red five; dora is 5p
    assert row("calls") == row("call_turn") == [0, 0, 0, 1]
    assert row("opened_honours") == [0, 0, 0, 4]
    assert row("opened_dora") == [0, 0, 0, 0]
    assert row("opened_points") == [0, 0, 0, 24000]
    assert row("end_honours") == [4, 3, 5, 2]
    assert row("north_points") == [0, 0, 0, 24000]
    assert row("first_dealer_points") == [20000, 0, 0, 0]
    assert row("south_hands") == [1, 1, 1, 1]
    assert row("east_hands") == [0, 0, 0, 0]
    assert row("dealer_calls") == [0, 0, 0, 0]


def test_every_statistic_is_reported_in_one_line() -> None:
    assert len(VECTOR) == len(set(NAMES)) == len(set(JAPANESE)) == 19
    for function in EVERY:
        line = definition(function)
        assert "\n" not in line
        assert line.endswith(".")
        above, below = function()
        assert {above, below} <= set(SUMS)


def _counted(text: str, rounds: int = HANCHAN) -> tuple[object, ...]:
    return tally_piece(Corpus.of_entries([Entry("a.mjlog", data=text.encode())]), rounds)


@pytest.mark.parametrize("rounds", [HANCHAN, EAST_ONLY])
def test_the_core_s_reader_and_that_in_python_give_the_same(rounds: int) -> None:
    for rules in (TENHOU, TENHOU_EAST):
        game = replace(simulate_rule_players(9, 4, rules=rules), absences=(Absence(1, 4, Seat(2)),))
        text = write(game, "mjlog")
        games, other, skipped = _counted(text, rounds)
        assert (games, other, skipped) == _counted(f" {text}", rounds)
        assert (other, skipped) == (int(rules.rounds != rounds), [])
        sums = tally_game(game)
        if rounds == EAST_ONLY:
            sums[:, [COLUMN["south_hands"], COLUMN["south_points"]]] = 0.0
        assert games == ([] if other else [("a", game.header.names, sums.tolist())])


def test_what_cannot_be_is_one_sentence_by_either_reader() -> None:
    text = write(demo_game(), "mjlog")
    draw = re.search(r"<[TUVW]\d+/>", text)
    assert draw is not None
    wrong = {
        "leaves the wall twice": text.replace(draw[0], draw[0] * 2, 1),
        "does not hold": text.replace("<D", "<E", 1),
        "ends without </mjloggm>": text.replace("</mjloggm>", ""),
        "holds no hand": "<mjloggm/>",
    }
    for sentence, record in wrong.items():
        _, _, ((name, reason),) = _counted(record)
        assert name == "a"
        assert reason.startswith("a.mjlog")
        assert sentence in reason
        assert _counted(record) == _counted(f" {record}")


def test_a_hand_of_a_wrong_number_of_tiles_is_one_sentence() -> None:
    """Who discards twice without a draw ended the command with an exception of the core."""
    text = write(demo_game(), "mjlog")
    tags = re.findall(r"<[^>]*>", text)
    at = next(i for i, tag in enumerate(tags) if re.match(r"<T\d", tag))
    hand = re.search(r'hai0="(\d+)', text)
    assert hand is not None
    tags.insert(at, f"<D{hand[1]}/>")
    games, other, ((_, reason),) = _counted("".join(tags))
    assert (games, other) == ([], 0)
    assert "hand 0: a seat holds a number of tiles that no hand has (found 12)" in reason
