"""Game + seat + Analyzer -> Review: every decision of one seat, analysed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from haiyomi.errors import HaiyomiError, IllegalError
from haiyomi.events import (
    ENDINGS,
    AbortiveDraw,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Event,
    Game,
    Hand,
    Kakan,
    Pon,
    RiichiAccepted,
    Win,
)
from haiyomi.game.position import positions
from haiyomi.game.rounds import parse_round, round_name
from haiyomi.review.columns import clean
from haiyomi.review.decisions import (
    CallName,
    HandReview,
    Outcome,
    Revealed,
    Review,
    ReviewedDecision,
    Won,
)
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.value import Analysis


def review_game(
    game: Game,
    seat: int,
    analyzer: Analyzer | None = None,
    hands: Sequence[int] | None = None,
    revealed: Mapping[tuple[int, int], Revealed] | None = None,
    step: Callable[[int], None] | None = None,
) -> Review:
    """Review one absolute seat of a game, by default with the shipped models and every part.

    ``hands`` are the 0-based hands to review, all by default; ``revealed`` the hidden truth
    by (hand, event index), if it is to be shown; ``step`` is called with each hand's index
    once it is done. Raises ValueError for a seat or a hand that the game does not have, and
    IllegalError for an impossible event.
    """
    if not 0 <= seat <= 3:
        raise ValueError(f"seat is {seat}: expected 0 to 3")
    numbers = range(len(game.hands)) if hands is None else hands
    for index in numbers:
        if not 0 <= index < len(game.hands):
            last = len(game.hands) - 1
            raise ValueError(f"hand is {index}: the game has hands 0 to {last}")
    if analyzer is None:
        from haiyomi.analysis.analyzer import Analyzer

        analyzer = Analyzer()
    viewer = Seat(seat)
    reviews = []
    for index in numbers:
        reviews.append(review_hand(game, index, viewer, analyzer, revealed))
        if step is not None:
            step(index)
    return Review(game.header.names, viewer, analyzer.models.deal_in.name, tuple(reviews))


def review_hand(
    game: Game,
    index: int,
    seat: Seat,
    analyzer: Analyzer,
    revealed: Mapping[tuple[int, int], Revealed] | None = None,
) -> HandReview:
    """Review one seat's decisions in one hand. Raises IllegalError for an impossible event."""
    hand = game.hands[index]
    start = hand.start
    try:
        found = [
            (at, event, position)
            for at, event, position in positions(hand.events, seat, game.header.rules)
            if isinstance(event, (Discard, Kakan))
        ]
    except IllegalError as error:
        error.hand = index
        raise
    analyses = analyzer.analyze(
        [position for _, _, position in found],
        [event.tile if isinstance(event, Discard) else None for _, event, _ in found],
    )
    hidden = revealed or {}
    decisions = tuple(
        _decision(index, at, event, analysis, hand.events, hidden.get((index, at)))
        for (at, event, _), analysis in zip(found, analyses, strict=True)
    )
    return HandReview(
        index,
        start.kyoku,
        start.honba,
        start.sticks,
        start.scores,
        start.indicator,
        decisions,
        tuple(e for e in hand.events if isinstance(e, ENDINGS)),
    )


def _decision(
    index: int,
    at: int,
    event: Discard | Kakan,
    analysis: Analysis,
    events: Sequence[Event],
    revealed: Revealed | None,
) -> ReviewedDecision:
    position = analysis.position
    me = position.players[0]
    discard = isinstance(event, Discard)
    return ReviewedDecision(
        hand=index,
        event=at,
        number=position.order,
        turn=len(me.river) + 1,
        action="discard" if discard else "kakan",
        tile=event.tile,
        tsumogiri=isinstance(event, Discard) and event.tsumogiri,
        riichi=discard and me.riichi_index == len(me.river),
        forced=discard and me.riichi_index is not None and me.riichi_index < len(me.river),
        analysis=analysis,
        outcome=outcome(events, at, position.seat),
        revealed=revealed,
    )


_CALL_NAMES: dict[type, CallName] = {Chi: "chi", Pon: "pon", Daiminkan: "daiminkan"}


def outcome(events: Sequence[Event], at: int, seat: Seat) -> Outcome:
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
            return Outcome("called", _CALL_NAMES[type(event)], caller)
        if isinstance(event, AbortiveDraw) and event.reason == "triple-ron":
            return Outcome("aborted")
        break
    return Outcome("dealt-in", wins=tuple(wins)) if wins else Outcome("passed")


def one_of_both(seat: int | None, player: str | None) -> None:
    """Raise HaiyomiError where both a seat and a player are given: they may differ."""
    if seat is not None and player is not None:
        raise HaiyomiError("--seat and --player both choose the viewer: give one of them")


def find_seat(
    names: Sequence[str],
    seat: int | None,
    player: str | None,
    viewer: int | None,
    whom: str = "the player to review",
) -> Seat:
    """An absolute seat: by number, by name, or the one the record was saved from.

    A name counts if it is equal, or the only one that contains the text (case ignored).
    Raises HaiyomiError, listing the names, where none is given or found, or both are given;
    ``whom`` is what the error calls the seat.
    """
    one_of_both(seat, player)
    listed = ", ".join(f"{i} {clean(name) or '(no name)'}" for i, name in enumerate(names))
    if seat is not None:
        if not 0 <= seat <= 3:
            raise HaiyomiError(f"no seat {seat}: the seats are {listed}")
        return Seat(seat)
    if player is not None:
        found = [i for i, name in enumerate(names) if player and name == player] or [
            i for i, name in enumerate(names) if player and player.casefold() in name.casefold()
        ]
        if len(found) != 1:
            word = "more than one player" if found else "no player"
            raise HaiyomiError(f"{word} is named {player!r}: the seats are {listed}")
        return Seat(found[0])
    if viewer is not None and 0 <= viewer <= 3:
        return Seat(viewer)
    raise HaiyomiError(f"name {whom} with --seat or --player: the seats are {listed}")


def find_hands(hands: Sequence[Hand], name: str) -> tuple[int, ...]:
    """The 0-based hands that a name such as ``E1`` (every honba) or ``E1.1`` means.

    Raises HaiyomiError, listing the hands played, where there is none.
    """
    kyoku, honba = parse_round(name)
    found = tuple(
        i
        for i, hand in enumerate(hands)
        if hand.start.kyoku == kyoku and honba in (None, hand.start.honba)
    )
    if not found:
        played = ", ".join(hand_names(hands))
        raise HaiyomiError(f"hand {name} was not played: the record has {played}")
    return found


def find_one_hand(hands: Sequence[Hand], name: str) -> int:
    """The 0-based hand of a name; ``E3`` is the one without honba, if there is one. Raises
    HaiyomiError where there is none, and where more than one is meant."""
    found = find_hands(hands, name)
    plain = tuple(i for i in found if hands[i].start.honba == 0)
    found = plain if len(plain) == 1 else found
    if len(found) > 1:
        names = ", ".join(list(hand_names(hands))[i] for i in found)
        raise HaiyomiError(f"{name} was played more than once: name one of {names}")
    return found[0]


def hand_names(hands: Sequence[Hand]) -> Iterator[str]:
    """``E1``, ``E1.1``, ... of each hand."""
    for hand in hands:
        start = hand.start
        yield round_name(start.kyoku) + (f".{start.honba}" if start.honba else "")
