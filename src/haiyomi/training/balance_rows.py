"""Rows for the balance: discards sampled from each seat and hand, and the outcome of the hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from haiyomi.events import AbortiveDraw, Discard, ExhaustiveDraw, Game, Hand, RiichiAccepted, Win
from haiyomi.game.position import Position, positions
from haiyomi.seeds import generator
from haiyomi.tiles import Seat, Tile
from haiyomi.winning.own import Own, own_values


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """The decision: ``position``, the ``tile`` discarded, the program's ``own`` values of it. What
    came: whether the seat won the hand (``won``), the points of that win (``gain``), the change
    of its score over the whole hand (``realised``).
    """

    game: str
    position: Position
    tile: Tile
    own: Own
    won: bool
    gain: int
    realised: int


DRAWS = 3
"""Discards drawn of each seat and hand, all where there are fewer."""


def balance_rows(name: str, game: Game, seed: int, draws: int = DRAWS) -> Iterator[BalanceRow]:
    """``draws`` rows for each hand and seat that discarded freely, by the seed and the name."""
    rng = generator(seed, *name.encode())
    for hand in game.hands:
        for seat in range(4):
            free = [
                (event, position)
                for _, event, position in positions(hand.events, Seat(seat), game.header.rules)
                if isinstance(event, Discard) and len(position.discards) > 1
            ]
            won, gain, realised = came_of(hand, seat)
            for index in sorted(rng.permutation(len(free))[:draws].tolist()):
                event, position = free[index]
                own = next((o for o in own_values(position) if o.tile == event.tile), None)
                if own is not None:
                    yield BalanceRow(name, position, event.tile, own, won, gain, realised)


def came_of(hand: Hand, seat: int) -> tuple[bool, int, int]:
    """Whether the seat won, the points of its wins, its change of score in the hand."""
    won, gain, realised = False, 0, 0
    for event in hand.events:
        if isinstance(event, Win):
            realised += event.deltas[seat]
            if event.seat == seat:
                won, gain = True, gain + event.deltas[seat]
        elif isinstance(event, ExhaustiveDraw):
            realised += event.deltas[seat]
        elif isinstance(event, RiichiAccepted) and event.seat == seat:
            realised -= 1000
        elif isinstance(event, AbortiveDraw):
            continue
    return won, gain, realised
