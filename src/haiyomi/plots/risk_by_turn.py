"""The deal-in risk of one player's discards in one hand, by turn."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.analysis.value import Analysis
from haiyomi.plots.line_chart import line_chart
from haiyomi.plots.picture import Picture
from haiyomi.tiles import Tile


def risk_by_turn(title: str, discards: Sequence[tuple[Tile, Analysis]]) -> Picture:
    """``discards``: each tile that was discarded and the analysis before it, with the part
    ``deal_in``. Three lines: the tile discarded, the safest allowed tile (of least expected loss),
    and the riskiest allowed one."""
    risks = [analysis.risks for _, analysis in discards]
    riskiest = [
        max((c.risk for c in risk.choices if c.allowed), default=risk.safest.risk) for risk in risks
    ]
    return line_chart(
        title,
        "turn",
        "deal-in risk",
        range(1, len(discards) + 1),
        {
            "riskiest tile": riskiest,
            "discarded tile": [
                risk[tile].risk for (tile, _), risk in zip(discards, risks, strict=True)
            ],
            "safest tile": [risk.safest.risk for risk in risks],
        },
        shares=True,
    )
