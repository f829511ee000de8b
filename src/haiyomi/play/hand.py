"""One hand played to its end: draws, choices, calls and payments."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from haiyomi.errors import HaiyomiError
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
    Hand,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    visible_to,
)
from haiyomi.game.kuikae import swap_kinds
from haiyomi.kernels.replay import HandEnd
from haiyomi.play.legal import (
    call_choices,
    discard_choices,
    riichi_kinds,
    ron_choices,
    turn_choices,
)
from haiyomi.play.live import LiveHand
from haiyomi.play.player import Choice, Claim, Options, Pass, Player
from haiyomi.play.settle import (
    DAISANGEN,
    DAISUUSHII,
    DEPOSIT,
    four,
    judge,
    nagashi_payments,
    noten_payments,
    win_event,
)
from haiyomi.play.side import LiveMeld, Side
from haiyomi.play.wall import Wall
from haiyomi.rules import Ruleset
from haiyomi.tiles import YAOCHU, Kind, Seat, Tile, TileId

_DRAGONS = (31, 32, 33)
_WINDS = (27, 28, 29, 30)
_CALLED = {Chi: "chi", Pon: "pon", Daiminkan: "daiminkan"}


class ChoiceError(HaiyomiError):
    """A player's choice was not among its options."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished hand, and what the next one starts from."""

    hand: Hand
    end: HandEnd


def play_hand(
    rules: Ruleset,
    wall: Wall,
    players: Sequence[Player],
    *,
    kyoku: int = 0,
    honba: int = 0,
    sticks: int = 0,
    scores: Sequence[int] | None = None,
) -> Played:
    """Deal a wall and let four players, by absolute seat, choose until the hand ends.

    Raises ChoiceError where a player answers with anything but one of its options.
    """
    steps = hand_steps(
        rules, wall, watched_by(players), kyoku=kyoku, honba=honba, sticks=sticks, scores=scores
    )
    return driven(steps, players)


R = TypeVar("R")
Steps: TypeAlias = Generator[Options, Choice, R]
"""Play in steps: it yields the options of a seat, takes its choice, and returns its result."""
Watch: TypeAlias = Callable[[Event], None]
"""Receives every event, with what is hidden."""


def driven(steps: Steps[R], players: Sequence[Player]) -> R:
    """The result of some steps in which players by absolute seat choose."""
    try:
        options = next(steps)
        while True:
            options = steps.send(players[options.seat].act(options))
    except StopIteration as end:
        result: R = end.value
        return result


def hand_steps(
    rules: Ruleset,
    wall: Wall,
    watch: Watch,
    *,
    kyoku: int = 0,
    honba: int = 0,
    sticks: int = 0,
    scores: Sequence[int] | None = None,
) -> Steps[Played]:
    """The steps of one hand. Raises ChoiceError for a choice that is none of the options."""
    return _Hand(rules, wall, watch, kyoku, honba, sticks, scores).run()


def watched_by(players: Sequence[Player]) -> Watch:
    """Shows each player the events as its seat sees them."""

    def watch(event: Event) -> None:
        for seat, player in enumerate(players):
            player.observe(visible_to(event, Seat(seat)))

    return watch


