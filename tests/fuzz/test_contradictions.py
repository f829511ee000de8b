"""A record that says one thing here and another there is refused, whatever field it is in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fuzz.contradictions import ALLOWED, FORMATS, Counts, full, run, sound_texts, verified

from haiyomi.errors import HaiyomiError, MismatchError
from haiyomi.events import Win
from haiyomi.logs.load import parse

TOLD_TWICE = {
    "mjlog": (
        "AGARI.ba AGARI.hai AGARI.m AGARI.machi AGARI.ten AGARI.yaku AGARI.doraHai AGARI.sc "
        "AGARI.owari REACH.ten RYUUKYOKU.ba RYUUKYOKU.sc RYUUKYOKU.hai0 RYUUKYOKU.hai1 INIT.oya "
        "INIT.ten TAIKYOKU.oya N.m"
    ),
    "tenhou6": "log.result log.scores log.round log.ura.again rule.aka51 rule.aka52 sc",
    "mjai": (
        "hora.deltas hora.scores hora.fan hora.fu hora.hora_points hora.yakus hora.hora_tehais "
        "hora.uradora_markers hora.ura_markers.again ryukyoku.deltas ryukyoku.scores "
        "ryukyoku.tehais ryukyoku.tenpais reach_accepted.deltas reach_accepted.scores "
        "start_kyoku.oya end_game.scores"
    ),
}
"""Fields of which every change contradicts the rest of the record."""


@pytest.fixture(scope="module", params=FORMATS)
def counts(request: pytest.FixtureRequest) -> tuple[str, Counts]:
    return request.param, run(request.param, 500, 7)


def test_what_passes_is_sound(counts: tuple[str, Counts]) -> None:
    _, found = counts
    missed = {name: text for name, text in found.examples.items() if name not in ALLOWED}
    assert not missed
    assert found.refused.total() > 300


def test_fields_that_are_reported_twice_refuse_every_change(counts: tuple[str, Counts]) -> None:
    format, found = counts
    for name in TOLD_TWICE[format].split():
        assert found.refused[name] > 0, name
        assert found.sound[name] + found.missed[name] == 0, name


@pytest.mark.parametrize("format", FORMATS)
def test_sound_records_pass_and_come_back(format: str) -> None:
    for text in sound_texts(format):
        (game,) = verified(text.encode())
        assert full(game, format) == text


# -- named cases: each of these was called in order -------------------------------------------


def messages(*kinds: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All messages of a sample in mjai, and those of some types."""
    lines = [json.loads(line) for line in sound_texts("mjai")[0].splitlines()]
    return lines, [m for m in lines if m["type"] in kinds]


def refused(lines: list[dict[str, Any]]) -> str:
    with pytest.raises(HaiyomiError) as caught:
        verified("\n".join(map(json.dumps, lines)).encode())
    return str(caught.value)


def test_an_unknown_yaku_does_not_switch_the_check_off() -> None:
    lines, wins = messages("hora")
    wins[0]["yakus"][0][0] = "fishy"
    assert "no yaku of the name 'fishy'" in refused(lines)


def test_a_yaku_listed_twice_counts_twice() -> None:
    lines, wins = messages("hora")
    wins[0]["yakus"].append(wins[0]["yakus"][0])
    assert "should count" in refused(lines)


def test_ura_indicators_without_riichi_are_refused() -> None:
    lines, wins = messages("hora")
    win = next(m for m in wins if not m["ura_markers"])
    win["ura_markers"] = win["uradora_markers"] = ["1m"]
    assert "without riichi" in refused(lines)


def test_the_pon_that_an_added_kan_names_is_compared() -> None:
    for text in sound_texts("mjai"):
        lines = [json.loads(line) for line in text.splitlines()]
        for kan in (m for m in lines if m["type"] == "kakan"):
            kan["consumed"][0] = "9m" if kan["consumed"][0] != "9m" else "1m"
            assert "another pon" in refused(lines)


def test_payments_at_an_abortive_draw_are_refused() -> None:
    for text in sound_texts("mjai"):
        lines = [json.loads(line) for line in text.splitlines()]
        for draw in (m for m in lines if m["type"] == "ryukyoku" and "tenpais" not in m):
            draw["deltas"] = [1000, -1000, 0, 0]
            assert "change by" in refused(lines)


def test_a_key_twice_in_an_object_is_refused() -> None:
    text = sound_texts("mjai")[0].replace('"deltas":[', '"deltas":[0,0,0,0],"deltas":[', 1)
    with pytest.raises(HaiyomiError, match="key twice"):
        verified(text.encode())
    assert parse(text.encode())  # reading alone stays lenient


def test_points_of_a_fragment_that_do_not_add_up_are_refused() -> None:
    lines, _ = messages()
    start = next(i for i, m in enumerate(lines) if m["type"] == "start_kyoku")
    end = next(i for i, m in enumerate(lines) if m["type"] == "end_kyoku")
    hand = lines[start : end + 1]
    verified("\n".join(map(json.dumps, hand)).encode())
    for m in hand:
        if "scores" in m:
            m["scores"] = [m["scores"][0] + 100, *m["scores"][1:]]
    assert "all points together are 100000" in refused(hand)


@pytest.mark.parametrize("digits", ["٢٥٠", "2_50", " 250", "+250"])
def test_scores_are_in_plain_digits(digits: str) -> None:
    text = sound_texts("mjlog")[0].replace('ten="250,', f'ten="{digits},', 1)
    with pytest.raises(HaiyomiError, match="no whole number"):
        verified(text.encode())


def test_dragons_without_their_colour_are_checked() -> None:
    """The original name of a triplet of dragons tells no colour: the hand does."""
    for text in sound_texts("mjai"):
        lines = [json.loads(line) for line in text.splitlines()]
        named = [
            pair
            for m in lines
            for pair in m.get("yakus", ())
            if pair[0] in ("haku", "hatsu", "chun")
        ]
        if not named:
            continue
        for pair in named:
            pair[0] = "sangenpai"
        (game,) = verified("\n".join(map(json.dumps, lines)).encode())
        assert game == parse(text.encode())
        wins = [e for hand in game for e in hand.events if isinstance(e, Win)]
        assert all(win.yaku is not None for win in wins)
        named[0][1] = 2
        assert "should count 1 han" in refused(lines)
        return
    raise AssertionError("no sample has a triplet of dragons")


def test_tile_ids_that_lie_elsewhere_are_refused() -> None:
    text = sound_texts("mjlog")[0]
    at = text.index("<D") + 2
    end = text.index("/", at)
    with pytest.raises(MismatchError, match="does not hold"):
        verified(f"{text[:at]}{int(text[at:end]) ^ 1}{text[end:]}".encode())
