"""A quantity has one value under one name: in text, JSON and on the page, by three games.

The JSON holds the floats of the Analysis; text and page show the same, rounded once.
"""

from __future__ import annotations

import pathlib
from functools import lru_cache
from typing import Any

import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.logs.load import parse
from haiyomi.review.columns import chance, percent, plain
from haiyomi.review.decisions import Review, ReviewedDecision
from haiyomi.review.html.data import review_data
from haiyomi.review.json_out import review_json
from haiyomi.review.reviewer import review_game
from haiyomi.review.text import CELL, LABEL, TextReport
from haiyomi.review.words import words_of
from haiyomi.tiles import Seat

SAMPLES = pathlib.Path(__file__).parents[1] / "samples"
GAMES = ("haiyomi-7-00000.mjlog", "haiyomi-7-00001.mjlog", "haiyomi-7-00002.json")


@lru_cache(maxsize=3)
def reviewed(name: str) -> tuple[Review, Any, Any]:
    """The review of one seat, its JSON and its page's data."""
    game = parse((SAMPLES / name).read_bytes(), name)
    review = review_game(game, Seat(GAMES.index(name)), Analyzer())
    return review, review_json(review, points=False), review_data(review)


def rows_of(decision: ReviewedDecision) -> dict[str, list[str]]:
    """The rows of a decision's table by their label, a text for each tile of the hand."""
    lines = [plain(line) for line in TextReport(words_of("en")).table(decision.analysis, decision)]
    out = {}
    for line in lines:
        label, cells = line[:LABEL].strip(), line[LABEL:].split()
        out[label] = cells
    return out


def held(decision: ReviewedDecision) -> list[str]:
    """The tiles of the table's columns."""
    tiles = list(decision.position.hand)
    if decision.position.drawn is not None:
        tiles.remove(decision.position.drawn)
        tiles.append(decision.position.drawn)
    return [str(tile) for tile in tiles]


@pytest.mark.parametrize("name", GAMES)
def test_a_value_is_the_same_in_text_json_and_page(name: str) -> None:
    review, value, page = reviewed(name)
    seen = 0
    for hand, json_hand, page_hand in zip(review.hands, value["hands"], page["hands"], strict=True):
        given = [d for d in page_hand["d"] if "t" in d]
        gave = [d for d in json_hand["decisions"] if "tile" in d]
        for decision, one, shown in zip(hand.discards, gave, given, strict=True):
            tiles = {t["tile"]: t for t in one["tiles"]}
            for kan in one.get("kans", ()) if decision.action == "kakan" else ():
                tiles[kan["tile"]] |= kan
            _page_agrees(shown, tiles)
            if not decision.forced:
                seen += _text_agrees(decision, tiles, one["outcomes"])
    assert seen > 200
    assert CELL > 0


def _text_agrees(
    decision: ReviewedDecision, tiles: dict[str, Any], outcomes: list[dict[str, Any]]
) -> int:
    rows, columns = rows_of(decision), held(decision)
    message = {
        words_of("en").total: [percent(tiles[t]["risk"]) for t in columns],
        words_of("en").loss: [
            f"{tiles[t]['expected_loss']:.0f}" if tiles[t]["allowed"] else words_of("en").swap
            for t in columns
        ],
    }
    if any(tiles[t].get("own_win") for t in columns):
        own = [tiles[t]["own_win"] for t in columns]
        message[words_of("en").own_win] = ["-" if o is None else chance(o["win"]) for o in own]
    if outcomes:
        words = words_of("en")
        named = {o["option"]: o for o in outcomes}
        silent = [named.get(f"discard {t}") or named.get(f"riichi {t}") for t in columns]
        declared = [named.get(f"riichi {t}") for t in columns]
        parts = [(words.win, words.ev, silent)]
        if any(f"discard {t}" in named and f"riichi {t}" in named for t in columns):
            parts.append((words.win_riichi, words.ev_riichi, declared))
        for win, ev, options in parts:
            message[win] = ["-" if o is None else chance(o["win"]) for o in options]
            message[ev] = ["-" if o is None else f"{o['points']:z.0f}" for o in options]
    for label, cells in message.items():
        assert rows[label] == cells, label
    return len(columns)


def _page_agrees(shown: dict[str, Any], tiles: dict[str, Any]) -> None:
    for choice in shown["c"]:
        tile = tiles[choice["t"]]
        assert percent(choice["p"]) == percent(tile["risk"])
        assert choice["l"] == round(tile["expected_loss"])
        for risk, opponent in zip(choice["r"], tile["opponents"], strict=True):
            assert percent(risk[0]) == percent(opponent["probability"])


@pytest.mark.parametrize("name", GAMES)
def test_totals_and_mistakes_are_the_same(name: str) -> None:
    review, value, page = reviewed(name)
    totals = value["totals"]
    assert page["sum"] == {
        "n": totals["decisions"],
        "exp": round(totals["expected_loss"]),
        "least": round(totals["least_loss"]),
        "times": totals["dealt_in"],
        "lost": totals["points_lost"],
    }
    listed = [(m["hand"], m["event"]) for m in value["mistakes"]]
    assert len(listed) == totals["mistakes"]
    verdicts = {
        (h["hand"], d["event"]): d["verdict"] for h in value["hands"] for d in h["decisions"]
    }
    flagged = {place: v for place, v in verdicts.items() if v is not None and v["severity"]}
    assert sorted(p for p, v in flagged.items() if v["plan"] is None) == sorted(listed)
    assert len(page["mistakes"]) == len(listed)
    for mistake in value["mistakes"]:
        verdict = flagged[mistake["hand"], mistake["event"]]
        assert (mistake["better"], mistake["cost"]) == (verdict["better"], verdict["cost"])
    assert review.seat == value["seat"]
