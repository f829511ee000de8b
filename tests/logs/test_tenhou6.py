"""Tenhou's JSON: the search for the order of play, results in words, fragments."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from logs.made_games import made_game

from haiyomi.errors import (
    FormatError,
    IllegalError,
    RecordError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import Discard, Draw, ExhaustiveDraw, Pon, Riichi, RiichiAccepted, Start, Win
from haiyomi.logs.load import parse, parse_all, write
from haiyomi.logs.tenhou6_result import _worth, read_win, write_result
from haiyomi.tiles import Seat, Tile

A = [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24]
B = [11, 11, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24]
C = [31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 41, 43, 44]
D = [31, 32, 33, 34, 35, 36, 37, 38, 39, 45, 45, 46, 47]


def fragment(rows: list[list[Any]], result: list[Any], **more: Any) -> bytes:
    hand: list[Any] = [[0, 0, 0], [25000] * 4, [42], []]
    for deal, (takes, gives) in zip((A, B, C, D), rows, strict=True):
        hand += [deal, takes, gives]
    return json.dumps({"log": [[*hand, result]], **more}).encode()


def test_a_pon_that_fits_two_discards() -> None:
    """East discards 1m twice. South draws before it calls, so the second one was called."""
    rows = [[[11, 42], [11, 11]], [[25, "p111111"], [60, 13]], [[26], [60]], [[27], [60]]]
    game = parse(fragment(rows, ["流局", [0, 0, 0, 0]]), "x")
    seats = [(type(e), e.seat) for e in game.hands[0].events[2:-1]]
    assert seats == [
        (Draw, 0), (Discard, 0), (Draw, 1), (Discard, 1), (Draw, 2), (Discard, 2),
        (Draw, 3), (Discard, 3), (Draw, 0), (Discard, 0), (Pon, 1), (Discard, 1),
    ]  # fmt: skip


def test_a_pon_tried_too_early_is_taken_back() -> None:
    """West may call the first or the second 1m; only the second leaves South's draw a turn."""
    west = [11, 11, 33, 34, 35, 36, 37, 38, 39, 41, 41, 43, 44]
    hand: list[Any] = [[0, 0, 0], [25000] * 4, [42], []]
    east = [11, 14, 14, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24]
    hand += [east, [11, 42], [11, 11], [*A[1:], 25], [45], [45]]
    hand += [west, [46, "11p1111"], [46, 33], D, [47, 28], [47, 60], ["流局", [0, 0, 0, 0]]]
    events = parse(json.dumps({"log": [hand]}).encode(), "x").hands[0].events
    pon = next(i for i, e in enumerate(events) if isinstance(e, Pon))
    before = events[pon - 1]
    assert isinstance(before, Discard)
    assert before.tsumogiri is False
    assert sum(isinstance(e, Discard) and e.seat == 0 for e in events[:pon]) == 2


@pytest.mark.parametrize(
    ("rows", "result", "message"),
    [
        ([[[41], [42]], [[], []], [[], []], [[], []]], ["流局", [0] * 4], "no order of play"),
        ([[[41], [60]], [[], []], [[], []], [[5], []]], ["流局", [0] * 4], "no tile 5"),
        ([[[41], [60]], [[25], []], [[], []], [[], []]], ["和了", [0] * 4, [2, 2]], "no order"),
        ([[[41], ["x"]], [[], []], [[], []], [[], []]], ["流局", [0] * 4], "'x'"),
        ([[[41], [60]], [["p41"], []], [[], []], [[], []]], ["流局", [0] * 4], "'p41'"),
        ([[[41], [60]], [[], []], [[], []], [[], []]], ["流局!"], "no result"),
        ([[[41], [60]], [[], []], [[], []], [[], []]], ["和了"], "too short"),
        ([[[41] * 99, [60]], [[], []], [[], []], [[], []]], ["流局"], "99 draws"),
    ],
)
def test_bad_rows(rows: list[list[Any]], result: list[Any], message: str) -> None:
    with pytest.raises((FormatError, IllegalError)) as caught:
        parse(fragment(rows, result), "bad.json")
    assert message in str(caught.value)
    assert str(caught.value).startswith("bad.json, hand 0")


def test_a_search_without_end_is_cut_short() -> None:
    """Rows made to be ambiguous everywhere and to fail at the end."""
    rows = [[[11] * 30, [60] * 30], *([[["p111111"] * 30, [13] * 30]] * 3)]
    with pytest.raises(RecordError):
        parse(fragment(rows, ["流局", [0] * 4]), "x")


