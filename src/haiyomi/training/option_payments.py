"""About what each end of a hand pays the seat that decides: the points in a fit of options."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats
from haiyomi.game.decision_record import Decisions
from haiyomi.networks.shape import JOINT_ENDINGS
from haiyomi.outcomes.joint import DRAWN
from haiyomi.rules import DEPOSIT

_BASES: Final = np.array([290, 500, 980, 1780, 2000, 3000, 4000, 6000, 8000], np.float64)
"""About the mean base points of each class of worth, in round numbers: they weigh what a fit of
options misses. ``outcomes.worth`` has what was measured, which forecasts use."""


def payments(records: Decisions, worth: NDArray[Any]) -> tuple[Floats, Floats]:
    """About the own points of n decisions: ``pay`` (n, 33) with each joint ending but own wins, by
    the mean of ``worth`` (n, 4, 9), logits of the class of each seat's hand; ``win`` (n, 9) with an
    own win of each class."""
    seen = records["observation"]
    dealer, honba = seen["dealer"].astype(np.int64), seen["honba"].astype(np.float64)
    ron = _BASES * np.where(dealer[:, None] == np.arange(4), 6, 4)[:, :, None]
    p = np.exp(worth - worth.max(axis=2, keepdims=True))
    mean = (p * ron).sum(axis=2) / p.sum(axis=2)
    pay = np.zeros((len(records), JOINT_ENDINGS))
    for seat in (1, 2, 3):
        pay[:, 4 * seat] = -mean[:, seat] - 300 * honba
        part = np.where(dealer == seat, 3, np.where(dealer == 0, 2, 4))
        pay[:, 5 * seat] = -mean[:, seat] / part - 100 * honba
    for tenpai in range(1, 15):
        n = tenpai.bit_count()
        pay[:, DRAWN + tenpai] = 3000 / n if tenpai & 1 else -3000 / (4 - n)
    stakes = 300 * honba + float(DEPOSIT) * seen["sticks"]
    return pay, ron[:, 0] + stakes[:, None]
