"""Mahjong Soul's own records to Game: the entries of the public schema, in the order of play.

``RecordNewRound`` deals fourteen tiles to the dealer; the last is the first draw here. A riichi is
a mark at its discard, and is accepted unless somebody wins on that tile. The format does not tell
whether the dealer's first discard was the fourteenth tile: it counts as drawn if it is equal.
"""

from __future__ import annotations

from haiyomi.errors import (
    FormatError,
    IllegalError,
    RecordError,
    SizeError,
    TileError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import (
    AbortiveDraw,
    AbortiveReason,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    Game,
    Hand,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
)
from haiyomi.json_types import Json
from haiyomi.logs import fields
from haiyomi.logs.dora_order import in_canonical_order
from haiyomi.logs.endings import nagashi_seats, tenpai_seats
from haiyomi.logs.limits import MOST_EVENTS, MOST_HANDS
from haiyomi.logs.majsoul_find import Found, find_binary, find_json
from haiyomi.logs.majsoul_head import THREE, header_of
from haiyomi.logs.majsoul_wins import read_wins
from haiyomi.logs.stated import Facts, Stated, StatedHand
from haiyomi.tiles import Seat, Tile

_ABORTIVE: dict[int, AbortiveReason] = {
    1: "nine-terminals",
    2: "four-winds",
    3: "four-kans",
    4: "four-riichi",
    5: "triple-ron",
}
_KAN = 2
_ADDED, _CONCEALED = 2, 3


def read_majsoul(value: object, name: str, stated: Stated | None) -> Game:
    """The game of a decoded JSON value or of protobuf bytes; what it states twice goes to
    ``stated``, if given.

    Raises RecordError, with ``name`` as its file.
    """
    reader = _Reader(stated)
    try:
        return reader.game(find_binary(value) if isinstance(value, bytes) else find_json(value))
    except RecordError as error:
        error.file = name
        error.hand = reader.number
        raise
    except (ValueError, TileError) as error:
        raise FormatError(str(error), name, reader.number, reader.event) from None


class _Reader:
    """The record so far; ``number`` and ``event`` say where the reader is."""

    def __init__(self, stated: Stated | None) -> None:
        self.stated = stated
        self.hands: list[Hand] = []
        self.events: list[Event] = []
        self.facts: dict[int, Facts] = {}
        self.number: int | None = None
        self._clear()

    def _clear(self) -> None:
        self.held: list[list[Tile]] = [[], [], [], []]
        self.shown = 1
        self.sticks = 0
        self.kan = False
        self.riichi: Seat | None = None
        self.first: Tile | None = None

    @property
    def event(self) -> int | None:
        """The event to come, within a hand."""
        return len(self.events) or None

    def game(self, found: Found) -> Game:
        header = header_of(found.head, self.stated)
        self.rules = header.rules
        for name, entry in found.entries:
            self._entry(name, entry)
        if self.events:
            raise TruncatedError("ends inside a hand", event=self.event)
        self.number = None
        if not self.hands:
            raise TruncatedError("holds no hand")
        return Game(header, tuple(self.hands))

    def _entry(self, name: str, entry: Json) -> None:
        if name == "RecordNewRound":
            self._start(entry)
            return
        if not self.events:
            raise IllegalError(f"{name} outside of a hand")
        if len(self.events) > MOST_EVENTS:
            raise IllegalError(f"a hand of more than {MOST_EVENTS} events", value=len(self.events))
        if name == "RecordHule":
            self._wins(entry)
            return
        self._accept()
        match name:
            case "RecordDealTile":
                self._draw(entry)
            case "RecordDiscardTile":
                self._discard(entry)
            case "RecordChiPengGang":
                self._call(entry)
            case "RecordAnGangAddGang":
                self._own_kan(entry)
            case "RecordNoTile":
                self._exhausted(entry)
            case "RecordLiuJu":
                self._aborted(entry)
            case _:
                raise UnsupportedError(THREE)

    # -- the hand begins and goes on ---------------------------------------------------------

    def _start(self, entry: Json) -> None:
        if self.events:
            raise TruncatedError("a hand begins before the last one has ended", event=self.event)
        self.number = len(self.hands)
        if self.number >= MOST_HANDS:
            raise SizeError(f"a game of more than {MOST_HANDS} hands")
        scores = fields.array(entry.get("scores"), "scores")
        if len(scores) == 3 or not entry.get("tiles3"):
            raise UnsupportedError(THREE)
        dealer = fields.seat(entry.get("ju", 0), "dealer")
        kyoku = 4 * fields.integer(entry.get("chang", 0), 0, 3, "round wind") + dealer
        honba, sticks = (
            fields.integer(entry.get(key, 0), 0, 999, what)
            for key, what in (("ben", "honba"), ("liqibang", "deposits"))
        )
        doras = fields.array(entry.get("doras") or [entry.get("dora")], "doras")
        self._clear()
        self.sticks = sticks
        hands = [
            [_tile(t) for t in fields.array(entry.get(f"tiles{s}"), "deal", 13 + (s == dealer))]
            for s in range(4)
        ]
        self.first = hands[dealer].pop()
        self.held = hands
        start = Start(kyoku, honba, sticks, fields.points(scores, "scores"), _tile(doras[0]))
        self.events = [start, Deal(tuple(map(tuple, hands)))]
        self._take(dealer, self.first)

    def _take(self, seat: Seat, tile: Tile) -> None:
        self.events.append(Draw(seat, tile, self.kan))
        self.held[seat].append(tile)
        self.kan = False

    def _lose(self, seat: Seat, *tiles: Tile) -> None:
        for tile in tiles:
            if tile not in self.held[seat]:
                what = f"seat {seat} uses {tile}, which it does not hold"
                raise IllegalError(what, event=self.event)
            self.held[seat].remove(tile)

    def _accept(self) -> None:
        """Nobody has won on the tile of a riichi."""
        if self.riichi is not None:
            self.events.append(RiichiAccepted(self.riichi))
            self.riichi = None
            self.sticks += 1

    def _reveal(self, entry: Json) -> None:
        """Entries repeat all indicators; the new ones are revealed."""
        doras = fields.array(entry.get("doras") or [], "doras")
        for tile in doras[self.shown :]:
            self.events.append(DoraReveal(_tile(tile)))
            self.shown += 1

    def _draw(self, entry: Json) -> None:
        seat, tile = fields.seat(entry.get("seat", 0)), _tile(entry.get("tile"))
        self._reveal(entry)
        self._take(seat, tile)

    def _discard(self, entry: Json) -> None:
        seat, tile = fields.seat(entry.get("seat", 0)), _tile(entry.get("tile"))
        drawn = bool(entry.get("moqie")) or tile == self.first
        self.first = None
        if entry.get("is_liqi") or entry.get("is_wliqi"):
            self.events.append(Riichi(seat))
            self.riichi = seat
        self._lose(seat, tile)
        self.events.append(Discard(seat, tile, drawn))
        self._reveal(entry)

    def _call(self, entry: Json) -> None:
        seat = fields.seat(entry.get("seat", 0))
        kind = fields.integer(entry.get("type", 0), 0, 2, "call")
        tiles = [
            _tile(t) for t in fields.array(entry.get("tiles"), "tiles", 4 if kind == _KAN else 3)
        ]
        froms = [fields.seat(s) for s in fields.array(entry.get("froms"), "froms", len(tiles))]
        others = [i for i, giver in enumerate(froms) if giver != seat]
        if len(others) != 1:
            raise ValueError("a call takes one tile of another player")
        tile, target = tiles.pop(others[0]), froms[others[0]]
        own = tuple(sorted(tiles))
        self._lose(seat, *own)
        self.events.append((Chi, Pon, Daiminkan)[kind](seat, target, tile, own))
        self.kan = kind == _KAN
        self.first = None
        self._reveal(entry)

    def _own_kan(self, entry: Json) -> None:
        seat, tile = fields.seat(entry.get("seat", 0)), _tile(entry.get("tiles"))
        kind = fields.integer(entry.get("type", 0), _ADDED, _CONCEALED, "kan")
        if kind == _ADDED:
            self._lose(seat, tile)
            self.events.append(Kakan(seat, tile))
        else:
            four = tuple(sorted(t for t in self.held[seat] if t.kind == tile.kind))
            if len(four) != 4:
                what = f"seat {seat} holds {len(four)} of the four tiles of a concealed kan"
                raise IllegalError(what, event=self.event, value=str(tile))
            self._lose(seat, *four)
            self.events.append(Ankan(seat, four))
        self.kan = True
        self.first = None
        self._reveal(entry)

    # -- the hand ends -----------------------------------------------------------------------

    def _wins(self, entry: Json) -> None:
        self._reveal(entry)
        start = self.events[0]
        assert isinstance(start, Start)
        wins = read_wins(entry, start, self.sticks, self.events)
        first = len(self.events)
        self.events += wins
        if self.stated is not None:
            last = first + len(wins) - 1
            for at in range(first, last + 1):
                self.facts[at] = Facts()
            if entry.get("old_scores"):
                self.facts[first].before = fields.points(entry["old_scores"], "old_scores")
            if entry.get("scores"):
                self.facts[last].after = fields.points(entry["scores"], "scores")
        self._end()

    def _exhausted(self, entry: Json) -> None:
        tenpai: tuple[bool, bool, bool, bool] | None = None
        if entry.get("players"):
            players = fields.array(entry["players"], "players", 4)
            a, b, c, d = (bool(fields.mapping(p, "player").get("tingpai")) for p in players)
            tenpai = a, b, c, d
        total = [0, 0, 0, 0]
        for each in fields.array(entry.get("scores") or [], "scores"):
            deltas = fields.mapping(each, "scores").get("delta_scores")
            if deltas:
                changes = fields.points(deltas, "delta_scores")
                total = [old + more for old, more in zip(total, changes, strict=True)]
        paid = fields.points(total, "delta_scores")
        nagashi: tuple[Seat, ...] = ()
        if entry.get("liujumanguan"):
            start = self.events[0]
            assert isinstance(start, Start)
            found = nagashi_seats(paid, start.dealer)
            if found is None:
                raise ValueError(f"payments {paid} are of no nagashi mangan")
            nagashi = found
        elif tenpai is None:  # some programs leave the players out
            tenpai = tenpai_seats(paid)
        self.events.append(ExhaustiveDraw(paid, tenpai, nagashi))
        self._end()

    def _aborted(self, entry: Json) -> None:
        kind = fields.integer(entry.get("type", 0), 1, 5, "abortive draw")
        reason = _ABORTIVE[kind]
        seat = fields.seat(entry.get("seat", 0)) if reason == "nine-terminals" else None
        self.events.append(AbortiveDraw(reason, seat))
        self._end()

    def _end(self) -> None:
        hand = Hand(tuple(self.events))
        if self.stated is not None:
            self.stated.hands.append(StatedHand(hand, self.facts))
            self.facts = {}
        self.hands.append(in_canonical_order(hand))
        self.riichi = None
        self.events = []


def _tile(value: object) -> Tile:
    return Tile.parse(fields.text(value, "tile"))
