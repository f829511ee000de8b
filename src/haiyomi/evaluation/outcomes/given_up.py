"""What choices of records gave up by the forecast, and what came of them.

What is given up is cross-fitted (``outcomes.given_up``): the members of the ensemble that pick
the best option do not value it. Realised is the best option's forecast less the change of score
that followed the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.evaluation.metrics import ratio_estimate
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.given_up import given_up_by
from haiyomi.seeds import generator

BANDS: Final = (-np.inf, 100.0, 300.0, 600.0)
"""Points given up: the least of each band."""
SHARE: Final = 0.1
"""The least share of players who choose an option that counts as usual."""
KINDS: Final = ("same", "call", "riichi", "retreat", "fold", "push", "tile", "other")
"""How a choice differs from the best option: a call made or not; riichi or not; a discard that
leaves more shanten, with no riichi or against one; a riskier discard; any other tile."""
RISKIER: Final = 0.02
"""A push deals in at once by so much more often."""
LEAST: Final = 50
SEED: Final = 23
_CALLS: Final = ("chi", "pon", "daiminkan")


class Row(NamedTuple):
    """Of one decision: the cross-fitted points of the ``best`` option and of what was ``lost``,
    over all options; ``usual_best`` and ``usual_lost`` over those that a tenth of players choose
    and the one chosen; ``kind`` of KINDS."""

    best: float
    lost: float
    usual_best: float
    usual_lost: float
    kind: int


def row_of(
    outcomes: Sequence[Outcome], chosen: Outcome, shanten: Sequence[int], threat: bool
) -> Row:
    """``shanten`` (34,) after each discard of the own turn; ``threat``: another is in riichi."""
    every = given_up_by(outcomes, chosen)
    usual = [o for o in outcomes if o is chosen or o.share is None or o.share >= SHARE]
    among = given_up_by(usual, chosen)
    best = max(outcomes, key=lambda o: o.points)
    kind = KINDS.index(_kind(best, chosen, shanten, threat))
    return Row(every.best, every.lost, among.best, among.lost, kind)


def _kind(best: Outcome, chosen: Outcome, shanten: Sequence[int], threat: bool) -> str:
    acts = {best.option.act, chosen.option.act}
    if best.option == chosen.option:
        return "same"
    if acts & set(_CALLS):
        return "call"
    if acts == {"riichi", "discard"}:
        return "riichi"
    if acts != {"discard"}:
        return "other"
    left, least = (shanten[o.option.tiles[0].kind] for o in (chosen, best))
    if left > least:
        return "fold" if threat else "retreat"
    return "push" if chosen.deal_in_now > best.deal_in_now + RISKIER else "tile"


@dataclass(frozen=True, slots=True, eq=False)
class GivenUp:
    """The columns of n Rows, and the ``level`` (n,) of each one's table or the player's name."""

    best: Floats
    lost: Floats
    usual_best: Floats
    usual_lost: Floats
    kind: Ints
    level: NDArray[np.str_]

    @classmethod
    def of(cls, rows: Sequence[Row], levels: Sequence[str]) -> GivenUp:
        """Of some rows."""
        a, b, c, d, kind = np.array(rows, np.float64).reshape(-1, len(Row._fields)).T
        return cls(a, b, c, d, kind.astype(np.int64), np.array(levels, np.str_))


def given_up_results(
    given: GivenUp, change: Floats, game: NDArray[Any], strata: Ints
) -> dict[str, Any]:
    """The results JSON: by bands over all and over usual options, by kind of difference, and by
    level of the table. ``change`` (n,) of the own score that followed; ``strata`` (n,) the sort of
    position, by which levels are matched."""
    every = np.ones(len(change), np.bool_)
    kinds = {name: given.kind == number for number, name in enumerate(KINDS) if name != "same"}
    return {
        "bands": _bands(given.best, given.lost, change, game, every),
        "usual": _bands(given.usual_best, given.usual_lost, change, game, every),
        "kinds": {
            name: _bands(given.best, given.lost, change, game, mask)
            for name, mask in kinds.items()
        },
        "levels": _levels(given, game, strata),
    }  # fmt: skip


def _bands(
    best: Floats, lost: Floats, change: Floats, game: NDArray[Any], mask: Bools
) -> list[dict[str, Any]]:
    """Forecast and realised points given up in each band with at least LEAST decisions."""
    out = []
    for low, high in zip(BANDS, (*BANDS[1:], np.inf), strict=True):
        here = mask & (lost >= low) & (lost < high)
        n = int(here.sum())
        if n < LEAST:
            continue
        realised = _mean((best - change)[here], np.ones(n), game[here])
        least = None if np.isinf(low) else low
        out.append({"from": least, "n": n, "given_up": float(lost[here].mean()), **realised})
    return out


def _levels(given: GivenUp, game: NDArray[Any], strata: Ints) -> dict[str, Any]:
    """The mean given up per decision at tables of each level, over the sorts of position that all
    levels have, weighted to the same shares of them."""
    names, counts = np.unique(given.level[given.level != ""], return_counts=True)
    levels = {level: given.level == level for level in names[counts >= LEAST].tolist()}
    found = [np.bincount(strata[here], minlength=strata.max() + 1) for here in levels.values()]
    common = np.all(found, axis=0)[strata]
    pooled = np.bincount(strata[common]) / max(common.sum(), 1)
    out = {}
    for level, at_level in levels.items():
        here = at_level & common
        n = int(here.sum())
        if not n:
            continue
        mine = np.bincount(strata[here], minlength=len(pooled)) / n
        weight = (pooled / np.maximum(mine, 1e-12))[strata[here]]
        lost = np.maximum(given.lost[here], 0)
        out[level] = {"n": n, **_mean(lost * weight, weight, game[here])}
    return out


def _mean(above: Floats, below: Floats, game: NDArray[Any]) -> dict[str, float | None]:
    found = ratio_estimate(above, below, game, generator(SEED))
    return found.to_json()
