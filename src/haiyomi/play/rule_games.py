"""Games of rule-based players, reproducible from seed and number on every machine."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import Game
from haiyomi.play.match import play_game
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import BALANCED, RuleStyle
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import Seat

NAMES = ("haiyomi-1", "haiyomi-2", "haiyomi-3", "haiyomi-4")


def simulate_rule_players(
    seed: int,
    number: int = 0,
    *,
    rules: Ruleset = TENHOU,
    styles: Sequence[RuleStyle] = (BALANCED,) * 4,
    names: tuple[str, str, str, str] = NAMES,
) -> Game:
    """The ``number``-th game of a seed, played by four RulePlayers by absolute seat."""
    players = [
        RulePlayer(Seat(s), generator(seed, "game", number, "player", s), style)
        for s, style in enumerate(styles)
    ]
    return play_game(players, seed, number, rules=rules, names=names)
