"""Table 4 of Maekawa and Takeuchi: how often a class's network names the tile discarded.

One network a class and a pooled one of all classes' rows, for each loss, evaluated on the games
kept for tests (a tenth of each player's). Networks learn from the games of the train split; those
of the valid split among the learning games choose the epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from haiyomi.evaluation.metrics import Estimate, ratio_estimate
from haiyomi.seeds import generator
from haiyomi.styles.imitation import Discards, inputs, ranks
from haiyomi.training.fit_imitation import SEED, Course, Loss, SgdSettings, fit_network

LOSSES: tuple[Loss, ...] = get_args(Loss)
POOLED = "pooled"
Json = dict[str, Any]
Courses: TypeAlias = dict[tuple[str, Loss], Course]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Rows by use: ``learn`` and ``choose`` of the learning games, ``test`` of the others;
    ``label`` by player's code is the class's number."""

    learn: Discards
    choose: Discards
    test: Discards
    label: dict[int, int]

    def of_class(self, rows: Discards, number: int) -> Discards:
        """The rows of one class's players."""
        mine = [p for p, c in self.label.items() if c == number]
        return rows.where(np.isin(rows.player, mine))


def fit_all(
    parts: Parts,
    names: Sequence[str],
    settings: SgdSettings,
    cache: Path,
    mark: str,
    bar: Callable[[str], Any],
) -> Courses:
    """A network for each class and the pooled one, by loss; each is kept in ``cache`` under
    ``mark`` (what it was learnt from), so a run that was killed goes on, and so does one that
    asks for more epochs."""
    out: Courses = {}
    for loss in LOSSES:
        for name in (*names, POOLED):
            learn, choose = parts.learn, parts.choose
            if name != POOLED:
                number = list(names).index(name)
                learn, choose = (parts.of_class(p, number) for p in (learn, choose))
            path = cache / f"network-{name}-{loss}.npz"
            with bar(f"{name}, {loss}") as step:
                out[name, loss] = fit_network(
                    learn, loss, settings, choose, step, file=path, mark=mark
                )
    return out


def table4(
    parts: Parts,
    names: Sequence[str],
    networks: Courses,
) -> Json:
    """Agreement by class and loss, own network and pooled, with what stands beside them."""
    rows: list[Json] = []
    for number, name in enumerate((*names, "all classes")):
        test = parts.of_class(parts.test, number) if number < len(names) else parts.test
        if not len(test):
            continue
        cell: Json = {
            "class": name,
            "n": len(test),
            "games": len(np.unique(test.game)),
            "forced": int(test.riichi.sum()),
            "drawn": _share(_drawn(test), test),
            "drawn_unforced": _share(_drawn(test), test, ~test.riichi),
            "folding": int(test.folding.sum()),
            "losses": {},
        }
        x = inputs(test)
        for loss in LOSSES:
            pooled = networks[POOLED, loss].best.scores(x)
            if number < len(names):
                own = networks[name, loss].best.scores(x)
            else:
                own = np.zeros_like(pooled)
                for other, inner in enumerate(names):
                    mine = [p for p, c in parts.label.items() if c == other]
                    at = np.isin(test.player, mine)
                    own[at] = networks[inner, loss].best.scores(x[at])
            cell["losses"][loss] = _compare(own, pooled, test)
        rows.append(cell)
    fits = {
        f"{name} {loss}": {
            "rows": len(_rows_of(parts, names, name)),
            "best_epoch": int(np.argmax(course.agreement)) + 1,
            "chosen_at": max(course.agreement),
            "course": {
                str(epoch): [course.agreement[epoch - 1], course.losses[epoch - 1]]
                for epoch in _shown_epochs(len(course.agreement))
            },
        }
        for (name, loss), course in networks.items()
    }
    return {"rows": rows, "fits": fits, "seed": SEED}


def _shown_epochs(last: int) -> list[int]:
    """Epochs of which the table tells: the powers of two, and the last."""
    return sorted({2**i for i in range(last.bit_length())} | {last})


def _rows_of(parts: Parts, names: Sequence[str], name: str) -> Discards:
    return parts.learn if name == POOLED else parts.of_class(parts.learn, list(names).index(name))


def _drawn(test: Discards) -> NDArray[np.bool_]:
    """What drawing and discarding would have thrown too, red fives and plain ones alike."""
    plain = np.array([*range(34), 4, 13, 22, 99])
    hit: NDArray[np.bool_] = plain[test.drawn] == plain[test.target]
    return hit


def _share(hit: NDArray[np.bool_], test: Discards, where: NDArray[np.bool_] | None = None) -> Json:
    """A share of some rows with its 95% interval, by bootstrap over games."""
    chosen = np.ones(len(test), dtype=bool) if where is None else where
    found = ratio_estimate(
        hit[chosen].astype(np.float64),
        np.ones(int(chosen.sum())),
        test.game[chosen],
        generator(SEED, 2),
    )
    return _described(found)


def _described(e: Estimate) -> Json:
    return {"value": e.value, "interval": [e.low, e.high]}


def _compare(own: Any, pooled: Any, test: Discards) -> Json:
    rank, other = ranks(own, test), ranks(pooled, test)
    apart = ranks(own, test, merged=False)
    literal, literal_pooled = (ranks(s, test, merged=False, held_only=False) for s in (own, pooled))
    free, folding = ~test.riichi, test.folding
    attacking = free & ~folding
    gain = generator(SEED, 3)
    better = ratio_estimate(
        (rank == 0).astype(np.float64) - (other == 0), np.ones(len(test)), test.game, gain
    )
    better3 = ratio_estimate(
        (rank < 3).astype(np.float64) - (other < 3), np.ones(len(test)), test.game, gain
    )
    return {
        "exact": _share(rank == 0, test),
        "top3": _share(rank < 3, test),
        "pooled_exact": _share(other == 0, test),
        "pooled_top3": _share(other < 3, test),
        "gain_exact": _described(better),
        "gain_top3": _described(better3),
        "unforced_exact": _share(rank == 0, test, free),
        "unforced_top3": _share(rank < 3, test, free),
        "attacking_exact": _share(rank == 0, test, attacking),
        "folding_exact": _share(rank == 0, test, folding),
        "reds_apart_exact": _share(apart == 0, test),
        "reds_apart_top3": _share(apart < 3, test),
        "any_tile_exact": _share(literal == 0, test),
        "any_tile_top3": _share(literal < 3, test),
        "any_tile_pooled_exact": _share(literal_pooled == 0, test),
    }
