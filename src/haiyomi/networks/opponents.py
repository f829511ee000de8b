"""The network that reads the opponents: one forward pass a decision answers for all three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Singles
from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions, as_bytes, without_tedashi
from haiyomi.game.observation import OBSERVATION, Observations
from haiyomi.game.position import Position
from haiyomi.kernels.posterior import Shown
from haiyomi.networks.network import Network
from haiyomi.networks.shape import OPPONENT_KINDS, OPPONENT_WHOLE
from haiyomi.play.seat_record import seat_bytes, seat_records
from haiyomi.rows import Rows
from haiyomi.rules import TENHOU, Ruleset

SHIPPED: Final = Path(__file__).with_name("opponents.safetensors")


@dataclass(frozen=True, slots=True, eq=False)
class OpponentOutputs(Rows):
    """What the network says of m opponents, by the heads of ``networks.shape``: the three of a
    record in turn, record after record.

    ``source`` is the network; ``viewers`` (m, bytes) the observations, and ``seats`` (m,) the
    opponents' relative seats 1 to 3; ``ron`` (m, 34) and ``tenpai`` (m,) log odds; ``han``
    (m, 34, 8), ``count`` (m, 34, 4), ``factors`` (m, 34, 8), ``shape`` (m, 15), ``irregular``
    (m, 2), ``tiles`` (m, 28).
    """

    _WHOLE: ClassVar = ("source",)
    source: Network
    viewers: Bytes
    seats: Bytes
    ron: Singles
    tenpai: Singles
    han: Singles
    count: Singles
    factors: Singles
    shape: Singles
    irregular: Singles
    tiles: Singles

    @property
    def observations(self) -> Observations:
        """(m,) of the viewers."""
        return self.viewers.view(OBSERVATION)[:, 0]

    @property
    def own(self) -> NDArray[Any]:
        """(m,) of ``observation.PLAYER``: what each opponent shows."""
        out: NDArray[Any] = self.observations["players"][np.arange(len(self.seats)), self.seats]
        return out

    def shown(self, rules: Ruleset = TENHOU, chankan: bool = False) -> Shown:
        """The opponents for questions of the rules and of points."""
        return Shown(self.viewers, self.seats, rules, chankan)


AlreadySeen: TypeAlias = Sequence[OpponentOutputs | None]
"""What a network has said of the opponents of each of n records; None where it was not asked."""


@dataclass(frozen=True, slots=True, eq=False)
class OpponentNetwork:
    """A network with the opponents' heads. ``forgets``: it answers for viewers who do not remember
    which discards were tedashi, which it has learned to do as well."""

    network: Network
    forgets: bool = False

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How the network was fitted."""
        return self.network.manifest

    @classmethod
    def load(cls, path: Path = SHIPPED) -> OpponentNetwork:
        """Read a model file, by default the shipped one. Raises ModelError."""
        network = Network.load(path)
        tower = network.shape.opponent
        if (tower.kinds, tower.whole) != (OPPONENT_KINDS, OPPONENT_WHOLE):
            raise ModelError(f"{path.name}: a network without the opponents' heads")
        return cls(network)

    def read(self, records: Decisions) -> OpponentOutputs:
        """The opponents of n records, each seen from both ends of the suits; batch-invariant."""
        return self._read(as_bytes(without_tedashi(records) if self.forgets else records))

    def read_positions(self, positions: Sequence[Position]) -> OpponentOutputs:
        """The opponents of n positions, whether or not the viewers are to discard."""
        if self.forgets:
            return self.read(seat_records(positions))
        return self._read(seat_bytes(positions))

    def _read(self, records: Bytes) -> OpponentOutputs:
        viewers = records[:, : OBSERVATION.itemsize].repeat(3, axis=0)
        heads = self.network.opponents(records)
        heads["ron"], heads["tenpai"] = heads["ron"][:, :, 0], heads["tenpai"][:, 0]
        return OpponentOutputs(self.network, viewers, _seats(len(records)), **heads)


@lru_cache(maxsize=64)
def _seats(n: int) -> Bytes:
    """(3n,) the relative seats of the opponents of n records."""
    out = np.tile(np.array([1, 2, 3], np.uint8), n)
    out.flags.writeable = False
    return out


@cache
def shipped_opponents() -> OpponentNetwork:
    """The shipped network, read once. Raises ModelError where there is none."""
    return OpponentNetwork.load()
