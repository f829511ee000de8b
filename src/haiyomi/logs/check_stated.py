"""Compares what a record states twice: scores, hands, melds, indicators, worths, physical tiles.

``game.table.check_game`` replays the events and checks what they pay; this module follows the
same events, in the record's own order, and compares every fact that the record states beside
them. It trusts the events: check the game first.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import NoReturn

from haiyomi.errors import MismatchError, RecordError
from haiyomi.events import (
    AbortiveDraw,
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
    Kakan,
    Pon,
    RiichiAccepted,
    Start,
    Win,
    by_place,
)
from haiyomi.kernels.yaku import YAKU
from haiyomi.logs.dora_order import named_tiles
from haiyomi.logs.endings import limit_class
from haiyomi.logs.stated import HIDDEN, Facts, Stated, StatedHand, StatedMeld
from haiyomi.rules import DEPOSIT, TENHOU
from haiyomi.tiles import TILES, Seat, Tile

_NOTHING = Facts()


def check_stated(game: Game, stated: Stated) -> Counter[str]:
    """Compare all facts of a game; how often each kind of fact is not stated.

    Raises MismatchError with the number of the hand, and of the event in the record's order.
    """
    lacking: Counter[str] = Counter()
    if stated.problem is not None:
        raise MismatchError(stated.problem)
    _check_total(game)
    for number, hand in enumerate(stated.hands):
        try:
            _HandCheck(hand, lacking).run()
        except RecordError as error:
            error.hand = number
            raise
    final = game.header.final
    if final is None or stated.lacks_final:
        lacking["final scores"] += 1
    elif stated.results is not None and not _results_known(game, final, stated.results):
        lacking["points for places"] += 1
    return lacking


def _check_total(game: Game) -> None:
    """The points of all players and on the table, which a fragment's first hand may contradict."""
    start, due = game.hands[0].start, 4 * game.header.rules.start_points
    total = sum(start.scores) + DEPOSIT * start.sticks
    if total != due:
        raise MismatchError(f"all points together are {due}", hand=0, event=0, value=total)


_BONUSES = ((20, 10, -10, -20), (10, 5, -5, -10))
"""By place, beside the 20 that the first has for the 5000 points that each pays in."""


def _results_known(game: Game, final: FourScores, results: tuple[float, ...]) -> bool:
    """Whether the points for places are Tenhou's, or without any bonus.

    Records round half points up or down, or not at all; what that leaves goes to the first.
    Raises MismatchError where they are neither by Tenhou's rules, or by others in another order
    than the places.
    """
    target = game.header.rules.target_points
    exact = [(score - target) / 1000 for score in final]
    if all(abs(a - b) < 0.05 for a, b in zip(exact, results, strict=True)):
        return True
    order = by_place(final)
    beside = [results[s] - exact[s] for s in order]
    for bonus in _BONUSES:
        others = zip(beside[1:], bonus[1:], strict=True)
        if abs(sum(results)) < 0.05 and all(abs(a - b) < 0.55 for a, b in others):
            return True
    tenhou = game.header.rules.name == TENHOU.name
    if tenhou or any(a < b - 0.55 for a, b in pairwise(beside)):
        raise MismatchError("the points for places fit no bonus by place", value=results)
    return False


def _tokens(hand: Hand) -> list[int]:
    """The tokens that the events name, one after the other: copy numbers, else tile codes."""
    wanted = sum(named_tiles(e) for e in hand.events)
    if hand.copies is not None and len(hand.copies) == wanted:
        return list(hand.copies)
    return [tile.code for event in hand.events for tile in _tiles(event)]


def _tiles(event: Event) -> tuple[Tile, ...]:
    match event:
        case Start(indicator=tile) | Draw(tile=tile) | Discard(tile=tile):
            return (tile,)
        case Kakan(tile=tile) | DoraReveal(indicator=tile):
            return (tile,)
        case Chi() | Pon() | Daiminkan():
            return (event.tile, *event.consumed)
        case Ankan(tiles=tiles):
            return tiles
        case Win(tile=tile, ura=ura):
            return (tile, *ura)
        case Deal(hands=hands):
            return tuple(tile for hand in hands for tile in hand)
    return ()


