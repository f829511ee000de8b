"""The result row of a hand in Tenhou's JSON: what was won, by whom, in words.

``["和了", changes, [who, from, liable, "30符3飜3900点", "立直(1飜)", ...], ...]``, the changes
and the bracket once for each winner, or the name of a draw and perhaps the changes. The fu of
a limit hand has no place (``"満貫8000点"``), nor has who was tenpai beside a nagashi mangan.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from haiyomi.events import (
    AbortiveDraw,
    AbortiveReason,
    ExhaustiveDraw,
    Start,
    Win,
)
from haiyomi.kernels.yaku import BY_JAPANESE, YAKU
from haiyomi.logs import fields
from haiyomi.logs.endings import nagashi_seats, tenpai_seats
from haiyomi.tiles import Seat, Tile

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Ids of yaku and their han."""
WON, DRAWN, NAGASHI, ALL_TENPAI, NO_TENPAI = "和了", "流局", "流し満貫", "全員聴牌", "全員不聴"
ABORTIVE: dict[str, AbortiveReason] = {
    "九種九牌": "nine-terminals",
    "四風連打": "four-winds",
    "四家立直": "four-riichi",
    "四槓散了": "four-kans",
    "三家和了": "triple-ron",
    "四開槓": "four-kans",
    "三家和": "triple-ron",
    "Kyuushu Kyuuhai": "nine-terminals",
    "Nine Terminal Abortion": "nine-terminals",
    "Suufon Renda": "four-winds",
    "Four Wind Abortion": "four-winds",
    "Suucha Riichi": "four-riichi",
    "Four Riichi Abortion": "four-riichi",
    "Suukaikan": "four-kans",
    "Four Kan Abortion": "four-kans",
    "Sanchahou": "triple-ron",
    "Three Ron Abortion": "triple-ron",
}
"""Names of the abortive draws; the first of each reason is written. The others, and the names in
other languages below, are those of converters of Mahjong Soul's records (tensoul)."""
_DRAWN = (DRAWN, "Ryuukyoku", "Exhaustive Draw")
_NAGASHI = (NAGASHI, "Nagashi Mangan", "Mangan at Draw")

WORTH = re.compile(
    r"(?:(\d{1,3})(?:符|Fu)(\d{1,2})(?:飜|Han))?(\D*?)(\d{1,7})(?:-(\d{1,7}))?点(∀)?", re.ASCII
)
_YAKU = re.compile(r"(.+)\((?:(\d{1,3})飜|(?:(\d)倍)?(ダブル)?役満)\)", re.ASCII)
_ENGLISH = {
    "double riichi": 21,
    "menzen tsumo": 0,
    "fully concealed hand": 0,
    "robbing a kan": 3,
    "after a kan": 4,
    "under the sea": 5,
    "under the river": 6,
    "all simples": 8,
    "pure double sequence": 9,
    "red five": 54,
    "ura dora": 53,
    "seven pairs": 22,
    "half flush": 34,
    "full flush": 35,
    "all triplets": 28,
    "ダブル立直": 21,
    "国士無双十三面待ち": 48,
    "half outside hand": 23,
    "pure straight": 24,
    "mixed triple sequence": 25,
    "triple triplets": 26,
    "three quads": 27,
    "all terminals and honors": 31,
    "twice pure double sequence": 32,
    "fully outside hand": 33,
    "ippatsu": 2,
    "all honors": 42,
    "single-wait four concealed triplets": 41,
    "true nine gates": 46,
    "thirteen-wait thirteen orphans": 48,
    "four big winds": 49,
    "four little winds": 50,
    "four quads": 51,
}
"""Names that converters of Mahjong Soul's records write."""
_SEAT_WIND = ("役牌:自風牌", "seat wind")
_ROUND_WIND = ("役牌:場風牌", "prevalent wind")
_TWICE = frozenset((41, 46, 48, 49))
"""Limit hands that may count twice; converters write ``(役満)`` for these, too."""
_BY_NAME: dict[str, int] = {
    **{y.english.lower(): y.id for y in YAKU},
    **{y.name.lower(): y.id for y in YAKU},
    **_ENGLISH,
    **{name: y.id for name, y in BY_JAPANESE.items()},
}


def read_win(bracket: object, changes: object, start: Start, tile: Tile) -> Win:
    """The win of a bracket; ``ura`` is left empty. Raises ValueError."""
    row = fields.array(bracket, "win")
    who, giver = fields.seat(row[0], "winner"), fields.seat(row[1], "giver")
    liable = fields.seat(row[2], "liable seat") if len(row) > 2 else who
    fu = points = None
    if len(row) > 3:
        fu, points = _worth(fields.text(row[3], "worth"))
    yaku = None
    if len(row) > 4:
        winds = (who - start.dealer) % 4, start.kyoku // 4 % 4
        yaku = _yaku([fields.text(y, "yaku") for y in row[4:]], winds)
    if yaku and points:
        yaku = _counted_twice(yaku, points // (48000 if who == start.dealer else 32000))
    return Win(
        who,
        giver,
        tile,
        fields.points(changes, "changes"),
        (),
        yaku,
        fu,
        points,
        None if liable == who else liable,
    )


def _worth(text: str) -> tuple[int | None, int | None]:
    match = WORTH.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:30]!r} has no points")
    first = int(match[4])
    if match[5] is not None:
        total = 2 * first + int(match[5])
    else:
        total = 3 * first if match[6] else first
    return None if match[1] is None else int(match[1]), total


