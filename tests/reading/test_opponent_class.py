"""The class of an opponent, of observations and of a view of a player: one and the same."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from haiyomi.game.observation import MELD_KINDS, NONE, observations_of
from haiyomi.game.player_view import PlayerView
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.reading.opponent_class import CLASSES, CLOSED, class_of, class_of_player
from haiyomi.tiles import Seat


@cache
def some_positions() -> list[Position]:
    games = [simulate_rule_players(7, number) for number in range(2)]
    return [
        position
        for number, game in enumerate(games)
        for hand in game.hands
        for _, _, position in positions(hand.events, Seat(number), game.header.rules)
    ]


def expected(player: PlayerView) -> str:
    """By the words of the definition: riichi first, three for four open melds, no closed kan."""
    if player.riichi:
        return "riichi"
    opened = sum(meld.kind != "ankan" for meld in player.melds)
    return {0: "closed", 1: "1 meld", 2: "2 melds"}.get(opened, "3 melds")


def test_observations_and_players_agree_with_the_definition() -> None:
    found = some_positions()
    observations = observations_of(found)
    met = set()
    for seat in (1, 2, 3):
        rows = class_of(observations, np.full(len(found), seat))
        for position, row in zip(found, rows, strict=True):
            player = position.players[seat]
            assert CLASSES[row] == expected(player)
            assert class_of_player(player) == row
            met.add(CLASSES[row])
    assert {"riichi", "closed", "1 meld", "2 melds"} <= met
    assert CLASSES[CLOSED] == "closed"


@pytest.mark.parametrize(
    ("melds", "name"),
    [
        (("pon", "chi", "kakan"), "3 melds"),
        (("pon", "pon", "daiminkan", "chi"), "3 melds"),
        (("ankan", "chi", "ankan"), "1 meld"),
        (("ankan", "ankan"), "closed"),
    ],
)
def test_four_open_melds_are_three_and_closed_kans_none(melds: tuple[str, ...], name: str) -> None:
    observation = observations_of(some_positions()[:1]).copy()
    player = observation["players"][:, 2]
    player["riichi"] = -1
    player["melds"][:, :, 0] = NONE
    player["melds"][:, : len(melds), 0] = [MELD_KINDS.index(kind) for kind in melds]
    assert [CLASSES[i] for i in class_of(observation, np.array([2]))] == [name]
