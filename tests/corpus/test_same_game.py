"""One game in two records is found, in whatever formats they come."""

from __future__ import annotations

from haiyomi.corpus.same_game import played_digest
from haiyomi.events import Discard, Game, Hand
from haiyomi.play.demo import demo_game


def test_the_same_walls_played_otherwise_are_another_game() -> None:
    """A named case: games of one seed were one, whoever played them and how."""
    game = demo_game()
    hand = game.hands[0]
    at = next(i for i, event in enumerate(hand.events) if isinstance(event, Discard))
    other = Hand((*hand.events[:at], *hand.events[at + 1 :]))
    assert played_digest(game) == played_digest(Game(game.header, game.hands))
    assert played_digest(game) != played_digest(Game(game.header, (other, *game.hands[1:])))
