"""The default model: an exact posterior over tenpai hands, rescaled by trees and a network.

The posterior (``reading.posterior``) gives P(can ron a kind | tenpai) exactly for its weights,
for any number of melds; a forest gives P(tenpai). The predictions of the posterior, of a second
forest and of a small network (``ron_network``) are blended in log odds, by class of opponent,
into P(ron). Given the ron, its points and its waits are those of the posterior.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import DealIn, WaitShare
from haiyomi.dealin.blend import BLEND_INPUTS, blended, odds_of, sigmoid
from haiyomi.dealin.boost_features import (
    TENPAI_FEATURES,
    TILE_FEATURES,
    NetworkLogits,
    tenpai_rows,
    tile_rows,
)
from haiyomi.dealin.explain import wait_shares
from haiyomi.dealin.han_factors import HAN
from haiyomi.dealin.posterior_opponents import PosteriorOpponents, ruled
from haiyomi.dealin.ron_network import log_odds_from_both_ends, ron_shapes
from haiyomi.dealin.tenpai_posterior import Readings, read
from haiyomi.errors import ModelError
from haiyomi.game.observation import Observations
from haiyomi.game.position import Position
from haiyomi.kernels.forest import Forest
from haiyomi.kernels.posterior import Factors, Posterior
from haiyomi.reading.opponent_class import CLASSES, opponents_of
from haiyomi.reading.posterior import weight_shapes
from haiyomi.rules import Ruleset
from haiyomi.storage.forest_payload import forest_of
from haiyomi.storage.model_file import float16_array, read_model
from haiyomi.tiles import Kind, Seat, Tile

NAME = "posterior"
VERSION = 5
LARGEST = 50.0
"""No weight and no logarithm of a factor is larger (those of the shipped model stay below 9)."""
Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class PosteriorModel:
    """The fitted model. ``weights`` of the posterior and ``network`` of rons; ``tenpai`` and
    ``tiles`` forests; ``blend`` (5, 4) constant and weights of the posterior's, the forest's and
    the network's log odds by class; ``han`` (5, HAN) log
    factors of a ron's han by class (``dealin.han_factors``).
    """

    weights: Arrays
    network: Arrays
    tenpai: Forest
    tiles: Forest
    blend: Floats
    han: Floats
    name: str = NAME
    manifest: dict[str, Any] | None = None

    @classmethod
    def load(cls, path: Path | None = None) -> PosteriorModel:
        """The model of a file, by default the shipped one. Raises ModelError."""
        file = path or shipped_file()
        payload, manifest = read_model(file, NAME, VERSION)
        try:
            return cls.from_payload(payload, manifest)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise ModelError(f"{file.name}: a table is missing or misshapen ({error})") from None

    @classmethod
    def from_payload(
        cls, payload: dict[str, Any], manifest: dict[str, Any] | None = None
    ) -> PosteriorModel:
        """The model of a payload as the fit makes it."""
        blend = np.array(payload["blend"], dtype=np.float64)
        if blend.shape != (len(CLASSES), len(BLEND_INPUTS)) or not np.isfinite(blend).all():
            raise ValueError(f"blend has shape {blend.shape}, or no number")
        han = np.array(payload["han"], dtype=np.float64)
        if han.shape != (len(CLASSES), HAN) or not np.abs(han).max() <= LARGEST:
            raise ValueError(f"han has shape {han.shape}, or a logarithm above {LARGEST:g}")
        return cls(
            weights_of(payload["weights"]),
            network_of(payload["network"]),
            forest_of(payload["tenpai"], TENPAI_FEATURES),
            forest_of(payload["tiles"], TILE_FEATURES),
            blend,
            han,
            manifest=manifest,
        )

    def prepare(self) -> None:
        """Build the core's tables now instead of at the first prediction."""
        _build_tables()

    def tenpai_of(self, readings: Readings, rows: NDArray[np.float32]) -> Floats:
        """(n,) P(tenpai); one in riichi and with four melds."""
        certain = (readings.factors.group == 0) | (readings.factors.concealed == 1)
        return np.where(certain, 1.0, sigmoid(self.tenpai.score(rows)))

    def network_logits(self, readings: Readings) -> NetworkLogits:
        """The network's log odds of rons and tenpai, of the features of some readings."""
        factors = readings.factors
        return log_odds_from_both_ends(
            self.network, factors.x, factors.context, batch_invariant=True
        )

    def rons(
        self, observations: Observations, opponent: NDArray[np.int64], rules: Ruleset, chankan: bool
    ) -> tuple[Readings, Floats, Floats]:
        """The readings of n opponents of one game, (n,) P(tenpai) and (n, 34) P(ron) before the
        rules' zeros."""
        readings = read(self.weights, observations, opponent, rules, chankan, batch_invariant=True)
        logits = self.network_logits(readings)
        tenpai = self.tenpai_of(readings, tenpai_rows(readings, observations, opponent, logits))
        row, kind = np.nonzero(readings.wait > 0)
        trees = self.tiles.score(tile_rows(readings, observations, tenpai, row, kind, logits))
        own = tenpai[row] * readings.ron[row, kind]
        odds = odds_of(own, trees, logits[0][row, kind])
        ron = np.zeros((len(observations), 34))
        ron[row, kind] = blended(self.blend, readings.factors.group[row], odds, tenpai[row])
        return readings, tenpai, ron

    def read(
        self, positions: Sequence[Position], chankan: bool = False
    ) -> list[PosteriorOpponents]:
        """The predictions for the opponents of positions of one game, as a batch; batch-invariant,
        so each is bit for bit that of the position by itself."""
        if not positions:
            return []
        observations, opponent = opponents_of(positions)
        readings, tenpai, ron = self.rons(observations, opponent, positions[0].rules, chankan)
        ron, reasons = ruled(positions, ron, readings.wait)
        out = []
        for n, position in enumerate(positions):
            rows = slice(3 * n, 3 * n + 3)
            factors = readings.factors.part(rows)
            out.append(
                PosteriorOpponents(
                    self.name, position, chankan, readings.rows[rows], tenpai[rows], ron[rows],
                    tuple(reasons[rows]), self.han[factors.group], (factors.x, factors.context),
                )
            )  # fmt: skip
        return out

    def wait_shares(
        self, questions: Sequence[tuple[PosteriorOpponents, Seat, Kind]]
    ) -> list[tuple[WaitShare, ...]]:
        """By hands drawn from the posterior given that they win on the kind."""
        return wait_shares([
            (found.rows[seat - 1], int(kind)) for found, seat, kind in questions
        ])  # fmt: skip

    def tenpai_hands(self, position: Position, seat: int, n: int, seed: int) -> NDArray[np.uint8]:
        """(n, 34) hands of an opponent drawn exactly given that it is tenpai; none if it cannot
        be. Furiten hands are included: furiten forbids a ron, not a hand."""
        return self.read([position])[0].rows[seat - 1].posterior.sample(n, seed)

    def hands_by_risk(self, position: Position, seat: int, n: int, seed: int) -> NDArray[np.uint8]:
        """(n, 34) tenpai hands of an opponent that win on each kind as often as the risk says
        (``PosteriorOpponents.hands_by_risk``)."""
        return self.read([position])[0].hands_by_risk(seat, n, seed)

    def assess(
        self, position: Position, tiles: Sequence[Tile] | None = None, chankan: bool = False
    ) -> DealIn:
        """The answer for the given tiles, by default the distinct tiles of the viewer's hand.

        ``chankan``: the tile is added to an own pon instead of discarded.
        """
        return self.read([position], chankan)[0].deal_in(tiles)


