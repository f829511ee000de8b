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

from haiyomi.dealin.agreeing_hands import agreeing_weights
from haiyomi.dealin.answer import DealIn, Features, WaitShare, ZeroReason
from haiyomi.dealin.blend import BLEND_INPUTS, blended, odds_of, sigmoid
from haiyomi.dealin.boost_features import (
    TENPAI_FEATURES,
    TILE_FEATURES,
    NetworkLogits,
    tenpai_rows,
    tile_rows,
)
from haiyomi.dealin.explain import wait_shares
from haiyomi.dealin.grid import RonGrid, deal_in_by_grid
from haiyomi.dealin.han_factors import HAN, weighed
from haiyomi.dealin.possible import FLOOR, zero_reason
from haiyomi.dealin.ron_network import log_odds_from_both_ends, ron_shapes
from haiyomi.dealin.tenpai_posterior import Readings, read
from haiyomi.errors import ModelError
from haiyomi.game.observation import Observations, observations_of
from haiyomi.game.position import Position
from haiyomi.kernels.forest import Forest
from haiyomi.kernels.posterior import Factors, Posterior, Worth
from haiyomi.kernels.waits import waits
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.reading.posterior import weight_shapes
from haiyomi.rules import Ruleset
from haiyomi.seeds import generator
from haiyomi.storage.forest_payload import forest_of
from haiyomi.storage.model_file import float16_array, read_model
from haiyomi.tiles import Kind, Seat, Tile

NAME = "posterior"
VERSION = 5
LARGEST = 50.0
"""No weight and no logarithm of a factor is larger (those of the shipped model stay below 9)."""
SAMPLES = 1600
"""Hands drawn for the points of a ron of probability p: this times the square root of p (the
allocation of least variance for a fixed total), at least LEAST and at most MOST."""
LEAST = 16
MOST = 400
POOL, POOL_A_HAND = 512, 8
"""Hands of which those to be shown are taken, at least and for each of them."""
Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]
_OPPONENTS = np.array([1, 2, 3])
_BITS = 1 << np.arange(34, dtype=np.int64)


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
        observations, opponent = observations_of_opponents(positions)
        readings, tenpai, ron = self.rons(observations, opponent, positions[0].rules, chankan)
        open_ = readings.wait > 0
        possible = (open_ * _BITS).sum(axis=1).tolist()
        players = [player for position in positions for player in position.players[1:]]
        furiten = np.array([player.furiten_mask for player in players])
        may = open_ & ((furiten[:, None] & _BITS) == 0)
        ron = np.where(may, np.maximum(ron, FLOOR), 0.0)
        closed = [np.flatnonzero(row).tolist() for row in ~may]
        out = []
        for n, position in enumerate(positions):
            unseen = position.unseen
            reasons: list[list[ZeroReason | None]] = []
            for i in range(3 * n, 3 * n + 3):
                why: list[ZeroReason | None] = [None] * 34
                for k in closed[i]:
                    why[k] = zero_reason(k, players[i], unseen, possible[i])
                reasons.append(why)
            rows = slice(3 * n, 3 * n + 3)
            part = readings.part(rows)
            out.append(
                PosteriorOpponents(
                    self, position, chankan, part, tenpai[rows], ron[rows], tuple(reasons)
                )
            )
        return out

    def wait_shares(
        self, questions: Sequence[tuple[PosteriorOpponents, Seat, Kind]]
    ) -> list[tuple[WaitShare, ...]]:
        """By hands drawn from the posterior given that they win on the kind."""
        return wait_shares([
            (found.readings.rows[seat - 1], int(kind)) for found, seat, kind in questions
        ])  # fmt: skip

    def tenpai_hands(self, position: Position, seat: int, n: int, seed: int) -> NDArray[np.uint8]:
        """(n, 34) hands of an opponent drawn exactly given that it is tenpai; none if it cannot
        be. Furiten hands are included: furiten forbids a ron, not a hand."""
        reading = self.read([position])[0].readings.rows[seat - 1]
        return reading.posterior.sample(n, seed)

    def hands_by_risk(self, position: Position, seat: int, n: int, seed: int) -> NDArray[np.uint8]:
        """(n, 34) tenpai hands of an opponent, drawn so that they win on each kind as often as this
        model's risk says; none if it cannot be tenpai. They are taken from a pool of exact draws
        (``agreeing_hands``), so that one may come twice."""
        found = self.read([position])[0]
        reading = found.readings.rows[seat - 1]
        pool = reading.posterior.sample(max(POOL, POOL_A_HAND * n), seed)
        if not len(pool):
            return pool
        won = waits(pool)[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)
        wins = won.astype(bool)
        wins &= ~(wins & _of_mask(position.players[seat].furiten_mask)).any(axis=1, keepdims=True)
        tenpai = max(float(found.tenpai[seat - 1]), FLOOR)
        weights = agreeing_weights(wins, found.ron[seat - 1] / tenpai)
        return pool[generator(seed, 1).choice(len(pool), n, p=weights)]

    def assess(
        self, position: Position, tiles: Sequence[Tile] | None = None, chankan: bool = False
    ) -> DealIn:
        """The answer for the given tiles, by default the distinct tiles of the viewer's hand.

        ``chankan``: the tile is added to an own pon instead of discarded.
        """
        return self.read([position], chankan)[0].deal_in(tiles)


