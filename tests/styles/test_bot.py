"""The mjai process: whole games against an outside referee, handovers, and bad messages."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import numpy as np
import pytest
from made_bots import bot_policy, make_bot, seen_lines

from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import visible_to
from haiyomi.game.position_fold import PositionFold
from haiyomi.kernels.network import STYLE
from haiyomi.logs.mjai_write import messages
from haiyomi.play.decision import Decision, decisions
from haiyomi.play.match import play_game
from haiyomi.play.mjai_program import ProgramPlayer
from haiyomi.play.player import Choice
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import BALANCED
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.styles import seating
from haiyomi.styles.bot import Bot
from haiyomi.styles.policy import Policy
from haiyomi.tiles import Seat, Tile


@pytest.fixture(scope="module")
def policy() -> Policy:
    return bot_policy()


def test_games_before_an_outside_referee(policy: Policy) -> None:
    pytest.importorskip("riichienv")
    from haiyomi.evaluation.imitation.referee import Handover, play

    for game in range(2):
        report = play(
            game,
            lambda g, s, relief: make_bot(policy, s, 1.0, 10 * g + relief),
            [Handover(game, 15, 40), Handover(3, 5, 1000)],
        )
        assert not report.illegal
        assert not report.differing
        assert report.fallbacks == report.errors == 0
        assert report.reliefs > 25
        assert sum(report.ranks) == 10


def test_every_line_is_answered_and_legal(policy: Policy) -> None:
    """Told of somebody else's game, the stand-in answers each line with one of its choices."""
    bot = make_bot(policy, None)
    acted = 0
    for line in seen_lines(2):
        answer = json.loads(bot.react(line))
        assert answer["type"] != "error", answer
        if answer["type"] != "none":
            acted += 1
            assert answer["actor"] == 2
            mine = bot.choices()
            assert mine is not None
            assert answer in mine
    assert acted > 50
    assert bot.fallbacks == bot.errors == 0


def test_the_middle_of_a_game_is_as_good_as_its_beginning(policy: Policy) -> None:
    lines = seen_lines(1)
    whole = make_bot(policy, None)
    result = [whole.react(line) for line in lines]
    cut = len(lines) // 2
    late = make_bot(policy, None)
    assert late.react("[" + ",".join(lines[: cut + 1]) + "]") == result[cut]
    assert [late.react(line) for line in lines[cut + 1 :]] == result[cut + 1 :]


@pytest.mark.parametrize("seat", [9, -1, 4, True])
def test_a_seat_outside_the_table_is_refused(seat: int) -> None:
    with pytest.raises(HaiyomiError, match=f"^seat {seat}: expected 0 to 3$"):
        Bot(seat=seat)


@pytest.mark.parametrize(
    "style", [3, [], np.zeros(3), np.full(STYLE, np.nan), np.zeros((2, STYLE))]
)
def test_a_style_that_is_no_vector_is_refused(style: Any) -> None:
    with pytest.raises(HaiyomiError, match=rf"^style .*: expected a name, or {STYLE} numbers$"):
        Bot(style=style)


def test_a_seat_that_is_no_integer_is_refused() -> None:
    with pytest.raises(HaiyomiError, match=r"^seat 2\.0: expected 0 to 3$"):
        Bot(2.0)  # type: ignore[arg-type]
    answer = Bot().react({"type": "start_game", "id": 0.0})
    assert answer == {
        "type": "error",
        "message": "start_game: id 0.0: expected a whole number 0 to 3",
    }


def test_an_invalid_message_is_named_by_its_number() -> None:
    bot = Bot()
    odd = {"type": "foo"}
    assert bot.react(odd)["message"] == "message 1: no message of type 'foo'"
    bot.react({"type": "start_game", "id": 0})
    assert bot.react([{"type": "none"}, odd])["message"] == "message 4: no message of type 'foo'"
    assert bot.react({"type": "tsumo"})["message"] == "message 5, tsumo, lacks 'actor'"
    # A named case: lines that are not JSON were not counted.
    for line in ("{", "x" * 200_000, "1" * 10_000):
        assert "error" in bot.react(line)
    assert bot.react(odd)["message"] == "message 9: no message of type 'foo'"


