"""Which discards were mistakes, and what the better tile would have saved.

By balance wherever there is one; else by the risk of dealing in alone, against the discards that
leave the hand no further from tenpai.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from haiyomi.analysis.value import Analysis, DiscardRisk
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.tiles import Tile

BALANCE_MARGIN: Final = 300
"""Points by which the best balance must exceed that of a mistake."""
RISK_MARGIN: Final = 150
"""Points from which a cost by risk alone counts as a mistake."""
CLEAR: Final = {"risk": 0.01, "loss": RISK_MARGIN, "win": 0.03, "balance": BALANCE_MARGIN}
"""The least difference of two discards, in each quantity, that the page marks as better: smaller
ones are within the models' errors. Points are those from which a discard counts as a mistake."""


@dataclass(frozen=True, slots=True)
class Better:
    """A tile that was better by ``saved`` points, of balance or of expected loss."""

    tile: Tile
    saved: float
    by: Literal["balance", "risk"]

    @property
    def mistake(self) -> bool:
        """Whether it was better by enough to call the discard a mistake."""
        return self.saved >= (BALANCE_MARGIN if self.by == "balance" else RISK_MARGIN)


def better_tile(decision: ReviewedDecision) -> Better | None:
    """The best tile in place of the one discarded; None if that was it, or nobody chose.

    Raises LookupError where the decision was analysed without balances.
    """
    if decision.forced or decision.action != "discard":
        return None
    return _by_balance(decision) if judged_by_balance(decision) else _by_risk(decision)


def judged_by_balance(decision: ReviewedDecision) -> bool:
    """Whether the decision was a free discard that has a balance."""
    free = not decision.forced and decision.action == "discard"
    return free and decision.analysis.balance_of(decision.tile) is not None


def _by_balance(decision: ReviewedDecision) -> Better | None:
    """The allowed tile of the best balance."""
    mine = decision.analysis.balance_of(decision.tile)
    best = next((b for b in decision.analysis.balance or () if b.allowed), None)
    if best is None or mine is None or best.value <= mine.value:
        return None
    return Better(best.tile, best.value - mine.value, "balance")


def _by_risk(decision: ReviewedDecision) -> Better | None:
    """The safest tile that leaves the hand no further from tenpai."""
    safer, saved = safer_choice(decision.analysis, decision.chosen)
    return Better(safer.tile, saved, "risk") if saved > 0 else None


def safer_choice(analysis: Analysis, chosen: DiscardRisk) -> tuple[DiscardRisk, float]:
    """The choice of least expected loss among those with no more shanten than ``chosen``, and
    how many points it saves: 0 if ``chosen`` is the safest of them.
    """
    best = chosen
    for choice in analysis.risks.choices:
        near = chosen.shanten is None or choice.shanten is None or choice.shanten <= chosen.shanten
        if choice.allowed and near and choice.expected_loss < best.expected_loss:
            best = choice
    return best, chosen.expected_loss - best.expected_loss
