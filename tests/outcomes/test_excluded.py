"""Discards and riichi that abort the hand."""

from __future__ import annotations

import pytest

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.game.position import Position
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.play.stated_decision import decision_at


def found(hand: str, drawn: str, **rivers: str) -> dict[str, Outcome]:
    """Of each option of the North seat in the first hand."""
    players = {name: {"river": river} for name, river in rivers.items()}
    position = Position.from_json(
        {"seat": "N", "indicators": "5z", "hand": hand, "drawn": drawn, "players": players}
    )
    (outcomes,) = outcomes_of(Models(), [decision_at(position)], "90/45/0/-135")
    return {str(each.option): each for each in outcomes}


def test_the_fourth_wind_aborts_the_hand() -> None:
    options = found("123m456p78s1356z2s", "4z", E="4z", S="4z", W="4z")
    wind = options["discard 4z"]
    assert wind.endings.probabilities[Ending.ABORTED] == 1
    assert wind.points == 0
    assert options["discard 5z"].endings.probabilities[Ending.ABORTED] < 0.02


@pytest.mark.parametrize("rivers", [("4z", "4z", "3z"), ("4z 1m", "4z 1m", "4z 1m")])
def test_other_discards_of_a_wind_do_not(rivers: tuple[str, str, str]) -> None:
    own = {"N": "9p"} if " " in rivers[0] else {}
    options = found("123m456p78s1356z2s", "4z", **dict(zip("ESW", rivers, strict=True)), **own)
    assert options["discard 4z"].endings.probabilities[Ending.ABORTED] < 0.02


def test_the_fourth_riichi_aborts_the_hand_unless_its_tile_is_won_on() -> None:
    options = found("123m456p678s11z23s", "4z", E="9s! 4z", S="9s! 4z", W="9s! 4z", N="9p")
    riichi = options["riichi 4z"]
    ending = riichi.endings.probabilities
    assert ending[Ending.ABORTED] == pytest.approx(1 - riichi.deal_in_now)
    assert riichi.win == 0
    assert riichi.points == -1000  # the deposit; nobody wins on the fourth wind
    assert options["discard 4z"].win > 0.1
