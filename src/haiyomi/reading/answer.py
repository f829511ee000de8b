"""A model's prediction of one opponent's hidden hand, as a frozen value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats, same_values
from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.reading.decode import best_agreement, expected_agreement
from haiyomi.reading.model import HandAnswers, HandModel, OpponentsKnown
from haiyomi.reading.models import is_published
from haiyomi.seeds import check_core_seed
from haiyomi.tiles import Seat


@dataclass(frozen=True, slots=True, eq=False)
class HandReading:
    """The prediction of one opponent's hand from one seat's view.

    ``viewer`` is absolute, ``opponent`` relative (1 the next to act); ``tiles`` how many
    concealed tiles the hand has. ``marginals`` (34, 5): P(holds k of kind h), each row
    sums to one, and the expected counts of the default model to ``tiles``. ``best`` (34,) is the
    hand of the largest expected agreement, ``agreement`` that expectation; ``likeliest`` the
    single most probable hand, None where it was not computed; each with its shanten. ``samples``
    (m, 34) with their ``shanten`` (m,) are drawn by the model, for an opponent in riichi given
    tenpai (``given`` says so), and by the paper's roulette by the CRF.
    """

    model: str
    viewer: Seat
    opponent: Seat
    tiles: int
    marginals: Floats
    best: Bytes
    best_shanten: int
    agreement: float
    likeliest: Bytes | None
    likeliest_shanten: int | None
    samples: Bytes
    shanten: NDArray[np.int8]
    given: str = ""

    def __eq__(self, other: object) -> bool:
        return same_values(self, other) if isinstance(other, HandReading) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.model, self.viewer, self.opponent, self.tiles, self.best_shanten))

    @property
    def holds(self) -> Floats:
        """(34,) P(holds at least one)."""
        out: Floats = np.maximum(1.0 - self.marginals[:, 0], 0.0)
        return out

    @property
    def published(self) -> bool:
        """Whether the model is the CRF of Nemoto, Komiya and Kotani."""
        return is_published(self.model)

    @property
    def expected(self) -> Floats:
        """(34,) expected number of each kind."""
        out: Floats = self.marginals @ np.arange(5.0)
        return out

    def _repr_html_(self) -> str:
        from haiyomi.display.answers import reading_html

        return reading_html(self)


@runtime_checkable
class TenpaiSampler(Protocol):
    """A sampler of an opponent's hands given tenpai, such as the posterior of ``dealin``: (n, 34)
    of the relative ``seat``, which win on each kind as often as its risk says, the same for the
    same seed; no row if there is no such hand."""

    def hands_by_risk(self, position: Position, seat: int, n: int, seed: int) -> Bytes: ...


def read_opponents(
    positions: Sequence[Position],
    model: HandModel,
    asked: Sequence[OpponentsKnown] = (),
    samples: int = 0,
    seed: int = 0,
    tenpai: TenpaiSampler | None = None,
    likeliest: bool = True,
) -> list[tuple[HandReading, HandReading, HandReading]]:
    """The three opponents' hands at each position, next to act first.

    ``asked``: what another model has worked out about them, if at hand. ``samples`` hands are drawn
    of each: the same position, model and seed give the same ones, whatever is asked beside. Those
    of an opponent in riichi come from ``tenpai`` where the model draws tenpai hands; without it
    they are the model's own. ``likeliest``: with the single most probable hand, where the model has
    one. Raises ArgumentError for a seed that is not 0 to 2**64 - 1.
    """
    check_core_seed(seed)
    if not positions:
        return []
    players = [player for position in positions for player in position.players[1:]]
    totals = np.array([player.concealed for player in players], np.uint8)
    answers = model.answers(positions, asked)
    marginals = answers.marginals
    best = best_agreement(marginals, totals)
    agreement = expected_agreement(marginals, best)
    best_shanten = shanten(best).tolist()
    probable = _likeliest(answers, len(best)) if likeliest else [(None, None)] * len(best)
    out = []
    for n, position in enumerate(positions):
        drawn = _draw(answers, n, samples, seed)
        found = []
        for r in range(3):
            i = 3 * n + r
            hands = drawn[r]
            ready = players[i].riichi and model.samples_tenpai
            if tenpai is not None and ready and samples > 0:
                exact = tenpai.hands_by_risk(position, r + 1, samples, seed)
                hands = exact if len(exact) else hands
            found.append(
                HandReading(
                    model=model.name,
                    viewer=position.seat,
                    opponent=Seat(r + 1),
                    tiles=int(totals[i]),
                    marginals=marginals[i],
                    best=best[i],
                    best_shanten=best_shanten[i],
                    agreement=float(agreement[i]),
                    likeliest=probable[i][0],
                    likeliest_shanten=probable[i][1],
                    samples=hands,
                    shanten=shanten(hands),
                    given="tenpai" if ready else "",
                )
            )
        a, b, c = found
        out.append((a, b, c))
    return out


def _likeliest(answers: HandAnswers, n: int) -> Sequence[tuple[Bytes | None, int | None]]:
    """The most probable hand of each row, and its shanten."""
    hands = answers.likeliest()
    if hands is None:
        return [(None, None)] * n
    return list(zip(hands, shanten(hands).tolist(), strict=True))


def _draw(answers: HandAnswers, n: int, samples: int, seed: int) -> list[Bytes]:
    """Hands of the three opponents of the n-th position, by a stream of its own."""
    if samples == 0:
        return [np.zeros((0, 34), np.uint8)] * 3
    return answers.draw(slice(3 * n, 3 * n + 3), samples, seed)
