"""A game: hands played one after another until the rules end it."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import FourScores, Game, Hand, Header
from haiyomi.play.hand import Played, play_hand
from haiyomi.play.player import Player
from haiyomi.play.settle import DEPOSIT, four
from haiyomi.play.wall import Wall
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import Seat

EXTRA_ROUND = 4
"""Hands of the extra round, played while nobody has reached the target."""


def play_game(
    players: Sequence[Player],
    seed: int,
    number: int = 0,
    *,
    rules: Ruleset = TENHOU,
    names: tuple[str, str, str, str] = ("", "", "", ""),
) -> Game:
    """A whole game of four players by absolute seat.

    ``seed`` and ``number`` fix every wall; the players have random generators of their own.
    """
    hands: list[Hand] = []
    scores: FourScores = four([rules.start_points] * 4)
    kyoku = honba = sticks = 0
    while True:
        wall = Wall.shuffled(generator(seed, "game", number, "wall", len(hands)))
        played = play_hand(
            rules, wall, players, kyoku=kyoku, honba=honba, sticks=sticks, scores=scores
        )
        hands.append(played.hand)
        scores, sticks = played.scores, played.sticks
        if is_over(rules, kyoku, played):
            break
        honba = 0 if played.won and not played.dealer_holds else honba + 1
        kyoku += not played.dealer_holds
    final = list(scores)
    final[leader(scores)] += DEPOSIT * sticks
    return Game(Header(names, rules, four(final)), tuple(hands))


def leader(scores: Sequence[int]) -> Seat:
    """The seat in first place; a tie goes to the seat nearer to the first dealer."""
    return Seat(max(range(4), key=lambda s: (scores[s], -s)))


def is_over(rules: Ruleset, kyoku: int, played: Played) -> bool:
    """Whether the game ends after this hand.

    It ends when somebody fell below zero; from the last regular hand on, when the dealership
    passes and somebody has the target, or the dealer holds it and leads with the target (not
    after an abortive draw); and when the dealership passes in the last hand of the extra
    round.
    """
    scores = played.scores
    if rules.tobi and min(scores) < 0:
        return True
    last = 4 * rules.rounds - 1
    if kyoku < last or played.aborted:
        return False
    reached = max(scores) >= rules.target_points
    if played.dealer_holds:
        return reached and leader(scores) == kyoku % 4
    return reached or kyoku >= last + EXTRA_ROUND
