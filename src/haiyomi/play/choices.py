"""The legal actions of a seat as choices: with the tiles and seats that an action leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from haiyomi.events import (
    DISCARDS,
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Event,
    Kakan,
    Offer,
    Pon,
    Riichi,
)
from haiyomi.play.actions import (
    CHI,
    CHI_PAIRS,
    KAN,
    NINE_TERMINALS,
    PASS,
    PON,
    RIICHI,
    RON,
    TSUMO,
    TSUMOGIRI,
)
from haiyomi.play.player import Choice, Claim, Pass
from haiyomi.tiles import N_KINDS, RED_KINDS, TILES, Kind, Seat, Tile


def choices_of(
    actions: Iterable[int], seat: Seat, events: Sequence[Event], red_fives: bool
) -> tuple[Choice, ...]:
    """The choices of some legal actions of an absolute seat, after the ``events`` of a hand.

    A win comes first, then kans of one's own, nine terminals, riichi and the discards by tile; or
    on another's tile pon, open kan, the chis from the lowest run, and passing.
    """
    last = events[-1]
    offer = last if isinstance(last, Offer) and last.seat != seat else None
    pons = [e for e in events if isinstance(e, Pon) and e.seat == seat]
    found: list[tuple[tuple[int, int, int], Choice]] = []
    for action in actions:
        if offer is not None:
            found.append(_on_offer(action, seat, offer, red_fives))
        elif KAN <= action < PON:
            found.append(_own_kan(Kind(action - KAN), seat, pons, red_fives))
        else:
            found.append(_in_turn(action, seat))
    return tuple(choice for _, choice in sorted(found, key=lambda pair: pair[0]))


def _in_turn(action: int, seat: Seat) -> tuple[tuple[int, int, int], Choice]:
    if action == TSUMO:
        return (0, 0, 0), Claim(seat, seat)
    if action == NINE_TERMINALS:
        return (3, 0, 0), AbortiveDraw("nine-terminals", seat)
    if action == RIICHI:
        return (4, 0, 0), Riichi(seat)
    code, own = (action - TSUMOGIRI, True) if action >= TSUMOGIRI else (action, False)
    return (5, code, own), DISCARDS[seat][code][own]


def _own_kan(
    kind: Kind, seat: Seat, pons: Sequence[Pon], red_fives: bool
) -> tuple[tuple[int, int, int], Choice]:
    """An added kan where the seat has a pon of the kind, else a closed one."""
    has_red = red_fives and kind in RED_KINDS
    for place, pon in enumerate(pons):
        if pon.tile.kind == kind:
            melded = any(tile.red for tile in (pon.tile, *pon.consumed))
            return (2, place, 0), Kakan(seat, _copy(kind, has_red and not melded))
    return (1, kind, 0), Ankan(seat, _copies(kind, 4, has_red))


def _on_offer(
    action: int, seat: Seat, offer: Offer, red_fives: bool
) -> tuple[tuple[int, int, int], Choice]:
    target = offer.seat
    if action == RON:
        return (0, 0, 0), Claim(seat, target)
    if action == PASS:
        return (4, 0, 0), Pass(seat)
    assert isinstance(offer, Discard)
    tile = offer.tile
    if action >= CHI:
        return (3, action, 0), Chi(seat, target, tile, CHI_PAIRS[action - CHI])
    if action >= PON:
        own = _copies(tile.kind, 2, action - PON >= N_KINDS)
        return (1, action, 0), Pon(seat, target, tile, own)
    red = red_fives and tile.kind in RED_KINDS and not tile.red
    return (2, 0, 0), Daiminkan(seat, target, tile, _copies(tile.kind, 3, red))


def _copies(kind: Kind, n: int, red: bool) -> tuple[Tile, ...]:
    """Some tiles of a kind, the red five last if it is among them."""
    return tuple(_copy(kind, red and place == n - 1) for place in range(n))


def _copy(kind: Kind, red: bool) -> Tile:
    return TILES[N_KINDS + RED_KINDS.index(kind) if red else kind]
