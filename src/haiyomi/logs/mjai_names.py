"""The names that mjai gives to yaku and to draws."""

from __future__ import annotations

from haiyomi.events import AbortiveReason
from haiyomi.tiles import Seat

YAKU_NAMES: tuple[str, ...] = (
    "menzenchin_tsumoho",
    "reach",
    "ippatsu",
    "chankan",
    "rinshankaiho",
    "haiteiraoyue",
    "hoteiraoyui",
    "pinfu",
    "tanyaochu",
    "ipeko",
    *("jikaze",) * 4,
    *("bakaze",) * 4,
    "haku",
    "hatsu",
    "chun",
    "double_reach",
    "chitoitsu",
    "honchantaiyao",
    "ikkitsukan",
    "sanshokudojun",
    "sanshokudoko",
    "sankantsu",
    "toitoiho",
    "sananko",
    "shosangen",
    "honroto",
    "ryanpeko",
    "junchantaiyao",
    "honiso",
    "chiniso",
    "renho",
    "tenho",
    "chiho",
    "daisangen",
    "suanko",
    "suanko_tanki",
    "tsuiso",
    "ryuiso",
    "chinroto",
    "churenpoton",
    "churenpoton_kyumen",
    "kokushimuso",
    "kokushimuso_jusanmen",
    "daisushi",
    "shosushi",
    "sukantsu",
    "dora",
    "uradora",
    "akadora",
)
"""By Tenhou's yaku id. The original names tell winds by whose they are, and all dragons alike
(``sangenpai``); here a dragon goes by its own name and a limit hand by its wait."""
YAKUMAN_FAN = 100
"""The han that mjai writes for a limit hand."""
LIMITS = range(37, 52)
DRAGONS = "sangenpai"
"""The original name of a triplet of any dragon."""
_IDS = {name: ident for ident, name in enumerate(YAKU_NAMES)}

REASONS: dict[AbortiveReason | None, str] = {
    "nine-terminals": "kyushukyuhai",
    "four-winds": "sufonrenta",
    "four-riichi": "suchareach",
    "triple-ron": "sanchaho",
    "four-kans": "sukaikan",
    None: "fanpai",
}
"""``ryukyoku``'s ``reason`` of each abortive draw; ``fanpai`` for the empty wall."""
NAGASHI = "nagashimangan"
REASONS_OF_RIICHIENV = {
    "kyushu_kyuhai": "kyushukyuhai",
    "sufuurenta": "sufonrenta",
    "suucha_riichi": "suchareach",
    "suukansansen": "sukaikan",
    "exhaustive_draw": "fanpai",
}
"""What the logs of riichienv call these draws."""


def yaku_id(name: str, seat: Seat, kyoku: int) -> int | None:
    """Tenhou's id of a name for a winner's seat in a round; None if the name does not show it."""
    if name == "jikaze":
        return 10 + (seat - kyoku) % 4
    if name == "bakaze":
        return 14 + kyoku // 4 % 4
    return _IDS.get(name)
