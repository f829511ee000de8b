"""Joint endings: their numbers, what each is for the seat that asks, and the classes of worth."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.joint import ABORTED, DRAWN, JOINT, WORTH_BASES, JointEnding, worth_class


def test_the_numbers_of_joint_endings() -> None:
    assert len(JOINT) == JOINT_ENDINGS == len(set(JOINT))
    assert JOINT[4 * 2 + 1] == JointEnding(winner=2, payer=1)
    assert JOINT[DRAWN + 0b1001] == JointEnding(tenpai=0b1001)
    assert JOINT[ABORTED] == JointEnding()
    assert len(WORTH_BASES) == WORTH_CLASSES


@pytest.mark.parametrize(
    ("number", "ending"),
    [
        (0, Ending.TSUMO),
        (3, Ending.RON),
        (4 * 1 + 0, Ending.DEAL_IN_RIGHT),
        (4 * 3 + 0, Ending.DEAL_IN_LEFT),
        (4 * 2 + 2, Ending.TSUMO_ACROSS),
        (4 * 3 + 1, Ending.RON_LEFT),
        (DRAWN + 1, Ending.DRAW_TENPAI),
        (DRAWN + 14, Ending.DRAW_NOTEN),
        (ABORTED, Ending.ABORTED),
    ],
)
def test_what_a_joint_ending_is_for_the_seat(number: int, ending: Ending) -> None:
    assert JOINT[number].ending == ending


def test_classes_of_worth_of_rons_in_the_payment_table() -> None:
    child = np.array([1000, 1300, 2000, 2600, 3900, 5200, 7700, 8000, 12000, 16000, 24000, 32000])
    dealer = np.array(
        [1500, 2000, 2900, 3900, 5800, 7700, 11600, 12000, 18000, 24000, 36000, 48000]
    )
    expected = [0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8]
    assert worth_class(child.astype(np.int32), np.zeros(12, bool)).tolist() == expected
    assert worth_class(dealer.astype(np.int32), np.ones(12, bool)).tolist() == expected