@dataclass(frozen=True, slots=True, eq=False)
class PosteriorOpponents:
    """The three opponents of one position: their ``readings``, ``tenpai`` (3,) and ``ron`` (3, 34)
    probabilities with the rules' zeros set, and the reason for each zero."""

    model: PosteriorModel
    position: Position
    chankan: bool
    readings: Readings
    tenpai: Floats
    ron: Floats
    reasons: tuple[list[ZeroReason | None], ...]

    @property
    def model_name(self) -> str:
        """The model."""
        return self.model.name

    @property
    def features(self) -> Features:
        """The opponents' features, which the chain of hidden hands reuses."""
        return self.readings.factors.x, self.readings.factors.context

    def chances(self) -> Floats:
        """(3, 34) P(ron), without points."""
        return self.ron

    def ron_grid(self, seat: int) -> RonGrid:
        """The relative seat's cells, for the kinds that the viewer holds; the others' stay zero."""
        kinds = sorted({t.kind for t in self.position.hand})
        ron = np.zeros((34, 14, 12))
        ron[kinds] = self._cells(kinds, [seat - 1])[0]
        return RonGrid(float(self.tenpai[seat - 1]), ron, self.reasons[seat - 1])

    def ron_cells(self, kinds: Sequence[int]) -> Floats:
        """(3, n, 14, 12) probabilities of a ron on n kinds by (han, fu) cell."""
        return self._cells(kinds, range(3))

    def _cells(self, kinds: Sequence[int], opponents: Sequence[int]) -> Floats:
        """(m, n, 14, 12) probabilities of a ron of m opponents, 0 to 2, on n kinds."""
        wanted, who = list(kinds), list(opponents)
        p = self.ron[who][:, wanted]
        samples = np.zeros((len(who), 34), np.int32)
        samples[:, wanted] = np.where(p > 0, np.clip(SAMPLES * np.sqrt(p), LEAST, MOST), 0)
        cells = np.empty((*p.shape, 14, 12))
        for drawn, out, i in zip(samples, cells, who, strict=True):
            reading = self.readings.rows[i]
            worth = worth_of(self.position, i + 1, self.chankan)
            points = reading.posterior.points(drawn, reading.given, worth, i + 1)
            np.take(points, wanted, axis=0, out=out)
        cells = weighed(cells, self.model.han[self.readings.factors.group[who]][:, None])
        unknown = (p > 0) & ~cells.any(axis=(2, 3))
        cells[unknown, 1, 3] = 1.0
        cells *= p[:, :, None, None]
        return cells

    def deal_in(self, tiles: Sequence[Tile] | None = None) -> DealIn:
        """The answer for the given tiles, by default the distinct tiles of the viewer's hand."""
        return deal_in_by_grid(self, tiles)


def worth_of(position: Position, seat: int, chankan: bool = False) -> Worth:
    """What the points of a relative seat's ron depend on besides its hand."""
    player = position.players[seat]
    riichi = 0
    if player.riichi_index is not None:
        riichi = 2 if player.riichi_index == 0 and not position.players[seat].melds else 1
    return Worth(
        position.unseen,
        position.dora,
        ~position.reds_seen & 7,
        sum(tile.red for m in player.melds for tile in m.tiles),
        riichi,
        len(position.indicators) if riichi else 0,
        player.ippatsu,
        position.draws_left == 0 and not chankan,
        chankan,
    )


def observations_of_opponents(
    positions: Sequence[Position],
) -> tuple[Observations, NDArray[np.int64]]:
    """(3n,) observations of n positions and the relative seats that they are of, 1 to 3."""
    return np.repeat(observations_of(positions), 3), np.tile(_OPPONENTS, len(positions))


def _of_mask(mask: int) -> NDArray[np.bool_]:
    """(34,) the kinds of a mask."""
    out: NDArray[np.bool_] = (mask & _BITS) != 0
    return out


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
