"""Tiles and every notation for them, explained once.

Riichi mahjong is played with 136 tiles: 34 *kinds*, four copies of each. Three suits of
nine (characters or man ``m``, circles or pin ``p``, bamboo or sou ``s``), four winds and
three dragons (the *honours*, ``z``). One copy of each five may be a *red five* (aka), a
bonus tile worth one han.

=============  ===========================================================================
tile id        0-135, one number a physical tile, as in Tenhou's mjlog: ``id // 4`` is the
               kind; the red fives are 16 (5m), 52 (5p) and 88 (5s) where the rules have them
kind           0-8 = 1m-9m, 9-17 = 1p-9p, 18-26 = 1s-9s, 27-33 = East South West North
               White Green Red
code           0-33 the kind of a plain tile, 34 35 36 the red 5m 5p 5s: what arrays carry
notation       ``123m406p789s1122z``: digits, then their suit; **0 is the red five**;
               1z-7z = East South West North White Green Red
mjai           ``1m`` ... ``9s``, ``5mr 5pr 5sr`` red, ``E S W N P F C`` honours, ``?`` hidden
tenhou6        two-digit numbers: 11-19 man, 21-29 pin, 31-39 sou, 41-47 honours,
               51 52 53 the red 5m 5p 5s
Unicode        the block at U+1F000: ``🀇``-``🀏`` man, ``🀙``-``🀡`` pin, ``🀐``-``🀘`` sou,
               ``🀀🀁🀂🀃`` winds, ``🀆🀅🀄`` White Green Red; it has no red fives
=============  ===========================================================================

Simples are the suit tiles 2-8; terminals the ones and nines; terminals and honours together
are the *yaochuhai*. A *dora indicator* names the bonus kind that follows it (9 -> 1,
North -> East, Red -> White).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import mul
from typing import NewType, Self

from haiyomi.errors import TileError

Kind = NewType("Kind", int)
"""0-33."""
TileId = NewType("TileId", int)
"""0-135."""
Seat = NewType("Seat", int)
"""0-3. In a game: absolute, 0 = the first dealer. In a Position: relative, 0 = the viewer."""

N_KINDS = 34
N_CODES = 37
RED_IDS: tuple[TileId, ...] = (TileId(16), TileId(52), TileId(88))
RED_KINDS: tuple[Kind, ...] = (Kind(4), Kind(13), Kind(22))
SUITS = "mpsz"
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = (Kind(k) for k in range(27, 34))
YAOCHU: tuple[Kind, ...] = tuple(Kind(k) for k in (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33))
"""The thirteen terminals and honours, ascending."""

_MJAI_HONOURS = "ESWNPFC"
_UNICODE = "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀆🀅🀄"


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A kind and whether it is the red five. Take one from ``TILES`` or ``Tile.parse``.

    ``code`` (0-36) is what arrays carry. Raises TileError for a kind outside 0-33 or a red
    tile that is no five.
    """

    kind: Kind
    red: bool = False
    code: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.kind < N_KINDS:
            raise TileError(f"no tile kind {self.kind}: kinds are 0 to 33")
        if self.red and self.kind not in RED_KINDS:
            raise TileError(f"{kind_name(self.kind)} cannot be red: only fives are")
        code = 34 + self.kind // 9 if self.red else int(self.kind)
        object.__setattr__(self, "code", code)

    def __hash__(self) -> int:
        return self.code

    def __repr__(self) -> str:
        return f"Tile.parse({str(self)!r})"

    def __str__(self) -> str:
        return _NAMES[self.code]

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile of a two-character notation such as ``5m``, ``0p`` (red) or ``7z``.

        Inverse of ``str``. Raises TileError.
        """
        try:
            return _BY_NAME[text]
        except (KeyError, TypeError):
            raise TileError(
                f"no tile {text!r}: expected a digit and m, p, s or z, such as 5m or 0p; honours "
                "are 1z to 7z"
            ) from None

    @classmethod
    def from_id(cls, tile: int, reds: bool = True) -> Tile:
        """The tile of a tile id 0-135; ``reds``: whether the rules have red fives."""
        if not 0 <= tile < 136:
            raise TileError(f"no tile id {tile}: tile ids are 0 to 135")
        return (_BY_ID if reds else _BY_ID_PLAIN)[tile]

    @classmethod
    def from_mjai(cls, text: str) -> Tile:
        """The tile of an mjai name such as ``5m``, ``5mr``, ``E`` or ``C``."""
        try:
            return _BY_MJAI[text]
        except (KeyError, TypeError):
            raise TileError(f"no mjai tile {text!r}") from None

    @property
    def mjai(self) -> str:
        """The mjai name; inverse of ``from_mjai``."""
        return _MJAI[self.code]

    @classmethod
    def from_tenhou6(cls, number: int) -> Tile:
        """The tile of a two-digit number of Tenhou's JSON, 11-47 and 51-53."""
        try:
            return _BY_TENHOU6[number]
        except (KeyError, TypeError):
            raise TileError(f"no tile {number!r}: expected 11-19, ..., 41-47 or 51-53") from None

    @property
    def tenhou6(self) -> int:
        """The two-digit number of Tenhou's JSON; inverse of ``from_tenhou6``."""
        return _TENHOU6[self.code]

    @property
    def unicode(self) -> str:
        """The Unicode character; a red five looks like a plain one."""
        return _UNICODE[self.kind]

    def _repr_svg_(self) -> str:
        return Tiles((self,))._repr_svg_()


