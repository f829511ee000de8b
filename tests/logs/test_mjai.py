"""mjai: both dialects, what may be left out, and the stream that one seat sees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from logs.live import live_events
from logs.made_games import made_game

from haiyomi.errors import FormatError, TruncatedError, UnsupportedError
from haiyomi.events import (
    ENDINGS,
    AbortiveDraw,
    Deal,
    DoraReveal,
    ExhaustiveDraw,
    HiddenDraw,
    OwnDeal,
    RiichiAccepted,
    Win,
    visible_to,
)
from haiyomi.logs.load import parse, parse_all, write
from haiyomi.logs.missing import without
from haiyomi.logs.mjai_write import messages, start_kyoku
from haiyomi.tiles import Seat

Message = dict[str, Any]


def text(lines: list[Message]) -> bytes:
    return "".join(json.dumps(m) + "\n" for m in lines).encode()


def changed(seed: int, change: Any) -> list[Message]:
    """The messages of a made game, each put through ``change``; None leaves one out."""
    found = [change(dict(m)) for m in messages(made_game(seed))]
    return [m for m in found if m is not None]


def drop(*keys: str) -> Any:
    return lambda m: {k: v for k, v in m.items() if k not in keys}


@pytest.mark.parametrize("seed", range(6))
def test_the_lean_dialect(seed: int) -> None:
    """Without the original's extras: the winning tile and what a draw was are inferred."""
    lean = drop("pai_", "uradora_markers", "yakus", "fan", "fu", "hora_points", "scores_")
    back = parse(text(changed(seed, lean)), "x")
    want = without(made_game(seed), "mjai")
    for ours, theirs in zip(back, want, strict=True):
        for a, b in zip(ours.events, theirs.events, strict=True):
            if isinstance(b, Win):
                assert isinstance(a, Win)
                assert (a.seat, a.target, a.tile, a.deltas, a.ura) == (
                    b.seat, b.target, b.tile, b.deltas, b.ura,
                )  # fmt: skip
                assert (a.yaku, a.fu, a.points) == (None, None, None)
            else:
                assert a == b


def _dialect(m: Message) -> Message | None:
    """Nulls, unknown fields, other messages' habits."""
    if m["type"] == "hora":
        m.pop("pai")
        m["ura_markers"] = m.pop("uradora_markers") or None
        m["deltas"] = m.get("deltas")
    if m["type"] == "start_game":
        m.pop("names")
    m["meta"] = None
    m["can_act"] = True
    return m


@pytest.mark.parametrize("seed", range(4))
def test_nulls_and_unknown_fields(seed: int) -> None:
    want = without(made_game(seed), "mjai")
    back = parse(text([{"type": "none"}, *changed(seed, _dialect)]), "x")
    assert back.header.names == ("", "", "", "")
    assert back.hands == want.hands


@pytest.mark.parametrize("seed", range(6))
def test_payments_named_by_scores_alone(seed: int) -> None:
    def lean(m: Message) -> Message:
        if m["type"] in ("hora", "ryukyoku", "reach_accepted"):
            m.pop("deltas", None)
        return m

    back = parse(text(changed(seed, lean)), "x")
    assert back.hands == without(made_game(seed), "mjai").hands


def test_payments_named_by_the_next_hand() -> None:
    def lean(m: Message) -> Message:
        if m["type"] == "hora":
            m.pop("deltas")
            m.pop("scores")
        return m

    game = made_game(0)
    single = next(h for h in game if sum(isinstance(e, Win) for e in h.events) == 1)
    (win,) = (e for e in single.events if isinstance(e, Win))
    after = [25000 + d for d in win.deltas]
    for e in single.events:
        if isinstance(e, RiichiAccepted):
            after[e.seat] -= 1000
    lines = [lean(dict(m)) for m in messages(type(game)(game.header, (single,)))]
    assert lines[-1]["type"] == "end_game"
    lines[-1]["scores"] = after
    assert parse(text(lines), "x").hands[0].events[-1] == win
    del lines[-1]["scores"]
    with pytest.raises(FormatError, match="without deltas"):
        parse(text(lines), "x")


@pytest.mark.parametrize("seed", range(8))
def test_late_indicators_move_to_their_place(seed: int) -> None:
    """Some programs tell an open kan's indicator after the discard."""
    lines = [dict(m) for m in messages(made_game(seed))]
    i = 0
    while i < len(lines) - 1:
        if lines[i]["type"] == "dora" and lines[i + 1]["type"] in ("dahai", "reach"):
            lines[i], lines[i + 1] = lines[i + 1], lines[i]
            i += 1
        i += 1
    assert parse(text(lines), "x").hands == without(made_game(seed), "mjai").hands


def test_several_games() -> None:
    lines = [*messages(made_game(0)), *messages(made_game(1))]
    games = parse_all(text(lines), "x")
    assert [g.hands for g in games] == [without(made_game(s), "mjai").hands for s in (0, 1)]
    with pytest.raises(FormatError, match="holds 2 games"):
        parse(text(lines), "x")


