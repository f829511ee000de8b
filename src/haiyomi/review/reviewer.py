"""Game + seat + Analyzer -> Review: every decision of one seat, analysed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, get_args

from haiyomi.analysis.value import known_names
from haiyomi.errors import ArgumentError, check_type
from haiyomi.events import (
    ENDINGS,
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Event,
    Game,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
)
from haiyomi.game.needs import HandScores, Need, needs
from haiyomi.game.position import Position
from haiyomi.outcomes.option import Act, Option, option_made
from haiyomi.play.decision import RecordedDecision, hand_decisions
from haiyomi.play.player import Pass
from haiyomi.review.decisions import (
    Aftermath,
    CallName,
    HandReview,
    Revealed,
    Review,
    ReviewedDecision,
    Won,
)
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.value import Analysis


TOGETHER: Final = 8
"""Hands that are analysed together, which takes less time than one by one."""


def review_game(
    game: Game,
    seat: int,
    analyzer: Analyzer | None = None,
    hands: Iterable[int] | None = None,
    revealed: Mapping[tuple[int, int], Revealed] | None = None,
    step: Callable[[int], None] | None = None,
    acts: Collection[str] | None = None,
) -> Review:
    """Review one absolute seat of a game, by default with the shipped models and every part.

    ``hands`` are the 0-based hands to review, all by default; ``revealed`` the hidden truth
    by (hand, event index), if it is to be shown; ``step`` is called with each hand's index
    once it is done, of some hands at a time; ``acts``: the review has only the decisions where one
    of these was done, such as ``"pon"``. Raises ArgumentError for what is no Game or no Analyzer, a
    seat or a hand that the game does not have and an act that does not exist, and IllegalError for
    an impossible event.
    """
    check_type(game, "review_game", Game)
    if seat not in (0, 1, 2, 3):
        raise ArgumentError(f"seat is {seat!r}: expected 0 to 3")
    if hands is not None:
        check_type(hands, "review_game(hands=...)", Iterable)
    asked = range(len(game.hands)) if hands is None else map(operator.index, hands)
    numbers = tuple(dict.fromkeys(asked))  # a hand counts once
    for number in numbers:
        if not 0 <= number < len(game.hands):
            last = len(game.hands) - 1
            raise ArgumentError(f"hand is {number}: the game has hands 0 to {last}")
    wanted = None if acts is None else known_names("act", acts, get_args(Act))
    from haiyomi.analysis.analyzer import Analyzer

    analyzer = Analyzer() if analyzer is None else analyzer
    check_type(analyzer, "review_game", Analyzer)
    viewer = Seat(operator.index(seat))
    reviews: list[HandReview] = []
    for first in range(0, len(numbers), TOGETHER):
        some = numbers[first : first + TOGETHER]
        reviews += review_hands(game, some, viewer, analyzer, revealed, wanted)
        if step is not None:
            for number in some:
                step(number)
    return Review(
        game.header.names, viewer, analyzer.models.deal_in.name, tuple(reviews), game.header.final,
        whole=acts is None and len(numbers) == len(game.hands),
    )  # fmt: skip


def review_hands(
    game: Game,
    numbers: Sequence[int],
    seat: Seat,
    analyzer: Analyzer,
    revealed: Mapping[tuple[int, int], Revealed] | None = None,
    acts: Collection[str] | None = None,
) -> list[HandReview]:
    """Review one seat's decisions in some hands, which are analysed together. Raises IllegalError
    for an impossible event."""
    made = [
        [each for each in _made(game, index, seat) if acts is None or each.done.act in acts]
        for index in numbers
    ]
    found = iter(_analyses([each for hand in made for each in hand], analyzer))
    hidden, rules = revealed or {}, game.header.rules
    rate = analyzer.point_value(rules)
    reviews = []
    for index, own in zip(numbers, made, strict=True):
        hand = game.hands[index]
        start = hand.start
        begun = HandScores(start.kyoku, start.honba, start.sticks, start.scores)
        decisions = [
            replace(
                _reviewed(each, index, hand.events, analysis),
                revealed=hidden.get((index, each.event)),
                rate=rate,
                needs=_needs(each.decision.position),
            )
            for each, analysis in zip(own, found, strict=False)
        ]
        reviews.append(
            HandReview(
                index,
                start.kyoku,
                start.honba,
                start.sticks,
                start.scores,
                start.indicator,
                tuple(decisions),
                tuple(e for e in hand.events if isinstance(e, ENDINGS)),
                needs(rules, begun, seat),
            )
        )
    return reviews


def _needs(position: Position) -> tuple[Need, ...]:
    """With the deposits so far."""
    a, b, c, d = (position.players[(seat - position.seat) % 4].score for seat in range(4))
    now = HandScores(position.kyoku, position.honba, position.sticks, (a, b, c, d))
    return needs(position.rules, now, position.seat)


@dataclass(frozen=True, slots=True)
class _Made:
    """A decision with the option that was taken, and the ``event`` that ReviewedDecision names."""

    decision: RecordedDecision
    done: Option
    event: int


_DISCARDS: Final = ("discard", "riichi")


def _analyses(made: Sequence[_Made], analyzer: Analyzer) -> list[Analysis]:
    """Of each decision: those in the own turn together, and those on another's tile."""
    own = [each for each in made if each.decision.offer is None]
    offers = [each for each in made if each.decision.offer is not None]
    turns = iter(
        analyzer.analyze(
            [each.decision for each in own],
            [each.done.tiles[0] if each.done.act in _DISCARDS else None for each in own],
        )
    )
    answers = iter(analyzer.analyze_offers([each.decision for each in offers]))
    return [next(turns if each.decision.offer is None else answers) for each in made]


