"""The sums behind each player's statistics, from one game in one pass over its events.

Each seat's sums come from its own tiles and from what all may see, so a stream that hides the
other hands gives that one seat's. The core (``cpp/core/tally.cpp``) adds them up.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING

from haiyomi.errors import RecordError
from haiyomi.events import Deal, Event, Game, Hand, HiddenDraw, OwnDeal
from haiyomi.kernels.replay import encode
from haiyomi.kernels.statistic_sums import tally
from haiyomi.styles.statistics import HANCHAN, TalliedGame

if TYPE_CHECKING:
    from haiyomi.arrays import Floats


def tally_game(game: Game) -> Floats:
    """(4, len(SUMS)): the sums of each absolute seat over the hands of one game.

    Hands in which a seat is disconnected are counted in ``absent_hands``, hands that the record
    hides in ``hidden_hands``; neither takes part in anything else. Raises IllegalError for a
    tile that cannot be there.
    """
    import numpy as np

    return np.array(sums_of(game))


def sums_of(game: Game) -> list[list[float]]:
    """``tally_game`` as lists."""
    words = array("i")
    hands = array("q", [0])
    absent = array("B")
    for number, hand in enumerate(game.hands):
        try:
            words += encode(_seen(hand))
        except RecordError as error:
            error.hand = number
            raise
        hands.append(len(words))
        absent.append(sum(1 << seat for seat in {s for s, _, _ in game.absent(number)}))
    return tally(words, hands, absent)


def _seen(hand: Hand) -> Hand:
    """The hand with words for each event: a hidden seat is dealt no tiles, and draws nothing."""
    if not any(isinstance(event, OwnDeal | HiddenDraw) for event in hand.events):
        return hand
    events: list[Event] = []
    for event in hand.events:
        if isinstance(event, OwnDeal):
            events.append(Deal(tuple(event.tiles if s == event.seat else () for s in range(4))))
        elif not isinstance(event, HiddenDraw):
            events.append(event)
    return Hand(tuple(events))


def is_counted(game: Game, rounds: int = HANCHAN) -> bool:
    """Whether a game's statistics are comparable: it is of that length, by default a hanchan."""
    return game.header.rules.rounds == rounds


def tallied(games: Iterable[tuple[str, Game]]) -> list[TalliedGame]:
    """The hanchan among some (name, game), tallied. Raises RecordError, naming the game."""
    found: list[TalliedGame] = []
    for name, game in games:
        if is_counted(game):
            try:
                found.append((name, game.header.names, sums_of(game)))
            except RecordError as error:
                error.file = name
                raise
    return found
