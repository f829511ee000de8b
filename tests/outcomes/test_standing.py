"""The value of a game between two hands."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from haiyomi.errors import HaiyomiError
from haiyomi.events import FourScores
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import shipped
from haiyomi.outcomes.standing import Ended, Standing, parse_scores
from haiyomi.rules import TENHOU, TENHOU_EAST

DAN = Payoff.parse("90/45/0/-135", TENHOU)
LED = (31000, 25000, 24000, 20000)


def test_the_leading_dealer_who_stays_has_won() -> None:
    standing = Standing(TENHOU, 7, 0, 0, LED, "stays")
    assert standing.over
    found = standing.placements(shipped(), DAN)
    assert [placement.value for placement in found] == [90, 45, 0, -135]
    assert [placement.final for placement in found] == list(LED)
    assert found[0].places == (1, 0, 0, 0)


def test_nothing_is_certain_before_the_last_hand() -> None:
    for ended in (None, "aborted"):
        standing = Standing(TENHOU, 7, 0, 0, LED, ended)  # type: ignore[arg-type]
        assert not standing.over
        found = standing.placements(shipped(), DAN)
        assert all(0 < p < 1 for placement in found for p in placement.places)
        assert found[0].value > found[1].value > found[3].value


@pytest.mark.parametrize(
    ("ended", "kyoku", "honba", "sticks", "scores", "next_honba"),
    [
        # West 1 began because South 4 ended with nobody at 30,000.
        ("passes", 7, 0, 0, (29000, 26000, 24000, 21000), 0),
        # A draw that passes the deal leaves a honba more, and the deposits.
        ("drawn", 5, 1, 1, (28000, 26000, 24000, 21000), 2),
    ],
)
def test_a_start_is_the_end_of_the_hand_before(
    ended: Ended, kyoku: int, honba: int, sticks: int, scores: FourScores, next_honba: int
) -> None:
    after = Standing(TENHOU, kyoku, honba, sticks, scores, ended)
    a, b, c, d = scores
    begins = Standing(TENHOU, kyoku + 1, next_honba, sticks, (b, c, d, a))
    found, due = (each.placements(shipped(), DAN) for each in (after, begins))
    assert [p.places for p in (*found[1:], found[0])] == [p.places for p in due]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Standing(TENHOU, 5, 0, 1, (28000, 26000, 24000, 21000), "passes"), "as drawn"),
        (lambda: Standing(TENHOU, 7, 0, 0, (31000, 25000, 24000, 21000)), "add up to 101000"),
        (lambda: Standing(TENHOU, 8, 0, 0, LED), "W1 is not played"),
        (lambda: Standing(TENHOU_EAST, 8, 0, 0, LED, "passes"), "has no W1"),
        (lambda: Standing(TENHOU, 2, 0, 0, (-100, 50100, 25000, 25000)), "E3 is not played"),
        (lambda: Standing(TENHOU.but(tobi=False), 2, 0, 0, LED), "tobi True"),
        (lambda: parse_scores("1,2,3"), "four whole numbers"),
        (lambda: parse_scores("25000,25000,25000,2500O"), "four whole numbers"),
        (lambda: parse_scores("25000,25000,25001,24999"), "multiples of 100"),
    ],
)
def test_what_cannot_occur_is_refused(make: object, message: str) -> None:
    with pytest.raises(HaiyomiError, match=message):
        make()  # type: ignore[operator]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "haiyomi", "value", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_command_prints_a_line_a_seat_and_json() -> None:
    words = ("--round", "S4.1", "--scores", "31000,25000,24000,19000", "--sticks", "1")
    shown = run(*words)
    assert shown.returncode == 0, shown.stderr
    assert len(shown.stdout.splitlines()) == 5
    stated = json.loads(run(*words, "--json", "--payoff", "m-league").stdout)
    assert (stated["schema"], stated["version"]) == ("haiyomi-value", 1)
    assert (stated["round"], stated["honba"], stated["sticks"]) == ("S4", 1, 1)
    assert [seat["wind"] for seat in stated["seats"]] == list("ESWN")
    assert sum(seat["value"] for seat in stated["seats"]) == pytest.approx(0, abs=1e-6)
    bad = run("--round", "S4", "--payoff", "90/45/0")
    assert bad.returncode == 2
    assert "expected four numbers" in bad.stderr