def test_a_byte_order_mark_costs_no_message() -> None:
    bot = Bot()
    assert bot.react('\ufeff{"type":"start_game","id":2}') == '{"type":"none"}'
    assert bot.seat == 2
    assert bot.errors == 0


def test_bad_messages_get_an_error_and_change_nothing(policy: Policy) -> None:
    lines = seen_lines(0)
    clean, troubled = make_bot(policy, None), make_bot(policy, None)
    bad = [
        "{", "null", "[]]", "7", '"tsumo"', '{"no":"type"}', '{"type":7}', '{"type":"fly"}',
        '{"type":"dahai","actor":9,"pai":"1m","tsumogiri":true}',
        '{"type":"tsumo","actor":0,"pai":"9z"}', '{"type":"dahai"}', '{"type":["tsumo"]}',
        '{"type":"chi","actor":1}',
        "[" * 5000, "x" * 200_000,
    ]  # fmt: skip
    for i, line in enumerate(lines[:120]):
        if i > 2:
            answer = json.loads(troubled.react(bad[i % len(bad)]))
            assert answer["type"] == "error"
            assert answer["message"]
        assert troubled.react(line) == clean.react(line)
    assert troubled.errors == 117
    assert troubled.fallbacks == 0


def test_a_bad_message_of_a_list_does_not_take_the_others_with_it(policy: Policy) -> None:
    """The seat still answers its own draw, as it does where each message has a line."""
    lines = [json.loads(line) for line in seen_lines(0)]
    own = next(i for i, x in enumerate(lines) if x["type"] == "tsumo" and x["actor"] == 0)
    chat = {"type": "chat", "text": "hello"}
    clean, troubled = make_bot(policy, None), make_bot(policy, None)
    answer = clean.react(lines[: own + 1])
    assert answer["type"] != "none"
    assert troubled.react([*lines[:own], chat, lines[own]]) == answer
    assert troubled.errors == 1
    # Where there is nothing to do, the error is the answer.
    assert troubled.react([chat, {"type": "none"}])["type"] == "error"


class Watching(Bot):
    """Keeps the decisions that it takes."""

    def sit_down(self, seat: Seat, rules: Ruleset) -> None:
        super().sit_down(seat, rules)
        self.taken: list[Decision] = []

    def choose(self, decision: Decision) -> Choice:
        self.taken.append(decision)
        return super().choose(decision)


def test_a_decision_has_the_hand_so_far_as_in_the_record(policy: Policy) -> None:
    """At the package's table, and by mjai messages."""
    bot = Watching(policy=policy)
    game = seating.simulate(seed=4, players=[bot, "balanced", "balanced", "balanced"])
    made = list(decisions(game, 0))
    taken = [d for d in bot.taken if len(d.choices) > 1]
    assert len(taken) == len(made) > 50
    assert [d.history for d in taken] == [d.history for d in made]
    told = Watching(policy=policy, seat=0)
    for message in messages(game):
        told.react(message)
    assert [d.history for d in told.taken] == [d.history for d in made]


def test_its_position_is_what_the_seat_sees_at_any_time(policy: Policy) -> None:
    game = simulate_rule_players(5, 0)
    fold = PositionFold(Seat(0), game.header.rules)
    bot = make_bot(policy, 0)
    assert bot.position is None
    told = iter(game.hands[0].events)
    for message in messages(game):
        bot.react(message)
        if message["type"] == "start_game":
            continue
        if message["type"] in ("hora", "ryukyoku"):
            break
        for _ in range(2 if message["type"] == "start_kyoku" else 1):
            fold.apply(visible_to(next(told), Seat(0)))
        assert bot.position == fold.position()
    assert fold.position().discards_made > 20


def test_each_game_begins_by_the_bot_s_own_rules(policy: Policy) -> None:
    """A named case: after an East-only game a game of unknown length was played as one."""
    start = json.loads(re.sub(r'(5[mps])r"', r'\1"', seen_lines(0)[1]))  # no red fives
    bot = make_bot(policy, 0)
    played: list[Ruleset] = []
    for stated in ({"kyoku_first": 4, "aka_flag": False}, {}, {"kuitan_flag": False}, {}):
        bot.react([{"type": "start_game", **stated}, start])
        assert bot.position is not None
        played.append(bot.position.rules)
    assert played == [
        TENHOU.but(rounds=1, red_fives=False), TENHOU, TENHOU.but(kuitan=False), TENHOU
    ]  # fmt: skip
    assert bot.rules == TENHOU


