"""A viewer who does not remember tedashi: what came from the hand changes no answer."""

from __future__ import annotations

from dataclasses import replace

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.analysis.value import Analysis
from haiyomi.dealin.models import DEFAULT, NO_TEDASHI
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat


def _late(hand: int) -> Position:
    """A late discard of seat 0 against opponents without riichi."""
    game = demo_game()
    found = [p for _, _, p in positions(game.hands[hand].events, Seat(0)) if p.to_act]
    quiet = [p for p in found if not any(player.riichi for player in p.players)]
    return quiet[-1]


def _other_marks(position: Position) -> Position:
    """The same with every mark of the opponents' discards turned about."""
    players = tuple(
        player
        if seat == 0
        else replace(
            player,
            river=tuple(replace(tile, tsumogiri=not tile.tsumogiri) for tile in player.river),
        )
        for seat, player in enumerate(position.players)
    )
    return replace(position, players=players)


def _numbers(analysis: Analysis) -> list[object]:
    assert analysis.hidden_hands is not None
    assert analysis.outcomes
    return [
        analysis.risks.tenpai,
        [choice.risk for choice in analysis.risks.choices],
        [reading.expected.tolist() for reading in analysis.hidden_hands],
        [(str(o.option), o.points) for o in analysis.outcomes],
    ]


def test_the_marks_change_nothing_for_who_forgets_them_and_all_for_who_remembers() -> None:
    position = _late(7)
    both = [position, _other_marks(position)]
    parts = ("deal_in", "hidden_hands", "outcomes")
    one, other = map(_numbers, Analyzer(Models(NO_TEDASHI), parts).analyze(both))
    assert one == other
    one, other = map(_numbers, Analyzer(Models(DEFAULT), parts).analyze(both))
    assert all(a != b for a, b in zip(one, other, strict=True))
