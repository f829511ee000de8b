"""Legal hands made by hand, from a short notation, for tests to corrupt in one place.

A script is words, each one event; S is a seat, T a tile such as 5m, 0p (red), 7z:

    S+T draw    S+T* draw after a kan    S-T discard from the hand    S-T! the tile just drawn
    SR riichi   Sr its deposit           ScF:T:TT chi   SpF:T:TT pon   SkF:T:TTT open kan (F: from)
    SaTTTT closed kan                    SxT added kan                 dT new indicator
"""

from __future__ import annotations

import re
from dataclasses import replace

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    Hand,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.tiles import RED_KINDS, TILES, Seat, Tile, parse_tiles

_CALLS = {"c": Chi, "p": Pon, "k": Daiminkan}


def event(word: str) -> Event:
    """The event of one word."""
    if word[0] == "d":
        return DoraReveal(Tile.parse(word[1:]))
    seat, what, rest = Seat(int(word[0])), word[1], word[2:]
    if what == "+":
        return Draw(seat, Tile.parse(rest[:2]), rinshan=rest.endswith("*"))
    if what == "-":
        return Discard(seat, Tile.parse(rest[:2]), tsumogiri=rest.endswith("!"))
    if what == "R":
        return Riichi(seat)
    if what == "r":
        return RiichiAccepted(seat)
    if what == "a":
        return Ankan(seat, parse_tiles(rest))
    if what == "x":
        return Kakan(seat, Tile.parse(rest))
    target, tile, own = re.fullmatch(r"(\d):(..):(.+)", rest).groups()  # type: ignore[union-attr]
    return _CALLS[what](seat, Seat(int(target)), Tile.parse(tile), parse_tiles(own))


def script(text: str) -> tuple[Event, ...]:
    """The events of a script."""
    return tuple(event(word) for word in text.split())


def hand(
    deal: tuple[str, str, str, str], indicator: str, text: str, *ending: Event, **start: object
) -> Hand:
    """A hand from four starting hands, the first indicator, a script and its ending."""
    first = Start(0, 0, 0, (25000, 25000, 25000, 25000), Tile.parse(indicator))
    hands = tuple(parse_tiles(h) for h in deal)
    return Hand((replace(first, **start), Deal(hands), *script(text), *ending))  # type: ignore[arg-type]


# Seat 0 waits on 1p 4p from its first discard. Double riichi 2, ippatsu 1, pinfu 1, full
# straight 2; the ura indicator 9s makes the pair of 1s two more: 8 han, a dealer's 24,000.
RIICHI_DEAL = ("123456789m23p1s1z", "2258m147p369s234z", "58m258p147s23456z", "36m369p258s34567z")
RIICHI_HEAD = "0+1s 0R 0-1z 0r "
RIICHI_WIN = Win(
    Seat(0),
    Seat(2),
    Tile.parse("4p"),
    (25000, 0, -24000, 0),
    ura=(Tile.parse("9s"),),
    yaku=((21, 2), (2, 1), (7, 1), (24, 2), (53, 2)),
    fu=30,
    points=24000,
)
RIICHI = hand(RIICHI_DEAL, "3s", RIICHI_HEAD + "1+6m 1-6m! 2+4p 2-4p!", RIICHI_WIN)

# Seat 1: pon of the white dragon, adds the fourth, wins on the replacement tile: 20 + 16 for
# the added kan + 4 for its three 8s + 2 for tsumo = 42, 50 fu.
KAN_DEAL = ("258m147p258s1246z", "234m567p3388s155z", "369m258p14s33467z", "199m19p19s123467z")
KAN_HEAD = "0+5z 0-5z! 1p0:5z:55z 1-1z 2+8m 2-8m! 3+8m 3-8m! 0+8m 0-8m! 1+5z 1x5z "
KAN_WIN = Win(
    Seat(1),
    Seat(1),
    Tile.parse("8s"),
    (-1600, 3200, -800, -800),
    yaku=((4, 1), (18, 1)),
    fu=50,
    points=3200,
)
KAN = hand(KAN_DEAL, "1p", KAN_HEAD + "1+8s*", KAN_WIN)
KAN_GOES_ON = hand(
    KAN_DEAL,
    "1p",
    KAN_HEAD + "1+7p* d6z 1-7p! 2+8s 2-8s!",
    replace(
        KAN_WIN, target=Seat(2), deltas=(0, 1300, -1300, 0), yaku=((18, 1),), fu=40, points=1300
    ),
)
CHANKAN = hand(
    KAN_DEAL,
    "1p",
    KAN_HEAD,
    Win(Seat(3), Seat(1), Tile.parse("5z"), (0, -32000, 0, 32000), yaku=((47, 13),), points=32000),
)


def rest_of(hand_: Hand) -> list[Tile]:
    """The tiles that the deal and the indicator leave, in a fixed mixed order."""
    left = [tile for code, tile in enumerate(TILES) for _ in range(_copies(code))]
    for deal in hand_.events[1].hands:  # type: ignore[union-attr]
        for tile in deal:
            left.remove(tile)
    left.remove(hand_.start.indicator)
    return [left[i * 37 % len(left)] for i in range(len(left))]


def _copies(code: int) -> int:
    return 1 if code >= 34 else 3 if code in RED_KINDS else 4


def drawn_out(*ending: Event, **start: object) -> Hand:
    """Everyone discards what they draw until the wall is empty; seat 0 is tenpai."""
    deal = (RIICHI_DEAL[0].replace("1z", "1s"), *RIICHI_DEAL[1:])
    empty = hand(deal, "3s", "", **start)
    events: list[Event] = []
    for i, tile in enumerate(rest_of(empty)[:70]):
        seat = Seat((empty.start.dealer + i) % 4)
        events += [Draw(seat, tile), Discard(seat, tile, True)]
    return Hand((*empty.events, *events, *ending))


TENPAI = (True, False, False, False)
DRAW = drawn_out(ExhaustiveDraw((3000, -1000, -1000, -1000), TENPAI))

NINE = hand(
    ("19m19p19s1234m567z", *RIICHI_DEAL[1:]),
    "3s",
    "0+8s",
    AbortiveDraw("nine-terminals", Seat(0)),
)
WINDS = hand(
    ("258m147p369s1225z", "369m258p147s1225z", "147m369p258s1335z", "258m147p369s1334z"),
    "7z",
    "0+6z 0-1z 1+6z 1-1z 2+6z 2-1z 3+6z 3-1z",
    AbortiveDraw("four-winds"),
)
LEGAL = {
    "riichi": RIICHI,
    "kan": KAN,
    "kan goes on": KAN_GOES_ON,
    "chankan": CHANKAN,
    "draw": DRAW,
    "nine": NINE,
    "winds": WINDS,
}


def put(hand_: Hand, at: int, *events: Event, drop: int = 1) -> Hand:
    """The hand with ``drop`` events from ``at`` on replaced by ``events``."""
    old = hand_.events
    at = at if at >= 0 else len(old) + at
    return Hand((*old[:at], *events, *old[at + drop :]))
