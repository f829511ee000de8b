"""Folds the events that a seat may see into Positions.

The fold is the same for a finished record and for a live stream; it takes events as
``visible_to(event, seat)`` gives them. It refuses what shows that which the seat cannot see, and
what the rules forbid whatever is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from haiyomi.errors import IllegalError, PositionError
from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
    visible_to,
)
from haiyomi.game.player_view import Meld, MeldKind, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.rules import DEPOSIT, TENHOU, WALL_DRAWS, Ruleset
from haiyomi.tiles import N_KINDS, RED_KINDS, Seat, Tile, tile_order


class _Player:
    """The mutable half of a PlayerView; ``view`` is rebuilt only after a change."""

    __slots__ = (
        "concealed",
        "ippatsu",
        "melds",
        "paid",
        "passed",
        "riichi_index",
        "riichi_mask",
        "river",
        "river_mask",
        "score",
        "view",
    )

    def __init__(self, score: int) -> None:
        self.score = score
        self.river: list[RiverTile] = []
        self.melds: list[Meld] = []
        self.concealed = 13
        self.riichi_index: int | None = None
        self.paid = False
        self.ippatsu = False
        self.river_mask = 0
        self.passed = 0
        self.riichi_mask = 0
        self.view: PlayerView | None = None

    def snapshot(self) -> PlayerView:
        if self.view is None:
            self.view = PlayerView(
                self.score,
                tuple(self.river),
                tuple(self.melds),
                self.concealed,
                self.riichi_index,
                self.ippatsu,
                self.river_mask,
                self.passed,
                self.riichi_mask,
            )
        return self.view


class PositionFold:
    """Folds the events that ``seat`` may see into Positions.

    ``apply`` takes one visible event; ``position()`` is the frozen state so far. A Start
    begins a new hand. Raises PositionError for an event that shows another seat's hidden
    tiles, for a tile that the viewer does not hold, for a fifth copy of a kind or a second of a red
    five, and for what cannot follow the events before it whatever is hidden: a draw out of turn, a
    discard without a draw, a call of what was not just discarded or that is no set, a call in
    riichi, a riichi with an open hand, a kan without a draw, anything after the end. (``verify``
    checks all that the rules forbid.)
    """

    def __init__(self, seat: Seat, rules: Ruleset = TENHOU) -> None:
        self.seat = seat
        self.rules = rules
        self._players: list[_Player] = []
        self._playing = False

    def apply(self, event: Event) -> None:
        """Take one event, as ``visible_to(event, seat)`` gives it."""
        handler = _HANDLERS.get(type(event))
        if handler is None:
            raise PositionError(f"{type(event).__name__} shows what a seat cannot see")
        if not self._playing and not isinstance(event, Start):
            if not self._players:
                raise PositionError(f"{type(event).__name__} before any Start")
            if not isinstance(event, Win) or event.seat in self._winners:
                raise PositionError(f"{type(event).__name__} after the end of the hand")
        handler(self, event)

    def position(self) -> Position:
        """The information set now. Raises PositionError before the first Start."""
        if not self._players:
            raise PositionError("no hand has started")
        p = self._players
        views = (p[0].snapshot(), p[1].snapshot(), p[2].snapshot(), p[3].snapshot())
        return Position(
            self.seat,
            self.rules,
            self._kyoku,
            self._honba,
            self._sticks,
            Seat((self._kyoku - self.seat) % 4),
            tuple(self._indicators),
            tuple(sorted(self._hand, key=tile_order)),
            self._drawn,
            views,
            self._draws_left,
            tuple(self._seen),
            self._reds_seen,
            self._to_act,
            self._after_kan and self._drawn is not None,
        )

    # -- one method an event type ------------------------------------------------------

    def _start(self, event: Start) -> None:
        self._kyoku, self._honba, self._sticks = event.kyoku, event.honba, event.sticks
        self._players = [_Player(event.scores[(self.seat + r) % 4]) for r in range(4)]
        self._indicators = [event.indicator]
        self._hand: list[Tile] = []
        self._drawn: Tile | None = None
        self._after_kan = False
        self._draws_left = WALL_DRAWS
        self._seen = [0] * N_KINDS
        self._reds_seen = 0
        self._order = 0
        self._to_act = False
        self._next: int | None = None  # who draws now
        self._kans = 0
        self._riichis = 0
        # The latest event but for deposits and indicators; after a win, what was won on.
        self._last: Event = event
        self._winners: list[Seat] = []
        self._playing = True
        self._see(event.indicator)

    def _own_deal(self, event: OwnDeal) -> None:
        if event.seat != self.seat:
            raise PositionError("OwnDeal of another seat shows what this seat cannot see")
        if type(self._last) is not Start:
            raise PositionError("OwnDeal does not directly follow Start")
        if len(event.tiles) != 13:
            raise PositionError(f"the viewer is dealt {len(event.tiles)} tiles, not 13")
        self._last = event
        self._next = (self._kyoku - self.seat) % 4
        self._hand = list(event.tiles)
        for tile in event.tiles:
            self._see(tile)

    def _draw(self, event: Draw) -> None:
        if event.seat != self.seat:
            raise PositionError("Draw of another seat shows what this seat cannot see")
        self._count_draw(0, event)
        self._hand.append(event.tile)
        self._drawn = event.tile
        self._after_kan = event.rinshan
        self._see(event.tile)
        self._to_act = True

    def _hidden_draw(self, event: HiddenDraw) -> None:
        if event.seat == self.seat:
            raise PositionError("a hidden draw of the viewer: its own draws carry their tile")
        self._count_draw((event.seat - self.seat) % 4, event)

    def _count_draw(self, relative: int, event: Draw | HiddenDraw) -> None:
        if relative != self._next:
            raise PositionError(f"seat {event.seat} draws out of turn")
        if event.rinshan != (type(self._last) in _KANS):
            wall = "the dead wall without" if event.rinshan else "the wall after"
            raise PositionError(f"seat {event.seat} draws from {wall} a kan")
        if not self._draws_left:
            raise PositionError(f"seat {event.seat} draws, but the wall is empty")
        self._last = event
        self._next = None
        self._draws_left -= 1
        player = self._players[relative]
        player.concealed += 1
        player.view = None

    def _discard(self, event: Discard) -> None:
        r = (event.seat - self.seat) % 4
        player = self._players[r]
        tile = event.tile
        last = self._last
        if not isinstance(last, _BEFORE_DISCARD) or last.seat != event.seat:
            raise PositionError(f"seat {event.seat} discards out of turn")
        declares = type(last) is Riichi
        if event.tsumogiri:
            if isinstance(last, Chi | Pon):
                raise PositionError(f"seat {event.seat} discards {tile} as drawn after a call")
            if r == 0 and self._drawn != tile:
                raise PositionError(f"the viewer discards {tile} as drawn, but drew {self._drawn}")
        elif player.riichi_index is not None and not declares:
            raise PositionError(f"seat {event.seat} discards {tile} from its hand in riichi")
        self._leave(r, tile)
        self._last = event
        self._next = (r + 1) % 4
        if r == 0:
            self._to_act = False
        facing = self._riichis > (player.riichi_index is not None)
        player.river.append(RiverTile(tile, event.tsumogiri, self._order, declares, None, facing))
        self._order += 1
        player.concealed -= 1
        player.river_mask |= 1 << tile.kind
        player.passed = 0
        if player.ippatsu and not declares:
            player.ippatsu = False
        player.view = None
        self._let_pass(player, tile)

    def _let_pass(self, by: _Player, tile: Tile) -> None:
        # A win on this tile would end the hand, so until then the tile counts as let pass.
        bit = 1 << tile.kind
        for other in self._players:
            if other is not by:
                other.passed |= bit
                if other.riichi_index is not None:
                    other.riichi_mask |= bit
                other.view = None

    def _riichi(self, event: Riichi) -> None:
        r = (event.seat - self.seat) % 4
        player = self._players[r]
        if player.riichi_index is not None:
            raise PositionError(f"seat {event.seat} declares riichi a second time")
        self._drew(event, "declares riichi")
        if any(meld.open for meld in player.melds):
            raise PositionError(f"seat {event.seat} declares riichi with an open hand")
        self._last = event
        self._riichis += 1
        player.riichi_index = len(player.river)
        player.ippatsu = True
        player.view = None

    def _riichi_accepted(self, event: RiichiAccepted) -> None:
        player = self._players[(event.seat - self.seat) % 4]
        if player.riichi_index is None:
            raise PositionError(f"seat {event.seat} pays for a riichi that it did not declare")
        if player.paid:
            raise PositionError(f"seat {event.seat} pays for its riichi a second time")
        if not isinstance(self._last, Discard) or self._last.seat != event.seat:
            raise PositionError(f"seat {event.seat} pays for its riichi not just after its discard")
        player.paid = True
        player.score -= DEPOSIT
        player.view = None
        self._sticks += 1

    def _break_ippatsu(self) -> None:
        for player in self._players:
            if player.ippatsu:
                player.ippatsu = False
                player.view = None

    def _called(self, event: Chi | Pon | Daiminkan) -> None:
        kind = _CALL_KINDS[type(event)]
        r = (event.seat - self.seat) % 4
        t = (event.target - self.seat) % 4
        player, target = self._players[r], self._players[t]
        now = self._last
        if not isinstance(now, Discard) or (now.seat, now.tile) != (event.target, event.tile):
            raise PositionError(f"{kind} of {event.tile}, which was not just discarded")
        if player.riichi_index is not None:
            raise PositionError(f"seat {event.seat} calls in riichi")
        self._may_meld(player, kind)
        beside = (r - t) % 4 == 1 if kind == "chi" else r != t
        if not beside or not _is_set(kind, event.tile, event.consumed):
            shown = " ".join(map(str, event.consumed))
            raise PositionError(f"{kind} of {event.tile} with {shown} from seat {event.target}")
        last = target.river[-1]
        target.river[-1] = RiverTile(
            last.tile, last.tsumogiri, last.order, last.riichi, Seat(r), last.facing_riichi
        )
        for tile in event.consumed:
            self._leave(r, tile)
        tiles = tuple(sorted((event.tile, *event.consumed)))
        player.melds.append(Meld(kind, tiles, event.tile, Seat(t), self._order))
        player.concealed -= len(event.consumed)
        self._last = event
        self._next = r if kind == "daiminkan" else None
        self._kans += kind == "daiminkan"
        if r == 0:
            self._to_act = kind != "daiminkan"
        player.view = target.view = None
        self._break_ippatsu()

    def _ankan(self, event: Ankan) -> None:
        r = (event.seat - self.seat) % 4
        player = self._players[r]
        self._drew(event, "makes a kan")
        self._may_meld(player, "ankan")
        if len(event.tiles) != 4 or len({tile.kind for tile in event.tiles}) != 1:
            raise PositionError(f"{' '.join(map(str, event.tiles))} is no kan")
        for tile in event.tiles:
            self._leave(r, tile)
        self._last = event
        self._next = r
        self._kans += 1
        player.melds.append(Meld("ankan", tuple(sorted(event.tiles)), None, None, self._order))
        player.concealed -= 4
        player.view = None
        if r == 0:
            self._to_act = False
        self._break_ippatsu()

    def _kakan(self, event: Kakan) -> None:
        r = (event.seat - self.seat) % 4
        player = self._players[r]
        kind = event.tile.kind
        self._drew(event, "adds to a kan")
        self._may_meld(player, "kakan")
        for i, meld in enumerate(player.melds):
            if meld.kind == "pon" and meld.base == kind:
                tiles = tuple(sorted((*meld.tiles, event.tile)))
                player.melds[i] = Meld("kakan", tiles, meld.called, meld.target, meld.order)
                break
        else:
            raise PositionError(f"kakan of {event.tile} without a pon of it")
        self._leave(r, event.tile)
        self._last = event
        self._next = r
        self._kans += 1
        if r == 0:
            self._to_act = False
        player.concealed -= 1
        player.view = None
        self._let_pass(player, event.tile)
        self._break_ippatsu()

    def _dora(self, event: DoraReveal) -> None:
        if len(self._indicators) > self._kans:
            raise PositionError(f"the indicator {event.indicator} is shown without a kan")
        self._indicators.append(event.indicator)
        self._see(event.indicator)

    def _win(self, event: Win) -> None:
        last = self._last
        if event.tsumo:
            self._drew(event, "wins by its own draw")
        elif (
            not isinstance(last, Discard | Kakan | Ankan)
            or last.seat != event.target
            or event.tile not in (last.tiles if isinstance(last, Ankan) else (last.tile,))
        ):
            raise PositionError(f"a win on {event.tile}, which was not just shown")
        self._winners.append(event.seat)
        self._playing = self._to_act = False

    def _end(self, event: AbortiveDraw | ExhaustiveDraw) -> None:
        self._last = event
        self._playing = self._to_act = False

    # -- counting ----------------------------------------------------------------------

    def _see(self, tile: Tile) -> None:
        kind = tile.kind
        self._seen[kind] += 1
        if self._seen[kind] > 4:
            raise PositionError(f"a fifth {tile} is seen")
        bit = _RED_BIT.get(kind, 0) if self.rules.red_fives else 0
        if bit:
            if tile.red and self._reds_seen & bit:
                raise PositionError(f"a second {tile} is seen")
            self._reds_seen |= bit * tile.red
            if self._seen[kind] - bool(self._reds_seen & bit) > 3:
                raise PositionError(f"a fourth {tile} is seen, of which there are three")
        elif tile.red:
            raise PositionError(f"{tile} is seen in a game without red fives")

    def _drew(self, event: Riichi | Ankan | Kakan | Win, does: str) -> None:
        """Raise PositionError unless the seat of the event has just drawn."""
        last = self._last
        if not isinstance(last, Draw | HiddenDraw) or last.seat != event.seat:
            raise PositionError(f"seat {event.seat} {does} without having just drawn")

    def _may_meld(self, player: _Player, kind: MeldKind) -> None:
        """Raise PositionError for a player's fifth meld, or where the hand ends before it."""
        if kind != "kakan" and len(player.melds) == 4:
            raise PositionError(f"{kind} by a seat that has four melds")
        if not self._draws_left or (self._kans == 4 and kind not in ("chi", "pon")):
            raise PositionError(f"{kind} with no tile left to draw")

    def _leave(self, relative: int, tile: Tile) -> None:
        """A tile leaves a hand: the viewer's own, or one in which it was not seen before."""
        if relative:
            self._see(tile)
            return
        try:
            self._hand.remove(tile)
        except ValueError:
            raise PositionError(f"the viewer does not hold {tile}") from None
        self._drawn = None


