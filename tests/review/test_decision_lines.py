"""Rivers and melds of an opponent at a mistake."""

from __future__ import annotations

from dataclasses import replace

from review.made_games import made_game

from haiyomi.game.player_view import RiverTile
from haiyomi.game.position_fold import positions
from haiyomi.review.columns import WIDTH, line_width, plain, wrap
from haiyomi.review.decision_lines import river_lines
from haiyomi.review.words import words_of
from haiyomi.tiles import Seat, Tile


def test_riichi_and_calls_are_marked_and_long_rivers_wrap() -> None:
    position = next(p for _, _, p in positions(made_game(1, 1).hands[0].events, Seat(0)))
    player = position.players[1]
    one, two, red = (Tile.parse(name) for name in ("1z", "7s", "0p"))
    river = (
        RiverTile(one, False, 0, called_by=Seat(0)),
        RiverTile(two, False, 4, riichi=True),
        RiverTile(red, True, 8),
    )
    words = words_of("en")
    (line,) = river_lines(replace(player, river=river), "E", ["pon 5z"], words)
    assert plain(line).split() == ["E", "pon", "5z", "(E)", "*7s", "0p"]
    assert list(river_lines(replace(player, river=()), "E", [], words)) == []
    long = replace(player, river=tuple(RiverTile(two, False, n) for n in range(24)))
    for text in river_lines(long, "E name", ["pon WhWhWh"] * 4, words):
        assert line_width(text) <= WIDTH


def test_what_wraps_stands_further_in_than_what_it_goes_on() -> None:
    """It stood further out than its first line, as if it belonged to another."""
    items = [(("x" * 40, ""),) for _ in range(3)]
    first, *others = (plain(line) for line in wrap(list(items), (("     waits:", ""),)))
    assert others
    assert first.startswith("     w")
    assert all(line.startswith("       x") for line in others)
    assert plain(wrap(list(items), (("Turn 1", ""),))[1]).startswith("  x")
