"""mjlog: the shapes of the record, its tags, its meld codes, and what it says of the players."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace

import pytest

from haiyomi.errors import (
    FormatError,
    IllegalError,
    RecordError,
    SizeError,
    TileError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import (
    AbortiveDraw,
    Absence,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    ExhaustiveDraw,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
)
from haiyomi.logs import load
from haiyomi.logs.load import parse
from haiyomi.logs.meld_codes import MeldCode, decode, encode
from haiyomi.tiles import Seat, Tile, TileId

GO = '<GO type="169" lobby="0"/>'
UN = (
    '<UN n0="%E6%9D%B1" n1="b" n2="c%26d" n3="" dan="16,17,16,18" '
    'rate="2100.00,2200.00,2150.00,2050.00" sx="M,F,M,M"/>'
)
# Invented: every seat is dealt its own copy of most kinds.
DEAL = " ".join(
    f'hai{s}="{",".join(str(4 * k + s) for k in (0, 1, 2, 3, 4, 9, 10, 11, 12, 13, 18, 19, 20))}"'
    for s in range(4)
)
INIT = f'<INIT seed="0,1,1,3,4,135" ten="250,250,240,250" oya="0" {DEAL}/>'
END = (
    '<RYUUKYOKU ba="1,1" sc="250,30,250,-10,240,-10,250,-10" hai0="1" '
    'owari="280,-3.0,240,5.0,230,-17.0,240,15.0"/>'
)
TURNS = "<T100/><D100/><U104/><E5/>"


def mjlog(*tags: str) -> bytes:
    return ('<mjloggm ver="2.3">' + "".join(tags) + "</mjloggm>").encode()


def record(turns: str = TURNS, end: str = END) -> bytes:
    return mjlog(GO, UN, '<TAIKYOKU oya="0"/>', INIT, turns, end)


def test_a_record() -> None:
    game = parse(record(), "x")
    assert game.header.names == ("東", "b", "c&d", "")
    assert dict(game.header.extra)["dan"] == "16,17,16,18"
    assert game.header.rules.rounds == 2
    assert game.header.final == (28000, 24000, 23000, 24000)
    (hand,) = game
    start = hand.start
    assert (start.kyoku, start.honba, start.sticks) == (0, 1, 1)
    assert start.scores == (25000, 25000, 24000, 25000)
    assert start.indicator == Tile.parse("7z")
    assert hand.events[2:] == (
        Draw(Seat(0), Tile.parse("8s")),
        Discard(Seat(0), Tile.parse("8s"), True),
        Draw(Seat(1), Tile.parse("9s")),
        Discard(Seat(1), Tile.parse("2m"), False),
        ExhaustiveDraw((3000, -1000, -1000, -1000), (True, False, False, False)),
    )
    assert hand.events[1].hands[0][4] == Tile.parse("0m")  # type: ignore[union-attr]
    assert hand.copies is not None
    assert hand.copies[:3] == (135, 0, 4)
    assert hand.copies[53:] == (100, 100, 104, 5)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<mjloggm ver="2.3">', ""),  # the older shape has no element around the tags
        ('lobby="0"', ""),
        (GO, '<SHUFFLE seed="mt19937ar-sha512-n288-base64,AAAA" ref=""/>' + GO),
        ("<INIT ", '<INIT shuffle="mt19937ar,AEA8E603,6A86BC74" '),
        ("1,1,3,4,135", "1,1,,,135"),  # empty dice
        (re.search(" dan.*?(?=/>)", UN)[0], ""),  # type: ignore[index]
        ("<T100/>", "<T100 />\n"),
        ("<T100/>", "<!-- a comment --><T100/>"),
        ("<mjloggm", '<?xml version="1.0" encoding="UTF-8"?>\n<mjloggm'),
        ("<GO", "\n  <GO"),
        ("<U104/>", '<FURITEN show="1"/><U104/>'),  # what a client's stream has besides
        ('"', "'"),
    ],
)
def test_other_shapes(before: str, after: str) -> None:
    whole = record().decode()
    assert before in whole
    text = whole.replace(before, after)
    if "mjloggm ver" not in text.replace("'", '"'):
        text = text.replace("</mjloggm>", "")
    assert parse(text.encode(), "x") == parse(record(), "x")
    assert parse(gzip.compress(text.encode()), "x") == parse(record(), "x")


def test_rule_bits() -> None:
    def rules(bits: int) -> tuple[object, ...]:
        r = parse(record().replace(b'"169"', b'"%d"' % bits), "x").header.rules
        return r.rounds, r.red_fives, r.kuitan, r.fast

    assert rules(0x01) == (1, True, True, False)
    assert rules(0x09) == (2, True, True, False)
    assert rules(0x0B) == (2, False, True, False)
    assert rules(0x0F) == (2, False, False, False)
    assert rules(0xE1) == (1, True, True, True)


def test_no_red_fives() -> None:
    game = parse(record().replace(b'"169"', b'"11"'), "x")
    assert game.hands[0].events[1].hands[0][4] == Tile.parse("5m")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (record().replace(b'"169"', b'"185"'), UnsupportedError, "three-player"),
        (record().replace(b"<T100/>", b"<T136/>"), FormatError, "T136"),
        (record().replace(b"<T100/>", b"<U1/>"), IllegalError, "tile id 1 leaves the wall twice"),
        (record().replace(b"135", b"136"), FormatError, "no tile id 136"),
        (record()[:-40], TruncatedError, "ends inside a tag"),
        (record()[: -len("</mjloggm>")], TruncatedError, "</mjloggm>"),
        (record(end=""), TruncatedError, "hand 0, event 6: ends inside a hand"),
        (mjlog(GO, UN), TruncatedError, "holds no hand"),
        (record(end='<RYUUKYOKU type="x" ba="0,0" sc="1,0,1,0,1,0,1,0"/>'), FormatError, "'x'"),
        (record("<N who='0' m='65535'/>"), FormatError, "65535"),
        (record("<N who='4' m='5'/>"), FormatError, "no seat '4'"),
        (record("<N m='5'/>"), FormatError, "lacks 'who'"),
        (record("<N who='0' m='x'/>"), FormatError, "no whole number: 'x'"),
        (record("<Z/>"), FormatError, "'Z'"),
        (record(end=END + "<T1/>"), FormatError, "outside a hand"),
        (record(end="&bomb;" + END), FormatError, "&bomb;"),
        (record().replace(b'n1="b"', b'n1="&bomb;"'), FormatError, "&bomb;"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>' + record(), FormatError, "refused"),
        (record().replace(b'ten="250', b'ten="99999999'), FormatError, "out of all bounds"),
        (b"", TruncatedError, "empty"),
        (b"\xff\xfe\x00", FormatError, "UTF-8"),
        (b"hello", FormatError, "is not an mjlog, Tenhou JSON, mjai or Mahjong Soul record"),
        (gzip.compress(record(), mtime=0)[:-9], TruncatedError, "gzip"),
        (gzip.compress(record(), mtime=0)[:20] + b"\xff" * 20, FormatError, "gzip"),
    ],
)
def test_bad_records(data: bytes, error: type[RecordError], message: str) -> None:
    with pytest.raises(error) as caught:
        parse(data, "bad.mjlog")
    assert str(caught.value).startswith("bad.mjlog")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_record_over_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MAX_BYTES", 1 << 20)
    with pytest.raises(SizeError):
        load.parse(b"<" * (1 << 21), "big")


def test_absences() -> None:
    turns = '<T100/><BYE who="1"/><D100/><U104/><E104/><UN n1="b"/><V108/><F108/>'
    second = INIT.replace('"0,1,1', '"1,0,0').replace('oya="0"', 'oya="1"')
    game = parse(record(turns, END + '<BYE who="2"/>' + second + TURNS + END), "x")
    assert game.absences == (
        Absence(0, 3, Seat(1)),
        Absence(0, 6, Seat(1), back=True),
        Absence(1, 0, Seat(2)),
    )
    assert game.absent(0) == ((Seat(1), 3, 6),)
    assert game.absent(1) == ((Seat(2), 0, 7),)
    again = parse(load.write(game, "mjlog").encode(), "x")
    assert again.absences == game.absences


def test_double_ron_and_pao() -> None:
    win = (
        '<AGARI ba="1,{sticks}" hai="1,2" machi="5" ten="{ten}" {yaku} doraHai="135" who="{who}" '
        'fromWho="1" {more} sc="{sc}"/>'
    )
    one = win.format(
        sticks=1, ten="40,32000,5", yaku='yakuman="39,42"', who=3, more='paoWho="0"',
        sc="250,-160,250,-160,240,0,250,330",
    )  # fmt: skip
    two = win.format(
        sticks=0, ten="30,2000,0", yaku='yaku="1,1,53,0,54,1"', who=2,
        more='doraHaiUra="130"', sc="90,0,90,-23,240,23,580,0",
    )  # fmt: skip
    hand = parse(record(end=one + two), "x").hands[0]
    second, first = hand.events[-1], hand.events[-2]
    assert isinstance(first, Win)
    assert isinstance(second, Win)
    assert (first.seat, second.seat) == (2, 3)  # in the order of the turn
    assert first.yaku == ((1, 1), (54, 1))
    assert (first.han, first.fu, first.points, first.pao) == (2, 30, 2000, None)
    assert first.ura == (Tile.parse("6z"),)
    assert first.deltas == (0, -2300, 2300, 0)
    assert second.yaku == ((39, 13), (42, 13))
    assert (second.pao, second.ura) == (0, ())
    assert hand.copies is not None
    assert hand.copies[-3:] == (5, 130, 5)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("yao9", AbortiveDraw("nine-terminals", Seat(2))),
        ("kaze4", AbortiveDraw("four-winds")),
        ("reach4", AbortiveDraw("four-riichi")),
        ("kan4", AbortiveDraw("four-kans")),
        ("ron3", AbortiveDraw("triple-ron")),
    ],
)
def test_abortive_draws(kind: str, expected: AbortiveDraw) -> None:
    turns = TURNS + ("<V108/>" if kind == "yao9" else "")
    end = f'<RYUUKYOKU type="{kind}" ba="1,1" sc="250,0,250,0,240,0,250,0"/>'
    game = parse(record(turns, end), "x")
    assert game.hands[0].events[-1] == expected
    for format in ("mjlog", "tenhou6", "mjai"):
        assert parse(load.write(game, format).encode(), "x").hands == game.hands


def test_nagashi_mangan() -> None:
    end = '<RYUUKYOKU type="nm" ba="1,1" sc="250,-20,250,80,240,-20,250,-40" hai3="7"/>'
    # seat 1 collects as a non-dealer from dealer 3? the dealer here is seat 0: no such payment
    with pytest.raises(FormatError, match="nagashi"):
        parse(record(end=end), "x")
    end = end.replace("250,-20,250,80,240,-20,250,-40", "250,-40,250,80,240,-20,250,-20")
    event = parse(record(end=end), "x").hands[0].events[-1]
    assert event == ExhaustiveDraw(
        (-4000, 8000, -2000, -2000), (False, False, False, True), (Seat(1),)
    )


def test_riichi_and_kans_in_canonical_order() -> None:
    pon = encode(MeldCode("pon", 3, TileId(0), (TileId(1), TileId(2))))
    kakan = encode(MeldCode("kakan", 3, TileId(3), (TileId(0), TileId(1), TileId(2))))
    turns = (
        '<REACH who="0" step="1"/><T100/><D0/><REACH who="0" ten="240,250,240,250" step="2"/>'
        f'<N who="1" m="{pon}"/><E5/><N who="1" m="{kakan}"/>'
    )
    late = turns + '<U101/><E101/><DORA hai="134"/>'  # another writer's place for it
    right = turns + '<U101/><DORA hai="134"/><E101/>'
    hand, expected = (parse(record(t), "x").hands[0] for t in (late, right))
    assert hand == expected
    assert hand.copies == expected.copies
    assert [type(e) for e in hand.events[2:-1]] == [
        Riichi, Draw, Discard, RiichiAccepted, Pon, Discard, Kakan, Draw, DoraReveal, Discard,
    ]  # fmt: skip
    rinshan = hand.events[9]
    assert isinstance(rinshan, Draw)
    assert rinshan.rinshan


def test_every_meld_code_comes_back() -> None:
    """All codes that are melds: decode and encode are inverse, and each shape is counted.

    21 sequences x 3 called x 64 copies; 34 kinds x 3 called x 4 left out x 3 givers for a
    pon and for a kakan; 136 ids x 3 givers of an open kan; 136 of a concealed one.
    """
    counts: dict[str, int] = {}
    for code in range(65536):
        try:
            meld = decode(code)
        except TileError:
            continue
        three = sorted(meld.rest)
        pon_tile = three[(code >> 9) % 3] if meld.shape == "kakan" else None
        again = encode(meld, pon_tile)
        assert decode(again) == meld
        counts[meld.shape] = counts.get(meld.shape, 0) + (again == code)
    assert counts == {
        "chi": 21 * 3 * 64,
        "pon": 34 * 3 * 4 * 3,
        "kakan": 34 * 3 * 4 * 3,
        "daiminkan": 136 * 3,
        "ankan": 136,
    }


@pytest.mark.parametrize(
    ("meld", "event"),
    [
        (
            MeldCode("chi", 3, TileId(20), (TileId(12), TileId(16))),
            Chi(Seat(2), Seat(1), Tile.parse("6m"), (Tile.parse("4m"), Tile.parse("0m"))),
        ),
        (
            MeldCode("pon", 1, TileId(17), (TileId(16), TileId(18))),
            Pon(Seat(2), Seat(3), Tile.parse("5m"), (Tile.parse("5m"), Tile.parse("0m"))),
        ),
        (
            MeldCode("daiminkan", 2, TileId(113), (TileId(112), TileId(114), TileId(115))),
            Daiminkan(Seat(2), Seat(0), Tile.parse("2z"), (Tile.parse("2z"),) * 3),
        ),
        (
            MeldCode("ankan", 0, TileId(52), (TileId(53), TileId(54), TileId(55))),
            Ankan(Seat(2), (Tile.parse("5p"),) * 3 + (Tile.parse("0p"),)),
        ),
    ],
)
def test_melds(meld: MeldCode, event: object) -> None:
    game = parse(record(f'<T100/><D100/><N who="2" m="{encode(meld)}"/><F108/>'), "x")
    assert game.hands[0].events[4] == event


def test_odd_points_cannot_be_written() -> None:
    """Final scores and payments of other formats may be no hundreds: an error that says so."""
    game = parse(record(), "x")
    header = replace(game.header, final=(28005, 24000, 23000, 24000))
    with pytest.raises(RecordError, match=r"no whole hundreds.*28005"):
        load.write(replace(game, header=header), "mjlog")
    events = list(game.hands[0].events)
    events[-1] = ExhaustiveDraw((1, -1, 0, 0), (True, False, False, False))
    odd = replace(game.hands[0], events=tuple(events))
    with pytest.raises(RecordError, match=r"hand 0, event 6: .*no whole hundreds"):
        load.write(replace(game, hands=(odd,)), "mjlog")
