"""One seat's state: its Position and its legal choices, folded from the events it may see.

A seat that follows a game has no table, so its choices are listed in Python (``play.legal``). The
core lists those of tables and of records; tests compare the two at every decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from haiyomi.errors import PositionError
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    Event,
    HiddenDraw,
    Kakan,
    Offer,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
)
from haiyomi.game.kuikae import swap_kinds
from haiyomi.game.player_view import MeldKind
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.play.legal import (
    call_choices,
    discard_choices,
    riichi_kinds,
    ron_choices,
    turn_choices,
)
from haiyomi.play.live_hand import LiveHand
from haiyomi.play.player import Choice, Options, Pass
from haiyomi.play.side import LiveMeld, Side, ids_of
from haiyomi.rules import DEPOSIT, TENHOU, WALL_DRAWS, Ruleset
from haiyomi.tiles import Kind, Seat, Tile, TileId

_SHAPES: dict[type, MeldKind] = {Chi: "chi", Pon: "pon", Daiminkan: "daiminkan"}


class SeatState:
    """One seat's Position and choices, event by event.

    ``apply`` takes the events as ``visible_to(event, seat)`` gives them, and ``seen`` are those of
    the hand. ``position()`` is the information set, ``options()`` what the seat may do now or None.
    Raises PositionError for events that cannot follow each other.
    """

    def __init__(self, seat: Seat, rules: Ruleset = TENHOU) -> None:
        self.seat = seat
        self.rules = rules
        self.fold = PositionFold(seat, rules)
        self.live: LiveHand | None = None
        self._side: Side | None = None
        self.seen: list[Event] = []
        self._riichi = [False] * 4
        self._declaring: Seat | None = None
        self._start_event: Start | None = None

    def apply(self, event: Event) -> None:
        """Take one visible event."""
        self.fold.apply(event)
        if isinstance(event, Start):
            self.seen = []
        last, side = self.last, self._side
        if isinstance(last, Offer) and last.seat != self.seat and side is not None:
            # The next event shows that nobody won on the last tile.
            might_win = not isinstance(last, Ankan) or self._may_rob(last, side)
            if might_win:
                side.pass_by(last.tile.kind)
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        self.seen.append(event)

    @property
    def last(self) -> Event | None:
        """The latest event of the hand."""
        return self.seen[-1] if self.seen else None

    def position(self) -> Position:
        """The information set now."""
        return self.fold.position()

    @property
    def side(self) -> Side:
        """The seat's own side. Raises PositionError before the deal."""
        if self._side is None:
            raise PositionError("no hand has been dealt")
        return self._side

    def options(self) -> Options | None:
        """The seat's legal choices after the last event; None where it has none."""
        event, live, side = self.last, self.live, self._side
        if live is None or side is None:
            return None
        choices: list[Choice]
        if isinstance(event, Draw):
            choices = turn_choices(live, side, event.rinshan)
        elif isinstance(event, Riichi) and event.seat == self.seat:
            choices = list(discard_choices(live, side, only=riichi_kinds(side)))
        elif isinstance(event, Chi | Pon) and event.seat == self.seat:
            banned = swap_kinds(event.tile.kind, [t.kind for t in event.consumed])
            choices = list(discard_choices(live, side, banned))
        elif isinstance(event, Discard) and event.seat != self.seat:
            choices = self._offered(live, side, event)
        elif isinstance(event, Kakan) and event.seat != self.seat:
            choices = ron_choices(live, side, event.seat, self._other(event.tile), chankan=True)
        elif isinstance(event, Ankan) and event.seat != self.seat and self._may_rob(event, side):
            choices = ron_choices(live, side, event.seat, self._other(event.tile))
        else:
            return None
        if not choices:
            return None
        if isinstance(event, Offer):
            choices = [*choices, Pass(self.seat)]
        return Options(self.seat, tuple(choices))

    def _may_rob(self, kan: Ankan, side: Side) -> bool:
        """Whether the seat may win on a closed kan."""
        return self.rules.rob_ankan and side.orphans_wait(kan.tile.kind)

    def _offered(self, live: LiveHand, side: Side, event: Discard) -> list[Choice]:
        kind = event.tile.kind
        counts = side.counts
        wins = bool(side.waits >> kind & 1)
        near = kind < 27 and event.seat == (self.seat + 3) % 4
        if not wins and counts[kind] < 2 and not (near and _fits(counts, kind)):
            return []
        tile = self._other(event.tile)
        choices = ron_choices(live, side, event.seat, tile) if wins else []
        if not self._aborted(live):
            choices = choices + call_choices(live, side, event.seat, tile)
        return choices

    def _aborted(self, live: LiveHand) -> bool:
        """Whether the last discard ends the hand unless it is won on."""
        first_kinds = live.first_discards
        if live.no_calls and len(first_kinds) == 4 and live.draws_left == WALL_DRAWS - 4:
            return 27 <= first_kinds[0] <= 30 and len(set(first_kinds)) == 1
        if len(live.kans) == 4 and len(set(live.kans)) > 1:
            return True
        return all(self._riichi) and self._declaring is not None

    def _other(self, tile: Tile) -> TileId:
        """An id of a tile that this seat does not hold."""
        side = self.side
        used = {*side.hand, *(t for m in side.melds for t in m.ids)}
        for ident in ids_of(tile, self.rules.red_fives):
            if ident not in used:
                return ident
        raise PositionError(f"no {tile} is left")

    def _held(self, tile: Tile) -> TileId:
        """The lowest own id of a tile; the drawn one only if there is no other."""
        assert self.live is not None
        side = self.side
        ids = [t for t in side.hand if self.live.tile(t) == tile]
        if not ids:
            raise PositionError(f"the viewer does not hold {tile}")
        return min(ids, key=lambda t: (t == side.drawn, t))

    # -- one method an event type ---------------------------------------------------------

    def _start(self, event: Start) -> None:
        self._start_event = event
        self.live = self._side = None
        self._riichi = [False] * 4
        self._declaring = None

    def _deal(self, event: OwnDeal) -> None:
        start = self._start_event
        assert start is not None
        ids: list[TileId] = []
        red = self.rules.red_fives
        for tile in event.tiles:
            ids += [ident for ident in ids_of(tile, red) if ident not in ids][:1]
        self.live = LiveHand(self.rules, start.kyoku, list(start.scores))
        self._side = Side(self.seat, ids)

    def _draw(self, event: Any) -> None:
        assert self.live is not None
        self.live.draws_left -= 1
        if event.seat == self.seat:
            self.side.take(self._other(event.tile))

    def _discard(self, event: Discard) -> None:
        live = self.live
        assert live is not None
        kind = event.tile.kind
        if len(live.first_discards) < 4:
            live.first_discards.append(kind)
        if event.seat != self.seat:
            return
        side = self.side
        tile = side.drawn if event.tsumogiri and side.drawn is not None else self._held(event.tile)
        side.remove(tile)
        side.drawn = None
        side.passed_wait = side.ippatsu = False
        side.discards += 1
        side.river_mask |= 1 << kind
        side.refresh()

    def _declared(self, event: Riichi) -> None:
        self._riichi[event.seat] = True
        self._declaring = event.seat

    def _accepted(self, event: RiichiAccepted) -> None:
        live = self.live
        assert live is not None
        live.scores[event.seat] -= DEPOSIT
        self._declaring = None
        if event.seat == self.seat:
            side = self.side
            side.riichi = 2 if live.no_calls and side.discards == 1 else 1
            side.ippatsu = True

    def _call(self, event: Chi | Pon | Daiminkan) -> None:
        live = self.live
        assert live is not None
        if event.seat == self.seat:
            side = self.side
            ids = [self._other(event.tile)]
            for tile in event.consumed:
                ident = self._held(tile)
                side.remove(ident)
                ids.append(ident)
            side.melds.append(LiveMeld(_SHAPES[type(event)], Kind(min(ids) // 4), ids))
            side.open = True
            side.drawn = None
        self._interrupt(live)
        if isinstance(event, Daiminkan):
            self._kan(live, event.seat)

    def _ankan(self, event: Ankan) -> None:
        live = self.live
        assert live is not None
        if event.seat == self.seat:
            side = self.side
            kind = event.tiles[0].kind
            ids = [t for t in side.hand if t // 4 == kind]
            for ident in ids:
                side.remove(ident)
            side.melds.append(LiveMeld("ankan", kind, ids))
        self._interrupt(live)
        self._kan(live, event.seat)

    def _kakan(self, event: Kakan) -> None:
        live = self.live
        assert live is not None
        if event.seat == self.seat:
            side = self.side
            tile = self._held(event.tile)
            side.remove(tile)
            for meld in side.melds:
                if meld.shape == "pon" and meld.kind == tile // 4:
                    meld.shape = "kakan"
                    meld.ids.append(tile)
        self._interrupt(live)
        self._kan(live, event.seat)

    def _kan(self, live: LiveHand, seat: Seat) -> None:
        live.kans.append(seat)
        if seat == self.seat:
            self.side.drawn = None
            self.side.refresh()

    def _interrupt(self, live: LiveHand) -> None:
        live.no_calls = False
        self.side.ippatsu = False


def _fits(counts: Sequence[int], kind: int) -> bool:
    """Whether two held kinds make a run with ``kind``."""
    rank = kind % 9
    return any(
        rank + a >= 0 and rank + b <= 8 and counts[kind + a] and counts[kind + b]
        for a, b in ((-2, -1), (-1, 1), (1, 2))
    )


_HANDLERS: dict[type, Callable[[SeatState, Any], None]] = {
    Start: SeatState._start,
    OwnDeal: SeatState._deal,
    Draw: SeatState._draw,
    HiddenDraw: SeatState._draw,
    Discard: SeatState._discard,
    Riichi: SeatState._declared,
    RiichiAccepted: SeatState._accepted,
    Chi: SeatState._call,
    Pon: SeatState._call,
    Daiminkan: SeatState._call,
    Ankan: SeatState._ankan,
    Kakan: SeatState._kakan,
}