def _made(game: Game, index: int, seat: Seat) -> Iterator[_Made]:
    """The decisions of a seat in a hand; the declaration of riichi and its discard are one. Those
    of which the record does not say what was chosen are left out."""
    events = game.hands[index].events
    for decision in hand_decisions(game, index, [seat], forced=True):
        if isinstance(events[decision.event], Riichi):
            continue  # the discard of a declaration
        following = (
            i
            for i in range(decision.event + 1, len(events))
            if not isinstance(events[i], DoraReveal | RiichiAccepted)
        )
        at = next(following, decision.event)
        event = events[at]
        if decision.offer is not None:
            if isinstance(decision.chosen, Pass):
                yield _Made(decision, option_made(decision.chosen), decision.event)
            elif decision.chosen is not None:
                yield _Made(decision, option_made(decision.chosen), at)
        elif isinstance(event, Riichi):
            at = next(following, at)
            discard = events[at]
            if isinstance(discard, Discard):
                yield _Made(decision, option_made(discard, declared=True), at)
        elif isinstance(event, Discard | Kakan | Ankan):
            yield _Made(decision, option_made(event), at)
        elif decision.chosen is not None:
            yield _Made(decision, option_made(decision.chosen), at)


def recorded(game: Game, index: int, seat: Seat, event: int) -> RecordedDecision | None:
    """The decision of a record that a ReviewedDecision names by its hand and event; None where
    there is none."""
    if not 0 <= index < len(game.hands):
        return None
    found = (each.decision for each in _made(game, index, seat) if each.event == event)
    return next(found, None)


def _reviewed(
    made: _Made,
    index: int,
    events: Sequence[Event],
    analysis: Analysis,
) -> ReviewedDecision:
    position, done = analysis.position, made.done
    me = position.players[0]
    event = events[made.event]
    gives = done.act in (*_DISCARDS, "kakan")
    return ReviewedDecision(
        hand=index,
        event=made.event,
        number=position.discards_made,
        turn=len(me.river) + 1,
        done=done,
        analysis=analysis,
        outcome=aftermath(events, made.event, position.seat) if gives else Aftermath("none"),
        offer=made.decision.offer,
        tsumogiri=isinstance(event, Discard) and made.decision.offer is None and event.tsumogiri,
        forced=done.act == "discard" and me.riichi,
        absent=made.decision.absent,
    )


_CALL_NAMES: dict[type, CallName] = {Chi: "chi", Pon: "pon", Daiminkan: "daiminkan"}


def aftermath(events: Sequence[Event], at: int, seat: Seat) -> Aftermath:
    """What came of the discard or added kan at ``events[at]`` of an absolute seat."""
    wins = []
    for event in events[at + 1 :]:
        if isinstance(event, (RiichiAccepted, DoraReveal)):
            continue
        if isinstance(event, Win) and event.target == seat and not event.tsumo:
            by = Seat((event.seat - seat) % 4)
            wins.append(Won(by, -event.deltas[seat], event.han, event.fu))
            continue
        if wins:
            break
        if isinstance(event, (Chi, Pon, Daiminkan)):
            caller = Seat((event.seat - seat) % 4)
            return Aftermath("called", _CALL_NAMES[type(event)], caller)
        if isinstance(event, AbortiveDraw) and event.reason == "triple-ron":
            return Aftermath("aborted")
        break
    return Aftermath("dealt-in", wins=tuple(wins)) if wins else Aftermath("passed")
