"""Where a game ends for each seat: places and final scores, from what comes after a hand.

Where the hand ends the game, the rules say it. Elsewhere a small network predicts the order of the
four seats and their final scores from what the next hand starts with (``haiyomi fit placement``).

The network treats the seats alike. Each ordered pair of seats i, j has a hidden vector h(i, j); a
seat's is the mean m(i) over its three pairs, the table's the mean c of these. The logit of an order
is the sum over seats of a number for the seat's place, from m(i) and c, and over pairs of a number
for i ahead of j, from h(i, j). It knows nothing of the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, permutations
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Singles
from haiyomi.errors import HaiyomiError, ModelError
from haiyomi.game.game_end import places_of
from haiyomi.kernels.pair_net import LANE, PairNet, pair_inputs
from haiyomi.outcomes.starts import HandEnds, Starts
from haiyomi.rules import EXTRA_ROUND, TENHOU, Ruleset
from haiyomi.storage.model_file import float16_array, read_model

SHIPPED: Final = Path(__file__).with_name("placement.json")
NAME = "placement"
VERSION = 1

ORDERS: Final = np.array(list(permutations(range(4))))
"""(24, 4): each order of the four seats, first to last place."""
PAIRS: Final = np.array(list(permutations(range(4), 2)))
"""(12, 2): the ordered pairs of seats, those of seat 0 first."""
POINTS: Final = 10000.0
"""Points of one unit of the scores, as the network takes and gives them."""
_WIDTHS: Final = {
    "differences": 3,  # tanh of the first less the other, over 1,000, 4,000 and 12,000 points
    "ahead": 1,  # 1 or -1; of equal scores the earlier seat is ahead
    "scores": 2,  # of both less 25,000, over POINTS
    "turns": 8,  # of both, from the dealer on
    "hand": 8 + EXTRA_ROUND,  # the hands left, from the last of the extra round
    "length": 1,  # 1 of a hanchan, 0 of an East-only game
    "honba": 1,  # over 3, at most 6
    "sticks": 1,  # over 2, at most 5
}
WIDTH_IN: Final = sum(_WIDTHS.values())
COLUMNS: Final = {
    name: slice(stop - width, stop)
    for (name, width), stop in zip(_WIDTHS.items(), accumulate(_WIDTHS.values()), strict=True)
}
"""The columns of a pair's inputs, by what they say."""
LAYERS: Final = ("pair", "seat", "place", "ahead")


def _order_marks() -> tuple[Singles, Singles]:
    """(16, 24) whether seat i has place j in each order, and (12, 24) whether i is ahead of j."""
    places = np.argsort(ORDERS, axis=1)
    by_place = places.T[:, None, :] == np.arange(4)[None, :, None]
    ahead = places[:, PAIRS[:, 0]] < places[:, PAIRS[:, 1]]
    return by_place.reshape(16, -1).astype(np.float32), ahead.T.astype(np.float32)


PLACE_MARKS, AHEAD_MARKS = _order_marks()


def inputs(starts: Starts) -> Singles:
    """(n, 12, WIDTH_IN) what the network sees of the pairs of seats of some starts."""
    return pair_inputs(starts.table)


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """Predictions of n game ends; seats are absolute.

    ``places`` (n, 4, 4): the probability that seat i has place j (0 first); rows and columns sum to
    one. ``final`` (n, 4): the expected final score in points.
    """

    places: Floats
    final: Floats


class PlacementModel:
    """The network with its ``layers``, by the names of ``LAYERS``: weights (in, out), biases."""

    def __init__(self, layers: Mapping[str, tuple[Singles, Singles]]) -> None:
        self.layers = dict(layers)
        parts = [part for name in LAYERS for part in self.layers[name]]
        flat = np.concatenate([part.reshape(-1) for part in parts]).astype(np.float32)
        self._net = PairNet(len(self.layers["pair"][1]), len(self.layers["seat"][1]), flat)

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
        return Placements(*self._net.placements(starts.table))

    def orders(self, x: Singles) -> tuple[Floats, Singles]:
        """(n, 24) the probability of each order, and (n, 4) each seat's change of score in
        ``POINTS``, from inputs (n, 12, WIDTH_IN)."""
        return self._net(x)

    def ends(self, ends: HandEnds, rules: Ruleset = TENHOU) -> Placements:
        """The predictions after hands: by the rules where the game is over, else by the network.

        Raises HaiyomiError for rules that the network was not fitted for.
        """
        check_rules(rules)
        found = self.starts(ends.starts(rules))
        over = ends.over(rules)
        if over.any():
            final = ends.take(over).final()
            found.places[over] = places_of(final)[:, :, None] == np.arange(4)
            found.final[over] = final
        return found


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


def _layers(payload: Mapping[str, object]) -> dict[str, tuple[Singles, Singles]]:
    """The layers of a payload. Raises ValueError where their shapes do not fit."""
    found = {}
    for name in LAYERS:
        stored = payload[name]
        assert isinstance(stored, list)
        weight, bias = map(float16_array, stored)
        found[name] = weight, bias
    pair, seat = len(found["pair"][1]), len(found["seat"][1])
    due = {
        "pair": (WIDTH_IN, pair),
        "seat": (2 * pair, seat),
        "place": (seat, 5),
        "ahead": (pair, 1),
    }
    for name, (weight, bias) in found.items():
        if weight.shape != due[name] or bias.shape != due[name][1:]:
            raise ValueError(f"layer {name} has the shape {weight.shape}, not {due[name]}")
    if pair % LANE or seat % LANE:
        raise ValueError(f"layers of {pair} and {seat} numbers: multiples of {LANE} are expected")
    return found


@cache
def shipped() -> PlacementModel:
    """The shipped model. Raises ModelError where it cannot be loaded."""
    return PlacementModel.load(SHIPPED)
