"""The outcome of an option after which one of several things happens, each with its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from haiyomi.outcomes.answer import Endings, Outcome, Placement


def mixture(of: Outcome, shares: Sequence[float], outcomes: Sequence[Outcome]) -> Outcome:
    """``of`` with the endings and the placement that follow where ``outcomes`` come so often; the
    ``shares`` sum to one. They all have as many members, and a placement or none. Standard
    errors are added as often as they count; one that is unknown is 0, unless all are. No yaku is
    near where it is so with at least half of the shares."""
    p = [0.0] * len(outcomes[0].endings.probabilities)
    total, unsure = p.copy(), p.copy()
    for share, outcome in zip(shares, outcomes, strict=True):
        given = outcome.endings
        columns = zip(given.probabilities, given.means, given.errors, strict=True)
        for ending, (often, points, error) in enumerate(columns):
            p[ending] += share * often
            total[ending] += share * often * points
            unsure[ending] += share * often * (error or 0.0)
    whole = sum(p)
    means = [points / often if often > 0 else 0.0 for points, often in zip(total, p, strict=True)]
    errors = [error / often if error else None for error, often in zip(unsure, p, strict=True)]
    placements = [o.placement for o in outcomes if o.placement is not None]
    return replace(
        of,
        endings=Endings.of_columns([often / whole for often in p], means, errors),
        error=_error(shares, [outcome.error for outcome in outcomes]),
        placement=_placement(shares, placements) if placements else None,
        members=_mean(shares, [outcome.members for outcome in outcomes]),
        no_yaku=sum(s for s, outcome in zip(shares, outcomes, strict=True) if outcome.no_yaku)
        >= 0.5,
    )


def _placement(shares: Sequence[float], placements: Sequence[Placement]) -> Placement:
    a, b, c, d = _mean(shares, [each.places for each in placements])
    whole = a + b + c + d
    numbers = _mean(shares, [(each.final, each.value) for each in placements])
    return replace(
        placements[0],
        places=(a / whole, b / whole, c / whole, d / whole),
        final=numbers[0],
        value=numbers[1],
        error=_error(shares, [each.error for each in placements]),
        members=_mean(shares, [each.members for each in placements]),
    )


def _mean(shares: Sequence[float], rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(
        sum(share * x for share, x in zip(shares, column, strict=True))
        for column in zip(*rows, strict=True)
    )


def _error(shares: Sequence[float], errors: Sequence[float | None]) -> float | None:
    known = [share * x for share, x in zip(shares, errors, strict=True) if x is not None]
    return sum(known) if known else None