class _Hand:
    """One hand in progress: its state and the events so far."""

    def __init__(
        self,
        rules: Ruleset,
        wall: Wall,
        watch: Watch,
        kyoku: int,
        honba: int,
        sticks: int,
        scores: Sequence[int] | None,
    ) -> None:
        self.watch = watch
        self.events: list[Event] = []
        self.copies: list[TileId] = []
        self.dealt = wall.deal(Seat(kyoku % 4))
        a, b, c, d = (Side(Seat(s), list(hand)) for s, hand in enumerate(self.dealt))
        points = list(scores) if scores is not None else [rules.start_points] * 4
        self.live = LiveHand(rules, wall, kyoku, honba, sticks, points, (a, b, c, d))

    def emit(self, event: Event, *ids: TileId) -> None:
        """Append an event and show it."""
        self.events.append(event)
        self.copies.extend(ids)
        self.watch(event)

    def ask(self, seat: Seat, choices: Sequence[Choice]) -> Steps[Choice]:
        if len(choices) == 1:
            return choices[0]
        choice = yield Options(seat, tuple(choices))
        if choice not in choices:
            raise ChoiceError(f"seat {seat} chose {choice!r}, which is not among its options")
        return choice

    def run(self) -> Steps[Played]:
        live = self.live
        first = live.wall.indicator(0)
        start = Start(live.kyoku, live.honba, live.sticks, four(live.scores), live.tile(first))
        self.emit(start, first)
        hands = tuple(tuple(live.tile(t) for t in hand) for hand in self.dealt)
        self.emit(Deal(hands), *(t for hand in self.dealt for t in hand))
        seat, drawing, rinshan = live.dealer, True, False
        banned: tuple[int, ...] = ()
        while True:
            side = live.sides[seat]
            choice: Choice
            if drawing:
                if not rinshan and live.wall.left == 0:
                    return self.exhausted()
                tile = live.wall.replacement() if rinshan else live.wall.draw()
                side.take(tile)
                self.emit(Draw(seat, live.tile(tile), rinshan), tile)
                choice = yield from self.ask(seat, turn_choices(live, side, rinshan))
            else:
                choice = yield from self.ask(seat, discard_choices(live, side, banned))
            banned = ()
            if isinstance(choice, Claim):
                assert side.drawn is not None
                return self.won([seat], seat, side.drawn, rinshan=rinshan)
            if isinstance(choice, AbortiveDraw):
                return self.aborted(choice.reason, choice.seat)
            if isinstance(choice, Ankan | Kakan):
                robbed = yield from self.own_kan(side, choice)
                if robbed is not None:
                    return robbed
                drawing, rinshan = True, True
                continue
            declares = False
            if isinstance(choice, Riichi):
                declares = True
                self.emit(choice)
                choice = yield from self.ask(
                    seat, discard_choices(live, side, only=riichi_kinds(side))
                )
            assert isinstance(choice, Discard)
            tile = self.discard(side, choice)
            answer = yield from self.claims(side, tile, declares)
            if isinstance(answer, Played):
                return answer
            if isinstance(answer, Pass):
                seat, drawing, rinshan = live.others(seat)[0], True, False
                continue
            assert isinstance(answer, Chi | Pon | Daiminkan)
            self.call(answer, tile)
            seat = answer.seat
            drawing = rinshan = isinstance(answer, Daiminkan)
            if not drawing:
                banned = swap_kinds(answer.tile.kind, [t.kind for t in answer.consumed])

    def discard(self, side: Side, choice: Discard) -> TileId:
        """Discard the tile, after revealing the dora indicators still due for open kans."""
        live = self.live
        self.reveal(live.pending_dora)
        live.pending_dora = 0
        if choice.tsumogiri:
            assert side.drawn is not None
            tile = side.drawn
        else:
            tile = self.own(side, choice.tile)
        side.remove(tile)
        side.drawn = None
        side.passed_wait = side.ippatsu = False
        side.discards += 1
        kind = Kind(tile // 4)
        side.river_mask |= 1 << kind
        side.nagashi &= kind in YAOCHU
        if len(live.first_discards) < 4:
            live.first_discards.append(kind)
        if not choice.tsumogiri:
            side.refresh()
        self.emit(choice, tile)
        return tile

    def own(self, side: Side, tile: Tile, skip: Sequence[TileId] = ()) -> TileId:
        """The lowest id of a tile in the hand; the drawn one only if there is no other."""
        live = self.live
        ids = [t for t in side.hand if t not in skip and live.tile(t) == tile]
        return min(ids, key=lambda t: (t == side.drawn, t))

    def claims(self, side: Side, tile: TileId, declares: bool) -> Steps[Played | Choice]:
        """The other seats' claims on a discard: the end of the hand, a call, or Pass."""
        live = self.live
        kind = tile // 4
        reason = self.abort_reason(side, declares)
        replies: dict[Seat, Choice] = {}
        for seat in live.others(side.seat):
            other = live.sides[seat]
            choices = ron_choices(live, other, side.seat, tile)
            if reason is None:
                choices = choices + call_choices(live, other, side.seat, tile)
            if choices:
                replies[seat] = yield from self.ask(seat, [*choices, Pass(seat)])
        winners = [s for s, c in replies.items() if isinstance(c, Claim)]
        if winners:
            return self.won(winners, side.seat, tile)
        for seat in live.others(side.seat):
            live.sides[seat].pass_by(kind)
        if declares:
            side.riichi = 2 if live.no_calls and side.discards == 1 else 1
            side.ippatsu = True
            live.scores[side.seat] -= DEPOSIT
            live.sticks += 1
            self.emit(RiichiAccepted(side.seat))
        if reason is not None:
            return self.aborted(reason)
        calls = [c for c in replies.values() if not isinstance(c, Pass)]
        calls.sort(key=lambda c: isinstance(c, Chi))
        return calls[0] if calls else Pass(side.seat)

    def abort_reason(self, side: Side, declares: bool) -> AbortiveReason | None:
        """Why this discard aborts the hand unless somebody wins on it; None if it does not."""
        live = self.live
        first_kinds = live.first_discards
        first_round = live.no_calls and all(s.discards == 1 for s in live.sides)
        if first_round and first_kinds[0] in _WINDS and len(set(first_kinds)) == 1:
            return "four-winds"
        if len(live.kans) == 4 and len(set(live.kans)) > 1:
            return "four-kans"
        if declares and all(s.riichi for s in live.sides if s is not side):
            return "four-riichi"
        return None

    def call(self, call: Chi | Pon | Daiminkan, tile: TileId) -> None:
        """Move the tiles of a call, and end the first turns and ippatsu."""
        live = self.live
        side = live.sides[call.seat]
        ids: list[TileId] = []
        for wanted in call.consumed:
            ids.append(self.own(side, wanted, ids))
        for t in ids:
            side.remove(t)
        shape = _CALLED[type(call)]
        kind = Kind(min(tile, *ids) // 4)
        side.melds.append(LiveMeld(shape, kind, [tile, *ids]))  # type: ignore[arg-type]
        side.open = True
        live.sides[call.target].nagashi = False
        self.interrupt()
        self.note_liable(side, kind, call.target)
        self.emit(call, tile, *ids)
        if isinstance(call, Daiminkan):
            self.kan_made(side, concealed=False)

    def note_liable(self, side: Side, kind: int, target: Seat) -> None:
        """Pao: who discards for the third dragon set or the fourth wind set becomes liable."""
        sets = [m.kind for m in side.melds if m.shape != "chi"]
        for group, yaku in ((_DRAGONS, DAISANGEN), (_WINDS, DAISUUSHII)):
            if kind in group and all(k in sets for k in group):
                side.liable[yaku] = target

    def own_kan(self, side: Side, kan: Ankan | Kakan) -> Steps[Played | None]:
        """Make a concealed or added kan; returns the end of the hand if it is robbed."""
        live = self.live
        if isinstance(kan, Ankan):
            kind = kan.tiles[0].kind
            ids = sorted((t for t in side.hand if t // 4 == kind), key=self.by_tile)
            for t in ids:
                side.remove(t)
            side.melds.append(LiveMeld("ankan", kind, ids))
            self.interrupt()
            self.emit(kan, *ids)
            if live.rules.rob_ankan:
                robbed = yield from self.robbed(side, ids[0], orphans=True)
                if robbed is not None:
                    return robbed
        else:
            tile = next(t for t in side.hand if live.tile(t) == kan.tile)
            self.emit(kan, tile)
            robbed = yield from self.robbed(side, tile, orphans=False)
            if robbed is not None:
                return robbed
            side.remove(tile)
            meld = next(m for m in side.melds if m.shape == "pon" and m.kind == tile // 4)
            meld.shape = "kakan"
            meld.ids.append(tile)
            self.interrupt()
        self.kan_made(side, concealed=isinstance(kan, Ankan))
        return None

    def robbed(self, side: Side, tile: TileId, orphans: bool) -> Steps[Played | None]:
        """The end of the hand if somebody wins on the tile of a kan."""
        live = self.live
        replies: dict[Seat, Choice] = {}
        for seat in live.others(side.seat):
            other = live.sides[seat]
            choices = ron_choices(live, other, side.seat, tile, chankan=True, orphans=orphans)
            if choices:
                replies[seat] = yield from self.ask(seat, [*choices, Pass(seat)])
        winners = [s for s, c in replies.items() if isinstance(c, Claim)]
        if winners:
            return self.won(winners, side.seat, tile, chankan=True)
        for seat in replies if orphans else live.others(side.seat):
            live.sides[seat].pass_by(tile // 4)
        return None

    def by_tile(self, ident: TileId) -> tuple[Tile, int]:
        return self.live.tile(ident), ident

    def kan_made(self, side: Side, concealed: bool) -> None:
        """Count the kan and reveal the dora indicators that are due before its draw."""
        live = self.live
        live.kans.append(side.seat)
        side.drawn = None
        side.refresh()
        at_once = concealed or live.rules.immediate_kan_dora
        self.reveal(live.pending_dora + at_once)
        live.pending_dora = 0 if at_once else 1

    def reveal(self, number: int) -> None:
        live = self.live
        for _ in range(number):
            tile = live.wall.indicator(live.revealed)
            live.revealed += 1
            self.emit(DoraReveal(live.tile(tile)), tile)

    def interrupt(self) -> None:
        """A call or kan ends every first turn and every ippatsu."""
        self.live.no_calls = False
        for side in self.live.sides:
            side.ippatsu = False

    def won(
        self,
        winners: Sequence[Seat],
        target: Seat,
        tile: TileId,
        *,
        rinshan: bool = False,
        chankan: bool = False,
    ) -> Played:
        live = self.live
        if len(winners) == 3 and not live.rules.triple_ron:
            return self.aborted("triple-ron")
        wins = []
        for i, seat in enumerate(winners):
            side = live.sides[seat]
            worth = judge(live, side, target, tile, rinshan=rinshan, chankan=chankan)
            assert worth is not None
            wins.append((win_event(live, side, target, tile, worth, i == 0), side))
        live.sticks = 0
        for win, side in wins:
            ura = live.ura_indicators() if side.riichi else ()
            self.emit(win, tile, *ura)
            live.scores = [s + d for s, d in zip(live.scores, win.deltas, strict=True)]
        return self.end("win", live.dealer in winners)

    def exhausted(self) -> Played:
        live = self.live
        a, b, c, d = (side.waits != 0 for side in live.sides)
        nagashi = tuple(side.seat for side in live.sides if side.nagashi)
        deltas = nagashi_payments(nagashi, live.dealer) if nagashi else noten_payments((a, b, c, d))
        self.emit(ExhaustiveDraw(deltas, (a, b, c, d), nagashi))
        live.scores = [s + x for s, x in zip(live.scores, deltas, strict=True)]
        return self.end("exhaustive", (a, b, c, d)[live.dealer])

    def aborted(self, reason: AbortiveReason, seat: Seat | None = None) -> Played:
        self.emit(AbortiveDraw(reason, seat))
        return self.end("abort", True)

    def end(self, kind: Literal["win", "abort", "exhaustive"], renchan: bool) -> Played:
        live = self.live
        honba = 0 if kind == "win" and not renchan else live.honba + 1
        kyoku = live.kyoku + (not renchan)
        end = HandEnd(kind, renchan, four(live.scores), live.sticks, kyoku, honba)
        return Played(Hand(tuple(self.events), tuple(self.copies)), end)