class _HandCheck:
    """One hand followed event by event: where each token is, the scores, and the facts."""

    def __init__(self, stated: StatedHand, lacking: Counter[str]) -> None:
        self.hand, self.facts, self.lacking = stated.hand, stated.facts, lacking
        self.tokens = _tokens(stated.hand)
        self.ids = self.tokens == list(stated.hand.copies or ())
        self.at = 0
        self.used = 0
        self.start = stated.hand.start
        self.scores, self.sticks = self.start.scores, self.start.sticks
        self.held: list[list[int]] = [[], [], [], []]
        self.melds: list[list[StatedMeld]] = [[], [], [], []]
        self.indicators: list[int] = []
        self.gone: set[int] = set()  # ids that have left the wall
        self.last: tuple[int, ...] = ()  # what can be called or won on
        self.ura: list[int] = []

    def fail(self, what: str, value: object = None) -> NoReturn:
        raise MismatchError(what, event=self.at, value=value)

    def run(self) -> None:
        if not self.ids:
            self.lacking["copy numbers of a hand"] += 1
        for number, event in enumerate(self.hand.events):
            self.at = number
            n = named_tiles(event)
            tokens = self.tokens[self.used : self.used + n]
            self.used += n
            self.step(event, tokens, self.facts.get(self.at, _NOTHING))

    def step(self, event: Event, tokens: list[int], facts: Facts) -> None:
        """Play one event and compare what is stated at it."""
        if facts.problem is not None:
            self.fail(facts.problem)
        match event:
            case Draw(seat):
                self.leave_wall(tokens)
                self.held[seat].append(tokens[0])
                self.last = (tokens[0],)
            case Discard(seat):
                self.take(seat, tokens)
                self.last = (tokens[0],)
            case Start() | DoraReveal():
                self.leave_wall(tokens)
                self.indicators.append(tokens[0])
            case Deal():
                self.leave_wall(tokens)
                self.held = [tokens[13 * s : 13 * s + 13] for s in range(4)]
            case Chi() | Pon() | Daiminkan():
                self.won_on(tokens[0], "calls")
                self.take(event.seat, tokens[1:])
                self.add(event.seat, StatedMeld(tuple(sorted(tokens)), tokens[0], event.target))
            case Ankan(seat):
                self.take(seat, tokens)
                self.add(seat, StatedMeld(tuple(sorted(tokens)), -1))
                self.last = tuple(tokens)
            case Kakan(seat):
                self.take(seat, tokens)
                self.kakan(seat, tokens[0], facts)
                self.last = (tokens[0],)
            case RiichiAccepted(seat):
                self.deposit(seat, facts)
            case Win():
                self.win(event, tokens, facts)
            case AbortiveDraw() | ExhaustiveDraw():
                self.drawn(event, facts)

    # -- where the tokens are ----------------------------------------------------------------

    def leave_wall(self, tokens: list[int]) -> None:
        if not self.ids:
            return
        for token in tokens:
            if token in self.gone:
                self.fail(f"tile id {token} leaves the wall twice", token)
            self.gone.add(token)

    def take(self, seat: Seat, tokens: list[int]) -> None:
        for token in tokens:
            if token not in self.held[seat]:
                self.fail(f"seat {seat} uses {self.name(token)}, which it does not hold", token)
            self.held[seat].remove(token)

    def won_on(self, token: int, does: str) -> None:
        if token not in self.last:
            self.fail(f"{does} {self.name(token)}, which is not the last tile", token)

    def name(self, token: int) -> str:
        return f"tile id {token}" if self.ids else "a tile"

    def add(self, seat: Seat, meld: StatedMeld) -> None:
        self.melds[seat].append(meld)

    def kakan(self, seat: Seat, added: int, facts: Facts) -> None:
        """The pon of the added tile becomes a kan, in its place."""
        kind = self.kind(added)
        for i, pon in enumerate(self.melds[seat]):
            if len(pon.tiles) == 3 and {self.kind(t) for t in pon.tiles} == {kind}:
                made = StatedMeld(tuple(sorted((*pon.tiles, added))), pon.called, pon.giver)
                self.melds[seat][i] = made
                if facts.meld is not None and not _same(facts.meld, made):
                    self.fail("the added kan names another pon than there is", facts.meld)
                return

    def kind(self, token: int) -> int:
        return token // 4 if self.ids else TILES[token].kind

    # -- what is stated ----------------------------------------------------------------------

    def amounts(self, facts: Facts) -> None:
        """Scores before the event, counters and deposits on the table."""
        if facts.before is not None and facts.before != self.scores:
            self.fail(f"the scores before it are {self.scores}", facts.before)
        if facts.honba is not None and facts.honba != self.start.honba:
            self.fail(f"the honba are {self.start.honba}", facts.honba)
        if facts.sticks is not None and facts.sticks != self.sticks:
            self.fail(f"the riichi deposits on the table are {self.sticks}", facts.sticks)

    def pay(self, deltas: FourScores, facts: Facts, where: str) -> None:
        if facts.paid is not None and facts.paid != deltas:
            self.fail(f"the scores change by {deltas}", facts.paid)
        a, b, c, d = (s + p for s, p in zip(self.scores, deltas, strict=True))
        self.scores = a, b, c, d
        if facts.after is not None and facts.after != self.scores:
            self.fail(f"the scores after it are {self.scores}", facts.after)
        if facts.before is None and facts.after is None:
            self.lacking[f"scores at {where}"] += 1

    def deposit(self, seat: Seat, facts: Facts) -> None:
        a, b, c, d = (-DEPOSIT * (s == seat) for s in range(4))
        self.amounts(facts)
        self.pay((a, b, c, d), facts, "a riichi")
        self.sticks += 1

    def win(self, win: Win, tokens: list[int], facts: Facts) -> None:
        tile, *ura = tokens
        self.won_on(tile, "wins on")
        if self.ura and self.ura != ura and ura:
            self.fail("the winners' ura indicators differ", ura)
        if ura and not self.ura:
            self.leave_wall(ura)
            self.ura = ura
        self.amounts(facts)
        self.shown_by_winner(win, tile, facts)
        if facts.indicators is not None and list(facts.indicators) != self.indicators:
            self.fail(f"the indicators are {self.indicators}", facts.indicators)
        self.worth(win, facts)
        self.pay(win.deltas, facts, "a win")
        self.sticks = 0

    def shown_by_winner(self, win: Win, tile: int, facts: Facts) -> None:
        held = sorted(self.held[win.seat])
        without = held[:]
        if win.tsumo:
            if tile not in held:
                self.fail(f"seat {win.seat} wins on {self.name(tile)}, which it has not drawn")
            without.remove(tile)
        whole = sorted([*without, tile])
        for seat, hand in facts.hands.items():
            if seat != win.seat:
                self.fail(f"a hand of seat {seat} is shown, who does not win")
            if sorted(hand) != whole and (self.ids or sorted(hand) != without):
                self.fail(f"the hand of seat {seat} is {whole}", hand)
        if not facts.hands:
            self.lacking["hand of a winner"] += 1
        if facts.melds is not None:
            left = self.melds[win.seat][:]
            for meld in facts.melds:
                found = next((m for m in left if _same(meld, m)), None)
                if found is None:
                    self.fail(f"seat {win.seat} has no such set", meld)
                left.remove(found)
            if left:
                self.fail(f"a set of seat {win.seat} is left out", left[0])

    def worth(self, win: Win, facts: Facts) -> None:
        """How the points are worded, against the points, which the replay has checked."""
        for what, value in (("yaku", win.yaku), ("points", win.points)):
            if value is None:
                self.lacking[f"{what} of a win"] += 1
        stated = facts.worth
        limit = limit_class(win, self.start.dealer)
        if win.fu is None and limit == 0:
            self.lacking["fu of a win"] += 1
        if win.points is not None and stated.limit is not None and stated.limit != limit:
            self.fail(f"{win.points} points are a hand of class {limit} (0: below mangan)", stated)
        if stated.counted is not None and win.yaku is not None:
            counted = not any(YAKU[y].yakuman for y, _ in win.yaku)
            if stated.counted != counted:
                self.fail("a counted yakuman and one by its yaku are confused")
        if stated.han and win.han is not None and win.han not in stated.han:
            self.fail(f"the hand has {win.han} han", stated.han[0])
        payers = sum(delta < 0 for delta in win.deltas)
        if stated.nobody_liable and payers != (3 if win.tsumo else 1):
            self.fail("the record names no liable player, but the payments are those of one")
        if stated.shares is not None and payers == 3:
            self.shares(win, *stated.shares)

    def shares(self, win: Win, each: int, dealer: int | None) -> None:
        """What each pays of a self-drawn hand."""
        for seat in range(4):
            due = -win.deltas[seat] - 100 * self.start.honba
            stated = dealer if seat == self.start.dealer and dealer is not None else each
            if seat != win.seat and stated != due:
                self.fail(f"seat {seat} pays {due} for the hand", stated)

    def drawn(self, event: AbortiveDraw | ExhaustiveDraw, facts: Facts) -> None:
        self.amounts(facts)
        for seat, hand in facts.hands.items():
            hidden = all(token == HIDDEN for token in hand)
            if hidden and len(hand) != len(self.held[seat]):
                self.fail(f"seat {seat} has {len(self.held[seat])} concealed tiles", len(hand))
            if not hidden and sorted(hand) != sorted(self.held[seat]):
                self.fail(f"the hand of seat {seat} is {sorted(self.held[seat])}", hand)
        if isinstance(event, AbortiveDraw):
            self.pay((0, 0, 0, 0), facts, "a draw")
            if facts.actor is not None and event.seat is not None and facts.actor != event.seat:
                self.fail(f"seat {event.seat} aborts the hand", facts.actor)
            return
        self.pay(event.deltas, facts, "a draw")
        if event.tenpai is None:
            self.lacking["who was tenpai"] += 1
        shown = sum(HIDDEN not in hand for hand in facts.hands.values())
        if event.tenpai is not None and sum(event.tenpai) > shown:
            self.lacking["hand of a tenpai player"] += sum(event.tenpai) - shown


def _same(stated: StatedMeld, made: StatedMeld) -> bool:
    return (
        tuple(sorted(stated.tiles)) == made.tiles
        and stated.called in (None, made.called)
        and stated.giver in (None, made.giver)
    )
