"""Streams of events written by hand, as seat 0 sees them, and their fold."""

from __future__ import annotations

from haiyomi.events import (
    Ankan,
    Discard,
    Draw,
    Event,
    HiddenDraw,
    OwnDeal,
    Riichi,
    RiichiAccepted,
    Start,
    visible_to,
)  # fmt: skip
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.tiles import Seat, Tile, parse_tiles

S0, S1, S2, S3 = (Seat(s) for s in range(4))
HAND = "123m456p789s1122z"


def t(text: str) -> Tile:
    return Tile.parse(text)


def mask(*names: str) -> int:
    return sum(1 << t(n).kind for n in names)


def start(kyoku: int = 0, indicator: str = "9s") -> Start:
    return Start(kyoku, 0, 0, (25000, 26000, 24000, 25000), t(indicator))


def folded(*events: Event, hand: str = HAND, seat: Seat = S0, kyoku: int = 0) -> PositionFold:
    """The fold after a start, the viewer's deal and the events (masked here)."""
    fold = PositionFold(seat)
    for event in (start(kyoku), OwnDeal(seat, parse_tiles(hand)), *events):
        fold.apply(visible_to(event, seat))
    return fold


def after(*events: Event, hand: str = HAND, seat: Seat = S0, kyoku: int = 0) -> Position:
    return folded(*events, hand=hand, seat=seat, kyoku=kyoku).position()


def turn(seat: Seat, tile: str, tsumogiri: bool = True) -> tuple[Event, Event]:
    """Another's draw and discard."""
    return HiddenDraw(seat), Discard(seat, t(tile), tsumogiri)


def own(drawn: str, discarded: str | None = None) -> tuple[Event, Event]:
    """The viewer's (seat 0's) draw, and its discard: the drawn tile unless another is named."""
    return Draw(S0, t(drawn)), Discard(S0, t(discarded or drawn), discarded is None)


KAN: tuple[Event, ...] = (*own("9m"), HiddenDraw(S1), Ankan(S1, parse_tiles("2222p")))
RIICHI1 = (HiddenDraw(S1), Riichi(S1), Discard(S1, t("5s"), False), RiichiAccepted(S1))
