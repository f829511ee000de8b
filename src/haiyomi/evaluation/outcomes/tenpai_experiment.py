"""P(win) after choices that left a hand tenpai: by the networks, by the shipped correction, and by
regressions that are fitted to the same decisions.

A decision counts where nobody won at once on the tile, and where no win was on offer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.errors import DatasetError
from haiyomi.evaluation.metrics import finite, mean_estimate, row_log_loss
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.outcomes.option_forecast import chosen_option
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.events import Discard, Game, Win
from haiyomi.outcomes.corrections.tenpai_wins import SORTS, TERMS, TenpaiOptions
from haiyomi.outcomes.forecast import possible_ending
from haiyomi.outcomes.joint import OWN_WINS
from haiyomi.outcomes.later_models import shipped
from haiyomi.outcomes.option import ENDS_HAND
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.rows import Rows
from haiyomi.seeds import generator

HANDS: Final = ("furiten", "open", "damaten, yaku on all", "damaten, no yaku by ron", "riichi")
TILES: Final = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 10), (11, 99))
"""Numbers of live tiles, the least and the greatest of each group."""
_BLOCK: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class TenpaiRows(Rows):
    """n decisions: whether the seat ``won``, P(win) by the ``networks`` and ``corrected``; ``sort``
    (n,) as ``TenpaiOptions`` has it, ``inputs`` (n, 17) of its regressions, TERMS; ``hand`` (n,) of
    HANDS, -1 for others."""

    won: Bools
    networks: Floats
    corrected: Floats
    sort: Ints
    inputs: Floats
    hand: Ints


def rows_of_game(_: str, game: Game) -> list[TenpaiRows]:
    """The rows of a game, in blocks of decisions."""
    known = [d for d in decisions(game) if chosen_option(d) is not None and not _won_at_once(d)]
    out = []
    for first in range(0, len(known), _BLOCK):
        tenpai = _tenpai(known[first : first + _BLOCK])
        if tenpai:
            out.append(_rows(tenpai))
    return out


def _won_at_once(decision: RecordedDecision) -> bool:
    """Whether another won on the tile that was discarded."""
    own = [e for e in decision.followed if isinstance(e, Discard) and e.seat == decision.seat]
    lost = any(isinstance(e, Win) and e.target == decision.seat != e.seat for e in decision.endings)
    return lost and decision.offer is None and len(own) == 1


def _tenpai(known: list[RecordedDecision]) -> list[RecordedDecision]:
    """Those without a win on offer whose choice left the hand tenpai."""
    block = OptionBlock.of(known)
    ends = np.bincount(block.row, block.does(*ENDS_HAND), len(known)) > 0
    some = set(TenpaiOptions.of(block).some.tolist())
    chosen = _chosen(block, known)
    return [
        d for d, at, end in zip(known, chosen, ends.tolist(), strict=True) if at in some and not end
    ]


def _chosen(block: OptionBlock, known: Sequence[RecordedDecision]) -> list[int]:
    """The number of the option that each decision chose."""
    return [
        begin + options.index(chosen)
        for begin, options, d in zip(block.begins.tolist(), block.options, known, strict=True)
        if (chosen := chosen_option(d)) is not None
    ]


def _rows(known: list[RecordedDecision]) -> TenpaiRows:
    block = OptionBlock.of(known)
    found = TenpaiOptions.of(block)
    ending = possible_ending(block, shipped().later(block))
    at = np.searchsorted(found.some, _chosen(block, known))
    reduced = found.fewer_rons(ending)[OWN_WINS].sum(axis=0)
    odds = np.clip(reduced / (1 - reduced), 1e-6, 1e6)
    silent = ~found.opened & ~found.declare
    hand = np.select(
        [found.furiten, found.opened, found.silent_yaku, found.no_yaku, ~silent],
        range(len(HANDS)),
        -1,
    )
    won = [any(isinstance(e, Win) and e.seat == d.seat for e in d.endings) for d in known]
    return TenpaiRows(
        np.array(won),
        ending[OWN_WINS, :, found.some].sum(axis=0).mean(axis=0)[at],
        found.wins(odds).mean(axis=0)[at],
        found.sort[at],
        found.inputs(odds).mean(axis=1).T[at],
        hand[at],
    )


def tenpai_results(found: Sequence[TenpaiRows], what: str) -> dict[str, Any]:
    """The results JSON: by hand and by live tiles how many won and were expected to, the change of
    the log loss, and the regression fitted to these decisions; 95% intervals by bootstrap of games.

    Raises DatasetError where all hands were won, or none.
    """
    from sklearn.linear_model import LogisticRegression

    rows = TenpaiRows.join(found)
    if rows.won.all() or not rows.won.any():
        raise DatasetError(
            f"all {len(rows)} hands left tenpai ended alike, won or not: give more records"
        )
    game = np.repeat(np.arange(len(found)), [len(part) for part in found])
    terms, again = [], rows.corrected.copy()
    for sort, (name, weights) in enumerate(SORTS.items()):
        which = rows.sort == sort
        inputs = rows.inputs[which, : len(weights)]
        fitted = np.full(len(weights), np.nan)
        if 0 < rows.won[which].sum() < which.sum():
            fit = LogisticRegression(C=np.inf, fit_intercept=False, max_iter=3000)
            fitted = fit.fit(inputs, rows.won[which]).coef_[0]
            again[which] = 1 / (1 + np.exp(-np.clip(inputs @ fitted, -30, 30)))
        terms += [
            {"hands": name, "term": term, "shipped": value, "fitted": found}
            for term, value, found in zip(TERMS, weights, fitted.tolist(), strict=False)
        ]
    before = row_log_loss(rows.networks, rows.won)

    def group(name: str, which: Bools) -> dict[str, Any]:
        def change(p: Floats) -> Any:
            less = row_log_loss(p, rows.won)[which] - before[which]
            return mean_estimate(less, game[which], generator(1)).to_json()

        return {
            "group": name,
            "n": int(which.sum()),
            "won": mean_estimate(rows.won[which], game[which], generator(1)).to_json(),
            "networks": float(rows.networks[which].mean()),
            "corrected": float(rows.corrected[which].mean()),
            "change": change(rows.corrected),
            "change_fitted": change(again),
        }  # fmt: skip

    live = rows.inputs[:, 2]
    groups = [("all", np.ones(len(rows), np.bool_))]
    groups += [(name, rows.hand == number) for number, name in enumerate(HANDS)]
    groups += [(_tiles(least, most), (live >= least) & (live <= most)) for least, most in TILES]
    return {
        **head_of("haiyomi-tenpai-wins", what, len(found)),
        "terms": finite(terms),
        "groups": [group(name, which) for name, which in groups if which.any()],
    }


def _tiles(least: int, most: int) -> str:
    if most > 34:
        return f"{least} live tiles and more"
    named = f"{least}" if least == most else f"{least}, {most}"
    return f"{named} live tile" + ("" if most == 1 else "s")


def reports(results: dict[str, Any]) -> list[Report]:
    """The tables of results JSON."""
    rows = [
        (
            g["group"], Figure(g["n"]), Figure.of(g["won"], ".1%"), Figure(g["networks"], ".1%"),
            Figure(g["corrected"], ".1%"), Figure.of(g["change"], "+.4f"),
            Figure.of(g["change_fitted"], "+.4f"),
        )
        for g in results["groups"]
    ]  # fmt: skip
    terms = [
        (t["hands"], t["term"], Figure(t["shipped"], ".4f"), Figure(t["fitted"], ".4f"))
        for t in results["terms"]
    ]
    return [
        Report(
            "P(win) after choices that left a hand tenpai",
            ("hand", "n", "won", "networks", "corrected", "change of log loss",
             "change, fitted to these"),
            tuple(rows),
            Scope.of(results),
        ),
        Report("The regressions", ("hands", "term", "shipped", "fitted to these"), tuple(terms)),
    ]  # fmt: skip
