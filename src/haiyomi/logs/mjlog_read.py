"""mjlog, the XML of Tenhou, to Game.

Draws (``T12``: T U V W for seats 0-3) and discards (``D12``: D E F G) are nine tags in ten: they
are looked up whole in a table, the others go through ``mjlog_tags``.

Wall seeds (``SHUFFLE``, ``INIT shuffle=``) are not kept: nothing may read them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NoReturn
from urllib.parse import unquote

from haiyomi.errors import (
    FormatError,
    IllegalError,
    RecordError,
    TileError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import (
    DISCARDS,
    DRAWS,
    AbortiveDraw,
    AbortiveReason,
    Absence,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    FourScores,
    Game,
    Hand,
    Header,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.kernels.yaku import N_YAKU
from haiyomi.logs.dora_order import in_canonical_order
from haiyomi.logs.endings import nagashi_seats
from haiyomi.logs.meld_codes import decode
from haiyomi.logs.mjlog_facts import tag_facts
from haiyomi.logs.mjlog_tags import (
    MOST_HUNDREDS,
    changes,
    decimal,
    four_hundreds,
    number,
    numbers,
    split_tag,
    tag_texts,
    tile_ids,
)
from haiyomi.logs.stated import Facts, Stated, StatedHand
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Seat, Tile, TileId

ABORTIVE: dict[str, AbortiveReason] = {
    "yao9": "nine-terminals",
    "kaze4": "four-winds",
    "reach4": "four-riichi",
    "kan4": "four-kans",
    "ron3": "triple-ron",
}
"""``RYUUKYOKU type`` of each abortive draw."""

NO_RED, NO_KUITAN, SOUTH, THREE_PLAYERS, FAST = 0x02, 0x04, 0x08, 0x10, 0x40
"""Bits of ``GO type``; 0x01 is a table of people, 0x20 and 0x80 its level."""

NO_DICE = "0,0"
"""Written where nobody knows what was rolled, two ones: readers elsewhere want numbers. A record
that rolled nothing else in all of its hands knows no dice."""
_NOT_READ = frozenset({"SHUFFLE", "FURITEN", "PROF", "CHAT", "LN", "RANKING"})
"""Tags without anything for a Game; all but the first only in a client's stream."""

_Quick = dict[str, tuple[int, TileId, Draw | tuple[Discard, Discard]]]


@lru_cache(maxsize=2)
def _quick(reds: bool) -> _Quick:
    """Whole draw and discard tags -> (seat, + 4 for a discard; tile id; event or events)."""
    table: _Quick = {}
    for ident in range(136):
        code = Tile.from_id(ident, reds).code
        for seat in range(4):
            tile = TileId(ident)
            draw = (seat, tile, DRAWS[seat][code])
            table[f"{'TUVW'[seat]}{ident}/>"] = draw
            discard = (seat + 4, tile, DISCARDS[seat][code])
            for letter in ("DEFG"[seat], "defg"[seat]):
                table[f"{letter}{ident}/>"] = discard
    return table


@lru_cache(maxsize=1 << 15)
def _meld_event(seat: int, code: int, reds: bool) -> tuple[Event, tuple[TileId, ...]]:
    """The event of a meld code, and the tile ids that it names."""
    meld = decode(code)
    me, giver = Seat(seat), Seat((seat + meld.giver) % 4)
    tile = Tile.from_id(meld.tile, reds)

    def by_tile(ident: TileId) -> tuple[Tile, int]:
        return Tile.from_id(ident, reds), ident  # a red five after the plain ones

    rest = tuple(sorted(meld.rest, key=by_tile))
    own = tuple(Tile.from_id(t, reds) for t in rest)
    if meld.shape == "chi":
        return Chi(me, giver, tile, own), (meld.tile, *rest)
    if meld.shape == "pon":
        return Pon(me, giver, tile, own), (meld.tile, *rest)
    if meld.shape == "daiminkan":
        return Daiminkan(me, giver, tile, own), (meld.tile, *rest)
    if meld.shape == "kakan":
        return Kakan(me, tile), (meld.tile,)
    ids = tuple(sorted((meld.tile, *meld.rest), key=by_tile))
    return Ankan(me, tuple(Tile.from_id(t, reds) for t in ids)), ids


def read_mjlog(text: str, name: str, stated: Stated | None = None) -> Game:
    """The game of an mjlog record; what it states twice goes to ``stated``, if given.

    Raises RecordError, with ``name`` as its file.
    """
    return _Reader(name, stated).read(text)


