"""An Analysis as the page draws it; the format stands in ``data``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from haiyomi.analysis.value import Analysis, DiscardRisk
from haiyomi.dealin.answer import TileRisk
from haiyomi.json_types import Json
from haiyomi.review.html.table_data import table_data
from haiyomi.tiles import format_counts, kind_name

if TYPE_CHECKING:
    from haiyomi.analysis.styles import StyleShares
    from haiyomi.outcomes.answer import Outcome

POINT_STEPS: Final = (2000, 3900, 7700, 12000, 16000, 32000)
"""The points distribution is shown in these classes: below 2,000, 2,000-3,899, ..."""
WORTH_SHOWING: Final = 5e-4
"""A distribution of points is left out below this probability."""
WAITS_FROM: Final = 0.03
"""The risk of a tile from which the page names its waits."""
MOST_WAITS: Final = 4
LEAST_WAIT: Final = 0.02
"""Waits named of a tile and opponent, and the share from which one is."""
MOST_OPTIONS: Final = 3
LEAST_SHARE: Final = 0.05
"""Options shown of a style, and the share from which one is."""


def analysis_data(analysis: Analysis, choices: Sequence[DiscardRisk]) -> Json:
    """The analysis of a moment in the own turn; ``choices`` are the tiles to show."""
    position, risks = analysis.position, analysis.risks
    out: Json = {
        "b": table_data(position),
        "p": [shown(p) for p in risks.tenpai],
        "c": _choices(choices),
    }
    if choices:
        out |= {"s": str(risks.safest.tile), "w": str(risks.forward.tile)}
    # Once in riichi there is nothing to choose, and the page shows less.
    free = len(position.discards) > 1
    more = {
        "op": options_data(analysis.outcomes or ()),
        "hands": _hidden_hands(analysis) if free else None,
        "styles": styles_data(analysis.styles or ()),
        "waits": _waits(analysis),
    }
    return out | {name: value for name, value in more.items() if value}


def options_data(outcomes: Sequence[Outcome]) -> list[Any]:
    """The options of a decision, best first."""
    return [
        [
            str(each.option),
            round(each.points),
            None if each.placement is None else round(each.placement.value, 2),
            *map(shown, (each.win, each.deal_in, each.others_tsumo, each.others_ron, each.draw)),
            0 if each.placement is None else [shown(p) for p in each.placement.places],
            None if each.share is None else shown(each.share),
        ]
        for each in outcomes
    ]


def _hidden_hands(analysis: Analysis) -> list[Any]:
    """For each opponent the expected counts and the best hand, or the paper's roulette hand and the
    CRF's name."""
    out: list[Any] = []
    for reading in analysis.hidden_hands or ():
        hand = reading.samples[0] if reading.published else reading.best
        counts = np.rint(100 * reading.expected).astype(int).tolist()
        out.append(
            [counts, format_counts(hand.tolist()), *([reading.model] if reading.published else ())]
        )
    return out


def styles_data(styles: Sequence[StyleShares]) -> list[Any]:
    """The likeliest options of each style."""
    return [
        [
            each.style,
            [
                [str(option), shown(share)]
                for option, share in each.shares[:MOST_OPTIONS]
                if share >= LEAST_SHARE
            ],
        ]
        for each in styles
    ]


def _waits(analysis: Analysis) -> dict[str, Any]:
    out = {}
    risky = {c.tile for c in analysis.risks.choices if c.risk >= WAITS_FROM}
    for found in analysis.waits or ():
        rows = [
            [
                [w.shape, [kind_name(k) for k in w.wins], round(1000 * w.share)]
                for w in waits[:MOST_WAITS]
                if w.share >= LEAST_WAIT
            ]
            for waits in found.by_opponent
        ]
        if found.tile in risky and any(rows):
            out[str(found.tile)] = rows
    return out


def _choices(choices: Sequence[DiscardRisk]) -> list[Json]:
    every = [risk for choice in choices for risk in choice.by_opponent]
    classes = iter(_classes([risk for risk in every if risk.probability >= WORTH_SHOWING]))
    out = []
    for choice in choices:
        # [p, mean points, reason or 0, thousandths of p in each class of points]
        risks: list[list[Any]] = []
        for _, _, p, rows, reason in choice.by_opponent:
            if p == 0:
                risks.append([0.0, 0, reason or 0])
            elif p < WORTH_SHOWING:
                risks.append([shown(p), round(rows.expected_loss / p), reason or 0])
            else:
                risks.append([shown(p), round(rows.expected_loss / p), reason or 0, next(classes)])
        row: Json = {
            "t": str(choice.tile),
            "p": shown(choice.risk),
            "l": round(choice.expected_loss),
            "r": risks,
        }
        if choice.shanten is not None:
            row["n"] = choice.shanten
        if not choice.allowed:
            row["no"] = 1
        out.append(row)
    return out


def _classes(risks: Sequence[TileRisk]) -> list[list[int]]:
    """Thousandths of each risk in each class of points."""
    if not risks:
        return []
    classes = len(POINT_STEPS) + 1
    cells = np.concatenate([risk.rows.cells for risk in risks])
    of = np.repeat(np.arange(len(risks)), [len(risk.rows) for risk in risks])
    which = classes * of + np.searchsorted(POINT_STEPS, cells[:, 2], side="right")
    sums = np.bincount(which, cells[:, 3], classes * len(risks)).reshape(-1, classes)
    total = np.array([risk.probability for risk in risks])
    thousandths: list[list[int]] = np.rint(1000 * (sums / total[:, None])).astype(int).tolist()
    return thousandths


def shown(p: float) -> float:
    """A probability to the tenth of a percent that every output prints, rounded once; one that is
    neither nil nor a twentieth of a percent is .0004."""
    if p < 0.0005:
        return 0.0004 if p > 0.0 else 0.0
    tenths = 1000 * p
    below = int(tenths)
    over = tenths - below
    # Away from the middle between two of them there is one way to round, and it is quick.
    if abs(over - 0.5) > 1e-6:
        return (below + (over > 0.5)) / 1000
    return round(round(100 * p, 1) / 100, 3)
