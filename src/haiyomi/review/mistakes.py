"""Which discards were mistakes, and what the better tile would have saved.

By balance (``review.balance``) wherever that is known; else by the risk of dealing in alone,
against the discards that leave the hand no further from tenpai.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from haiyomi.review.assessment import Assessment, Choice, Decision
from haiyomi.review.balance import MARGIN as BALANCE_MARGIN
from haiyomi.review.balance import balances
from haiyomi.tiles import Tile

MARGIN = 150
"""Points from which a cost by risk alone counts as a mistake."""


@dataclass(frozen=True, slots=True)
class Better:
    """A tile that was better by ``saved`` points, of balance or of expected loss."""

    tile: Tile
    saved: float
    by: Literal["balance", "risk"]

    @property
    def mistake(self) -> bool:
        """Whether it was better by enough to call the discard a mistake."""
        return self.saved >= (BALANCE_MARGIN if self.by == "balance" else MARGIN)


def better_tile(decision: Decision) -> Better | None:
    """The best tile in place of the one discarded; None if that was it, or nobody chose.

    The balances are those that the decision was shown with, or are asked for now.
    """
    if decision.shown is None:
        rows = [(str(b.tile), b.value) for b in balances(decision.assessment)]
    else:
        rows = [(row[0], row[5]) for row in decision.shown.get("win", {}).get("d", ())]
    return by_balance(decision, rows) if rows else by_risk(decision)


def by_balance(decision: Decision, rows: Sequence[tuple[str, float]]) -> Better | None:
    """The allowed tile of the best balance, of ``rows`` (tile, balance), best first."""
    if _nobody_chose(decision):
        return None
    allowed = {str(choice.tile) for choice in decision.assessment.choices if choice.allowed}
    best = next((row for row in rows if row[0] in allowed), None)
    mine = next((row for row in rows if row[0] == str(decision.tile)), None)
    if best is None or mine is None or best[1] <= mine[1]:
        return None
    return Better(Tile.parse(best[0]), best[1] - mine[1], "balance")


def by_risk(decision: Decision) -> Better | None:
    """The safest tile that leaves the hand no further from tenpai."""
    if _nobody_chose(decision):
        return None
    safer, saved = safer_choice(decision.assessment, decision.chosen)
    return Better(safer.tile, saved, "risk") if saved > 0 else None


def _nobody_chose(decision: Decision) -> bool:
    return decision.forced or decision.action != "discard"


def safer_choice(assessment: Assessment, chosen: Choice) -> tuple[Choice, float]:
    """The choice of least expected loss among those with no more shanten than ``chosen``, and
    how many points it saves: 0 if ``chosen`` is the safest of them.
    """
    best = chosen
    for choice in assessment.choices:
        near = chosen.shanten is None or choice.shanten is None or choice.shanten <= chosen.shanten
        if choice.allowed and near and choice.expected_loss < best.expected_loss:
            best = choice
    return best, chosen.expected_loss - best.expected_loss
