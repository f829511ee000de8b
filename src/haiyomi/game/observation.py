"""The observation of a Position as one fixed-size record: the input of the models.

Records are numpy structured arrays, so that a million positions of a corpus and a single one
go through the same code. Seats are relative as in a Position, 0 the viewer.
Nothing hidden has a field here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Ints
from haiyomi.errors import PositionError
from haiyomi.game.player_view import Meld, PlayerView
from haiyomi.game.position import Position
from haiyomi.tiles import YAOCHU

RIVER: Final = 28
"""Discards of one player in a record; beyond that the earliest are dropped."""
NONE: Final = 255
TSUMOGIRI, DECLARES, CALLED, FACING, RED = 1, 2, 4, 8, 16
"""Bits of a discard's ``flags``: drawn just before, declared riichi, taken by a call, made
while another's riichi stood, a red five."""
_NONE: Final = bytes([NONE])
_REST: Final = struct.Struct("<BbiQQ")
"""The fields of PLAYER from ``concealed`` on."""
MELD_KINDS: Final = ("chi", "pon", "daiminkan", "kakan", "ankan")
_ANKAN: Final = MELD_KINDS.index("ankan")

PLAYER = np.dtype(
    [
        ("kind", "u1", RIVER),  # kinds discarded in order, NONE after the last
        ("order", "u1", RIVER),  # discards of all seats before it
        ("flags", "u1", RIVER),
        ("n", "u1"),  # discards in the record
        # up to four melds: index into MELD_KINDS or NONE, lowest kind, kind called or NONE,
        # discards of all seats before it, seat called from or NONE, red fives in it
        ("melds", "u1", (4, 6)),
        ("concealed", "u1"),
        ("riichi", "i1"),  # index into the river of the declaration, -1 without
        ("score", "<i4"),
        ("passed", "<u8"),  # kinds let pass since the player's own last discard
        ("passed_riichi", "<u8"),  # and since the riichi
    ]
)
OBSERVATION = np.dtype(
    [
        ("players", PLAYER, 4),
        ("unseen", "u1", 34),  # copies that the viewer does not see
        ("indicators", "u1", 5),  # kinds, NONE after the last
        ("seat", "u1"),  # the viewer's absolute seat
        ("kyoku", "u1"),
        ("honba", "u1"),
        ("sticks", "u1"),
        ("dealer", "u1"),  # relative
        ("draws_left", "u1"),
        # bits of relative seats: a win now is within one turn of an unbroken riichi; the riichi
        # was a double one; the river is terminals and honours of which none was taken
        ("ippatsu", "u1"),
        ("double_riichi", "u1"),
        ("nagashi", "u1"),
        ("rounds", "u1"),  # of the game: 1 East-only, 2 hanchan, 4 full game, 0 unknown
        ("reds_seen", "u1"),  # bit s: the viewer sees the red five of suit s
        ("forgets", "u1"),  # 1: others' discards before a riichi have no TSUMOGIRI
    ]
)
Observations = NDArray[Any]
"""(n,) of OBSERVATION."""


def observations_of(positions: Iterable[Position]) -> Observations:
    """The records of some positions."""
    return unpack(b"".join(pack(p) for p in positions))


def unpack(data: bytes) -> Observations:
    """The records of joined ``pack`` bytes."""
    return np.frombuffer(data, dtype=OBSERVATION)


def pack(position: Position) -> bytes:
    """One record of OBSERVATION as bytes. Raises PositionError for what no wall can deal."""
    unseen = position.unseen
    if position.draws_left < 0 or min(unseen) < 0:
        what = "five of a kind" if position.draws_left >= 0 else "more draws than a wall has"
        raise PositionError(f"the seat has seen {what}: no such hand can be dealt")
    tail = bytes(
        (
            *unseen,
            *bytes([t.kind for t in position.indicators[:5]]).ljust(5, _NONE),
            position.seat,
            position.kyoku,
            min(position.honba, 255),
            min(position.sticks, 255),
            position.dealer,
            position.draws_left,
            *_of_seats(position),
            position.rules.rounds,
            position.reds_seen,
            0,
        )
    )
    return b"".join([*map(_pack_player, position.players), tail])


def _of_seats(position: Position) -> tuple[int, int, int]:
    """The bits of ippatsu, double riichi and nagashi."""
    ippatsu = double = nagashi = 0
    for seat, player in enumerate(position.players):
        ippatsu |= player.ippatsu << seat
        double |= is_double_riichi(position, player) << seat
        river = player.river
        nagashi |= all(t.called_by is None and t.tile.kind in YAOCHU for t in river) << seat
    return ippatsu, double, nagashi


def is_double_riichi(position: Position, player: PlayerView) -> bool:
    """Whether a player's riichi came with the first discard, before any call."""
    if player.riichi_index != 0:
        return False
    order = player.river[0].order if player.river else position.discards_made
    return all(meld.order > order for other in position.players for meld in other.melds)


def _pack_player(view: PlayerView) -> bytes:
    """One record of PLAYER as bytes."""
    river = view.river[-RIVER:]
    dropped = len(view.river) - len(river)
    index = -1 if view.riichi_index is None else max(view.riichi_index - dropped, 0)
    melds: list[int] = []
    for meld in view.melds:
        melds += _meld(meld)
    flags = [  # quicker than arithmetic with bools
        (TSUMOGIRI if t.tsumogiri else 0)
        + (DECLARES if t.riichi else 0)
        + (0 if t.called_by is None else CALLED)
        + (FACING if t.facing_riichi else 0)
        + (RED if t.tile.red else 0)
        for t in river
    ]
    return b"".join(
        (
            bytes([t.tile.kind for t in river]).ljust(RIVER, _NONE),
            bytes([t.order if t.order < 254 else 254 for t in river]).ljust(RIVER, _NONE),
            bytes(flags).ljust(RIVER, b"\0"),
            len(river).to_bytes(),
            bytes(melds).ljust(24, _NONE),
            _REST.pack(view.concealed, index, view.score, view.passed_mask, view.riichi_mask),
        )
    )


def _meld(meld: Meld) -> tuple[int, ...]:
    return (
        MELD_KINDS.index(meld.kind),
        meld.base,
        NONE if meld.called is None else meld.called.kind,
        min(meld.order, 254),
        NONE if meld.target is None else meld.target,
        sum(t.red for t in meld.tiles),
    )


def open_melds(players: NDArray[Any]) -> Ints:
    """(...,) how many melds of players (...) of PLAYER are open: all but concealed kans."""
    kinds = players["melds"][..., 0]
    out: Ints = ((kinds != NONE) & (kinds != _ANKAN)).sum(axis=-1)
    return out


def furiten_kinds(players: NDArray[Any]) -> NDArray[np.uint64]:
    """(...,) masks of the kinds that players may not win on: of their own river, and passed since
    their last discard or their riichi."""
    out: NDArray[np.uint64] = lasting_furiten(players) | players["passed"]
    return out


def lasting_furiten(players: NDArray[Any]) -> NDArray[np.uint64]:
    """(...,) those of ``furiten_kinds`` that the next own discard does not set free."""
    kinds = players["kind"]
    river = np.where(kinds == NONE, np.uint64(0), np.uint64(1) << (kinds % 64).astype(np.uint64))
    out: NDArray[np.uint64] = np.bitwise_or.reduce(river, axis=-1) | players["passed_riichi"]
    return out
