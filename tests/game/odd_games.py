"""Games of players who take every kan and many calls: rare events at great frequency."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import AbortiveDraw, Ankan, Daiminkan, Discard, Game, Kakan, Pon
from haiyomi.play.match import play_game
from haiyomi.play.player import Choice, Claim, Options
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import YAOCHU, Seat


class OddPlayer(RulePlayer):
    """A rule-based player with bad habits: kans, pons of honours, terminals and winds thrown."""

    throws: frozenset[int] = frozenset()

    def act(self, options: Options) -> Choice:
        choices = options.choices
        if any(isinstance(c, Claim) for c in choices):
            return next(c for c in choices if isinstance(c, Claim))
        for kind in (AbortiveDraw, Kakan, Ankan, Daiminkan):
            some = [c for c in choices if isinstance(c, kind)]
            if some:
                return some[0]
        honours = [c for c in choices if isinstance(c, Pon) and c.tile.kind >= 27]
        if honours:
            return honours[0]
        thrown = [c for c in choices if isinstance(c, Discard) and c.tile.kind in self.throws]
        return thrown[-1] if thrown else super().act(options)


def odd_game(number: int, rules: Ruleset = TENHOU) -> Game:
    """A game of four odd players; in every third game all throw terminals and honours."""
    players: Sequence[OddPlayer] = [
        OddPlayer(Seat(s), generator(3, "odd", number, s), RULE_STYLES["caller"]) for s in range(4)
    ]
    if number % 3 == 2:
        for player in players:
            player.throws = frozenset(YAOCHU)
    return play_game(players, 3, number, rules=rules, names=("a", "b", "c", "d"))