def test_the_reason_of_a_draw_is_inferred() -> None:
    seen = set()
    for seed in range(60):
        game = without(made_game(seed), "mjai")
        back = parse(text(changed(seed, drop("reason", "tenpais", "actor_"))), "x")
        for ours, theirs in zip(back, game, strict=True):
            a, b = ours.events[-1], theirs.events[-1]
            if isinstance(b, AbortiveDraw) and b.reason == "nine-terminals":
                seen.add(b.reason)
                assert a == b
            elif isinstance(b, ExhaustiveDraw):
                seen.add("exhaustive")
                assert isinstance(a, ExhaustiveDraw)
                assert a.deltas == b.deltas
                assert a.tenpai == (b.tenpai if any(b.deltas) else None)
    assert seen == {"nine-terminals", "exhaustive"}


def masked(seed: int, seat: Seat) -> list[Message]:
    """The stream that one seat gets."""
    game = made_game(seed)
    lines: list[Message] = []
    hands = iter(game)
    hand = None
    for m in messages(game):
        if m["type"] == "start_kyoku":
            hand = next(hands)
            deal = hand.events[1]
            assert isinstance(deal, Deal)
            m = start_kyoku(hand.start, OwnDeal(seat, deal.hands[seat]))
        elif m["type"] == "tsumo" and m["actor"] != seat:
            m = {**m, "pai": "?"}
        lines.append(m)
    return lines


@pytest.mark.parametrize("seed", range(4))
def test_one_seats_stream(seed: int) -> None:
    seat = Seat(seed)
    lines = [json.dumps(m) for m in masked(seed, seat)]
    got = list(live_events(lines))
    want = [visible_to(e, seat) for hand in without(made_game(seed), "mjai") for e in hand.events]
    assert [e for e in got if not isinstance(e, DoraReveal)] == [
        e for e in want if not isinstance(e, DoraReveal)
    ]
    assert any(isinstance(e, HiddenDraw) for e in got)
    with pytest.raises(UnsupportedError, match="one seat's view"):
        parse("\n".join(lines).encode(), "x")


def test_a_stream_is_read_as_it_comes() -> None:
    """No event waits for a later line."""
    lines = iter(json.dumps(m) for m in masked(0, Seat(0)))
    given = 0

    def feed() -> Any:
        nonlocal given
        for line in lines:
            given += 1
            yield line

    stream = live_events(feed())
    next(stream)
    assert given == 2  # start_game, start_kyoku
    next(stream)
    assert given == 2  # the deal comes with the start
    next(stream)
    assert given == 3


def test_a_hidden_self_draw_win_is_left_out() -> None:
    kept = left_out = 0
    for seed in range(4):
        lines = [
            {k: v for k, v in m.items() if not (m["type"] == "hora" and k == "pai")}
            for m in masked(seed, Seat(0))
        ]
        read = list(live_events(json.dumps(m) for m in lines))
        wins = [e.seat for hand in made_game(seed) for e in hand.events
                if isinstance(e, Win) and e.tsumo]  # fmt: skip
        own = [seat for seat in wins if seat == 0]
        assert [e.seat for e in read if isinstance(e, Win) and e.tsumo] == own
        kept += len(own)
        left_out += len(wins) - len(own)
    assert kept >= 3
    assert left_out >= 3


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"type":"dahai","actor":0,"pai":"1m"', "not JSON: Expecting ',' delimiter at column 37"),
        ('{"type":' + "1" * 10_000 + "}", "not JSON: a number has too many digits"),
        ('{"type":"dahai","actor":0,"pai":"1m"}', "lacks 'tsumogiri'"),
        ('{"type":"dahai","actor":4,"pai":"1m","tsumogiri":true}', "seat 4"),
        ('{"type":"dahai","actor":0,"pai":"0m","tsumogiri":true}', "'0m'"),
        ('{"type":"dahai","actor":0,"pai":["1m"],"tsumogiri":true}', "no mjai tile"),
        ('{"type":"jump"}', "'jump'"),
        ("[1]", "not an mjai message"),
        ('{"type":"tsumo","actor":true,"pai":"1m"}', "seat True"),
        ('{"type":"ryukyoku","reason":[]}', "reason []"),
    ],
)
def test_bad_lines(line: str, sentence: str) -> None:
    head = [json.dumps(m) for m in messages(made_game(0))][:3]
    with pytest.raises(FormatError) as caught:
        parse("\n".join([*head, line, "{}"]).encode(), "bad.mjson")
    assert sentence in str(caught.value)
    assert "line 4" in str(caught.value)


def test_a_draw_before_any_hand() -> None:
    """A named case: an IndexError."""
    with pytest.raises(FormatError, match="line 1, ryukyoku: ryukyoku before start_kyoku"):
        parse(b'{"type":"ryukyoku","deltas":[0,0,0,0]}', "bad.mjson")


@pytest.mark.parametrize("wind", ["{}", "[]", "null", '"P"', "1"])
def test_no_wind(wind: str) -> None:
    line = f'{{"type":"start_kyoku","kyoku":1,"bakaze":{wind}}}'
    with pytest.raises(FormatError, match="bakaze"):
        parse(line.encode(), "bad.mjson")


def test_truncated() -> None:
    lines = write(made_game(0), "mjai").splitlines()
    end = next(i for i, m in enumerate(lines) if '"hora"' in m or '"ryukyoku"' in m)
    with pytest.raises(TruncatedError, match="hand 0, event"):
        parse("\n".join(lines[: end - 2]).encode(), "x")
    assert isinstance(parse("\n".join(lines[: end + 1]).encode(), "x").hands[0].events[-1], ENDINGS)
