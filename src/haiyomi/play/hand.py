"""One hand played to its end at the compiled table, with players of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from haiyomi.errors import HaiyomiError
from haiyomi.events import Deal, Event, Hand, Start, visible_to
from haiyomi.kernels.decode import decode
from haiyomi.kernels.replay import HandEnd, encode, replay
from haiyomi.kernels.tables import resumed_games
from haiyomi.play.actions import action_of
from haiyomi.play.choices import choices_of
from haiyomi.play.copies import copies_of
from haiyomi.play.player import Options, Player
from haiyomi.play.wall import Wall
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat, Tile


class ChoiceError(HaiyomiError):
    """A player's choice was not among its options."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
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
) -> PlayedHand:
    """Deal a wall and let four players, by absolute seat, choose until the hand ends.

    Raises ChoiceError where a player answers with anything but one of its options.
    """
    dealt = _dealt(rules, wall, kyoku, honba, sticks, scores)
    tables = resumed_games(rules, [encode(Hand(dealt)).tolist()], [wall.tiles], 0, keep=True)
    events: list[Event] = []
    known = 0
    while True:
        words = tables.recorded(0)[0]
        new = decode(words[known:].tolist())
        known = len(words)
        for event in new:
            events.append(event)
            for seat, player in enumerate(players):
                player.observe(visible_to(event, Seat(seat)))
        _, seats = tables.pending()
        if not len(seats):
            break
        actions = []
        for seat, legal in zip(seats.tolist(), tables.legal(), strict=True):
            choices = choices_of(np.flatnonzero(legal).tolist(), seat, events, rules.red_fives)
            choice = players[seat].act(Options(seat, choices))
            if choice not in choices:
                raise ChoiceError(f"seat {seat} chose {choice!r}, which is not among its options")
            actions.append(action_of(choice))
        tables.answer(np.array(actions, np.uint8), 1)
    hand = Hand(tuple(events), copies_of(events, wall.tiles, rules.red_fives))
    end, *_ = replay(hand, rules)
    return PlayedHand(hand, end)


def _dealt(
    rules: Ruleset,
    wall: Wall,
    kyoku: int,
    honba: int,
    sticks: int,
    scores: Sequence[int] | None,
) -> tuple[Event, ...]:
    """The first two events of a hand."""
    a, b, c, d = [rules.start_points] * 4 if scores is None else scores
    start = Start(
        kyoku, honba, sticks, (a, b, c, d), Tile.from_id(wall.indicator(0), rules.red_fives)
    )
    hands = wall.deal(start.dealer)
    return start, Deal(tuple(tuple(Tile.from_id(t, rules.red_fives) for t in h) for h in hands))