class Speaking:
    """A program at a table that is a bot of this process."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def ask(self, message: dict[str, Any]) -> Any:
        return json.loads(self.bot.react(json.dumps(message)))


@pytest.mark.parametrize(
    "rules", [TENHOU.but(rounds=1, red_fives=False), TENHOU.but(rounds=1, kuitan=False)]
)
def test_it_plays_at_haiyomi_s_own_tables_of_other_rules(policy: Policy, rules: Ruleset) -> None:
    """A named case: without red fives or open all simples it forfeited most games."""
    for number in range(3):
        players: list[Any] = [RulePlayer(Seat(s), generator(2, s), BALANCED) for s in range(4)]
        bot = make_bot(policy, None, 1.0, number)
        players[1] = ProgramPlayer(Speaking(bot), Seat(1), rules)  # type: ignore[arg-type]
        players[1].begin(["a", "b", "c", "d"])
        play_game(players, 7, number, rules=rules)
        assert bot.errors == bot.fallbacks == 0
        assert len(bot.seconds) > 20


IMPOSSIBLE = {
    # Seat 2 calls a tile that nobody has discarded; the seat and others discard out of turn.
    "pon": {"type": "pon", "actor": 2, "target": 1, "pai": "1m", "consumed": ["1m", "1m"]},
    "own": {"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": False},
    "other": {"type": "dahai", "actor": 3, "pai": "9p", "tsumogiri": False},
    "riichi": {"type": "reach_accepted", "actor": 1},
    "start": {"type": "start_kyoku"},
}


@pytest.mark.parametrize("odd", IMPOSSIBLE)
def test_a_message_that_cannot_follow_changes_nothing(policy: Policy, odd: str) -> None:
    """Sent at any moment where no other seat than its sender could notice."""
    clean, troubled = make_bot(policy, None), make_bot(policy, None)
    refused = 0
    for line in seen_lines(0)[:200]:
        answer = json.loads(troubled.react(line))
        assert answer == json.loads(clean.react(line))
        message = json.loads(line)
        if message["type"] in ("tsumo", "reach_accepted") and message["actor"] == 1:
            position = troubled.position
            assert json.loads(troubled.react(json.dumps(IMPOSSIBLE[odd])))["type"] == "error"
            assert troubled.position == position
            refused += 1
    assert troubled.errors == refused > 20
    assert troubled.fallbacks == 0


@pytest.mark.parametrize("late", ["after the next draw", "of a tile that was called"])
def test_a_late_call_gets_an_error_and_changes_nothing(policy: Policy, late: str) -> None:
    clean, troubled = make_bot(policy, None), make_bot(policy, None)
    found, discard = 0, None
    for line in seen_lines(0):
        assert troubled.react(line) == clean.react(line)
        message = json.loads(line)
        kind = message["type"]
        called = kind in ("chi", "pon", "daiminkan")
        if discard is not None and (called if late.startswith("of") else kind == "tsumo"):
            target, tile = discard["actor"], discard["pai"]
            caller = next(s for s in (1, 2, 3) if s not in (target, message["actor"]))
            pon = {"type": "pon", "actor": caller, "target": target, "pai": tile,
                   "consumed": [tile.removesuffix("r")] * 2}  # fmt: skip
            position = troubled.position
            answer = json.loads(troubled.react(json.dumps(pon)))
            assert answer["type"] == "error"
            assert (
                f"pon of {Tile.from_mjai(tile)}, which was not just discarded" in answer["message"]
            )
            assert troubled.position == position
            found += 1
        if kind != "reach_accepted":
            discard = message if kind == "dahai" else None
    assert troubled.errors == found > (10 if late.startswith("of") else 200)
    assert troubled.fallbacks == 0


@pytest.mark.parametrize("seat", range(4))
def test_what_is_sent_twice_counts_once(policy: Policy, seat: int) -> None:
    """Each line of a game twice, and each list of the lines since the last own draw."""
    lines = seen_lines(seat)
    clean, troubled, listed = (make_bot(policy, None) for _ in range(3))
    quiet = {"start_game", "start_kyoku", "hora", "ryukyoku", "end_kyoku", "end_game"}
    batch: list[str] = []
    for line in lines:
        answer = clean.react(line)
        assert troubled.react(line) == answer
        message = json.loads(line)
        if message["type"] not in quiet:
            assert json.loads(troubled.react(line))["type"] == "error"
        assert troubled.position == clean.position
        batch.append(line)
        if message["type"] == "tsumo" and message["actor"] == seat:
            text = "[" + ",".join(batch) + "]"
            assert listed.react(text) == answer
            if not quiet & {json.loads(each)["type"] for each in batch}:
                assert json.loads(listed.react(text))["type"] == "error"
            assert listed.position == clean.position
            batch = []
    assert troubled.fallbacks == listed.fallbacks == clean.fallbacks == 0


def test_two_indicators_of_one_kind_are_not_one_sent_twice(policy: Policy) -> None:
    """A named case: the second was refused, and the bot played with one dora too few."""
    hidden = ["?"] * 13
    hand = ["E", "E", "E", "9s", "9s", "9s", "1m", "2m", "3m", "4p", "5p", "7p", "8p"]
    told: list[dict[str, Any]] = [
        {"type": "start_game", "id": 1},
        {"type": "start_kyoku", "bakaze": "E", "dora_marker": "1s", "kyoku": 1, "honba": 0,
         "kyotaku": 0, "oya": 0, "scores": [25000] * 4, "tehais": [hidden, hand, hidden, hidden]},
        {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "dahai", "actor": 0, "pai": "E", "tsumogiri": True},
        {"type": "daiminkan", "actor": 1, "target": 0, "pai": "E", "consumed": ["E"] * 3},
        {"type": "tsumo", "actor": 1, "pai": "9s"},
        {"type": "ankan", "actor": 1, "consumed": ["9s"] * 4},
        {"type": "dora", "dora_marker": "3p"},
        {"type": "dora", "dora_marker": "3p"},
        {"type": "tsumo", "actor": 1, "pai": "6p"},
    ]  # fmt: skip
    bot = make_bot(policy, None)
    answers = [bot.react(message) for message in told]
    assert bot.errors == 0
    assert answers[-1]["type"] != "none"
    assert bot.position is not None
    assert [tile.mjai for tile in bot.position.indicators] == ["1s", "3p", "3p"]
    # A third is one too many after two kans, and a second after one.
    one_kan = [*told[:6], {"type": "dora", "dora_marker": "3p"}]
    for messages_before in (told[:9], one_kan):
        bot = make_bot(policy, None)
        for message in messages_before:
            assert bot.react(message)["type"] != "error"
        answer = bot.react({"type": "dora", "dora_marker": "3p"})
        assert answer == {"type": "error", "message": "dora was just sent"}


def test_an_own_riichi_accepted_again_later_is_skipped(policy: Policy) -> None:
    found = 0
    for seat in range(4):
        clean, troubled = make_bot(policy, None), make_bot(policy, None)
        accepted = None
        for line in seen_lines(seat, 1):
            assert troubled.react(line) == clean.react(line)
            message = json.loads(line)
            if message["type"] == "reach_accepted" and message["actor"] == seat:
                accepted = line
            elif message["type"] == "tsumo" and message["actor"] == seat and accepted is not None:
                assert json.loads(troubled.react(accepted))["type"] == "error"
                found += 1
            elif message["type"] == "start_kyoku":
                accepted = None
        assert troubled.fallbacks == 0
    assert found > 10


def test_a_message_that_cannot_follow_a_riichi_accepts_none(policy: Policy) -> None:
    """It took the deposit of a riichi, though the draw that it named could not follow."""
    found = 0
    for seat in range(4):
        bot = make_bot(policy, None)
        declared = None
        for line in seen_lines(seat, 1):
            bot.react(line)
            message = json.loads(line)
            if message["type"] == "dahai" and message["actor"] == declared:
                position = bot.position
                odd = {"type": "tsumo", "actor": (declared + 2) % 4, "pai": "?"}
                assert json.loads(bot.react(json.dumps(odd)))["type"] == "error"
                assert bot.position == position
                found += 1
            declared = message["actor"] if message["type"] == "reach" else None
        assert bot.fallbacks == 0
    assert found > 10


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("seat", range(4))
def test_riichi_are_paid_where_the_line_is_missing_or_late(
    policy: Policy, seat: int, late: bool
) -> None:
    """A bot whose own line was missing discarded other tiles than the drawn one."""
    clean, troubled = make_bot(policy, None), make_bot(policy, None)
    held, found = None, 0
    for line in seen_lines(seat, 1):
        answer = clean.react(line)
        if json.loads(line)["type"] == "reach_accepted":
            held = line
            continue
        assert troubled.react(line) == answer
        if held is not None and json.loads(line)["type"] not in ("dora", "ryukyoku"):
            assert troubled.position == clean.position
            assert not late or json.loads(troubled.react(held)) == {"type": "none"}
            assert troubled.position == clean.position
            held = None
            found += 1
    assert found > 5
    assert troubled.errors == troubled.fallbacks == 0


def test_a_position_that_the_bot_cannot_read_is_answered_plainly() -> None:
    """The tile of the highest code went, such as a red five."""

    class Blind(Bot):
        def choose(self, decision: Decision) -> Choice:
            raise PositionError("unknown")

    bot = Blind()
    drawn = None
    for line in seen_lines(0, 1):
        message, answer = json.loads(line), json.loads(bot.react(line))
        own = message["type"] == "tsumo" and message["actor"] == 0
        drawn = message["pai"] if own else drawn
        if answer["type"] == "dahai" and own:
            assert (answer["pai"], answer["tsumogiri"]) == (drawn, True)
        assert answer["type"] in ("none", "dahai", "error")
    assert bot.fallbacks > 10


def test_a_missing_message_leaves_legal_answers(policy: Policy) -> None:
    """One line of a game is left out: each own draw is answered, with what the rules allow."""
    kinds = {"tsumo", "dahai", "chi", "pon", "ankan", "kakan", "daiminkan", "reach", "dora",
             "reach_accepted"}  # fmt: skip
    fallbacks = moves = 0
    for seat in range(4):
        lines = seen_lines(seat)
        clean = make_bot(policy, None)
        legal = [(clean.react(line), clean.choices())[1] for line in lines]
        told = [json.loads(line) for line in lines]
        left_out = [i for i, message in enumerate(told) if message["type"] in kinds]
        for left in left_out[seat::29]:
            bot = make_bot(policy, None)
            start = max(i for i in range(left) if told[i]["type"] == "start_kyoku")
            bot.react(told[0])
            for i in range(start, len(lines)):
                if i == left:
                    continue
                if i > left and told[i]["type"] == "start_kyoku":
                    bot.react(lines[i])
                    assert bot.position is not None
                    break
                answer = json.loads(bot.react(lines[i]))
                if answer["type"] not in ("none", "error"):
                    assert answer in (legal[i] or []), (left, told[left], i)
                    moves += i > left
                elif told[i]["type"] == "tsumo" and told[i]["actor"] == seat:
                    raise AssertionError(f"no answer to an own draw, line {i}, without {left}")
            fallbacks += bot.fallbacks
    assert fallbacks > 100
    assert moves > fallbacks


def test_no_message_makes_it_crash(policy: Policy) -> None:
    """Lines left out, doubled, moved and bent: always an answer, never an exception."""
    rng = random.Random(4)
    kinds = ["tsumo", "dahai", "chi", "pon", "ankan", "kakan", "reach", "reach_accepted", "dora"]
    for number in range(6):
        bot = make_bot(policy, number % 4)
        lines = seen_lines(number % 4, number % 2)
        for i, line in enumerate(lines[:400]):
            if rng.random() < 0.05:
                line = lines[rng.randrange(len(lines))]
            if rng.random() < 0.05:
                message = json.loads(line)
                key = rng.choice(list(message))
                message[key] = rng.choice([0, 3, "5mr", "E", None, [], ["1m", "1m"], True, -1])
                line = json.dumps(message)
            if rng.random() < 0.03:
                line = json.dumps({"type": rng.choice(kinds), "actor": rng.randrange(4),
                                   "pai": "1m", "consumed": ["2m", "3m"], "target": i % 4,
                                   "tsumogiri": False, "dora_marker": "1m"})  # fmt: skip
            assert isinstance(json.loads(bot.react(line)), dict)
        assert bot.errors > 0
