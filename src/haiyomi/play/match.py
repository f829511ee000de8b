"""A game: hands played one after another until the rules end it."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import FourScores, Game, Hand, Header, final_scores
from haiyomi.game.game_end import game_over
from haiyomi.play.hand import play_hand
from haiyomi.play.player import Player
from haiyomi.play.wall import Wall
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import generator


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
    Raises ChoiceError for a choice that is none of the options.
    """
    hands: list[Hand] = []
    scores: FourScores = (rules.start_points,) * 4
    kyoku = honba = sticks = 0
    while True:
        wall = Wall.shuffled(generator(seed, "game", number, "wall", len(hands)))
        played = play_hand(
            rules, wall, players, kyoku=kyoku, honba=honba, sticks=sticks, scores=scores
        )
        end = played.end
        hands.append(played.hand)
        if game_over(end, rules):
            return Game(Header(names, rules, final_scores(end.scores, end.sticks)), tuple(hands))
        kyoku, honba, scores, sticks = end.next_kyoku, end.next_honba, end.scores, end.sticks
