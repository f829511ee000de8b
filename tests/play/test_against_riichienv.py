"""riichienv plays by the same rules, but for tenpai on a fifth tile."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("riichienv")

from play import against_riichienv
from play.against_riichienv import Seats

from haiyomi.tiles import parse_tiles


def seats(hand: str, melds: str = "") -> Seats:
    found = Seats()
    for tile in parse_tiles(hand):
        found.held[2][tile.kind] += 1
    for tile in parse_tiles(melds):
        found.melded[2][tile.kind] += 1
    return found


@pytest.mark.parametrize(
    ("hand", "melds", "fifth"),
    [
        ("1m", "111m 222p 333s 444z", True),
        ("1m", "222m 222p 333s 444z", False),
        ("1111m 222p 333s 444z", "", True),
        ("1111m 2m 55p 444z", "789s", False),
        ("5m", "", False),
    ],
)
def test_a_wait_on_a_fifth_tile_is_told_from_others(hand: str, melds: str, fifth: bool) -> None:
    assert seats(hand, melds).waits_on_a_fifth_tile(2) is fifth


def test_every_option_and_payment_of_a_game_is_the_same_there() -> None:
    counts, differences = against_riichienv.compare(1, 2)
    assert differences == []
    assert counts["hands"] > 4
    assert counts["decisions"] > 300
    assert set(counts) <= {"games", "hands", "decisions", "options", "fifth_tile"}


def test_another_option_is_counted_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = against_riichienv.our_keys
    monkeypatch.setattr(against_riichienv, "our_keys", lambda a: ours(a) - {"riichi"})
    counts, differences = against_riichienv.compare(1, 2)
    assert counts["differing"] == len(differences) > 0
    assert "only theirs ['riichi']" in differences[0]


def test_a_run_goes_on_from_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.jsonl"
    played: list[int] = []

    def counted(seed: int, number: int) -> tuple[Counter[str], list[str]]:
        played.append(number)
        return Counter(games=1), []

    monkeypatch.setattr(against_riichienv, "compare", counted)
    for games in (10, 30):
        line = ["", "--games", str(games), "--log", str(log)]
        monkeypatch.setattr(sys, "argv", line)
        against_riichienv.main()
    assert played == list(range(30))
    assert [json.loads(line)["first"] for line in log.read_text().splitlines()] == [0, 10, 20]
