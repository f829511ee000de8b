"""Scoring against 5,000 outside hands, another program on random hands, and named cases."""

from __future__ import annotations

import gzip
import json
import pathlib

import numpy as np
import pytest
from kernels.random_hands import ANKAN, CHI, DAIMINKAN, PON, Won, won
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld

from haiyomi.kernels.scoring import MeldType, Score, Scores, no_melds, payments, score, score_one
from haiyomi.kernels.yaku import BY_JAPANESE
from haiyomi.rules import TENHOU
from haiyomi.tiles import Tile, dora_of, parse_tiles

_FIRST = {"m": 0, "p": 9, "s": 18, "z": 27}
_OTHER_NAMES = {"ダブル立直": 21, "翻牌 白": 18, "翻牌 發": 19, "翻牌 中": 20}


def _tiles(text: str) -> list[tuple[int, bool]]:
    """(kind, red) of a group in the oracle's notation; calls' marks are skipped."""
    out, suit = [], ""
    for char in text:
        if char in _FIRST:
            suit = char
        elif char.isdigit():
            out.append((_FIRST[suit] + (int(char) or 5) - 1, char == "0"))
    return out


def _meld(text: str) -> tuple[MeldType, int]:
    kinds = sorted(k for k, _ in _tiles(text))
    if kinds[0] != kinds[-1]:
        return MeldType.CHI, kinds[0]
    if len(kinds) == 3:
        return MeldType.PON, kinds[0]
    if not set(text) & set("-=+"):
        return MeldType.ANKAN, kinds[0]
    return MeldType.DAIMINKAN if text[-1] in "-=+" else MeldType.KAKAN, kinds[0]


