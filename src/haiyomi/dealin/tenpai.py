"""Tenpai probability: logistic regressions by melds, discards and colour, (3)-(8).

A hand's *colour* is m, p or s if every tile, melds included, is of that suit or an honour
(a half or full flush in the making), else *several*. Honours alone count for all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from haiyomi.dealin.features import MANY, possible_colours

MAX_MELDS = 3
MAX_DISCARDS = 20
"""Cells with more discards than this are one."""

Weights = tuple[float, ...]


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), safe for large |x|."""
    if x >= 0:
        return 1.0 / (1.0 + exp(-x))
    e = exp(x)
    return e / (1.0 + e)


@dataclass(frozen=True, slots=True)
class TenpaiCells:
    """Fitted weights ``[melds 0-3][discards 0-20]`` of the three types, constant first.

    ``colour`` (type 1, 5 weights, (5)), ``flush`` (type 2, 3 weights, (6)), ``several``
    (type 3, 5 weights, (7)). The suits share weights.
    """

    colour: tuple[tuple[Weights, ...], ...]
    flush: tuple[tuple[Weights, ...], ...]
    several: tuple[tuple[Weights, ...], ...]

    def joint(
        self, features: Sequence[int], melds: int, discards: int, suits: int
    ) -> tuple[float, float, float, float]:
        """P(tenpai and colour) for m, p, s, several: the summands of (3), by (5), (6), (7).

        ``features`` as ``tenpai_features``; ``melds`` 0-3; ``suits`` as ``meld_suits``. The
        colours' probabilities are made to sum to one: several takes the rest, and where the
        independent logistics leave none they are divided by their sum.
        """
        f, d = melds, min(discards, MAX_DISCARDS)
        w1, w2, w3 = self.colour[f][d], self.flush[f][d], self.several[f][d]
        may = possible_colours(suits)
        colour = [0.0, 0.0, 0.0, 0.0]
        for c in range(3):
            if may[c]:
                run, tedashi, honour, same = features[4 * c : 4 * c + 4]
                colour[c] = sigmoid(
                    w1[0] + w1[1] * run + w1[2] * run * tedashi + w1[3] * honour + w1[4] * same
                )
        total = colour[0] + colour[1] + colour[2]
        if total > 1.0:
            colour = [p / total for p in colour]
            total = 1.0
        colour[MANY] = 1.0 - total
        for c in range(3):
            if colour[c] > 0.0:
                colour[c] *= sigmoid(w2[0] + w2[1] * features[12] + w2[2] * features[13 + c])
        x = w3[0]
        for weight, value in zip(w3[1:], features[16:20], strict=True):
            x += weight * value
        colour[MANY] *= sigmoid(x)
        return colour[0], colour[1], colour[2], colour[3]
