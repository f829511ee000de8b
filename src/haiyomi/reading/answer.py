"""What a model says of one opponent's hidden hand, as a frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.position import Position
from haiyomi.game.sights import sights_of
from haiyomi.kernels.count_chain import chain_best, chain_marginals
from haiyomi.kernels.shanten import shanten
from haiyomi.reading.chain import STATES, state_of, totals_of
from haiyomi.reading.decode import best_agreement, expected_agreement
from haiyomi.tiles import TILES, Seat, Tile

if TYPE_CHECKING:
    from haiyomi.reading.chain import ChainModel


@dataclass(frozen=True, slots=True, eq=False)
class HandReading:
    """One opponent's hand as one seat may guess it.

    ``viewer`` is absolute, ``opponent`` relative (1 the next to act); ``tiles`` how many
    concealed tiles the hand surely has. ``marginals`` (34, 5): P(holds k of kind h), each row
    sums to one, and the expected counts to ``tiles``. ``best`` (34,) is the hand of the
    largest expected agreement, ``agreement`` that expectation; ``likeliest`` the single most
    probable hand. ``samples`` (m, 34) are drawn exactly, for an opponent in riichi given
    tenpai (``given`` says so), with their ``shanten`` (m,).
    """

    model: str
    viewer: Seat
    opponent: Seat
    tiles: int
    marginals: NDArray[np.float64]
    best: NDArray[np.uint8]
    agreement: float
    likeliest: NDArray[np.uint8]
    samples: NDArray[np.uint8]
    shanten: NDArray[np.int8]
    given: str = ""

    @property
    def holds(self) -> NDArray[np.float64]:
        """(34,) P(holds at least one)."""
        out: NDArray[np.float64] = np.maximum(1.0 - self.marginals[:, 0], 0.0)
        return out

    @property
    def expected(self) -> NDArray[np.float64]:
        """(34,) expected number of each kind."""
        out: NDArray[np.float64] = self.marginals @ np.arange(5.0)
        return out

    def _repr_html_(self) -> str:
        from haiyomi.display.answers import reading_html

        return reading_html(self)


class TenpaiHands(Protocol):
    """What draws hands of an opponent known to be tenpai, the posterior of ``dealin`` first of
    all: (n, 34) of the relative ``seat``'s, the same for the same seed; no row if none can
    be."""

    def tenpai_hands(
        self, position: Position, seat: int, n: int, seed: int
    ) -> NDArray[np.uint8]: ...


def tiles_of(counts: NDArray[np.uint8]) -> tuple[Tile, ...]:
    """The plain tiles of (34,) counts."""
    return tuple(TILES[k] for k in np.repeat(_KINDS, counts).tolist())


_KINDS = np.arange(34)


def read_hands(
    position: Position,
    model: ChainModel | None = None,
    samples: int = 5,
    seed: int = 0,
    tenpai: TenpaiHands | None = None,
) -> tuple[HandReading, HandReading, HandReading]:
    """The three opponents' hands, next to act first; by default with the shipped model.

    The same position, model and seed give the same samples. Those of an opponent in riichi
    come from ``tenpai``; without it they are the model's own that are tenpai. Raises
    ModelError where the shipped model cannot be loaded.
    """
    if model is None:
        from haiyomi.reading.chain import shipped

        model = shipped()
    sights = np.repeat(sights_of([position]), 3)
    opponent = np.array([1, 2, 3])
    totals = totals_of(sights, opponent)
    rows = model.rows(sights, opponent)
    _, marginals = chain_marginals(*rows, model.tables)
    best = best_agreement(marginals, totals)
    agreement = expected_agreement(marginals, best)
    _, likeliest = chain_best(*rows, model.tables)
    drawn = model.draw(rows, samples, np.random.default_rng(seed))
    riichi = [STATES[s] == "riichi" for s in state_of(sights, opponent)]
    out = []
    for i in range(3):
        hands = drawn.hands[i, : drawn.found[i]]
        if tenpai is not None and riichi[i] and samples > 0:
            exact = tenpai.tenpai_hands(position, i + 1, samples, seed)
            hands = exact if len(exact) else hands
        out.append(
            HandReading(
                model.name,
                position.seat,
                Seat(i + 1),
                int(totals[i]),
                marginals[i],
                best[i],
                float(agreement[i]),
                likeliest[i],
                hands,
                shanten(hands),
                "tenpai" if riichi[i] else "",
            )
        )
    return out[0], out[1], out[2]
