"""The answer of a deal-in model: a distribution over (han, fu) for each tile and opponent.

*Dealing in* (hoju) is discarding the tile on which an opponent wins by *ron*. Every answer
is conditioned on what the viewer of one Position knows and on the tile being discarded now;
a probability is 0 only where the rules make that ron impossible, and then says why.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    overload,
    runtime_checkable,
)

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.game.position import Position
from haiyomi.tiles import Kind, Seat, Tile

if TYPE_CHECKING:
    from haiyomi.networks.opponents import OpponentOutputs

ZeroReason: TypeAlias = Literal["river", "passed-riichi", "passed-turn", "no-hand"]
"""Why a ron is impossible: the opponent discarded the kind (*genbutsu*); let it pass after
riichi; let it pass since the own last discard; or no hand that the unseen tiles and the melds
allow waits on it with a yaku."""


class PointsRow(NamedTuple):
    """One outcome: ``han``, ``fu``, ``points`` paid (honba included) and its probability."""

    han: int
    fu: int
    points: int
    p: float


class PointsRows(Sequence[PointsRow]):
    """A distribution over outcomes: reads as a tuple of PointsRows, is kept as one array.

    A game's answers hold about a hundred thousand rows; as Python objects they would cost more
    to keep than to compute. ``cells`` (n, 4) float64: han, fu, points, p.
    """

    __slots__ = ("_all", "_end", "_start", "expected_loss", "probability")
    _all: Floats
    _start: int
    _end: int
    probability: float
    """The sum of p."""
    expected_loss: float
    """The sum of points times p."""

    def __init__(self, rows: Iterable[PointsRow] | Floats = ()) -> None:
        cells = rows if isinstance(rows, np.ndarray) else np.array(list(rows), dtype=np.float64)
        self._all = cells.reshape(-1, 4)
        self._start, self._end = 0, len(self._all)
        self._all.flags.writeable = False
        self.probability = float(self.cells[:, 3].sum())
        self.expected_loss = float(self.cells[:, 2] @ self.cells[:, 3])

    @classmethod
    def parts(
        cls,
        cells: Floats,
        ends: Sequence[int],
        sums: Sequence[float],
        losses: Sequence[float],
    ) -> list[PointsRows]:
        """n distributions of which ``cells`` are all outcomes, as ``ron_outcomes`` of
        ``kernels.posterior`` finds them."""
        out = [cls.__new__(cls) for _ in sums]
        start = 0
        for rows, end, probability, loss in zip(out, ends[1:], sums, losses, strict=True):
            rows._all = cells
            rows._start = start
            rows._end = start = end
            rows.probability = probability
            rows.expected_loss = loss
        return out

    @property
    def cells(self) -> Floats:
        """(n, 4) han, fu, points, p."""
        return self._all[self._start : self._end]

    def __len__(self) -> int:
        return self._end - self._start

    @overload
    def __getitem__(self, at: int) -> PointsRow: ...
    @overload
    def __getitem__(self, at: slice) -> PointsRows: ...
    def __getitem__(self, at: int | slice) -> PointsRow | PointsRows:
        if isinstance(at, slice):
            return PointsRows(self.cells[at])
        han, fu, points, p = self.cells[at].tolist()
        return PointsRow(int(han), int(fu), int(points), p)

    def __iter__(self) -> Iterator[PointsRow]:
        for han, fu, points, p in self.cells.tolist():
            yield PointsRow(int(han), int(fu), int(points), p)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointsRows) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash(self.cells.tobytes())

    def __repr__(self) -> str:
        p, loss = self.probability, self.expected_loss
        return f"<PointsRows: {len(self)} outcomes, p {p:.4f}, expected loss {loss:.1f}>"


class WaitShare(NamedTuple):
    """A wait and its share of the risk of one tile against one opponent. ``wins``: the kinds it
    waits on; of a shanpon both pairs, the tile's own first. ``held``: the kinds of the part that
    the tile completes. ``shape`` ``orphans``: thirteen orphans."""

    shape: str
    wins: tuple[Kind, ...]
    held: tuple[Kind, ...]
    share: float


Waits: TypeAlias = Mapping[tuple[int, int], tuple[WaitShare, ...]]
"""The waits behind risks by relative seat and kind, likeliest first; their shares sum to one."""


class TileRisk(NamedTuple):
    """The risk of discarding ``tile`` against one relative seat.

    ``rows`` sum to ``probability`` (to 1e-9). ``reason`` says why it is 0, else None: the opponent
    discarded the kind (``river``, *genbutsu*), let it pass after riichi (``passed-riichi``) or
    since the own last discard (``passed-turn``), or no possible hand wins on it (``no-hand``).
    """

    tile: Tile
    opponent: Seat
    probability: float
    rows: PointsRows
    reason: ZeroReason | None = None

    @property
    def expected_loss(self) -> float:
        """Points lost on average by discarding the tile: the sum of points times p."""
        return self.rows.expected_loss

    @property
    def mean_points(self) -> float:
        """Mean points paid if it deals in; 0 where it cannot."""
        return self.expected_loss / self.probability if self.probability > 0 else 0.0


@dataclass(frozen=True, slots=True)
class DealIn:
    """What a model says of one Position.

    ``tenpai`` is each opponent's probability to be one tile from winning, by relative seat 1,
    2, 3; ``risks[tile]`` the three TileRisks of a tile in the same order; ``waits`` those that the
    question wanted.
    """

    model: str
    tenpai: tuple[float, float, float]
    risks: dict[Tile, tuple[TileRisk, TileRisk, TileRisk]]
    waits: Waits = field(default_factory=dict)


class Opponents(Protocol):
    """What a model has worked out about the three opponents of one Position."""

    @property
    def position(self) -> Position: ...

    @property
    def seen(self) -> OpponentOutputs | None:
        """What a network said of the opponents: other models of the same network may take it."""
        ...

    def deal_in(self, tiles: Sequence[Tile] | None = None, waits_from: float = math.inf) -> DealIn:
        """The answer for the given tiles, by default the distinct tiles of the viewer's hand.
        The waits are those of risks against one opponent of at least ``waits_from``."""
        ...


@runtime_checkable
class DealInModel(Protocol):
    """What every deal-in model offers."""

    @property
    def name(self) -> str: ...

    def prepare(self) -> None:
        """Build now what the first answer would otherwise wait for."""
        ...

    def read(
        self, positions: Sequence[Position], chankan: bool = False, chances_only: bool = False
    ) -> Sequence[Opponents]:
        """Work out the opponents of positions under one rule set; many at once cost less, and each
        answer has the same bits for any batch.

        ``chankan``: the tiles asked about are added to an own pon (an added kan) instead of
        discarded. ``chances_only``: most will be asked for no more than chances, which saves time;
        the answers are the same.
        """
        ...