class _Reader:
    """One record being read: the hands so far and the events of the one that is open."""

    def __init__(self, name: str, stated: Stated | None) -> None:
        self.name = name
        self.stated = stated
        self.facts: dict[int, Facts] = {}
        self.rules: Ruleset = TENHOU
        self.names: tuple[str, str, str, str] | None = None
        self.extra: dict[str, str] = {}
        self.dice: list[str] = []
        self.final: FourScores | None = None
        self.hands: list[Hand] = []
        self.absences: list[Absence] = []
        self.away: set[int] = set()
        self.events: list[Event] = []
        self.copies: list[TileId] = []
        self.fresh: list[TileId] = []  # ids in the order in which they leave the wall
        self.root: str | None = None
        self.closed = False  # the root element is
        self.open = False
        self.ended = False

    def fail(
        self, what: str, value: object = None, kind: type[RecordError] = FormatError
    ) -> NoReturn:
        if self.open:
            raise kind(what, self.name, len(self.hands), len(self.events), value)
        raise kind(what, self.name, value=value)

    def read(self, text: str) -> Game:
        """The game of the record's text."""
        first = text.find("<")
        if text[:first].strip("\ufeff \t\r\n"):
            self.fail("text before the first tag", text[:first])
        drawn = -1
        quick = _quick(self.rules.red_fives)
        live = kan = False  # inside a hand; a kan's draw is due. Local, as the loop is hot
        events, copies, fresh = self.events.append, self.copies.append, self.fresh.append
        for part in tag_texts(text, first):
            hit = quick.get(part)
            if hit is None:
                tag = self.tag(part, text)
                hit = quick.get(tag)
                if hit is None:
                    if tag == "N":
                        drawn, kan = -1, isinstance(self.events[-1], Daiminkan | Ankan | Kakan)
                    elif tag == "GO":
                        quick = _quick(self.rules.red_fives)
                    elif tag == "INIT":
                        drawn, kan = -1, False
                        events, copies = self.events.append, self.copies.append
                        fresh = self.fresh.append
                    live = self.open and not self.ended
                    continue
            if not live:
                self.fail("a draw or discard outside a hand", part)
            op, ident, made = hit
            copies(ident)
            if op < 4:
                drawn = ident
                fresh(ident)
                if kan:
                    kan = False
                    made = Draw(made.seat, made.tile, True)  # type: ignore[union-attr]
                events(made)  # type: ignore[arg-type]
            else:
                events(made[ident == drawn])  # type: ignore[index]
                drawn = -1
        return self.game()

    def tag(self, part: str, text: str) -> str:
        """Read a tag of ``text`` that is not in the table of draws and discards.

        Returns the tag's name. A draw or discard that is spelled otherwise is left to the caller:
        its spelling in the table. A prolog and a closing tag: an empty string.
        """
        if part[:1] in ("?", "!"):
            self.prolog(part)
            return ""
        try:
            closing, tag, digits, attributes, empty = split_tag(part)
        except RecordError as error:
            cut = isinstance(error, FormatError) and ">" not in part and text.endswith(part)
            self.fail(error.what, error.value, TruncatedError if cut else type(error))
        if closing:
            if tag != self.root or digits or attributes or self.closed:
                self.fail("a closing tag without its opening", part)
            self.closed = True
            return ""
        if self.closed:
            self.fail("a tag after the end of the record", part)
        if digits:
            spelling = f"{tag}{digits}/>"
            if attributes or spelling not in _quick(self.rules.red_fives):
                self.fail("no draw or discard of tile ids 0 to 135", part)
            return spelling
        if tag == "mjloggm":
            if self.root is not None or self.open:
                self.fail("a second mjloggm element", part)
            self.root, self.closed = tag, empty
            self.extra["ver"] = attributes.get("ver", "")
            return tag
        try:
            self.element(tag, attributes)
        except (KeyError, ValueError, TileError) as error:
            wrong = f"lacks {error}" if isinstance(error, KeyError) else str(error)
            self.fail(f"tag {tag}: {wrong}", part)
        return tag

    def game(self) -> Game:
        """The game, once every tag was read."""
        if self.root is not None and not self.closed:
            self.fail("ends without </mjloggm>", kind=TruncatedError)
        self.close()
        if not self.hands:
            self.fail("holds no hand", kind=TruncatedError)
        if self.stated is not None and self.final is None:
            self.stated.lacks_end = "owari"
        if any(rolled not in ("", NO_DICE) for rolled in self.dice):
            self.extra["dice"] = ";".join(self.dice)
        header = Header(
            self.names or ("", "", "", ""),
            self.rules,
            self.final,
            tuple(sorted(self.extra.items())),
        )
        return Game(header, tuple(self.hands), tuple(self.absences))

    def prolog(self, part: str) -> None:
        """An XML declaration or comment is skipped; a document type is refused."""
        if part.startswith("?xml") and part.rstrip().endswith("?>"):
            return
        if part.startswith("!--") and part.rstrip().endswith("-->"):
            return
        self.fail("document types, entities and the like are refused", part[:40])

    def element(self, tag: str, a: dict[str, str]) -> None:
        """One tag other than a draw or discard."""
        if tag == "INIT":
            self.close()
            self.init(a)
        elif tag in ("N", "REACH", "DORA", "AGARI", "RYUUKYOKU"):
            if not self.open:
                self.fail(f"tag {tag} outside a hand")
            if self.ended and not (tag == "AGARI" and isinstance(self.events[-1], Win)):
                self.fail(f"tag {tag} after the end of the hand")
            if tag == "N":
                event, named = _meld_event(_seat(a["who"]), number(a["m"]), self.rules.red_fives)
                self.events.append(event)
                self.copies.extend(named)
            elif tag == "REACH":
                seat, step = _seat(a["who"]), a["step"]
                if step not in ("1", "2"):
                    raise ValueError(f"step {step!r} is neither 1 nor 2")
                self.events.append(Riichi(seat) if step == "1" else RiichiAccepted(seat))
            elif tag == "DORA":
                ident = number(a["hai"])
                self.events.append(DoraReveal(self.tile(ident)))
                self.copies.append(TileId(ident))
                self.fresh.append(TileId(ident))
            elif tag == "AGARI":
                self.agari(a)
            else:
                self.ryuukyoku(a)
            if self.stated is not None and (facts := tag_facts(self.events[-1], a)) is not None:
                self.facts[len(self.events) - 1] = facts
        elif tag == "UN":
            self.players(a)
        elif tag == "BYE":
            self.absence(_seat(a["who"]), False)
        elif tag == "GO":
            self.go(a)
        elif tag == "TAIKYOKU":
            if a.get("oya", "0") != "0":
                raise ValueError(f"the first dealer is seat 0, not {a['oya']}")
        elif tag not in _NOT_READ:
            self.fail("a tag that mjlog does not have", tag)

    def tile(self, ident: int) -> Tile:
        return Tile.from_id(ident, self.rules.red_fives)

    def go(self, a: dict[str, str]) -> None:
        if self.open:
            self.fail("tag GO inside a hand")
        bits = number(a["type"])
        if not 0 <= bits < 1 << 16:
            raise ValueError(f"no type of a table: {bits}")
        if bits & THREE_PLAYERS:
            self.fail(
                "is a three-player record, which haiyomi does not read", bits, UnsupportedError
            )
        self.rules = TENHOU.but(
            rounds=2 if bits & SOUTH else 1,
            red_fives=not bits & NO_RED,
            kuitan=not bits & NO_KUITAN,
            fast=bool(bits & FAST),
        )
        self.extra["type"] = a["type"]
        if "lobby" in a:
            self.extra["lobby"] = a["lobby"]

    def players(self, a: dict[str, str]) -> None:
        if self.names is None and not self.open:
            n0, n1, n2, n3 = (unquote(a.get(f"n{s}", "")) for s in range(4))
            self.names = (n0, n1, n2, n3)
            self.extra.update((key, a[key]) for key in ("dan", "rate", "sx") if key in a)
            return
        for s in range(4):
            if a.get(f"n{s}") and s in self.away:
                self.absence(Seat(s), True)

    def absence(self, seat: Seat, back: bool) -> None:
        (self.away.discard if back else self.away.add)(int(seat))
        place = (len(self.hands) + 1, 0) if self.ended else (len(self.hands), len(self.events))
        self.absences.append(Absence(*place, seat, back))

    def init(self, a: dict[str, str]) -> None:
        kyoku, honba, sticks, *dice, indicator = a["seed"].split(",")
        if len(dice) != 2:
            raise ValueError(f"seed {a['seed']!r} has not six fields")
        if not a.get("hai3", "x"):
            self.fail(
                "is a three-player record, which haiyomi does not read", kind=UnsupportedError
            )
        ids = [tile_ids(a[f"hai{s}"]) for s in range(4)]
        for s, hand in enumerate(ids):
            if len(hand) != 13:
                raise ValueError(f"seat {s} is dealt {len(hand)} tiles, not 13")
        dora = number(indicator)
        counts = number(kyoku), number(honba), number(sticks)
        if not (0 <= counts[0] < 16 and all(0 <= n < 1000 for n in counts)):
            raise ValueError(f"seed {a['seed']!r}: no such round, counters or deposits")
        start = Start(*counts, four_hundreds(a["ten"]), self.tile(dora))
        if "oya" in a and number(a["oya"]) != start.dealer:
            raise ValueError(f"dealer {a['oya']} in round {start.kyoku}")
        self.events = [start, Deal(tuple(tuple(self.tile(t) for t in hand) for hand in ids))]
        self.copies = [TileId(dora), *ids[0], *ids[1], *ids[2], *ids[3]]
        self.fresh = self.copies[:]
        self.dice.append(",".join(dice) if any(dice) else "")
        self.open, self.ended = True, False

    def agari(self, a: dict[str, str]) -> None:
        seat, target = _seat(a["who"]), _seat(a["fromWho"])
        tile = number(a["machi"])
        fu: int | None = None
        points: int | None = None
        if a.get("ten"):
            fu, points, _ = numbers(a["ten"], 3)
            if not (0 <= fu < 1000 and 0 <= points < 100 * MOST_HUNDREDS):
                raise ValueError(f"ten {a['ten']!r}: no such fu or points")
            fu = fu or None  # no hand has none: nobody knew
        ura = tile_ids(a["doraHaiUra"]) if a.get("doraHaiUra") else []
        yaku: list[tuple[int, int]] | None = None
        if a.get("yakuman"):
            yaku = [(y, 13) for y in numbers(a["yakuman"])]
        elif a.get("yaku"):
            flat = numbers(a["yaku"])
            yaku = [(y, h) for y, h in zip(flat[::2], flat[1::2], strict=True) if h]
        if yaku is not None and any(not (0 <= y < N_YAKU and 0 < h < 100) for y, h in yaku):
            raise ValueError(f"no such yaku: {yaku}")
        self.events.append(
            Win(
                seat,
                target,
                self.tile(tile),
                changes(a["sc"]),
                tuple(self.tile(t) for t in ura),
                None if yaku is None else tuple(yaku),
                fu,
                points,
                _seat(a["paoWho"]) if "paoWho" in a else None,
            )
        )
        self.copies.extend(TileId(t) for t in (tile, *ura))
        self.end(a)

    def ryuukyoku(self, a: dict[str, str]) -> None:
        kind = a.get("type")
        shown = [f"hai{s}" in a for s in range(4)]
        if kind in ABORTIVE:
            seat = None
            if kind == "yao9":
                last = self.events[-1]
                drawer = last.seat if isinstance(last, Draw) else None
                seat = Seat(shown.index(True)) if sum(shown) == 1 else drawer
            self.events.append(AbortiveDraw(ABORTIVE[kind], seat))
        elif kind in (None, "nm"):
            deltas = changes(a["sc"])
            tenpai = (shown[0], shown[1], shown[2], shown[3])
            dealer = self.events[0].dealer if isinstance(self.events[0], Start) else Seat(0)
            nagashi = nagashi_seats(deltas, dealer) if kind else ()
            if nagashi is None:
                raise ValueError(f"payments {deltas} are of no nagashi mangan")
            self.events.append(ExhaustiveDraw(deltas, tenpai, nagashi))
        else:
            raise ValueError(f"no draw of type {kind!r}")
        self.end(a)

    def end(self, a: dict[str, str]) -> None:
        self.ended = True
        if "owari" in a:
            owari = a["owari"].split(",")
            self.final = four_hundreds(",".join(owari[::2]))
            if self.stated is not None:
                self.stated.results = tuple(decimal(number) for number in owari[1::2])

    def close(self) -> None:
        """The open hand, if any, is over: check it and keep it."""
        if not self.open:
            return
        if not self.ended:
            self.fail("ends inside a hand", kind=TruncatedError)
        if len(set(self.fresh)) != len(self.fresh):
            twice = next(t for i, t in enumerate(self.fresh) if t in self.fresh[:i])
            self.fail(f"tile id {twice} leaves the wall twice", twice, IllegalError)
        hand = Hand(tuple(self.events), tuple(self.copies))
        if self.stated is not None:
            self.stated.hands.append(StatedHand(hand, self.facts))
            self.facts = {}
        self.hands.append(in_canonical_order(hand))
        self.open = self.ended = False
        self.events = []


def _seat(text: str) -> Seat:
    if text not in ("0", "1", "2", "3"):
        raise ValueError(f"no seat {text!r}")
    return Seat(int(text))
