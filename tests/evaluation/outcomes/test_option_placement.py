"""Where games ended, by option and by player: what a better forecast and steady players show."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.evaluation.outcomes.option_placement import (
    GAMES,
    LEAST,
    Placed,
    hand_name,
    placement_results,
    player_results,
)


def _placed(n: int, player: np.ndarray, place: np.ndarray, sure: float) -> Placed:
    """Decisions whose option says the final place with probability ``sure``."""
    by_option = np.full((n, 4), (1 - sure) / 3)
    by_option[np.arange(n), np.maximum(place, 0)] = sure
    hand = np.where(np.arange(n) % 2, "hanchan S4", "East-only E1")
    return Placed(hand, player, place, by_option, np.full((n, 4), 0.25))


def test_the_gain_is_over_the_start_of_the_hand_and_unknown_places_are_left_out() -> None:
    n = 4 * LEAST
    place = np.arange(n) % 4
    place[: n // 4] = -1
    found = placement_results(_placed(n, np.full(n, ""), place, 0.5), np.arange(n) // 8)
    assert [each["hand"] for each in found] == ["all", "East-only E1", "hanchan S4"]
    assert found[0]["n"] == 3 * n // 4
    assert found[0]["log_loss"]["value"] == pytest.approx(np.log(2))
    assert found[0]["gain"]["value"] == pytest.approx(np.log(4) - np.log(2))


@pytest.mark.parametrize(("differ", "reliable"), [(60.0, True), (0.0, False)])
def test_halves_of_players_agree_where_players_differ(differ: float, reliable: bool) -> None:
    rng = np.random.default_rng(2)
    players, each = 60, GAMES + 1
    who = np.repeat(np.arange(players), each * 5)
    game = np.tile(np.repeat(np.arange(each), 5), players) + who * 100
    worse = rng.normal(size=players)
    lost = 40 + differ * worse[who] + rng.normal(size=len(who)) * 100
    place = np.clip(np.round(1.5 + worse[who]), 0, 3).astype(np.int64)
    placed = _placed(len(who), who.astype(np.str_), place, 0.4)
    found = player_results(placed, lost, game)
    assert found is not None
    assert found["players"] == players
    if reliable:
        assert found["reliability"]["low"] > 0.8
        assert found["with_place"]["low"] > 0.7
    else:
        assert found["reliability"]["low"] < 0 < found["reliability"]["high"]


def test_players_of_few_games_and_without_a_name_are_left_out() -> None:
    n = 10 * (GAMES - 1)
    placed = _placed(n, np.full(n, "a"), np.zeros(n, np.int64), 0.4)
    assert player_results(placed, np.zeros(n), np.arange(n) // 10) is None
    nobody = _placed(n, np.full(n, ""), np.zeros(n, np.int64), 0.4)
    assert player_results(nobody, np.zeros(n), np.arange(n)) is None


def test_hands_are_named_by_the_length_of_the_game() -> None:
    assert hand_name(2, 6) == "hanchan S3"
    assert hand_name(1, 4) == "East-only extra round"
