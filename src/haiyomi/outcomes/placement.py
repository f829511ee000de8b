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
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError, ModelError
from haiyomi.game.game_end import DEPOSIT, EXTRA_ROUND
from haiyomi.kernels.pair_net import LANE, PairNet
from haiyomi.outcomes.starts import HandEnds, Starts, places_of
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.storage.model_file import float16_array, read_model

NAME = "placement"
VERSION = 1
Floats = NDArray[np.float32]

ORDERS: Final = np.array(list(permutations(range(4))))
"""(24, 4): each order of the four seats, first to last place."""
PAIRS: Final = np.array(list(permutations(range(4), 2)))
"""(12, 2): the ordered pairs of seats, those of seat 0 first."""
_SCALES: Final = np.array((1000, 4000, 12000), np.float32)
"""Points at which a difference of two scores matters: a small hand, a medium one, a large one."""
_HANDS: Final = 8 + EXTRA_ROUND
_MOST_HONBA, _MOST_STICKS = 6, 5
POINTS: Final = 10000.0
"""Points of one unit of the scores, as the network takes and gives them."""
_WIDTHS: Final = {
    "differences": len(_SCALES),
    "ahead": 1,
    "scores": 2,
    "turns": 8,
    "hand": _HANDS,
    "length": 1,
    "honba": 1,
    "sticks": 1,
}
WIDTH_IN: Final = sum(_WIDTHS.values())
COLUMNS: Final = {
    name: slice(stop - width, stop)
    for (name, width), stop in zip(_WIDTHS.items(), accumulate(_WIDTHS.values()), strict=True)
}
"""The columns of a pair's inputs, by what they say."""
LAYERS: Final = ("pair", "seat", "place", "ahead")


def _order_marks() -> tuple[Floats, Floats]:
    """(16, 24) whether seat i has place j in each order, and (12, 24) whether i is ahead of j."""
    places = np.argsort(ORDERS, axis=1)
    by_place = places.T[:, None, :] == np.arange(4)[None, :, None]
    ahead = places[:, PAIRS[:, 0]] < places[:, PAIRS[:, 1]]
    return by_place.reshape(16, -1).astype(np.float32), ahead.T.astype(np.float32)


PLACE_MARKS, AHEAD_MARKS = _order_marks()
_PLACES: Final = np.argsort(ORDERS, axis=1)
"""(24, 4) the place of each seat."""
_AHEAD: Final = np.array([np.flatnonzero(marks) for marks in AHEAD_MARKS.T])
"""(24, 6) the pairs whose first seat is ahead."""
_WITH: Final = np.array([np.flatnonzero(marks) for marks in PLACE_MARKS])
"""(16, 6) the orders in which seat i has place j."""


def inputs(starts: Starts) -> Floats:
    """(n, 12, WIDTH_IN) what the network sees of the pairs of seats of some starts."""
    n = len(starts)
    scores = (starts.scores - 25000) / POINTS
    one, other = PAIRS.T
    apart = starts.scores[:, one] - starts.scores[:, other]
    ahead = np.where(one < other, apart >= 0, apart > 0)
    turn = (np.arange(4) - starts.kyoku[:, None]) % 4
    turns = turn[:, :, None] == np.arange(4)
    # The hands left, by their number from the last of the extra round.
    hand = np.clip(4 * starts.rounds + EXTRA_ROUND - 1 - starts.kyoku, 0, _HANDS - 1)
    blocks = {
        "differences": np.tanh(apart[:, :, None] / _SCALES),
        "ahead": np.where(ahead, 1, -1)[:, :, None],
        "scores": np.stack([scores[:, one], scores[:, other]], axis=2),
        "turns": np.concatenate([turns[:, one], turns[:, other]], axis=2),
        "hand": (hand[:, None] == np.arange(_HANDS))[:, None],
        "length": (starts.rounds - 1)[:, None, None],
        "honba": (np.minimum(starts.honba, _MOST_HONBA) / 3)[:, None, None],
        "sticks": (np.minimum(starts.sticks, _MOST_STICKS) / 2)[:, None, None],
    }
    out = np.empty((n, len(PAIRS), WIDTH_IN), np.float32)
    for name, columns in COLUMNS.items():
        out[:, :, columns] = blocks[name]
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
    """The network with its ``layers``, by the names of ``LAYERS``: weights (in, out), biases."""

    def __init__(self, layers: Mapping[str, tuple[Floats, Floats]]) -> None:
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
        p, moved = self.orders(inputs(starts))
        places = p[:, _WITH].sum(axis=2).reshape(-1, 4, 4)
        # All points stay in the game, and the deposits go to its winner.
        total = starts.scores.sum(axis=1) + DEPOSIT * starts.sticks
        final = starts.scores + POINTS * moved
        final += ((total - final.sum(axis=1)) / 4)[:, None]
        return Placements(places, final)

    def orders(self, x: Floats) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(n, 24) the probability of each order, and (n, 4) each seat's change of score in
        ``POINTS``, from inputs (n, 12, WIDTH_IN)."""
        of_place, ahead = self._net(x)
        # Sums in a fixed order: a row's bits do not depend on the other rows.
        logits = ahead[:, _AHEAD].sum(axis=2, dtype=np.float64)
        for seat, place in enumerate(_PLACES.T):
            logits += of_place[:, seat, place]
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True), of_place[:, :, 4].astype(np.float64)

    def ends(self, ends: HandEnds, rules: Ruleset = TENHOU) -> Placements:
        """The predictions after hands: by the rules where the game is over, else by the network.

        Raises HaiyomiError for rules that the network was not fitted for.
        """
        check_rules(rules)
        going = ~ends.over(rules)
        final = ends.final()
        places = (places_of(final)[:, :, None] == np.arange(4)).astype(np.float64)
        expected = final.astype(np.float64)
        if going.any():
            found = self.starts(ends.starts(rules).where(going))
            places[going], expected[going] = found.places, found.final
        return Placements(places, expected)


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


def _layers(payload: Mapping[str, object]) -> dict[str, tuple[Floats, Floats]]:
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
    return PlacementModel.load(Path(__file__).with_name("placement.json"))
