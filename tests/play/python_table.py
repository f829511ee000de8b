"""A table in plain Python, slow: what the compiled table must equal, event for event.

It has rules of its own for draws, calls, kans and payments; only the options of a seat
(``play.legal``) and the scores of hands are the package's.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from play.table_hand import TableHand, four, judge

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
    final_scores,
    visible_to,
)
from haiyomi.game.game_end import game_over
from haiyomi.game.kuikae import swap_kinds
from haiyomi.kernels.replay import HandEnd
from haiyomi.kernels.scoring import Score
from haiyomi.play.hand import ChoiceError, PlayedHand
from haiyomi.play.legal import (
    call_choices,
    discard_choices,
    riichi_kinds,
    ron_choices,
    turn_choices,
)
from haiyomi.play.player import Choice, Claim, Options, Pass, Player
from haiyomi.play.side import LiveMeld, Side
from haiyomi.play.wall import Wall
from haiyomi.rules import DEPOSIT, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import YAOCHU, Kind, Seat, Tile, TileId

HONBA = 300
DAISANGEN, DAISUUSHII = 39, 49
ORPHANS = frozenset((47, 48))
NOTEN_TOTAL = 3000
LIMIT_DEALER, LIMIT_OTHER = 48000, 32000
NAGASHI_DEALER, NAGASHI_OTHER = 4000, 2000
_DRAGONS = (31, 32, 33)
_WINDS = (27, 28, 29, 30)
_CALLED = {Chi: "chi", Pon: "pon", Daiminkan: "daiminkan"}


@dataclass(slots=True)
class TableSide(Side):
    """A seat of this table.

    ``nagashi`` as long as only terminals and honours were discarded and none was called;
    ``liable``: the seat that is liable (pao) for a limit hand, by that hand's yaku id.
    """

    nagashi: bool = True
    liable: dict[int, Seat] = field(default_factory=dict)


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


def watched_by(players: Sequence[Player]) -> Watch:
    """Shows each player the events as its seat sees them."""

    def watch(event: Event) -> None:
        for seat, player in enumerate(players):
            player.observe(visible_to(event, Seat(seat)))

    return watch


def python_hand(
    rules: Ruleset,
    wall: Wall,
    players: Sequence[Player],
    *,
    kyoku: int = 0,
    honba: int = 0,
    sticks: int = 0,
    scores: Sequence[int] | None = None,
) -> PlayedHand:
    """What ``play_hand`` gives, by this table."""
    table = _Hand(rules, wall, watched_by(players), kyoku, honba, sticks, scores)
    return driven(table.run(), players)


def python_game(players: Sequence[Player], seed: int, number: int, rules: Ruleset) -> Game:
    """What ``play_game`` gives, by this table."""
    hands: list[Hand] = []
    scores: FourScores = four([rules.start_points] * 4)
    kyoku = honba = sticks = 0
    while True:
        wall = Wall.shuffled(generator(seed, "game", number, "wall", len(hands)))
        played = python_hand(
            rules, wall, players, kyoku=kyoku, honba=honba, sticks=sticks, scores=scores
        )
        end = played.end
        hands.append(played.hand)
        if game_over(end, rules):
            final = final_scores(end.scores, end.sticks)
            return Game(Header(("",) * 4, rules, final), tuple(hands))
        kyoku, honba, scores, sticks = end.next_kyoku, end.next_honba, end.scores, end.sticks


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
        a, b, c, d = (TableSide(Seat(s), list(hand)) for s, hand in enumerate(self.dealt))
        points = list(scores) if scores is not None else [rules.start_points] * 4
        self.live = TableHand(rules, kyoku, points, wall=wall, honba=honba, sticks=sticks)
        self.sides = (a, b, c, d)
        self.pending_dora = 0
        """Indicators that are due for open kans."""

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

    def run(self) -> Steps[PlayedHand]:
        live = self.live
        first = live.wall.indicator(0)
        start = Start(live.kyoku, live.honba, live.sticks, four(live.scores), live.tile(first))
        self.emit(start, first)
        hands = tuple(tuple(live.tile(t) for t in hand) for hand in self.dealt)
        self.emit(Deal(hands), *(t for hand in self.dealt for t in hand))
        seat, drawing, rinshan = live.dealer, True, False
        banned: tuple[int, ...] = ()
        while True:
            side = self.sides[seat]
            choice: Choice
            if drawing:
                if not rinshan and live.draws_left == 0:
                    return self.exhausted()
                tile = live.wall.replacement() if rinshan else live.wall.draw()
                live.draws_left -= 1
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
            if isinstance(answer, PlayedHand):
                return answer
            if isinstance(answer, Pass):
                seat, drawing, rinshan = _others(seat)[0], True, False
                continue
            assert isinstance(answer, Chi | Pon | Daiminkan)
            self.call(answer, tile)
            seat = answer.seat
            drawing = rinshan = isinstance(answer, Daiminkan)
            if not drawing:
                banned = swap_kinds(answer.tile.kind, [t.kind for t in answer.consumed])

    def discard(self, side: TableSide, choice: Discard) -> TileId:
        """Discard the tile, after revealing the dora indicators still due for open kans."""
        live = self.live
        self.reveal(self.pending_dora)
        self.pending_dora = 0
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

    def own(self, side: TableSide, tile: Tile, skip: Sequence[TileId] = ()) -> TileId:
        """The lowest id of a tile in the hand; the drawn one only if there is no other."""
        live = self.live
        ids = [t for t in side.hand if t not in skip and live.tile(t) == tile]
        return min(ids, key=lambda t: (t == side.drawn, t))

    def claims(self, side: TableSide, tile: TileId, declares: bool) -> Steps[PlayedHand | Choice]:
        """The other seats' claims on a discard: the end of the hand, a call, or Pass."""
        live = self.live
        kind = tile // 4
        reason = self.abort_reason(side, declares)
        replies: dict[Seat, Choice] = {}
        for seat in _others(side.seat):
            other = self.sides[seat]
            choices = ron_choices(live, other, side.seat, tile)
            if reason is None:
                choices = choices + call_choices(live, other, side.seat, tile)
            if choices:
                replies[seat] = yield from self.ask(seat, [*choices, Pass(seat)])
        winners = [s for s, c in replies.items() if isinstance(c, Claim)]
        if winners:
            return self.won(winners, side.seat, tile)
        for seat in _others(side.seat):
            self.sides[seat].pass_by(kind)
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

    def abort_reason(self, side: TableSide, declares: bool) -> AbortiveReason | None:
        """Why this discard aborts the hand unless somebody wins on it; None if it does not."""
        live = self.live
        first_kinds = live.first_discards
        first_round = live.no_calls and all(s.discards == 1 for s in self.sides)
        if first_round and first_kinds[0] in _WINDS and len(set(first_kinds)) == 1:
            return "four-winds"
        if len(live.kans) == 4 and len(set(live.kans)) > 1:
            return "four-kans"
        if declares and all(s.riichi for s in self.sides if s is not side):
            return "four-riichi"
        return None

    def call(self, call: Chi | Pon | Daiminkan, tile: TileId) -> None:
        """Move the tiles of a call, and end the first turns and ippatsu."""
        side = self.sides[call.seat]
        ids: list[TileId] = []
        for wanted in call.consumed:
            ids.append(self.own(side, wanted, ids))
        for t in ids:
            side.remove(t)
        shape = _CALLED[type(call)]
        kind = Kind(min(tile, *ids) // 4)
        side.melds.append(LiveMeld(shape, kind, [tile, *ids]))  # type: ignore[arg-type]
        side.open = True
        self.sides[call.target].nagashi = False
        self.interrupt()
        self.note_liable(side, kind, call.target)
        self.emit(call, tile, *ids)
        if isinstance(call, Daiminkan):
            self.kan_made(side, concealed=False)

    def note_liable(self, side: TableSide, kind: int, target: Seat) -> None:
        """Pao: who discards for the third dragon set or the fourth wind set becomes liable."""
        sets = [m.kind for m in side.melds if m.shape != "chi"]
        for group, yaku in ((_DRAGONS, DAISANGEN), (_WINDS, DAISUUSHII)):
            if kind in group and all(k in sets for k in group):
                side.liable[yaku] = target

    def own_kan(self, side: TableSide, kan: Ankan | Kakan) -> Steps[PlayedHand | None]:
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

    def robbed(self, side: TableSide, tile: TileId, orphans: bool) -> Steps[PlayedHand | None]:
        """The end of the hand if somebody wins on the tile of a kan."""
        live = self.live
        replies: dict[Seat, Choice] = {}
        for seat in _others(side.seat):
            other = self.sides[seat]
            choices = ron_choices(live, other, side.seat, tile, chankan=True)
            if choices and orphans:
                won = judge(live, other, side.seat, tile, chankan=True)
                assert won is not None
                choices = choices if any(yaku.id in ORPHANS for yaku, _ in won.yaku) else []
            if choices:
                replies[seat] = yield from self.ask(seat, [*choices, Pass(seat)])
        winners = [s for s, c in replies.items() if isinstance(c, Claim)]
        if winners:
            return self.won(winners, side.seat, tile, chankan=True)
        for seat in replies if orphans else _others(side.seat):
            self.sides[seat].pass_by(tile // 4)
        return None

    def by_tile(self, ident: TileId) -> tuple[Tile, int]:
        return self.live.tile(ident), ident

    def kan_made(self, side: TableSide, concealed: bool) -> None:
        """Count the kan and reveal the dora indicators that are due before its draw."""
        live = self.live
        live.kans.append(side.seat)
        side.drawn = None
        side.refresh()
        at_once = concealed or live.rules.immediate_kan_dora
        self.reveal(self.pending_dora + at_once)
        self.pending_dora = 0 if at_once else 1

    def reveal(self, number: int) -> None:
        live = self.live
        for _ in range(number):
            tile = live.wall.indicator(live.revealed)
            live.revealed += 1
            self.emit(DoraReveal(live.tile(tile)), tile)

    def interrupt(self) -> None:
        """A call or kan ends every first turn and every ippatsu."""
        self.live.no_calls = False
        for side in self.sides:
            side.ippatsu = False

    def won(
        self,
        winners: Sequence[Seat],
        target: Seat,
        tile: TileId,
        *,
        rinshan: bool = False,
        chankan: bool = False,
    ) -> PlayedHand:
        live = self.live
        if len(winners) == 3 and not live.rules.triple_ron:
            return self.aborted("triple-ron")
        wins = []
        for i, seat in enumerate(winners):
            side = self.sides[seat]
            worth = judge(live, side, target, tile, rinshan=rinshan, chankan=chankan)
            assert worth is not None
            wins.append((win_event(live, side, target, tile, worth, i == 0), side))
        live.sticks = 0
        for win, side in wins:
            ura = live.ura() if side.riichi else ()
            self.emit(win, tile, *ura)
            live.scores = [s + d for s, d in zip(live.scores, win.deltas, strict=True)]
        return self.end("win", live.dealer in winners)

    def exhausted(self) -> PlayedHand:
        live = self.live
        a, b, c, d = (side.waits != 0 for side in self.sides)
        nagashi = tuple(side.seat for side in self.sides if side.nagashi)
        deltas = nagashi_payments(nagashi, live.dealer) if nagashi else noten_payments((a, b, c, d))
        self.emit(ExhaustiveDraw(deltas, (a, b, c, d), nagashi))
        live.scores = [s + x for s, x in zip(live.scores, deltas, strict=True)]
        return self.end("exhaustive", (a, b, c, d)[live.dealer])

    def aborted(self, reason: AbortiveReason, seat: Seat | None = None) -> PlayedHand:
        self.emit(AbortiveDraw(reason, seat))
        return self.end("abort", True)

    def end(self, kind: Literal["win", "abort", "exhaustive"], renchan: bool) -> PlayedHand:
        live = self.live
        honba = 0 if kind == "win" and not renchan else live.honba + 1
        kyoku = live.kyoku + (not renchan)
        end = HandEnd(kind, renchan, four(live.scores), live.sticks, kyoku, honba)
        return PlayedHand(Hand(tuple(self.events), tuple(self.copies)), end)


def win_event(
    live: TableHand, side: TableSide, target: Seat, tile: TileId, worth: Score, first: bool
) -> Win:
    """The win with its payments; ``first`` of several winners takes honba and deposits.

    A liable player pays all of a tsumo and half of a ron, and the honba; of the whole hand
    or only of the limit hand that was fed, as the rules have it.
    """
    seat = side.seat
    honba = live.honba if first else 0
    yaku = tuple((each.id, han) for each, han in worth.yaku)
    had = dict(yaku)
    fed = next((each for each in side.liable if each in had), 0)
    liable = side.liable.get(fed)
    deltas = [0, 0, 0, 0]
    if target != seat:
        points = worth.ron
        if liable is None or liable == target:
            deltas[target] -= points + HONBA * honba
        else:
            half = _liable_part(live, side, had.get(fed, 0), points) // 2
            deltas[target] -= points - half
            deltas[liable] -= half + HONBA * honba
    else:
        shares = {
            s: worth.tsumo_dealer if s == live.dealer else worth.tsumo_other for s in _others(seat)
        }
        points = sum(shares.values())
        part = 0
        if liable is not None:
            part = _liable_part(live, side, had.get(fed, 0), points)
            deltas[liable] -= part + HONBA * honba
            honba = 0
        for s, share in shares.items():
            deltas[s] -= share * (points - part) // points + HONBA // 3 * honba
    deltas[seat] -= sum(deltas)
    if first:
        deltas[seat] += DEPOSIT * live.sticks
    return Win(
        seat,
        target,
        live.tile(tile),
        four(deltas),
        tuple(live.tile(t) for t in live.ura()) if side.riichi else (),
        yaku,
        worth.fu,
        points,
        liable,
    )


def _others(seat: Seat) -> tuple[Seat, Seat, Seat]:
    """The three other seats in the order of the turn."""
    return Seat((seat + 1) % 4), Seat((seat + 2) % 4), Seat((seat + 3) % 4)


def _liable_part(live: TableHand, side: TableSide, han: int, points: int) -> int:
    """The part of a hand's points that is due to the liable limit hand of ``han`` (13 each)."""
    if live.rules.pao_whole:
        return points
    limit = LIMIT_DEALER if side.seat == live.dealer else LIMIT_OTHER
    return min(points, limit * (han // 13))


def noten_payments(tenpai: Sequence[bool]) -> FourScores:
    """3000 points from those without to those with a tenpai hand; nothing if all or none."""
    n = sum(tenpai)
    if n in (0, 4):
        return (0, 0, 0, 0)
    return four([NOTEN_TOTAL // n if t else -(NOTEN_TOTAL // (4 - n)) for t in tenpai])


def nagashi_payments(seats: Sequence[Seat], dealer: Seat) -> FourScores:
    """A mangan by tsumo for each of the seats, without honba and deposits."""
    deltas = [0, 0, 0, 0]
    for seat in seats:
        for other in range(4):
            if other != seat:
                share = NAGASHI_DEALER if dealer in (seat, other) else NAGASHI_OTHER
                deltas[other] -= share
                deltas[seat] += share
    return four(deltas)