def _counted_twice(yaku: Pairs, limits: int) -> Pairs:
    """The yaku with limit hands counted twice, as far as the points are those of ``limits``."""
    if not all(YAKU[y].yakuman for y, _ in yaku):
        return yaku
    missing = limits - sum(han for _, han in yaku) // 13
    found = []
    for y, han in yaku:
        twice = missing > 0 and y in _TWICE and han == 13
        missing -= twice
        found.append((y, 26 if twice else han))
    return tuple(found)


def _yaku(names: Sequence[str], winds: tuple[int, int]) -> Pairs | None:
    """Ids and han; None if a name is not known (a yaku of other rules or another language)."""
    found = [known_yaku(name, winds) for name in names]
    if None in found:
        return None
    return tuple(pair for pair in found if pair is not None and pair[1])


def known_yaku(name: str, winds: tuple[int, int] = (0, 0)) -> tuple[int, int] | None:
    """The id and han of an entry such as ``"立直(1飜)"``, None if its name is not known.

    ``winds``: the winner's and the round's (0 East), which converters leave out.
    """
    match = _YAKU.fullmatch(name)
    if match is None:
        return None
    called = match[1].lower()
    if called in _SEAT_WIND:
        ident: int | None = 10 + winds[0]
    elif called in _ROUND_WIND:
        ident = 14 + winds[1]
    else:
        ident = _BY_NAME.get(match[1], _BY_NAME.get(called))
    if ident is None:
        return None
    if match[2] is not None:
        return ident, int(match[2])
    return ident, 13 * int(match[3] or (2 if match[4] else 1))


def read_draw(
    row: Sequence[object], dealer: Seat, drawer: Seat | None
) -> AbortiveDraw | ExhaustiveDraw:
    """The draw of a result row; ``drawer`` is who drew last, with no discard after it."""
    name = fields.text(row[0], "result")
    if len(row) > 2:
        raise ValueError(f"a draw of {len(row)} entries")
    deltas = fields.points(row[1], "changes") if len(row) > 1 else (0, 0, 0, 0)
    if name in ABORTIVE:
        reason = ABORTIVE[name]
        return AbortiveDraw(reason, drawer if reason == "nine-terminals" else None)
    if name in _DRAWN:
        return ExhaustiveDraw(deltas, tenpai_seats(deltas))
    if name == ALL_TENPAI:
        return ExhaustiveDraw(deltas, (True, True, True, True))
    if name == NO_TENPAI:
        return ExhaustiveDraw(deltas, (False, False, False, False))
    if name in _NAGASHI:
        seats = nagashi_seats(deltas, dealer)
        if seats is None:
            raise ValueError(f"payments {deltas} are of no nagashi mangan")
        return ExhaustiveDraw(deltas, None, seats)
    raise ValueError(f"no result {name[:20]!r}")


def write_result(endings: Sequence[Win | AbortiveDraw | ExhaustiveDraw], dealer: Seat) -> list[Any]:
    """The result row; inverse of the above but for what the format has no place for."""
    first = endings[0]
    if isinstance(first, AbortiveDraw):
        return [next(name for name, reason in ABORTIVE.items() if reason == first.reason)]
    if isinstance(first, ExhaustiveDraw):
        if first.nagashi:
            return [NAGASHI, list(first.deltas)]
        if any(first.deltas) or first.tenpai is None:
            return [DRAWN, list(first.deltas)]
        return [ALL_TENPAI if first.tenpai[0] else NO_TENPAI]
    row: list[Any] = [WON]
    for win in endings:
        assert isinstance(win, Win)
        row += [list(win.deltas), _bracket(win, dealer)]
    return row


def _bracket(win: Win, dealer: Seat) -> list[Any]:
    bracket: list[Any] = [win.seat, win.target, win.seat if win.pao is None else win.pao]
    if win.points is None:
        return bracket
    limit = _limit(win, dealer)
    head = limit if limit else f"{win.fu}符{win.han}飜" if win.fu is not None and win.han else ""
    bracket.append(head + _payment(win, dealer))
    for ident, han in win.yaku or ():
        entry = YAKU[ident]
        worth = f"{han}飜" if not entry.yakuman else _YAKUMAN[han // 13]
        bracket.append(f"{entry.japanese}({worth})")
    return bracket


_YAKUMAN = ("役満", "役満", "ダブル役満", "3倍役満", "4倍役満", "5倍役満", "6倍役満")


def _limit(win: Win, dealer: Seat) -> str:
    """The name of a limit hand's worth, empty for a lesser hand."""
    assert win.points is not None
    mangans = win.points / (12000 if win.seat == dealer else 8000)
    if mangans < 1:
        return ""
    if mangans >= 4:
        counted = win.yaku is not None and not any(YAKU[y].yakuman for y, _ in win.yaku)
        return "数え役満" if counted else "役満"
    return {2: "満貫", 3: "跳満", 4: "倍満", 6: "三倍満"}.get(round(2 * mangans), "満貫")


def _payment(win: Win, dealer: Seat) -> str:
    points = win.points
    assert points is not None
    if not win.tsumo:
        return f"{points}点"
    if win.seat == dealer:
        return f"{points // 3}点∀"
    small = points // 4 // 100 * 100  # of a rounded pair (s, l): l <= 2 s and l > 2 s - 200
    large = points - 2 * small
    if small and large > 2 * small:
        small += 100
        large -= 200
    return f"{small}-{large}点"