def _is_set(kind: MeldKind, called: Tile, consumed: Sequence[Tile]) -> bool:
    """Whether the tiles make a chi, pon or daiminkan."""
    kinds = sorted([called.kind, *(tile.kind for tile in consumed)])
    if kind == "chi":
        low = kinds[0]
        return kinds == [low, low + 1, low + 2] and low < 27 and low % 9 < 7
    return len(kinds) == (3 if kind == "pon" else 4) and kinds[0] == kinds[-1]


_RED_BIT = {kind: 1 << n for n, kind in enumerate(RED_KINDS)}
_KANS = frozenset({Daiminkan, Ankan, Kakan})
_BEFORE_DISCARD = (HiddenDraw, Draw, Chi, Pon, Riichi)
_CALL_KINDS: dict[type, MeldKind] = {Chi: "chi", Pon: "pon", Daiminkan: "daiminkan"}
_HANDLERS: dict[type, Callable[[PositionFold, Any], None]] = {
    Start: PositionFold._start,
    OwnDeal: PositionFold._own_deal,
    Draw: PositionFold._draw,
    HiddenDraw: PositionFold._hidden_draw,
    Discard: PositionFold._discard,
    Riichi: PositionFold._riichi,
    RiichiAccepted: PositionFold._riichi_accepted,
    Chi: PositionFold._called,
    Pon: PositionFold._called,
    Daiminkan: PositionFold._called,
    Ankan: PositionFold._ankan,
    Kakan: PositionFold._kakan,
    DoraReveal: PositionFold._dora,
    Win: PositionFold._win,
    AbortiveDraw: PositionFold._end,
    ExhaustiveDraw: PositionFold._end,
}


def positions(
    events: Iterable[Event], seat: Seat, rules: Ruleset = TENHOU
) -> Iterator[tuple[int, Event, Position]]:
    """(event index, event, Position just before it) for each decision of ``seat`` to discard
    or add to a kan (Discard, Kakan) in the events of one hand, all tiles known or masked.

    Raises IllegalError, with the event, for one that cannot follow those before it.
    """
    fold = PositionFold(seat, rules)
    for index, event in enumerate(events):
        if isinstance(event, (Discard, Kakan)) and event.seat == seat:
            yield index, event, fold.position()
        try:
            fold.apply(visible_to(event, seat))
        except PositionError as error:
            raise IllegalError(str(error), event=index) from error
