"""Who wins how much in a Mahjong Soul record: yaku by the game's numbers, points, payments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.events import DoraReveal, Event, FourScores, Offer, Start, Win
from haiyomi.json_types import Json
from haiyomi.logs import fields
from haiyomi.rules import DEPOSIT
from haiyomi.tiles import Seat, Tile

YAKU: Final[dict[int, int]] = {
    1: 0, 2: 1, 3: 3, 4: 4, 5: 5, 6: 6, 7: 18, 8: 19, 9: 20, 12: 8, 13: 9, 14: 7, 15: 23, 16: 24,
    17: 25, 18: 21, 19: 26, 20: 27, 21: 28, 22: 29, 23: 30, 24: 31, 25: 22, 26: 33, 27: 34, 28: 32,
    29: 35, 30: 2, 31: 52, 32: 54, 33: 53, 35: 37, 36: 38, 37: 39, 38: 40, 39: 42, 40: 43, 41: 44,
    42: 47, 43: 50, 44: 51, 45: 45, 47: 46, 48: 41, 49: 48, 50: 49,
}  # fmt: skip
"""Mahjong Soul's number of a yaku -> Tenhou's, but for the winds."""
SEAT_WIND: Final = 10
ROUND_WIND: Final = 11
_TENHOU_SEAT_WIND, _TENHOU_ROUND_WIND = 10, 14
_FOUR = (0, 1, 2, 3)


def read_wins(entry: Json, start: Start, sticks: int, events: Sequence[Event]) -> list[Win]:
    """The wins of ``RecordHule``. Raises ValueError.

    The entry has the payments of all winners together: with several, each one's are worked out,
    and a liable player's are what the others leave.
    """
    hules = [fields.mapping(each, "win") for each in fields.array(entry.get("hules"), "hules")]
    if not 1 <= len(hules) <= 3:
        raise ValueError(f"{len(hules)} winners of one hand")
    # The indicator of an earlier kan may come with the discard that is won on.
    last = next(each for each in reversed(events) if not isinstance(each, DoraReveal))
    giver = last.seat if isinstance(last, Offer) else None
    hules.sort(key=lambda hule: (fields.seat(hule.get("seat", 0)) - (giver or 0)) % 4)
    wins = [_win(hule, start, giver) for hule in hules]
    stated = fields.points(entry.get("delta_scores"), "delta_scores")
    shares = [
        _payments(win, sticks if i == 0 else 0, start.honba if i == 0 else 0)
        for i, win in enumerate(wins)
    ]
    liable = next((i for i, win in enumerate(wins) if win.pao is not None), len(wins) - 1)
    others = [share for i, share in enumerate(shares) if i != liable]
    rest = tuple(stated[s] - sum(share[s] for share in others) for s in _FOUR)
    shares[liable] = fields.points(list(rest), "payments")
    return [_with(win, share) for win, share in zip(wins, shares, strict=True)]


def _win(hule: Json, start: Start, giver: Seat | None) -> Win:
    seat = fields.seat(hule.get("seat", 0))
    tsumo = bool(hule.get("zimo"))
    if giver is None and not tsumo:
        raise ValueError("a win on a tile that nobody gave")
    yakuman = bool(hule.get("yiman"))
    yaku = []
    for each in fields.array(hule.get("fans") or [], "fans"):
        fan = fields.mapping(each, "fan")
        number = fields.integer(fan.get("id"), 0, 100_000, "yaku")
        worth = fields.integer(fan.get("val", 0), 0, 100, "han")
        if worth:
            yaku.append((_yaku(number, seat, start), 13 * worth if yakuman else worth))
    fu = fields.integer(hule.get("fu", 0), 0, 999, "fu")
    liable = fields.integer(hule.get("baopai", 0), 0, 4, "liable seat")
    return Win(
        seat,
        seat if tsumo or giver is None else giver,
        Tile.parse(fields.text(hule.get("hu_tile"), "tile")),
        (0, 0, 0, 0),
        tuple(
            Tile.parse(fields.text(t, "tile"))
            for t in fields.array(hule.get("li_doras") or [], "ura")
        ),
        tuple(yaku),
        None if yakuman or not fu else fu,
        _points(hule, tsumo, seat == start.dealer),
        Seat(liable - 1) if liable else None,
    )


def _yaku(number: int, seat: Seat, start: Start) -> int:
    if number == SEAT_WIND:
        return _TENHOU_SEAT_WIND + (seat - start.dealer) % 4
    if number == ROUND_WIND:
        return _TENHOU_ROUND_WIND + start.kyoku // 4 % 4
    if number not in YAKU:
        raise ValueError(f"the yaku {number} is of rules that haiyomi does not know")
    return YAKU[number]


def _points(hule: Json, tsumo: bool, dealer: bool) -> int:
    def of(name: str) -> int:
        return fields.integer(hule.get(name, 0), 0, fields.MOST_POINTS, name)

    if not tsumo:
        return of("point_rong")
    each = of("point_zimo_xian")
    return 3 * each if dealer else of("point_zimo_qin") + 2 * each


def _payments(win: Win, sticks: int, honba: int) -> FourScores:
    """What a ron without a liable player pays."""
    deltas = [0, 0, 0, 0]
    paid = (win.points or 0) + 300 * honba
    deltas[win.target] -= paid
    deltas[win.seat] += paid + DEPOSIT * sticks
    return fields.points(deltas, "payments")


def _with(win: Win, deltas: FourScores) -> Win:
    return Win(
        win.seat, win.target, win.tile, deltas, win.ura, win.yaku, win.fu, win.points, win.pao
    )
