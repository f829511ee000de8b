"""Another program's report beside the review, and the review as the JSON of that program."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from apps.in_process import haiyomi

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.apps.mortal_json import PARTS, mortal_json, option_values
from haiyomi.apps.mortal_report import laid_beside, read_report
from haiyomi.errors import FormatError, HaiyomiError, SizeError
from haiyomi.events import Game
from haiyomi.logs.load import parse
from haiyomi.review.columns import WIDTH, line_width, plain
from haiyomi.review.decisions import Review
from haiyomi.review.html.data import review_data
from haiyomi.review.json_out import review_json
from haiyomi.review.review_text import review_lines
from haiyomi.review.reviewer import review_game
from haiyomi.review.verdicts import verdicts
from haiyomi.review.words import words_of
from haiyomi.tiles import Seat, Tile

SAMPLE = Path(__file__).parents[1] / "samples" / "haiyomi-7-00001.mjlog"
SEAT = 1
"""A seat that calls and declares riichi."""


@lru_cache
def game() -> Game:
    return parse(SAMPLE.read_bytes(), SAMPLE.name)


@lru_cache
def analyzer() -> Analyzer:
    return Analyzer(Models("posterior"), PARTS, details=())


@lru_cache
def review() -> Review:
    return review_game(game(), Seat(SEAT), analyzer())


@lru_cache
def written() -> str:
    return json.dumps(mortal_json(game(), review()))


def report(**changes: object) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(written())
    return value | {"engine": "mortal"} | changes


def saved(folder: Path, value: object) -> Path:
    file = folder / "report.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


def merged(value: dict[str, Any]) -> int:
    """How killer_mortal_gui finds the event of each entry; the number of entries."""
    hands: list[list[dict[str, Any]]] = []
    for event in value["mjai_log"]:
        if event["type"] == "start_kyoku":
            hands.append([])
        elif event["type"] not in ("start_game", "end_game", "dora", "end_kyoku"):
            hands[-1].append(event)
    count = 0
    for events, kyoku in zip(hands, value["review"]["kyokus"], strict=True):
        entries, at, left = kyoku["entries"], 0, 70
        for event in events:
            left -= event["type"] == "tsumo"
            if at == len(entries):
                break
            mine = event.get("actor") == value["player_id"]
            if event["type"] == ("dahai" if mine else "tsumo"):
                continue
            entry = entries[at]
            if event.get("actor") == entry["last_actor"] and event.get("pai") == entry["tile"]:
                assert entry["tiles_left"] == left
                at += 1
        assert at == len(entries)
        count += at
    return count


def test_the_json_has_what_killer_mortal_gui_reads() -> None:
    value = json.loads(written())
    head = {"engine", "game_length", "loading_time", "review_time", "version", "player_id"}
    assert head | {"split_logs", "mjai_log", "lang", "show_rating"} <= set(value)
    known = value["review"]
    assert 0 <= known["rating"] <= 1
    assert known["total_reviewed"] == merged(value) > 50
    assert {"model_tag", "temperature", "total_matches"} <= set(known)
    assert len(value["split_logs"]) == len(known["kyokus"]) == len(game().hands)
    for log, hand in zip(value["split_logs"], game().hands, strict=True):
        (only,) = log["log"]
        assert only[0] == [hand.start.kyoku, hand.start.honba, hand.start.sticks]


def test_every_entry_ranks_its_options() -> None:
    reach = 0
    for kyoku in json.loads(written())["review"]["kyokus"]:
        assert kyoku["end_status"][0]["type"] in ("hora", "ryukyoku")
        for entry in kyoku["entries"]:
            values = [detail["q_value"] for detail in entry["details"]]
            assert values == sorted(values, reverse=True)
            assert sum(d["prob"] for d in entry["details"]) == pytest.approx(1, abs=1e-6)
            chosen = entry["details"][entry["actual_index"]]["action"]
            assert (chosen["type"], chosen.get("pai")) == (
                entry["actual"]["type"],
                entry["actual"].get("pai"),
            )
            assert entry["is_equal"] == (
                (entry["expected"]["type"], entry["expected"].get("pai"))
                == (chosen["type"], chosen.get("pai"))
            )
            reach += entry["actual"]["type"] == "reach"
    declared = sum(d.riichi for _, d in review().discards)
    assert reach == declared > 0


def test_its_agreement_is_that_of_the_review() -> None:
    """A named case: 57 of 131 matched here, where the review said 80%."""
    entries = [e for k in json.loads(written())["review"]["kyokus"] for e in k["entries"]]
    turns = [v for _, d, v in verdicts(review()) if d.done.act in ("discard", "riichi")]
    agreed = [v.agrees or {v.best.option.act, v.taken.option.act} == {"riichi"} for v in turns]
    assert len(entries) == len(turns)
    assert sum(entry["is_equal"] for entry in entries) == sum(agreed)


def test_values_are_those_of_the_one_function() -> None:
    (_, first), *_ = review().discards
    entry = json.loads(written())["review"]["kyokus"][0]["entries"][0]
    values = option_values(first.analysis)
    for detail in entry["details"]:
        if detail["action"]["type"] == "dahai":
            assert detail["q_value"] == values[Tile.from_mjai(detail["action"]["pai"])]


def test_a_report_stands_beside_every_own_turn(tmp_path: Path) -> None:
    """The game's own JSON read back: each decision has the options that were written for it."""
    found = laid_beside(review(), read_report(saved(tmp_path, report())))
    entries = [e for k in report()["review"]["kyokus"] for e in k["entries"]]
    beside = [d.beside for _, d in found.decisions if d.beside is not None]
    assert len(beside) == len(entries)
    for one, entry in zip(beside, entries, strict=True):
        assert one.name == "Mortal"
        assert [o.value for o in one.options] == [d["q_value"] for d in entry["details"]]
    for (_, before), (_, after) in zip(review().decisions, found.decisions, strict=True):
        assert before.analysis is after.analysis
    assert found.final is not None
    assert found.final == review().final


