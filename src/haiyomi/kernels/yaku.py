"""The yaku by Tenhou's ids: names, han, and which are limit hands.

A *yaku* is a pattern or circumstance that lets a hand win and adds *han* (doublings); a
*yakuman* is a limit hand. The ids 0-54 are those of Tenhou's mjlog ``yaku`` and ``yakuman``
attributes and of the columns of ``scoring.Scores.yaku_han``. Dora, ura dora and red fives
(52-54) are han but no yaku: they cannot win alone.
"""

from __future__ import annotations

from dataclasses import dataclass

YAKUMAN_HAN = 13
"""The han that stand for one limit hand."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku: its Tenhou id, names, and han with a closed and with an open hand.

    ``name`` is romaji, ``english`` a translation, ``japanese`` as Tenhou prints it. 0 han
    means that the yaku does not exist for such a hand; limit hands have 13 and ``yakuman``.
    For dora, ura dora and red fives the han are those of one tile.
    """

    id: int
    name: str
    english: str
    japanese: str
    closed: int
    open: int
    yakuman: bool = False


def _limit(id: int, name: str, english: str, japanese: str, open: bool = False) -> Yaku:
    return Yaku(id, name, english, japanese, YAKUMAN_HAN, YAKUMAN_HAN if open else 0, True)


YAKU: tuple[Yaku, ...] = (
    Yaku(0, "menzen tsumo", "closed self-draw", "門前清自摸和", 1, 0),
    Yaku(1, "riichi", "riichi", "立直", 1, 0),
    Yaku(2, "ippatsu", "one-shot", "一発", 1, 0),
    Yaku(3, "chankan", "robbing a kan", "槍槓", 1, 1),
    Yaku(4, "rinshan", "after a kan", "嶺上開花", 1, 1),
    Yaku(5, "haitei", "last draw", "海底摸月", 1, 1),
    Yaku(6, "houtei", "last discard", "河底撈魚", 1, 1),
    Yaku(7, "pinfu", "pinfu", "平和", 1, 0),
    Yaku(8, "tanyao", "all simples", "断幺九", 1, 1),
    Yaku(9, "iipeiko", "twin sequences", "一盃口", 1, 0),
    Yaku(10, "seat wind east", "seat wind East", "自風 東", 1, 1),
    Yaku(11, "seat wind south", "seat wind South", "自風 南", 1, 1),
    Yaku(12, "seat wind west", "seat wind West", "自風 西", 1, 1),
    Yaku(13, "seat wind north", "seat wind North", "自風 北", 1, 1),
    Yaku(14, "round wind east", "round wind East", "場風 東", 1, 1),
    Yaku(15, "round wind south", "round wind South", "場風 南", 1, 1),
    Yaku(16, "round wind west", "round wind West", "場風 西", 1, 1),
    Yaku(17, "round wind north", "round wind North", "場風 北", 1, 1),
    Yaku(18, "haku", "white dragon", "役牌 白", 1, 1),
    Yaku(19, "hatsu", "green dragon", "役牌 發", 1, 1),
    Yaku(20, "chun", "red dragon", "役牌 中", 1, 1),
    Yaku(21, "double riichi", "double riichi", "両立直", 2, 0),
    Yaku(22, "chiitoitsu", "seven pairs", "七対子", 2, 0),
    Yaku(23, "chanta", "outside hand", "混全帯幺九", 2, 1),
    Yaku(24, "ittsu", "full straight", "一気通貫", 2, 1),
    Yaku(25, "sanshoku doujun", "three-suit sequences", "三色同順", 2, 1),
    Yaku(26, "sanshoku doukou", "three-suit triplets", "三色同刻", 2, 2),
    Yaku(27, "sankantsu", "three kans", "三槓子", 2, 2),
    Yaku(28, "toitoi", "all triplets", "対々和", 2, 2),
    Yaku(29, "sanankou", "three concealed triplets", "三暗刻", 2, 2),
    Yaku(30, "shousangen", "little three dragons", "小三元", 2, 2),
    Yaku(31, "honroutou", "all terminals and honours", "混老頭", 2, 2),
    Yaku(32, "ryanpeiko", "two twin sequences", "二盃口", 3, 0),
    Yaku(33, "junchan", "terminals in every set", "純全帯幺九", 3, 2),
    Yaku(34, "honitsu", "half flush", "混一色", 3, 2),
    Yaku(35, "chinitsu", "full flush", "清一色", 6, 5),
    Yaku(36, "renhou", "blessing of man", "人和", 0, 0),
    _limit(37, "tenhou", "blessing of heaven", "天和"),
    _limit(38, "chiihou", "blessing of earth", "地和"),
    _limit(39, "daisangen", "big three dragons", "大三元", open=True),
    _limit(40, "suuankou", "four concealed triplets", "四暗刻"),
    _limit(41, "suuankou tanki", "four concealed triplets, single wait", "四暗刻単騎"),
    _limit(42, "tsuuiisou", "all honours", "字一色", open=True),
    _limit(43, "ryuuiisou", "all green", "緑一色", open=True),
    _limit(44, "chinroutou", "all terminals", "清老頭", open=True),
    _limit(45, "chuuren poutou", "nine gates", "九蓮宝燈"),
    _limit(46, "junsei chuuren poutou", "pure nine gates", "純正九蓮宝燈"),
    _limit(47, "kokushi musou", "thirteen orphans", "国士無双"),
    _limit(48, "kokushi musou 13", "thirteen orphans, thirteen waits", "国士無双１３面"),
    _limit(49, "daisuushii", "big four winds", "大四喜", open=True),
    _limit(50, "shousuushii", "little four winds", "小四喜", open=True),
    _limit(51, "suukantsu", "four kans", "四槓子", open=True),
    Yaku(52, "dora", "dora", "ドラ", 1, 1),
    Yaku(53, "ura dora", "ura dora", "裏ドラ", 1, 1),
    Yaku(54, "aka dora", "red five", "赤ドラ", 1, 1),
)
"""All 55, by id. 36 (renhou) is not played and has no han."""

N_YAKU = len(YAKU)
IPPATSU = 2
DORA, URA, RED_FIVE = 52, 53, 54

BY_JAPANESE: dict[str, Yaku] = {y.japanese: y for y in YAKU}
"""By the Japanese name, as Tenhou's JSON writes it before ``(1飜)`` or ``(役満)``."""