class Tiles(tuple[Tile, ...]):
    """Some tiles in an order: a tuple that prints as notation and shows as tiles in a notebook.

    ``parse_tiles(str(tiles)) == tiles``; ``Tiles(position.hand)`` makes one of any tiles. Raises
    TileError for a text, which ``parse_tiles`` reads.
    """

    __slots__ = ()

    def __new__(cls, tiles: Iterable[Tile] = ()) -> Self:
        given: object = tiles
        if isinstance(given, str):
            raise TileError(f"Tiles takes tiles: of a notation, parse_tiles({tiles!r}) makes them")
        return super().__new__(cls, tiles)

    def __str__(self) -> str:
        out = ""
        for suit, same in groupby(map(str, self), lambda name: name[1]):
            out += "".join(name[0] for name in same) + suit
        return out

    def __repr__(self) -> str:
        return f"parse_tiles({str(self)!r})"

    def _repr_svg_(self) -> str:
        from haiyomi.display.tile_row import svg, upright

        return svg(upright(self))


def tile_order(tile: Tile) -> int:
    """A tile's place among the tiles; sorting by it is quicker than comparing tile with tile."""
    return 2 * tile.kind + tile.red


def kind_name(kind: int) -> str:
    """``1m`` ... ``7z`` of a kind 0-33."""
    return f"{kind % 9 + 1}{SUITS[kind // 9]}"


def code_name(code: int) -> str:
    """``1m`` ... ``7z``, and ``0m 0p 0s`` of the codes 34-36."""
    return kind_name(code) if code < N_KINDS else f"0{SUITS[code - 34]}"


def kind_of_code(code: int) -> Kind:
    """The kind 0-33 of a code 0-36."""
    return Kind(code) if code < N_KINDS else RED_KINDS[code - 34]


def dora_of(indicator: int) -> Kind:
    """The bonus kind that a dora indicator's kind names."""
    if indicator < 27:
        return Kind(indicator - 8 if indicator % 9 == 8 else indicator + 1)
    if indicator < 31:
        return Kind(27 if indicator == 30 else indicator + 1)
    return Kind(31 if indicator == 33 else indicator + 1)


TILES: tuple[Tile, ...] = tuple(
    Tile(Kind(c)) if c < N_KINDS else Tile(RED_KINDS[c - 34], True) for c in range(N_CODES)
)
"""All 37 tiles by code."""

_NAMES = tuple(code_name(t.code) for t in TILES)
_BY_NAME = dict(zip(_NAMES, TILES, strict=True))
_MJAI = tuple(
    _MJAI_HONOURS[t.kind - 27] if t.kind >= 27 else kind_name(t.kind) + "r" * t.red for t in TILES
)
_BY_MJAI = dict(zip(_MJAI, TILES, strict=True))
_TENHOU6 = tuple(
    51 + t.code - 34 if t.red else 10 * (t.kind // 9 + 1) + t.kind % 9 + 1 for t in TILES
)
_BY_TENHOU6 = dict(zip(_TENHOU6, TILES, strict=True))
_BY_ID_PLAIN = tuple(TILES[i // 4] for i in range(136))
_BY_ID = tuple(
    TILES[34 + RED_IDS.index(TileId(i))] if i in RED_IDS else TILES[i // 4] for i in range(136)
)


def parse_tiles(text: str) -> Tiles:
    """The tiles of a notation such as ``123m406p789s1122z``, in its order.

    Spaces are skipped. Raises TileError for digits without a suit, an unknown character, an
    8z or 9z, or a fifth copy of a kind.
    """
    tiles: list[Tile] = []
    digits: list[str] = []
    for position, char in enumerate(text):
        if char.isspace():
            continue
        if char in "0123456789":
            digits.append(char)
        elif char in SUITS:
            if not digits:
                raise TileError(f"{text!r}: suit {char!r} at character {position} has no digits")
            try:
                tiles += [_BY_NAME[digit + char] for digit in digits]
            except KeyError:
                tiles += [Tile.parse(digit + char) for digit in digits]  # names the wrong one
            digits = []
        else:
            raise TileError(f"{text!r}: {char!r} at character {position} is not a digit or suit")
    if digits:
        raise TileError(f"{text!r}: the digits {''.join(digits)} have no suit letter (m, p, s, z)")
    check_copies(tiles)
    return Tiles(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The notation of some tiles, sorted, a red five beside the plain ones (``340m``).

    ``parse_tiles`` reads it back up to order.
    """
    groups: list[list[str]] = [[], [], [], []]
    for tile in sorted(tiles, key=tile_order):
        groups[tile.kind // 9].append(_NAMES[tile.code][0])
    return "".join("".join(g) + SUITS[s] for s, g in enumerate(groups) if g)


def check_copies(tiles: Iterable[Tile]) -> None:
    """Raise TileError if a kind appears five times or a red five twice."""
    counts = [0] * N_CODES
    for tile in tiles:
        counts[tile.code] += 1
    if max(counts) <= 3 and max(counts[N_KINDS:]) <= 1:
        return
    for code, n in enumerate(counts):
        total = n + counts[34 + RED_KINDS.index(Kind(code))] if code in RED_KINDS else n
        if total > 4:
            raise TileError(f"{total} copies of {kind_name(code)}: there are only four")
        if code >= N_KINDS and n > 1:
            raise TileError(f"{n} copies of {code_name(code)}: there is only one red five a suit")


def format_counts(counts: Sequence[int]) -> str:
    """The notation of 34 counts of plain tiles (``123m11z``)."""
    groups = []
    for first, suit in zip(range(0, N_KINDS, 9), SUITS, strict=True):
        if digits := "".join(map(mul, "123456789", counts[first : first + 9])):
            groups.append(digits + suit)
    return "".join(groups)


def kind_counts(tiles: Sequence[Tile]) -> list[int]:
    """How many of each kind, a list of 34."""
    counts = [0] * N_KINDS
    for tile in tiles:
        counts[tile.kind] += 1
    return counts