def test_every_outside_hand(oracles: pathlib.Path) -> None:
    with gzip.open(oracles / "winning_hands.jsonl.gz", "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    assert len(cases) == 5000
    for case in cases:
        given, want = case["in"], case["out"]
        extra = given["param"]
        hidden, *called = given["shoupai"].split(",")
        tsumo = "rongpai" not in given
        tiles = _tiles(hidden) + ([] if tsumo else _tiles(given["rongpai"]))
        everything = tiles + [t for m in called for t in _tiles(m)]

        def bonus(indicators: list[str], among: list[tuple[int, bool]] = everything) -> int:
            doras = [dora_of(_tiles(i)[0][0]) for i in indicators]
            return sum(doras.count(k) for k, _ in among)

        won_by = extra["hupai"]
        got = score_one(
            [k for k, _ in tiles],
            tiles[-1][0],
            melds=[_meld(m) for m in called],
            round_wind=27 + extra["zhuangfeng"],
            seat_wind=27 + extra["menfeng"],
            riichi=won_by.get("lizhi", 0),
            tsumo=tsumo,
            ippatsu=bool(won_by.get("yifa")),
            rinshan=bool(won_by.get("lingshang")),
            last_tile=bool(won_by.get("haidi")),
            dora=bonus(extra["baopai"]),
            ura=bonus(extra["fubaopai"]),
            reds=sum(red for _, red in everything),
        )
        yaku = {}
        for entry in want["hupai"]:
            name = entry["name"]
            id_ = _OTHER_NAMES[name] if name in _OTHER_NAMES else BY_JAPANESE[name].id
            yaku[id_] = 13 if want["damanguan"] else entry["fanshu"]
        assert {y.id: han for y, han in got.yaku} == yaku, case
        if not want["damanguan"]:
            assert (got.han, got.fu) == (want["fanshu"], want["fu"]), case
        dealer = extra["menfeng"] == 0
        on_tsumo = 3 * got.tsumo_other if dealer else got.tsumo_dealer + 2 * got.tsumo_other
        assert (on_tsumo if tsumo else got.ron) == want["defen"], case


RULES = OptionalRules(
    has_open_tanyao=True, has_double_yakuman=False, limit_to_sextuple_yakuman=False
)


def _other_program(hand: Won, flags: dict[str, bool], round_wind: int, seat_wind: int) -> object:
    """The same hand by ``mahjong``: physical tiles are dealt out in order."""
    used = [0] * 34

    def take(kind: int) -> int:
        used[kind] += 1
        return 4 * kind + used[kind] - 1

    tiles = [take(k) for k in hand.concealed]
    win = next(t for t in tiles if t // 4 == hand.win)
    melds = []
    for type_, kind in hand.melds:
        if type_ == CHI:
            meld = [take(kind), take(kind + 1), take(kind + 2)]
            melds.append(Meld(Meld.CHI, meld))
        elif type_ == PON:
            meld = [take(kind) for _ in range(3)]
            melds.append(Meld(Meld.PON, meld))
        else:
            meld = [take(kind) for _ in range(4)]
            name = Meld.KAN if type_ in (DAIMINKAN, ANKAN) else Meld.SHOUMINKAN
            melds.append(Meld(name, meld, opened=type_ != ANKAN))
        tiles += meld
    config = HandConfig(**flags, player_wind=seat_wind, round_wind=round_wind, options=RULES)
    return HandCalculator.estimate_hand_value(tiles, win, melds=melds, config=config)


def test_another_program_on_random_hands() -> None:
    rng = np.random.default_rng(20)
    seen: set[int] = set()
    checked = 0
    while checked < 6000:
        hand = won(rng)
        closed = all(t == ANKAN for t, _ in hand.melds)
        kans = any(t > PON for t, _ in hand.melds)
        tsumo = bool(rng.random() < 0.5)
        riichi = int(rng.choice([0, 0, 1, 2])) if closed else 0
        ippatsu = riichi > 0 and bool(rng.random() < 0.2)
        last = bool(rng.random() < 0.1) and not ippatsu
        rinshan = tsumo and kans and not last and not ippatsu and bool(rng.random() < 0.3)
        chankan = not tsumo and not last and bool(rng.random() < 0.05)
        chankan = chankan and hand.concealed.count(hand.win) == 1
        seat_wind, round_wind = int(rng.integers(27, 31)), int(rng.integers(27, 31))
        first = tsumo and not hand.melds and not (riichi or last) and bool(rng.random() < 0.05)
        flags = {
            "is_tsumo": tsumo,
            "is_riichi": riichi == 1,
            "is_daburu_riichi": riichi == 2,
            "is_ippatsu": ippatsu,
            "is_rinshan": rinshan,
            "is_chankan": chankan,
            "is_haitei": last and tsumo,
            "is_houtei": last and not tsumo,
            "is_tenhou": first and seat_wind == 27,
            "is_chiihou": first and seat_wind != 27,
        }
        want = _other_program(hand, flags, round_wind, seat_wind)
        got = score_one(
            hand.concealed,
            hand.win,
            melds=[(MeldType(t), k) for t, k in hand.melds],
            round_wind=round_wind,
            seat_wind=seat_wind,
            riichi=riichi,
            tsumo=tsumo,
            ippatsu=ippatsu,
            rinshan=rinshan,
            chankan=chankan,
            last_tile=last,
            first_turn=first,
        )
        note = (hand, flags, want, got)
        checked += 1
        assert got.complete, note
        if want.error is not None:
            assert want.error == "no_yaku", note
            assert not got.has_yaku, note
            continue
        ids = {YAKU_ID_TO_TENHOU_ID[y.yaku_id] for y in want.yaku}
        seen |= ids
        assert {y.id for y, _ in got.yaku} == ids, note
        assert got.han == want.han, note
        if not got.yakuman:
            assert got.fu == want.fu, note
        if tsumo:
            dealer_pays = want.cost["main"] if seat_wind != 27 else 0
            assert (got.tsumo_dealer, got.tsumo_other) == (dealer_pays, want.cost["additional"])
        else:
            assert got.ron == want.cost["main"], note
    # Every yaku but renhou was met.
    assert seen >= set(range(52)) - {36, 45, 46}, set(range(52)) - seen


def names(hand: str, win: str, **more: object) -> tuple[tuple[str, ...], int, int]:
    found = score_one(hand, win, **more)  # type: ignore[arg-type]
    return found.names, found.han, found.fu


def test_named_hands() -> None:
    assert names("123456789m11222p", "1p", tsumo=True) == (("menzen tsumo", "ittsu"), 3, 30)
    assert names("234567m23488p567s", "2m") == (("pinfu", "tanyao"), 2, 30)
    assert names("234567m23488p567s", "2m", tsumo=True)[2] == 20
    assert names("112233m445566p77s", "7s")[0] == ("ryanpeiko",)
    assert names("1122335577m1133p", "1p") == (("chiitoitsu",), 2, 25)
    assert names("1112345678999m5m", "5m")[0] == ("junsei chuuren poutou",)
    assert names("1112345678999m5m", "4m")[0] == ("chuuren poutou",)
    assert names("19m19p19s12345677z", "7z")[0] == ("kokushi musou 13",)
    assert names("19m19p19s12345677z", "1z")[0] == ("kokushi musou",)


def test_open_pinfu_shape_is_thirty_fu() -> None:
    found = score_one("234m23488p567s", "2m", melds=[(MeldType.CHI, 4)])
    assert (found.names, found.han, found.fu, found.ron) == (("tanyao",), 1, 30, 1500)
    on_tsumo = score_one("234m23488p567s", "2m", melds=[(MeldType.CHI, 4)], tsumo=True)
    assert (on_tsumo.fu, on_tsumo.tsumo_other) == (30, 500)


def test_wind_pair_that_counts_twice() -> None:
    both = score_one("234567m234p567s11z", "1z", riichi=1)
    assert (both.fu, both.han) == (40, 1)  # 30 + 4 + 2 of the single wait
    two = score_one("234567m234p567s11z", "5s", riichi=1)
    assert two.fu == 40
    rules = TENHOU.but(wind_pair_fu=2)
    assert score_one("234567m111p567s11z", "5s", riichi=1).fu == 50
    assert score_one("234567m111p567s11z", "5s", riichi=1, rules=rules).fu == 40


def test_limit_hands_add_up_unless_named() -> None:
    hand, melds = "55z111z222z333z", [(MeldType.PON, 30)]
    found = score_one(hand, "5z", melds=melds)
    assert (found.names, found.yakuman) == (("tsuuiisou", "daisuushii"), 2)
    assert found.ron == 96000
    one = score_one(hand, "5z", melds=melds, rules=TENHOU.but(multiple_yakuman=False))
    assert (one.yakuman, one.ron) == (1, 48000)
    three = score_one(hand, "5z", melds=melds, rules=TENHOU.but(double_yakuman=True))
    assert (three.yakuman, three.ron) == (3, 144000)


def test_counted_limit_and_bonus() -> None:
    found = score_one("22334455667788m", "2m", riichi=1, tsumo=True, dora=2)
    assert found.han == 1 + 1 + 1 + 1 + 3 + 6 + 2
    assert (found.yakuman, found.tsumo_other) == (0, 16000)


def test_dora_alone_is_no_yaku() -> None:
    found = score_one("123m456p11p", "1p", melds=[(0, 0), (0, 18)], dora=5, reds=1)
    assert (found.complete, found.has_yaku, found.han, found.ron) == (True, False, 0, 0)
    assert found.yaku == ()
    assert not score_one("123m456p12p", "1p", melds=[(0, 0), (0, 18)]).complete


def test_kuitan_and_kiriage_are_rules() -> None:
    hand = {"concealed": "234m23488p567s", "win": "2m", "melds": [(MeldType.CHI, 4)]}
    assert not score_one(**hand, rules=TENHOU.but(kuitan=False)).has_yaku  # type: ignore[arg-type]
    assert payments(4, 30, dealer=True) == (11600, 0, 3900)
    assert payments(4, 30, dealer=False) == (7700, 3900, 2000)
    assert payments(4, 30, dealer=False, rules=TENHOU.but(kiriage=True)) == (8000, 4000, 2000)
    assert payments(3, 60, dealer=False, rules=TENHOU.but(kiriage=True))[0] == 8000


@pytest.mark.parametrize(
    ("han", "fu", "ron", "dealer"),
    [
        (1, 30, 1000, 1500),
        (1, 110, 3600, 5300),
        (2, 25, 1600, 2400),
        (3, 20, 2600, 3900),
        (3, 70, 8000, 12000),
        (4, 25, 6400, 9600),
        (4, 40, 8000, 12000),
        (5, 20, 8000, 12000),
        (6, 30, 12000, 18000),
        (8, 30, 16000, 24000),
        (11, 30, 24000, 36000),
        (13, 30, 32000, 48000),
        (40, 30, 32000, 48000),
    ],
)
def test_points_of_the_table(han: int, fu: int, ron: int, dealer: int) -> None:
    assert payments(han, fu, dealer=False)[0] == ron
    assert payments(han, fu, dealer=True)[0] == dealer


def test_many_are_as_one() -> None:
    rng = np.random.default_rng(5)
    hands = [won(rng) for _ in range(300)]
    concealed = np.array([np.bincount(h.concealed, minlength=34) for h in hands], dtype=np.uint8)
    melds = no_melds(len(hands))
    for row, hand in zip(melds, hands, strict=True):
        row[: len(hand.melds)] = np.array(hand.melds, dtype=np.uint8).reshape(-1, 2)
    seat = rng.integers(27, 31, len(hands))
    tsumo = rng.random(len(hands)) < 0.5
    found = score(
        concealed, np.array([h.win for h in hands]), melds=melds, seat_wind=seat, tsumo=tsumo
    )
    assert len(found) == 300
    for i, hand in enumerate(hands):
        one = score_one(
            hand.concealed,
            hand.win,
            melds=[(MeldType(t), k) for t, k in hand.melds],
            seat_wind=int(seat[i]),
            tsumo=bool(tsumo[i]),
        )
        assert _one(found, i) == (one.han, one.fu, one.yakuman, one.ron, one.tsumo_other)
        assert found.yaku_han[i].sum() == (one.han if one.has_yaku else 0)


def _one(found: Scores, i: int) -> tuple[int, ...]:
    return tuple(
        int(a[i]) for a in (found.han, found.fu, found.yakuman, found.ron, found.tsumo_other)
    )


def test_tiles_in_melds_count_towards_the_four_copies() -> None:
    with pytest.raises(ValueError, match=r"^five copies of a kind$"):
        score_one("11123m44z", "4z", melds=[(MeldType.PON, 0), (MeldType.CHI, 9)])


def test_bad_input_is_named() -> None:
    good = {"concealed": "123456789m11222p", "win": "1p"}
    for change, error, message in [
        ({"win": "9s"}, ValueError, "winning kind is not among"),
        ({"round_wind": 26}, ValueError, "winds are kinds 27-30"),
        ({"seat_wind": 31}, ValueError, "winds are kinds 27-30"),
        ({"riichi": 3}, ValueError, "riichi is 0, 1 or 2"),
        ({"tsumo": 2}, ValueError, "flags are 0 or 1"),
        ({"tsumo": 0.5}, TypeError, "tsumo must be integers or flags"),
        ({"dora": 41}, ValueError, "dora and ura are 0-40"),
        ({"dora": -1}, ValueError, "dora must be 0 to 255"),
        ({"dora": 300}, ValueError, "dora must be 0 to 255"),
        ({"win": 34}, ValueError, "no tile kind 34"),
        ({"concealed": "123m"}, ValueError, "expected 14 concealed tiles"),
        ({"melds": [(0, 1)] * 5}, ValueError, "at most four"),
        ({"melds": [(0, 7)]}, ValueError, "no chi starts"),
        ({"melds": [(7, 1)]}, ValueError, "7 is not a valid MeldType"),
        ({"melds": [(255, 1)]}, ValueError, "255 is not a valid MeldType"),
        ({"melds": [(1, 34)]}, ValueError, "no tile kind 34"),
        ({"melds": [1]}, TypeError, "a meld is a pair of type and tile"),
        ({"concealed": [0] * 14}, ValueError, "a count above 4"),
        ({"concealed": [2**70]}, ValueError, "no tile kind"),
        ({"concealed": [0.5]}, TypeError, "kinds must be integers"),
    ]:
        with pytest.raises(error, match=message):
            score_one(**{**good, **change})  # type: ignore[arg-type]


def test_one_hand_in_notation_tiles_kinds_and_numpy_numbers_is_one_question() -> None:
    text = "340m567p123p99s"
    tiles = parse_tiles(text)
    forms = [text, tiles, list(tiles), [t.kind for t in tiles], np.array([t.kind for t in tiles])]
    melds = [(MeldType.PON, Tile.parse("5z"))]
    want = score_one(text, "0m", melds=melds, tsumo=True, reds=1)
    assert (want.names, want.han) == (("haku", "aka dora"), 2)
    for form in forms:
        assert score_one(form, 4, melds=melds, tsumo=np.True_, reds=np.int64(1)) == want


def test_batches_refuse_wrong_arrays() -> None:
    concealed = np.zeros((2, 34), dtype=np.uint8)
    concealed[:, [0, 1, 2, 3, 4, 5, 6, 7, 8]] = 1
    concealed[:, 9], concealed[:, 10] = 2, 3
    assert score(concealed, 9).ron.shape == (2,)
    with pytest.raises(ValueError, match=r"shape \(2,\)"):
        score(concealed, [9, 9, 9])
    with pytest.raises(ValueError, match=r"\(2, 4, 2\)"):
        score(concealed, 9, melds=no_melds(3))
    with pytest.raises(TypeError, match="melds must be a numpy array of uint8"):
        score(concealed, 9, melds=no_melds(2).astype(int))
    bad = no_melds(2)
    bad[1, 0] = 9, 9
    with pytest.raises(ValueError, match="row 1: a meld's type"):
        score(concealed, 9, melds=bad)
    bad[1, 0] = 1, 34
    with pytest.raises(ValueError, match="row 1: a meld's kind must be 0-33"):
        score(concealed, 9, melds=bad)


def test_a_score_is_a_pasteable_value() -> None:
    found = score_one("123456789m11222p", "1p")
    assert isinstance(found, Score)
    assert hash(found) == hash(score_one("123456789m11222p", "1p"))
