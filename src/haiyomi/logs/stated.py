"""What a record states although the replay of its events gives it, too.

A reader keeps such facts beside the Game where it is handed a list for them
(``load.parse_all(..., stated)``); ``check_stated`` compares them. Tiles are *tokens* here: the
tile ids of mjlog, the tile codes of the other formats.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from haiyomi.events import FourScores, Hand
from haiyomi.tiles import Seat

HIDDEN = -1
"""The token of a tile that is not shown."""


@dataclass(frozen=True, slots=True)
class StatedMeld:
    """A set on the table: all its tokens ascending, the one that was called (-1 in a concealed
    kan) and who gave it; ``called`` and ``giver`` are None where they are not stated."""

    tiles: tuple[int, ...]
    called: int | None = None
    giver: Seat | None = None


@dataclass(frozen=True, slots=True)
class StatedWorth:
    """How the points of a win are worded.

    ``limit`` is 0 below mangan, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman;
    ``counted``: a yakuman by the sum of its han. ``han`` are sums of which one must be the
    hand's. ``shares`` of a self-drawn hand: what each player pays, and what the dealer pays
    (None: as much, from all); ``nobody_liable``: that all pay their part.
    """

    limit: int | None = None
    counted: bool | None = None
    han: tuple[int, ...] = ()
    shares: tuple[int, int | None] | None = None
    nobody_liable: bool = False


@dataclass(slots=True)
class Facts:
    """What is stated at one event; None or empty where the record does not state it.

    ``before`` and ``after`` are scores, ``paid`` the changes of an abortive draw or a deposit,
    ``hands`` the concealed tokens that are shown, ``meld`` the set that an added kan makes,
    ``melds`` the winner's, ``actor`` who aborts the hand. ``problem`` is a contradiction that
    shows without a replay.
    """

    before: FourScores | None = None
    after: FourScores | None = None
    paid: FourScores | None = None
    honba: int | None = None
    sticks: int | None = None
    indicators: tuple[int, ...] | None = None
    hands: dict[Seat, tuple[int, ...]] = field(default_factory=dict)
    meld: StatedMeld | None = None
    melds: tuple[StatedMeld, ...] | None = None
    worth: StatedWorth = StatedWorth()
    actor: Seat | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class StatedHand:
    """A hand with its events in the record's own order, and the facts by event number there."""

    hand: Hand
    facts: dict[int, Facts]


@dataclass(slots=True)
class Stated:
    """The facts of a game: ``results`` are the points by place beside the final scores.

    ``lacks_end`` names what the record should have after its last hand; empty if it has it.
    ``lacks_final``: the final scores of the game were worked out, if it has any.
    """

    hands: list[StatedHand] = field(default_factory=list)
    results: tuple[float, ...] | None = None
    lacks_end: str = ""
    lacks_final: bool = False
    problem: str | None = None
