"""The interface of a model of hidden hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from haiyomi.arrays import Bytes, Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haiyomi.game.position import Position
    from haiyomi.networks.opponents import OpponentOutputs


class HandAnswers(Protocol):
    """A model's answers for n opponents, ``marginals`` (n, 34, 5): P(holds k of kind h)."""

    @property
    def marginals(self) -> Floats: ...

    def likeliest(self) -> Bytes | None:
        """(n, 34) the most probable hands; None where the model's are no whole hands."""
        ...

    def draw(self, rows: slice, samples: int, seed: int) -> list[Bytes]:
        """``samples`` hands (m, 34) of each of some rows, at most so many."""
        ...


class OpponentsKnown(Protocol):
    """What a network has said of the three opponents of a position, for another model."""

    @property
    def seen(self) -> OpponentOutputs | None: ...


@runtime_checkable
class HandModel(Protocol):
    """A model of hidden hands. ``samples_tenpai``: hands of an opponent in riichi are drawn given
    tenpai."""

    @property
    def name(self) -> str: ...

    @property
    def samples_tenpai(self) -> bool: ...

    def answers(
        self, positions: Sequence[Position], asked: Sequence[OpponentsKnown] = ()
    ) -> HandAnswers:
        """The answers for the three opponents of n positions, next to act first: 3n rows, the same
        for a position whatever is asked beside it. ``asked``: of each position, if at hand, what
        the model may take from others."""
        ...
