"""What opponents' hands are worth by the sets and the kans that are shown."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.game.position import Position
from haiyomi.outcomes.corrections.later_deal_ins import (
    DRAGONS_SHOWN,
    KAN_SHOWN,
    OUTSIDE_SHOWN,
    PONS_SHOWN,
    richer_shown,
)
from haiyomi.outcomes.joint import OTHERS_WINNER
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.stated_decision import decision_at


def richer(melds: list[str], rivers: dict[str, str]) -> np.ndarray:
    """(12,) of the first decision of the South seat, where East, to its left, shows melds."""
    players: dict[str, dict[str, object]] = {name: {"river": r} for name, r in rivers.items()}
    players["E"]["melds"] = melds
    position = Position.from_json(
        {"seat": "S", "indicators": "4z", "hand": "123m456p78s13z248s", "drawn": "9p",
         "players": players}
    )  # fmt: skip
    return richer_shown(OptionBlock.of([decision_at(position)]))[0]


@pytest.mark.parametrize(
    ("melds", "rivers", "more"),
    [
        ([], {"E": "1z"}, 0.0),
        (["pon 7m7m7m from N"], {"E": "1z 3z", "S": "9s", "W": "9s", "N": "7m^E"}, 0.0),
        (["pon 7z7z7z from N", "pon 6z6z6z from N"],
         {"E": "1z 3z 2z", "S": "9s 8s", "W": "9s 8s", "N": "7z^E 6z^E"}, DRAGONS_SHOWN),
        (["pon 7m7m7m from N", "pon 6m6m6m from N", "pon 5s5s5s from N"],
         {"E": "1z 3z 2z 1s", "S": "9s 8s 1p", "W": "9s 8s 1p", "N": "7m^E 6m^E 5s^E"}, PONS_SHOWN),
        (["pon 7z7z7z from N", "pon 9m9m9m from N"],
         {"E": "1z 3z 2z", "S": "9s 8s", "W": "9s 8s", "N": "7z^E 9m^E"}, OUTSIDE_SHOWN),
        (["pon 7z7z7z from N", "chi 1m2m3m from N"],
         {"E": "1z 3z 2z", "S": "9s 8s", "W": "9s 8s", "N": "7z^E 1m^E"}, 0.0),
    ],
)  # fmt: skip
def test_who_shows_a_strong_hand_wins_more(
    melds: list[str], rivers: dict[str, str], more: float
) -> None:
    """East is the third opponent of South."""
    found = richer(melds, rivers)
    assert found == pytest.approx(np.where(OTHERS_WINNER == 3, more, 0))


def test_a_kan_shows_a_dora_to_everybody() -> None:
    found = richer(["ankan 7m7m7m7m"], {"E": "1z"})
    assert found == pytest.approx(np.full(12, KAN_SHOWN))
