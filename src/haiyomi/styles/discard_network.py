"""The paper's imitating network: its inputs (Table 3) and its three layers.

Inputs, in order; the rows of Table 3 add up to 326, where its text says 328, and 326 they are::

    152   own concealed tiles: 38 kinds (34, three red fives, a blank) of 4 slots, as many
          slots of a kind set as copies held
    152   own earlier discards of this hand, likewise; never the discard to be named
     16   of each of man, pin, sou, honours: how many kinds are held once, twice, 3, 4 times
      1   melds exposed
      3   shanten of the standard form, seven pairs, thirteen orphans: (8 - shanten) / 8, and 0
          for a form that melds rule out
      1   in riichi (from the discard after the declaration on)
      1   that riichi was immediate: on the first discard that left the closed hand tenpai

The outputs are the 38 kinds. The paper names neither activation nor width: here one hidden layer
of rectified units, linear outputs for mean squared error and a softmax for cross-entropy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Bytes, Ints32, Singles
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    Draw,
    Game,
    Hand,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
)
from haiyomi.kernels.shanten import NO_FORM, shanten, shanten_forms
from haiyomi.rows import Rows
from haiyomi.tiles import N_CODES, Tile

KINDS: Final = 38
SLOTS: Final = 4
INPUTS: Final = 2 * KINDS * SLOTS + 16 + 1 + 3 + 1 + 1
_PLAIN: Final = np.array([*range(34), 4, 13, 22])


@dataclass(frozen=True, slots=True, eq=False)
class Discards(Rows):
    """Discard decisions of some players, one row each.

    ``held`` and ``river`` (n, 37) counts by tile code before the discard; ``melds`` (n,)
    exposed; ``riichi``, ``immediate`` (n,) the last two inputs; ``facing`` another's riichi
    stands; ``drawn`` (n,) code of the tile drawn, 37 after a call; ``target`` (n,) code
    discarded; ``player`` and ``game`` (n,) codes of the caller's.
    """

    held: Bytes
    river: Bytes
    melds: Bytes
    riichi: Bools
    immediate: Bools
    facing: Bools
    drawn: Bytes
    target: Bytes
    player: Ints32
    game: Ints32

    @property
    def kinds(self) -> Bytes:
        """(n, 34) concealed tiles by kind, red fives among the fives."""
        out = self.held[:, :34].copy()
        for code in range(34, N_CODES):
            out[:, _PLAIN[code]] += self.held[:, code]
        return out

    @property
    def folding(self) -> Bools:
        """(n,) another's riichi stands, the own does not, and the discard left the hand
        farther from tenpai than need be."""
        out = self.facing & ~self.riichi
        rows = np.flatnonzero(out)
        before = self.kinds[rows]
        after = before.copy()
        after[np.arange(len(rows)), _PLAIN[self.target[rows]]] -= 1
        out[rows] = shanten(after) > shanten(before) if len(rows) else False
        return out


def inputs(rows: Discards) -> Singles:
    """(n, 326) the inputs of Table 3."""
    n = len(rows)
    out = np.zeros((n, INPUTS), dtype=np.float32)
    slots = np.arange(SLOTS)
    width = N_CODES * SLOTS
    out[:, :width] = (rows.held[:, :, None] > slots).reshape(n, width)
    half = KINDS * SLOTS
    out[:, half : half + width] = (rows.river[:, :, None] > slots).reshape(n, width)
    kinds = rows.kinds
    at = 2 * half
    for first, last in ((0, 9), (9, 18), (18, 27), (27, 34)):
        for copies in range(1, 5):
            out[:, at] = (kinds[:, first:last] == copies).sum(axis=1)
            at += 1
    out[:, at] = rows.melds
    forms = shanten_forms(kinds).astype(np.float32)
    out[:, at + 1 : at + 4] = np.where(forms == NO_FORM, 0.0, (8.0 - forms) / 8.0)
    out[:, at + 4] = rows.riichi
    out[:, at + 5] = rows.immediate
    return out


def discards_of(game: Game, seats: dict[int, int], number: int) -> Discards:
    """The discards of some seats (seat -> player's code) of a game; ``number`` its code.

    Hands in which a seat is disconnected are left out for that seat.
    """
    fold = _DiscardFold(seats, number)
    for index, hand in enumerate(game.hands):
        fold.play(hand, {int(seat) for seat, _, _ in game.absent(index)})
    return fold.finish()


class _Seat:
    """One seat's tiles, discards and riichi in the hand so far."""

    def __init__(self, tiles: tuple[Tile, ...]) -> None:
        self.held = bytearray(N_CODES)
        self.river = bytearray(N_CODES)
        self.melds = 0
        self.opened = False
        self.declaring = False
        self.declared_at = -1
        self.riichi = False
        self.drawn = N_CODES
        # Rows of discards: from the closed hand up to riichi, and after its declaration.
        self.closed: list[int] = []
        self.after: list[int] = []
        for tile in tiles:
            self.held[tile.code] += 1


class _DiscardFold:
    def __init__(self, seats: dict[int, int], number: int) -> None:
        self.wanted = seats
        self.number = number
        self.rows: list[tuple[bytes, bytes, int, bool, bool, int, int, int]] = []
        # Of each hand of a seat in riichi the rows of its closed hand, that of the declaration and
        # those after it: the first tenpai is found at the end.
        self.declared: list[tuple[list[int], int, list[int]]] = []

    def play(self, hand: Hand, absent: set[int]) -> None:
        seats: dict[int, _Seat] = {}
        riichi = [False] * 4
        for event in hand.events:
            match event:
                case Deal():
                    seats = {s: _Seat(event.hands[s]) for s in self.wanted if s not in absent}
                case OwnDeal():
                    if event.seat in self.wanted and event.seat not in absent:
                        seats = {event.seat: _Seat(event.tiles)}
                case Draw(seat, tile):
                    if seat in seats:
                        seats[seat].held[tile.code] += 1
                        seats[seat].drawn = tile.code
                case Riichi(seat):
                    riichi[seat] = True
                    if seat in seats:
                        seats[seat].declaring = True
                case Discard(seat, tile):
                    if seat in seats:
                        facing = any(r and s != seat for s, r in enumerate(riichi))
                        self._discard(seats[seat], tile.code, facing, self.wanted[seat])
                case Chi() | Pon() | Daiminkan():
                    if event.seat in seats:
                        player = seats[event.seat]
                        for tile in event.consumed:
                            player.held[tile.code] -= 1
                        player.melds += 1
                        player.opened = True
                case Ankan(seat, tiles):
                    if seat in seats:
                        for tile in tiles:
                            seats[seat].held[tile.code] -= 1
                        seats[seat].melds += 1
                case Kakan(seat, tile):
                    if seat in seats:
                        seats[seat].held[tile.code] -= 1
                case _:
                    pass
        for player in seats.values():
            if player.after:
                self.declared.append((player.closed, player.declared_at, player.after))

    def _discard(self, player: _Seat, code: int, facing: bool, number: int) -> None:
        """Add the row of a discard of player ``number``, and carry it out."""
        if player.riichi:
            player.after.append(len(self.rows))
        elif not player.opened:
            player.closed.append(len(self.rows))
            if player.declaring:
                player.declared_at = len(self.rows)
        self.rows.append((
            bytes(player.held), bytes(player.river), player.melds, player.riichi,
            facing, player.drawn, code, number,
        ))  # fmt: skip
        player.held[code] -= 1
        player.river[code] += 1
        player.riichi |= player.declaring
        player.declaring = False
        player.drawn = N_CODES

    def finish(self) -> Discards:
        n = len(self.rows)
        columns = list(zip(*self.rows, strict=True)) if n else [()] * 8
        held, river, melds, riichi, facing, drawn, target, player = columns
        u8 = np.uint8
        rows = Discards(
            np.frombuffer(b"".join(held), u8).reshape(n, N_CODES),
            np.frombuffer(b"".join(river), u8).reshape(n, N_CODES),
            np.array(melds, u8), np.array(riichi, np.bool_), np.zeros(n, np.bool_),
            np.array(facing, np.bool_), np.array(drawn, u8), np.array(target, u8),
            np.array(player, np.int32), np.full(n, self.number, np.int32),
        )  # fmt: skip
        if self.declared:
            after = rows.kinds
            after[np.arange(n), _PLAIN[rows.target]] -= 1
            tenpai = shanten(after) == 0
            for closed, declared, later in self.declared:
                first = next((i for i in closed if tenpai[i]), -1)
                rows.immediate[later] = first == declared
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class DiscardNetwork:
    """The three layers: (326, width), (width,), (width, 38), (38,) of float32."""

    w1: Singles
    b1: Singles
    w2: Singles
    b2: Singles

    def scores(self, x: Singles) -> Singles:
        """(n, 38) outputs: the higher, the likelier the discard."""
        out: Singles = np.maximum(x @ self.w1 + self.b1, 0.0) @ self.w2 + self.b2
        return out


def ranks(scores: Singles, rows: Discards, merged: bool = True, held_only: bool = True) -> Bytes:
    """(n,) how many tiles the network puts before the one discarded (0: the first candidate), of
    which Table 4 counts 0 as exact and 0 to 2 as within three.

    ``merged``: a red five and a plain one count as the same tile, with the better of their
    scores; else they are apart. ``held_only``: only tiles that are held are candidates; the
    paper does not say, and without it a network may name what is not there.
    """
    s = scores.astype(np.float64)
    if held_only:
        s[:, :N_CODES] = np.where(rows.held > 0, s[:, :N_CODES], -np.inf)
        s[:, N_CODES:] = -np.inf
    target = rows.target.astype(np.int64)
    if merged:
        for code in range(34, N_CODES):
            plain = _PLAIN[code]
            s[:, plain] = np.maximum(s[:, plain], s[:, code])
            s[:, code] = -np.inf
        target = _PLAIN[target]
    mine = s[np.arange(len(s)), target][:, None]
    out: Bytes = (s > mine).sum(axis=1).astype(np.uint8)
    return out
