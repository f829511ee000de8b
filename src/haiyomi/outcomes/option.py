"""What a seat may do at a decision, as text and as the choices of ``play``.

=====================  =====================================================================
``discard 5p``         the tile of the own hand; ``0p`` is the red five in every option
``riichi 5p``          riichi, declared with this discard
``tsumo``, ``ron``     a win on the own draw; on another's tile
``pass``               no claim on another's tile
``chi 46p``            the two own tiles of the run, ascending
``pon 55z``            the two own tiles
``daiminkan 999s``     the three own tiles of an open kan
``ankan 1p``           a concealed kan of this kind
``kakan 5z``           the own tile added to an open triplet
``nine terminals``     the abortive draw with nine different terminals and honours
=====================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from haiyomi.errors import HaiyomiError, TileError
from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Kakan,
    Pon,
    Riichi,
)
from haiyomi.game.position import Position
from haiyomi.play.decision import Decision
from haiyomi.play.legal import ready_discards
from haiyomi.play.player import Choice, Claim
from haiyomi.tiles import N_CODES, TILES, Tile, Tiles, kind_counts, parse_tiles, tile_order

Act: TypeAlias = Literal[
    "discard",
    "riichi",
    "tsumo",
    "ron",
    "pass",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "nine terminals",
]
_N_TILES: Final[dict[Act, int]] = {
    "discard": 1,
    "riichi": 1,
    "tsumo": 0,
    "ron": 0,
    "pass": 0,
    "chi": 2,
    "pon": 2,
    "daiminkan": 3,
    "ankan": 1,
    "kakan": 1,
    "nine terminals": 0,
}

KANS: Final[tuple[Act, ...]] = ("ankan", "kakan", "daiminkan")
ENDS_HAND: Final[tuple[Act, ...]] = ("tsumo", "ron", "nine terminals")


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a seat may do; as text such as ``discard 5p``, ``chi 46p`` or ``pass``.

    ``tiles`` are those of the own hand that the act names, ascending: of ``ankan`` the plain tile
    of the kind. Raises HaiyomiError for tiles that do not fit the act.
    """

    act: Act
    tiles: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        wanted = _N_TILES[self.act]
        object.__setattr__(self, "tiles", tuple(sorted(self.tiles, key=tile_order)))
        if len(self.tiles) != wanted:
            raise HaiyomiError(f"option {self.text!r}: {self.act} names {wanted} tiles")
        kinds = [tile.kind for tile in self.tiles]
        if self.act == "chi" and not _in_a_run(*kinds):
            raise HaiyomiError(f"option {self.text!r}: the two tiles of a chi are in one run")
        if self.act in ("pon", "daiminkan") and len(set(kinds)) > 1:
            raise HaiyomiError(f"option {self.text!r}: the tiles of a {self.act} are alike")
        if self.act == "ankan" and self.tiles[0].red:
            plain = TILES[self.tiles[0].kind]
            raise HaiyomiError(f"option {self.text!r}: write 'ankan {plain}', the kind of the kan")

    @classmethod
    def parse(cls, text: str) -> Option:
        """The option of a text. Inverse of ``str``. Raises HaiyomiError."""
        for act, n in _N_TILES.items():
            if n and text.startswith(f"{act} "):
                try:
                    return cls(act, parse_tiles(text[len(act) :]))
                except TileError as error:
                    raise HaiyomiError(f"option {text!r}: {error}") from None
            if text == act:
                return cls(act)
        raise HaiyomiError(f"no option {text!r}: expected one such as 'discard 5p' or 'pass'")

    @property
    def text(self) -> str:
        """The notation, such as ``chi 46p``."""
        if len(self.tiles) == 1:
            return f"{self.act} {self.tiles[0]}"
        return f"{self.act} {Tiles(self.tiles)}" if self.tiles else self.act

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Option.parse({self.text!r})"


def _in_a_run(low: int, high: int) -> bool:
    return high < 27 and low // 9 == high // 9 and high - low in (1, 2)


_OF_TILE: Final[dict[Act, list[Option]]] = {
    act: [Option(act, (tile,)) for tile in TILES[:N_CODES]] for act in ("discard", "riichi")
}
"""The options to discard each tile, by its code."""


def options_of(decision: Decision) -> dict[Option, tuple[Choice, ...]]:
    """Every option of a decision, with the choices that carry it out in turn.

    Riichi is one option for each discard it may be declared with: the declaration, then the
    discard. Of two equal tiles, one just drawn and one of the hand, the drawn one goes.
    """
    found: dict[Option, tuple[Choice, ...]] = {}
    position = decision.position
    discards = _OF_TILE["riichi" if _declares(position) else "discard"]
    for choice in decision.choices:
        if isinstance(choice, Discard):
            option = discards[choice.tile.code]
            if choice.tsumogiri or option not in found:
                found[option] = (choice,)
        elif isinstance(choice, Riichi):
            for discard in _declared(position, decision.of(Discard)):
                found[_OF_TILE["riichi"][discard.tile.code]] = (choice, discard)
        else:
            found[option_made(choice)] = (choice,)
    return found


def option_of(decision: Decision, choices: Sequence[Choice]) -> Option:
    """The option that some choices in turn carry out. Raises HaiyomiError where none is."""
    wanted = tuple(map(_as_any_copy, choices))
    for option, path in options_of(decision).items():
        if tuple(map(_as_any_copy, path)) == wanted:
            return option
    raise HaiyomiError(f"{choices!r} is no option of this decision")


def option_made(choice: Choice, declared: bool = False) -> Option:
    """The option of a choice; ``declared``: of a discard that declares riichi. Raises ValueError
    for the declaration itself, which is no option without its discard."""
    match choice:
        case Discard(tile=tile):
            return Option("riichi" if declared else "discard", (tile,))
        case Riichi():
            raise ValueError("riichi is an option together with its discard")
        case Claim(seat, target):
            return Option("tsumo" if seat == target else "ron")
        case AbortiveDraw():
            return Option("nine terminals")
        case Ankan(_, tiles):
            return Option("ankan", (TILES[tiles[0].kind],))
        case Kakan(_, tile):
            return Option("kakan", (tile,))
        case Chi(consumed=own):
            return Option("chi", own)
        case Pon(consumed=own):
            return Option("pon", own)
        case Daiminkan(consumed=own):
            return Option("daiminkan", own)
    return Option("pass")


def _declares(position: Position) -> bool:
    """Whether the viewer has declared riichi and is about to discard the tile."""
    own = position.players[0]
    return own.riichi_index == len(own.river)


def _declared(position: Position, discards: Sequence[Discard]) -> list[Discard]:
    """The discards with which riichi may be declared, one a tile."""
    melded = kind_counts([tile for meld in position.players[0].melds for tile in meld.tiles])
    ready = ready_discards(kind_counts(position.hand), melded)
    by_tile: dict[Tile, Discard] = {}
    for discard in discards:
        if discard.tile.kind in ready and (discard.tile not in by_tile or discard.tsumogiri):
            by_tile[discard.tile] = discard
    return list(by_tile.values())


def _as_any_copy(choice: Choice) -> Choice:
    """The choice, whichever of two equal tiles is discarded."""
    return Discard(choice.seat, choice.tile, False) if isinstance(choice, Discard) else choice