@cache
def _build_tables() -> None:
    """Let the core build its pattern tables, once in a process."""
    Posterior(13, Factors.flat([4] * 34))


def weights_of(payload: Mapping[str, Any]) -> Arrays:
    """The posterior's weights of a payload. Raises ValueError if one is misshapen."""
    out = _arrays(payload)
    _check(out, weight_shapes(out))
    return out


def network_of(payload: Mapping[str, Any]) -> Arrays:
    """The weights of a network of rons. Raises ValueError if one is misshapen."""
    out = _arrays(payload)
    _check(out, ron_shapes(out))
    return out


def _arrays(payload: Mapping[str, Any]) -> Arrays:
    """Arrays from lists, or from the text of float16 values."""
    return {
        name: float16_array(value) if isinstance(value, dict) else np.array(value, dtype=np.float64)
        for name, value in payload.items()
    }


def _check(found: Arrays, expected: Mapping[str, tuple[int, ...]]) -> None:
    for name, array in found.items():
        if not np.abs(array).max(initial=0.0) <= LARGEST:
            raise ValueError(f"{name} has a number above {LARGEST:g}, or no number")
    for name, shape in expected.items():
        if found[name].shape != shape:
            raise ValueError(f"{name} has shape {found[name].shape}, not {shape}")


def shipped_file() -> Path:
    """The model file that the package ships."""
    return Path(__file__).parent / "posterior.json"


@lru_cache(maxsize=1)
def shipped() -> PosteriorModel:
    """The shipped model, loaded once."""
    return PosteriorModel.load()
