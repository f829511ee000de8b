"""One opponent's posterior, and what the rules say of its ron."""

from __future__ import annotations

from dataclasses import dataclass

from haiyomi.kernels.posterior import Given, Posterior, Shown


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One opponent: the posterior, and its ``row`` among those that were ``shown``."""

    posterior: Posterior
    shown: Shown
    row: int

    @property
    def given(self) -> Given:
        """What the rules say of its ron."""
        return self.shown.given(self.row)
