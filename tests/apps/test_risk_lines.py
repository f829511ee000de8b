"""``haiyomi risk`` reads mjai lines as ``haiyomi value`` does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apps.in_process import haiyomi

from haiyomi.apps.commands.risk import read_text
from haiyomi.apps.options import rules_of_lines
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.rules import MAHJONG_SOUL, MAHJONG_SOUL_EAST, TENHOU_EAST

RECORD = Path(__file__).parents[1] / "samples" / "haiyomi-7-00003.mjson"


def lines_until(kind: str) -> str:
    """The lines of the record up to the first event of a kind."""
    lines = RECORD.read_text("utf-8").splitlines()
    end = next(n for n, line in enumerate(lines) if json.loads(line)["type"] == kind)
    return "\n".join(lines[: end + 1])


def test_the_position_is_the_one_after_the_last_line() -> None:
    text = lines_until("tsumo")
    drawn = json.loads(text.splitlines()[-1])
    position, names = read_text(text, drawn["actor"])
    assert position.seat == drawn["actor"]
    assert position.drawn is not None
    assert position.drawn.mjai == drawn["pai"]
    assert list(names) == json.loads(text.splitlines()[0])["names"]


def test_rules_are_those_of_the_options_unless_start_game_states_them() -> None:
    """A named case: mjai lines were taken for Tenhou's hanchan, whatever they stated."""
    text = lines_until("tsumo")
    seat = json.loads(text.splitlines()[-1])["actor"]
    silent = "\n".join(text.splitlines()[1:])
    rules = rules_of_lines("mahjong-soul", east=False)
    assert read_text(silent, seat, rules)[0].rules == MAHJONG_SOUL
    assert read_text(text, seat, rules)[0].rules == MAHJONG_SOUL_EAST  # it states the length
    assert read_text(text, seat)[0].rules == TENHOU_EAST
    assert read_text(silent, seat, rules_of_lines(None, east=True))[0].rules == TENHOU_EAST
    with pytest.raises(HaiyomiError, match="--rules and --east are for mjai lines"):
        read_text(json.dumps(read_text(text, seat)[0].to_json()), rules=rules)


def test_only_the_rows_that_are_shown_are_explained() -> None:
    """A named case: the whole legend of a review stood above one position."""
    text = lines_until("tsumo")
    done = haiyomi("risk", "--seat", str(json.loads(text.splitlines()[-1])["actor"]), stdin=text)
    legend, _, table = done.stdout.partition("\n\n")
    assert "win (own draws)" in legend
    assert "win (own draws)" in table
    for word in ("P(win)", "EV", "strong players", "mistake"):
        assert word not in done.stdout


def test_another_seats_turn_is_refused() -> None:
    text = lines_until("tsumo")
    other = (json.loads(text.splitlines()[-1])["actor"] + 1) % 4
    with pytest.raises(PositionError, match="this seat has nothing to choose"):
        read_text(text, other)


def test_an_offered_call_is_no_discard() -> None:
    called = lines_until("pon").splitlines()
    text, caller = "\n".join(called[:-1]), json.loads(called[-1])["actor"]
    with pytest.raises(PositionError, match="not this seat's turn to discard"):
        read_text(text, caller)


def test_the_viewer_of_four_open_hands_must_be_given() -> None:
    with pytest.raises(HaiyomiError, match="choose the viewer with --seat 0 to 3"):
        read_text(lines_until("tsumo"))
