"""Drills: the costliest decisions of a player as questions, on a page and for Anki."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from apps.in_process import haiyomi, page_data

from haiyomi.apps.anki import HEADERS, anki_text
from haiyomi.apps.drills import Card, drill_cards
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError
from haiyomi.play.demo import demo_bytes


def _quiet(_done: int, _all: int) -> None:
    pass


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("drill") / "game.mjlog"
    path.write_bytes(demo_bytes())
    return path


@pytest.fixture(scope="module")
def cards(record: Path) -> list[Card]:
    found, skipped = drill_cards([str(record)], "pooled", 30, Engine.parse("processes", 1), _quiet)
    assert skipped == []
    return found


def test_the_questions_are_the_costliest_mistakes(cards: list[Card]) -> None:
    costs = [card.cost for card in cards]
    assert costs == sorted(costs, reverse=True)
    assert len({card.id for card in cards}) == len(cards) > 2
    for card in cards:
        assert card.data["d"]["x"] == 1
        assert card.data["d"]["v"][2] == card.cost > 0


def test_the_ids_are_the_same_in_every_run_and_the_most_are_kept(
    record: Path, cards: list[Card]
) -> None:
    two, _ = drill_cards([str(record)], "pooled", 2, Engine.parse("processes", 1), _quiet)
    assert [card.id for card in two] == [card.id for card in cards[:2]]


def test_records_that_cannot_be_read_are_named_where_no_player_is_found(
    record: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("no record")
    engine = Engine.parse("processes", 1)
    with pytest.raises(HaiyomiError, match=r"no game could be read: .*notes\.txt: is not an mjlog"):
        drill_cards([str(notes)], "pooled", 30, engine, _quiet)
    with pytest.raises(HaiyomiError, match=r"'nobody' in these records \(not read: 1, the first "):
        drill_cards([str(record), str(notes)], "nobody", 30, engine, _quiet)


def test_a_player_who_is_not_there_is_an_error(record: Path) -> None:
    with pytest.raises(HaiyomiError, match="no player is named 'nobody'"):
        drill_cards([str(record)], "nobody", 2, Engine.parse("processes", 1), _quiet)


def test_a_part_of_two_names_is_an_error(record: Path) -> None:
    with pytest.raises(HaiyomiError, match="more than one player is named 'e'"):
        drill_cards([str(record)], "e", 2, Engine.parse("processes", 1), _quiet)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_file_for_anki_has_its_headers_and_three_fields_a_card(
    cards: list[Card], lang: str
) -> None:
    lines = anki_text(cards, lang).rstrip("\n").split("\n")
    assert lines[:5] == list(HEADERS)
    assert len(lines) == 5 + len(cards)
    for line, card in zip(lines[5:], cards, strict=True):
        guid, front, back = line.split("\t")
        assert guid == f"haiyomi-{card.id}"
        held = [*card.data["d"]["b"]["hand"]]
        assert all(f'aria-label="{tile}"' in front for tile in held)
        assert "<img" not in line  # of which Anki reports the address as a missing file
        for side in (front, back):
            used = re.findall(r'<use href="#(haiyomi-..)"/>', side)
            assert sorted(set(used)) == re.findall(r'<g id="(haiyomi-..)">', side)
        assert back.count("<tr>") == 1 + len(card.data["d"]["op"])


def test_a_name_adds_no_card_to_the_file_for_anki(cards: list[Card]) -> None:
    names = ["a\nhaiyomi-0\tb\tc\r\x1b[31m"] * 4
    renamed = [replace(card, data={**card.data, "names": names}) for card in cards]
    text = anki_text(renamed, "en")
    assert text.count("\n") == 5 + len(cards)
    assert text.count("\t") == 2 * len(cards)
    assert "a?haiyomi-0?b?c??[31m" in text


def test_the_command_writes_both(record: Path, tmp_path: Path) -> None:
    page, deck = tmp_path / "drills.html", tmp_path / "deck.txt"
    call = [sys.executable, "-m", "haiyomi", "drill", str(record), "--player", "pooled"]
    done = subprocess.run(
        [*call, "-o", str(page), "--anki", str(deck), "--jobs", "1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data = page_data(page)
    assert data["kind"] == "drill"
    assert len(data["cards"]) == len(deck.read_text(encoding="utf-8").splitlines()) - 5
    refused = subprocess.run(call, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "--out or --anki" in refused.stderr


def test_the_page_and_the_file_for_anki_are_two_files(record: Path, tmp_path: Path) -> None:
    """The second was written over the first."""
    out = str(tmp_path / "y")
    refused = haiyomi("drill", str(record), "--player", "pooled", "-o", out, "--anki", out)
    assert refused.returncode == 2
    assert "is named twice: name two files" in refused.stderr


@pytest.mark.parametrize(("option", "name"), [("-o", "x.csv"), ("--anki", "x.html")])
def test_a_file_that_is_named_as_the_other_form_is_refused(
    record: Path, option: str, name: str
) -> None:
    call = [sys.executable, "-m", "haiyomi", "drill", str(record), "--player", "pooled"]
    wrong = [option, str(record.with_name(name))]
    refused = subprocess.run([*call, *wrong], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "name another, or give it to" in refused.stderr
