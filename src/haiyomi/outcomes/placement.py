"""Where a game ends for each seat: places and final scores, from what comes after a hand.

Where the hand ends the game, the rules say it. Elsewhere a small network predicts the order of the
four seats and their final scores from what the next hand starts with (``haiyomi fit placement``).
It sees the seats by score, the highest first, and the turn of each from the dealer on: which seat
has which name plays no part but for equal scores, where the earlier seat is ahead. It knows nothing
of the players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations, permutations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError, ModelError
from haiyomi.game.game_end import EXTRA_ROUND
from haiyomi.outcomes.starts import HandEnds, Starts, places_of
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.storage.model_file import float16_array, read_model

NAME = "placement"
VERSION = 1
Floats = NDArray[np.float32]

ORDERS: Final = np.array(list(permutations(range(4))))
"""(24, 4): each order of four players, first to last place."""
_PAIRS: Final = np.array(list(combinations(range(4), 2)))
_SCALES: Final = np.array((1000, 4000, 12000), np.float32)
"""Points at which a difference of two scores matters: a small hand, a medium one, a large one."""
_HANDS: Final = 8 + EXTRA_ROUND
_MOST_HONBA, _MOST_STICKS = 6, 5
POINTS: Final = 10000.0
"""Points of one unit of the final scores that the network predicts."""
_WIDTHS: Final = {
    "scores": 4,
    "differences": len(_PAIRS) * len(_SCALES),
    "ties": len(_PAIRS),
    "hand": _HANDS,
    "turn": 16,
    "length": 1,
    "honba": 1,
    "sticks": 1,
}
WIDTH_IN: Final = sum(_WIDTHS.values())
COLUMNS: Final = {
    name: slice(stop - width, stop)
    for (name, width), stop in zip(_WIDTHS.items(), accumulate(_WIDTHS.values()), strict=True)
}
"""The columns of the network's inputs, by what they say."""
WIDTH_OUT: Final = len(ORDERS) + 4


def _marks() -> Floats:
    """(24, 16): of each order whether player i (row i of four) has place j."""
    marks = np.zeros((len(ORDERS), 4, 4), np.float32)
    for number, order in enumerate(ORDERS):
        marks[number, order, np.arange(4)] = 1
    return marks.reshape(len(ORDERS), 16)


_MARKS: Final = _marks()


def seats_of(starts: Starts) -> NDArray[np.int64]:
    """(n, 4) the absolute seats by score, the highest first; of equal scores the earlier seat."""
    return np.argsort(-starts.scores, axis=1, kind="stable")


def inputs(starts: Starts) -> Floats:
    """(n, WIDTH_IN) what the network sees of some starts; the columns are those of ``COLUMNS``."""
    n = len(starts)
    seats = seats_of(starts)
    scores = np.take_along_axis(starts.scores, seats, axis=1).astype(np.float32)
    left, right = _PAIRS.T
    apart = scores[:, left] - scores[:, right]
    near = np.tanh(apart[:, :, None] / _SCALES)
    # The hands left, by their number from the last of the extra round.
    hand = np.clip(4 * starts.rounds + EXTRA_ROUND - 1 - starts.kyoku, 0, _HANDS - 1)
    turn = (seats - starts.kyoku[:, None]) % 4
    blocks = {
        "scores": (scores - 25000) / POINTS,
        "differences": near.reshape(n, len(_PAIRS) * len(_SCALES)),
        "ties": apart == 0,
        "hand": hand[:, None] == np.arange(_HANDS),
        "turn": (turn[:, :, None] == np.arange(4)).reshape(n, 16),
        "length": starts.rounds[:, None] - 1,
        "honba": np.minimum(starts.honba, _MOST_HONBA)[:, None] / 3,
        "sticks": np.minimum(starts.sticks, _MOST_STICKS)[:, None] / 2,
    }
    out = np.empty((n, WIDTH_IN), np.float32)
    for name, columns in COLUMNS.items():
        out[:, columns] = blocks[name]
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """Predictions of n game ends; seats are absolute.

    ``places`` (n, 4, 4): the probability that seat i has place j (0 first); rows and columns sum to
    one. ``final`` (n, 4): the expected final score in points.
    """

    places: NDArray[np.float64]
    final: NDArray[np.float64]


class PlacementModel:
    """The shipped network, or one of a file. ``layers``: weights (in, out) and biases (out,)."""

    def __init__(self, layers: Sequence[tuple[Floats, Floats]]) -> None:
        self.layers = tuple(layers)

    @classmethod
    def load(cls, path: Path) -> PlacementModel:
        """The model of a file. Raises ModelError."""
        payload, _ = read_model(path, NAME, VERSION)
        try:
            return cls(_layers(payload))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path.name}: {error}") from None

    def starts(self, starts: Starts) -> Placements:
        """The predictions at the start of hands."""
        x = inputs(starts)
        for weight, bias in self.layers[:-1]:
            x = x @ weight + bias
            x = x / (1 + np.exp(-x))
        weight, bias = self.layers[-1]
        out = (x @ weight + bias).astype(np.float64)
        logits = out[:, : len(ORDERS)]
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        by_score = (p @ _MARKS).reshape(-1, 4, 4)
        ranks = np.argsort(seats_of(starts), axis=1)
        moved = np.take_along_axis(out[:, len(ORDERS) :], ranks, axis=1)
        # All points stay in the game, and the deposits go to its winner.
        total = starts.scores.sum(axis=1) + 1000 * starts.sticks
        final = starts.scores + POINTS * moved
        final += ((total - final.sum(axis=1)) / 4)[:, None]
        return Placements(np.take_along_axis(by_score, ranks[:, :, None], axis=1), final)

    def ends(self, ends: HandEnds, rules: Ruleset = TENHOU) -> Placements:
        """The predictions after hands: by the rules where the game is over, else by the network.

        Raises HaiyomiError for rules that the network was not fitted for.
        """
        check_rules(rules)
        over = ends.over(rules)
        found = self.starts(ends.starts(rules))
        final = ends.final()
        sure = places_of(final)[:, :, None] == np.arange(4)
        return Placements(
            np.where(over[:, None, None], sure, found.places),
            np.where(over[:, None], final, found.final),
        )


def check_rules(rules: Ruleset) -> None:
    """Raises HaiyomiError for rules of other lengths, points or endings than Tenhou's."""
    for name in ("start_points", "target_points", "tobi"):
        if getattr(rules, name) != getattr(TENHOU, name):
            raise HaiyomiError(
                f"placements are known for rules with {name} {getattr(TENHOU, name)}, "
                f"not {getattr(rules, name)}"
            )
    if rules.rounds not in (1, 2):
        raise HaiyomiError(
            f"placements are known for East-only games and hanchan, not for {rules.rounds} rounds"
        )


def _layers(payload: Mapping[str, object]) -> list[tuple[Floats, Floats]]:
    """The layers of a payload. Raises ValueError where their shapes do not fit."""
    stored = payload["layers"]
    assert isinstance(stored, list)
    layers = [(float16_array(w), float16_array(b)) for w, b in stored]
    width = WIDTH_IN
    for weight, bias in layers:
        if weight.shape != (width, *bias.shape) or bias.ndim != 1:
            raise ValueError(f"a layer of shape {weight.shape} does not take {width} numbers")
        width = len(bias)
    if width != WIDTH_OUT:
        raise ValueError(f"the last layer has {width} numbers, not {WIDTH_OUT}")
    return layers


@cache
def shipped() -> PlacementModel:
    """The shipped model. Raises ModelError where it cannot be loaded."""
    return PlacementModel.load(Path(__file__).with_name("placement.json"))