def test_riichi_won_on_is_not_accepted() -> None:
    rows = [[[41], ["r60"]], [[], []], [[], []], [[], []]]
    won = ["和了", [-8000, 8000, 0, 0], [1, 0, 1, "満貫8000点", "役満級(9飜)"]]
    game = parse(fragment(rows, won), "x")
    events = game.hands[0].events
    assert isinstance(events[3], Riichi)
    assert not any(isinstance(e, RiichiAccepted) for e in events)
    assert isinstance(events[-1], Win)
    assert events[-1].yaku is None  # a yaku that Tenhou does not have
    drawn = parse(fragment(rows, ["流局", [0, 0, 0, 0]]), "x")
    assert isinstance(drawn.hands[0].events[-2], RiichiAccepted)


@pytest.mark.parametrize(
    ("disp", "aka", "expected"),
    [
        ("般南喰赤", {"aka": 1}, ("tenhou", 2, True, True, False)),
        ("上東喰赤速", {}, ("tenhou", 1, True, True, True)),
        ("般南", {"aka51": 0, "aka52": 0, "aka53": 0}, ("tenhou", 2, False, False, False)),
        ("般東喰", {"aka": 1}, ("tenhou", 1, True, True, False)),
        ("玉の間南喰赤", {"aka51": 1}, ("mahjong-soul", 2, True, True, False)),
        ("", {}, ("tenhou", 2, True, True, False)),
    ],
)
def test_rules(disp: str, aka: dict[str, int], expected: tuple[object, ...]) -> None:
    rows = [[[41], [60]], [[], []], [[], []], [[], []]]
    rule = {"disp": disp, **aka} if disp else aka
    r = parse(fragment(rows, ["流局", [0] * 4], rule=rule), "x").header.rules
    assert (r.name, r.rounds, r.red_fives, r.kuitan, r.fast) == expected


def test_three_players() -> None:
    rows = [[[41], [60]], [[], []], [[], []], [[], []]]
    with pytest.raises(UnsupportedError, match="three-player"):
        parse(fragment(rows, ["流局"], rule={"disp": "三般南喰赤"}), "x")


@pytest.mark.parametrize(
    ("text", "fu", "points"),
    [
        ("30符3飜3900点", 30, 3900),
        ("30符3飜1000-2000点", 30, 4000),
        ("40符2飜1300点∀", 40, 3900),
        ("満貫8000点", None, 8000),
        ("跳満3000-6000点", None, 12000),
        ("役満16000点∀", None, 48000),
        ("25符4飜1600-3200点", 25, 6400),
        ("70符2飜1200-2300点", 70, 4700),
        ("110符2飜1800-3600点", 110, 7200),
    ],
)
def test_worth_in_words(text: str, fu: int | None, points: int) -> None:
    assert _worth(text) == (fu, points)


def test_every_payment_by_self_draw_is_named_right() -> None:
    """The split of a non-dealer's self-draw is found from the sum, for all han and fu."""
    for han in range(1, 5):
        for fu in (20, 25, *range(30, 120, 10)):
            base = fu << (2 + han)
            if base >= 2000:
                continue
            small, large = -(-base // 100) * 100, -(-2 * base // 100) * 100
            win = Win(
                Seat(1), Seat(1), Tile.parse("1m"), (0, 0, 0, 0), (), ((1, han),), fu,
                2 * small + large,
            )  # fmt: skip
            row = write_result([win], Seat(0))
            assert row[2][3] == f"{fu}符{han}飜{small}-{large}点"
            start = Start(0, 0, 0, (25000,) * 4, win.tile)
            assert read_win(row[2], [0, 0, 0, 0], start, win.tile) == win


def test_draws_in_words() -> None:
    rows = [[[41], [60]], [[], []], [[], []], [[], []]]
    for result, expected in [
        (["流局", [1500, 1500, -1500, -1500]], (True, True, False, False)),
        (["全員聴牌"], (True,) * 4),
        (["全員不聴"], (False,) * 4),
        (["流局", [0, 0, 0, 0]], None),
    ]:
        event = parse(fragment(rows, result), "x").hands[0].events[-1]
        assert isinstance(event, ExhaustiveDraw)
        assert event.tenpai == expected


def test_several_records_in_one_file() -> None:
    rows = [[[41], [60]], [[], []], [[], []], [[], []]]
    one = fragment(rows, ["流局", [0] * 4])
    assert len(parse_all(one + b"\n\n" + one + b"\n", "x")) == 2
    with pytest.raises(TruncatedError):
        parse_all(one[:-5], "x")
    with pytest.raises(FormatError, match="not complete JSON"):
        parse_all(one + b"\n]", "x")


def test_a_hand_that_cannot_be_written_is_named() -> None:
    """A named case: the error named the last discard's number as the hand."""
    game = made_game(1, hands=2)
    first, second = game.hands
    discards = [i for i, event in enumerate(second.events) if isinstance(event, Discard)]
    cut = replace(second, events=second.events[: discards[-1] + 1])
    with pytest.raises(RecordError, match="the hand has no end") as caught:
        write(replace(game, hands=(first, cut)), "tenhou6")
    assert caught.value.hand == 1
