"""Walls laid by hand, and puppets that do what a test tells them."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import Discard, Event, Hand
from haiyomi.play.hand import PlayedHand, play_hand
from haiyomi.play.player import Choice, Options, Pass, Player
from haiyomi.play.wall import DEAD, DEALT, Wall
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Seat, Tile, TileId


def _tiles(text: str) -> list[Tile]:
    """The tiles of a notation in its order, of which there may be more than four."""
    tiles: list[Tile] = []
    digits = ""
    for char in text.replace(" ", ""):
        if char.isdigit():
            digits += char
        else:
            tiles.extend(Tile.parse(d + char) for d in digits)
            digits = ""
    return tiles


class Rigging:
    """Tile ids given out one by one."""

    def __init__(self) -> None:
        self.free = list(range(136))

    def take(self, text: str) -> list[int]:
        taken = []
        for tile in _tiles(text):
            ident = next(t for t in self.free if Tile.from_id(t) == tile)
            self.free.remove(ident)
            taken.append(ident)
        return taken

    def rest(self, number: int) -> list[int]:
        """Some of what is left, well mixed."""
        taken = sorted(self.free, key=lambda t: t * 37 % 136)[:number]
        self.free = [t for t in self.free if t not in taken]
        return taken


def rig(
    hands: Sequence[str] = ("", "", "", ""),
    draws: str = "",
    *,
    dealer: int = 0,
    rinshan: str = "",
    indicators: str = "4z",
    uras: str = "",
) -> Wall:
    """A wall that deals these hands by absolute seat (filled up to 13) and these draws."""
    rigging = Rigging()
    named = [rigging.take(h) for h in (*hands, "", "", "", "")[:4]]
    drawn = rigging.take(draws)
    after = rigging.take(rinshan)
    dora = rigging.take(indicators)
    ura = rigging.take(uras)
    named = [h + rigging.rest(13 - len(h)) for h in named]
    tiles: list[int | None] = [None] * 136
    for i, t in enumerate(after):
        tiles[i] = t
    for i, t in enumerate(dora):
        tiles[4 + 2 * i] = t
    for i, t in enumerate(ura):
        tiles[5 + 2 * i] = t
    at = DEAD
    for turn, size in enumerate((4, 4, 4, 1)):
        for i in range(4):
            seat = (dealer + i) % 4
            tiles[at : at + size] = named[seat][4 * turn : 4 * turn + size]
            at += size
    for i, t in enumerate(drawn):
        tiles[DEAD + DEALT + i] = t
    left = iter(rigging.rest(136))
    return Wall([next(left) if t is None else t for t in tiles])


class Puppet:
    """Takes the first choice that it ``wants`` (a type or a value), else throws the tiles of
    ``throws`` in order as they can be thrown, else passes or discards what it drew.

    ``asked`` keeps every set of options, ``seen`` every event it was shown.
    """

    def __init__(self, *wants: object, throws: str = "") -> None:
        self.wants = wants
        self.throws = _tiles(throws)
        self.offered: list[Options] = []
        self.seen: list[Event] = []

    def observe(self, event: Event) -> None:
        self.seen.append(event)

    def act(self, options: Options) -> Choice:
        self.offered.append(options)
        for want in self.wants:
            for choice in options.choices:
                if choice == want or type(choice) is want:
                    return choice
        for choice in options.choices:
            if isinstance(choice, Pass):
                return choice
        discards = [c for c in options.choices if isinstance(c, Discard)]
        for tile in self.throws[:1]:
            for discard in discards:
                if discard.tile == tile:
                    self.throws.pop(0)
                    return discard
        return max(discards, key=lambda d: d.tsumogiri)

    def offers(self, kind: type) -> int:
        """How often a choice of a type was offered."""
        return sum(any(type(c) is kind for c in o.choices) for o in self.offered)


def run(
    wall: Wall, players: Sequence[Player], rules: Ruleset = TENHOU, **start: object
) -> PlayedHand:
    """Play a rigged hand, and let the independent replay check it."""
    from haiyomi.kernels.replay import replay

    played = play_hand(rules, wall, players, **start)  # type: ignore[arg-type]
    end, *_ = replay(played.hand, rules)
    assert end == played.end
    return played


def four(**puppets: Puppet) -> list[Puppet]:
    """Four puppets; ``s0=...`` to ``s3=...`` name some of them."""
    return [puppets.get(f"s{s}", Puppet()) for s in range(4)]


def names(hand: Hand) -> list[str]:
    """The types of the events of a hand."""
    return [type(e).__name__ for e in hand.events]


def ids(text: str) -> list[TileId]:
    """Distinct tile ids of some tiles."""
    return [TileId(t) for t in Rigging().take(text)]


def seat(number: int) -> Seat:
    return Seat(number)
