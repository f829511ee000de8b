"""The counts of a game behind a player's career numbers, those of ``styles.game_sums``.

Hands in which the player was disconnected are left out.
"""

from __future__ import annotations

from haiyomi.events import Game
from haiyomi.review.career import Career
from haiyomi.styles.game_sums import tally_game
from haiyomi.styles.statistics import COLUMN
from haiyomi.tiles import Seat


def career_of(game: Game, seat: Seat) -> Career:
    """The counts of an absolute seat. Raises IllegalError for a tile that cannot be there."""
    sums = tally_game(game)[seat]
    hands, riichi, called, wins, deal_ins = (
        int(sums[COLUMN[name]]) for name in ("hands", "riichi", "opened", "wins", "deal_ins")
    )
    final, places = game.header.final, game.header.places
    if final is None or places is None:
        return Career(hands, riichi, called, wins, deal_ins)
    return Career(hands, riichi, called, wins, deal_ins, places[seat], final[seat])