def test_text_json_and_page_show_it(tmp_path: Path) -> None:
    found = laid_beside(review(), read_report(saved(tmp_path, report())))
    lines = list(review_lines(found, words_of("en")))
    assert all(line_width(line) <= WIDTH for line in lines)
    text = "\n".join(map(plain, lines))
    assert "\nMortal Q " in text
    (_, first), *_ = found.decisions
    assert first.beside is not None
    best = first.beside.options[0]
    assert best.tile is not None
    assert f"Mortal: {words_of('en').tile(best.tile)} " in text
    decision = review_json(found, points=False)["hands"][0]["decisions"][0]  # type: ignore[index]
    assert decision["beside"]["options"][0] == {
        "action": "dahai", "tile": str(best.tile), "value": best.value, "share": best.share,
    }  # fmt: skip
    name, options = review_data(found)["hands"][0]["d"][0]["bs"]
    assert (name, options[0][1]) == ("Mortal", str(best.tile))


def test_another_seat_and_another_game_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HaiyomiError, match="is of seat 2, the review of 1"):
        laid_beside(review(), read_report(saved(tmp_path, report(player_id=2))))
    value = report()
    for kyoku in value["review"]["kyokus"]:
        kyoku["honba"] += 9
    with pytest.raises(HaiyomiError, match="is of another game"):
        laid_beside(review(), read_report(saved(tmp_path, value)))


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ([], FormatError, "report .* is not an object"),
        ({"review": {"kyoku_reviews": []}}, FormatError, "only reports by Mortal"),
        ({"review": {"kyokus": []}, "player_id": 7}, FormatError, "player_id 7"),
        ({"review": {"kyokus": [{}] * 1001}, "player_id": 0}, SizeError, "more than 1000 hands"),
        ({"review": {"kyokus": [{"kyoku": 99}]}, "player_id": 0}, FormatError, "hand 0: .*99"),
    ],
)
def test_what_is_no_report_is_one_sentence(
    tmp_path: Path, value: object, kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind, match=text) as found:
        read_report(saved(tmp_path, value))
    assert "report.json" in str(found.value)


def test_a_report_that_is_no_json_has_its_column_named(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text('{"review" 1}')
    with pytest.raises(FormatError, match=r"is no report of mjai-reviewer: .* at column 11$"):
        read_report(file)


def test_a_missing_report_is_named_not_the_record() -> None:
    done = haiyomi("review", str(SAMPLE), "--seat", str(SEAT), "--beside", "no-report.json")
    assert done.returncode == 2
    assert done.stderr.startswith("haiyomi: no-report.json: no such file or folder")


def test_the_command_writes_the_json_and_lays_a_report_beside(tmp_path: Path) -> None:
    out = tmp_path / "gui.json"
    done = haiyomi("review", str(SAMPLE), "--seat", str(SEAT), "--killer-mortal-gui", str(out))
    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text(encoding="utf-8")) == json.loads(written())
    shown = haiyomi(
        "review", str(SAMPLE), "--seat", str(SEAT), "--hand", "E2", "--beside", str(out)
    )
    assert shown.returncode == 0, shown.stderr
    assert "haiyomi Q" in shown.stdout
    for other in (["--json"], ["--truth"], ["--hands-at", "3"], ["--confirm"], ["--worst", "1"]):
        gui = ("--killer-mortal-gui", str(tmp_path / "other.json"))
        both = haiyomi("review", str(SAMPLE), "--seat", "0", *other, *gui)
        assert both.returncode == 2
        assert both.stderr.startswith(f"haiyomi: {other[0]} is not for --killer-mortal-gui, which ")
        assert list(tmp_path.iterdir()) == [out]
