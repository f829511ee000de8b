"""What playing on says of a decision: handed in from outside, because a review asks no model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from haiyomi.outcomes.option import Option

Finding: TypeAlias = Literal["confirmed", "open", "contradicted"]
CLEAR: Final = 2.0
"""Standard errors from which a difference is one."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The ``better`` option against the one that was taken, both played to the end of the hand in
    the same ``worlds``; the seat goes on by each of the ``policies`` in as many of them.

    ``points`` by which it was better, with the standard error ``points_error``; ``value`` and
    ``value_error`` the same of the placement under the ``payoff`` of that name, None where no
    placement is known. ``rate``: what a point is worth under it at the start of a game.
    """

    better: Option
    policies: tuple[str, ...]
    worlds: int
    points: float
    points_error: float
    value: float | None = None
    value_error: float | None = None
    payoff: str | None = None
    rate: float | None = None

    @property
    def at_start(self) -> tuple[float, float] | None:
        """The value in points at the start of a game, and its standard error; None where one of
        both is not known."""
        if self.value is None or self.value_error is None or self.rate is None:
            return None
        return self.value / self.rate, self.value_error / self.rate

    @property
    def finding(self) -> Finding:
        """Whether it was better, by the value where there is one, else by points: ``open`` within
        two standard errors."""
        gap, error = self.points, self.points_error
        if self.value is not None and self.value_error is not None:
            gap, error = self.value, self.value_error
        if abs(gap) < CLEAR * error or gap == 0:
            return "open"
        return "confirmed" if gap > 0 else "contradicted"
