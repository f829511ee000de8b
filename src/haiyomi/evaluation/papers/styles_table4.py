"""Table 4 of Maekawa and Takeuchi: how often a class's network names the tile discarded.

A network for each class, one of all classes with as many rows and steps (*pooled*), and one of
the rows of all classes with as many steps (*pooled, all rows*). They are compared as they are
after the last epoch, on games that neither classes nor networks learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from haiyomi.arrays import Bools, Singles
from haiyomi.evaluation.metrics import Estimate, mean_estimate
from haiyomi.evaluation.papers.table4_rows import Table4Rows
from haiyomi.json_types import Json
from haiyomi.seeds import generator
from haiyomi.storage.resume import Bar
from haiyomi.styles.discard_network import Discards, inputs, ranks
from haiyomi.training.fit_discard_network import (
    SEED,
    Checkpoint,
    Course,
    Loss,
    SgdSettings,
    fit_network,
)

POOLED: Final = "pooled"
ALL_ROWS: Final = "pooled, all rows"
STAGES: Final = 6
"""All networks reach a stage before one goes on: a run that is killed leaves them alike."""
Courses: TypeAlias = dict[str, Course]


def fit_all(
    parts: Table4Rows,
    names: Sequence[str],
    settings: SgdSettings,
    loss: Loss,
    cache: Path,
    mark: str,
    bar: Bar,
) -> Courses:
    """The networks by name, each kept in ``cache`` under ``mark`` (what it was learnt from).

    ``pooled, all rows`` has fewer epochs, so that it takes as many steps as each of the others.
    """
    learn = dict(zip(names, parts.learn, strict=True))
    learn[POOLED] = parts.mixed(len(parts.learn[0]))
    learn[ALL_ROWS] = Discards.join(list(parts.learn))
    choose = dict(zip(names, parts.choose, strict=True))
    choose[POOLED] = choose[ALL_ROWS] = Discards.join(list(parts.choose))
    out: Courses = {}
    for stage in range(1, STAGES + 1):
        for name, rows in learn.items():
            share = len(names) if name == ALL_ROWS else 1
            until = settings.epochs * stage // STAGES // share
            path = cache / f"network-{name.replace(', ', '-').replace(' ', '-')}-{loss}.npz"
            with bar(f"{name}, {loss}, {until} epochs") as step:
                out[name] = fit_network(
                    rows, loss, replace(settings, epochs=settings.epochs // share), choose[name],
                    step, checkpoint=Checkpoint(path, mark, until),
                )  # fmt: skip
    return out


def table4(parts: Table4Rows, names: Sequence[str], networks: Courses) -> Json:
    """Agreement by class, of the own network and of those of all classes."""
    scores: dict[str, list[Singles]] = {"own": [], POOLED: [], ALL_ROWS: []}
    for name, test in zip(names, parts.test, strict=True):
        x = inputs(test)
        for of, found in scores.items():
            found.append(networks[name if of == "own" else of].net.scores(x))
    rows = [
        _row(name, test, {of: found[number] for of, found in scores.items()})
        for number, (name, test) in enumerate(zip(names, parts.test, strict=True))
    ]
    every = Discards.join(list(parts.test))
    joined = {of: np.concatenate(found) for of, found in scores.items()}
    fits = {
        name: {
            "rows": sum(map(len, parts.learn)) if name == ALL_ROWS else len(parts.learn[0]),
            "epochs": len(course.agreement),
            "best_epoch": int(np.argmax(course.agreement)) + 1,
            "course": {
                str(epoch): [course.agreement[epoch - 1], course.losses[epoch - 1]]
                for epoch in shown_epochs(len(course.agreement))
            },
        }
        for name, course in networks.items()
    }
    best = {
        of: np.concatenate([
            networks[name if of == "own" else of].best.scores(inputs(test))
            for name, test in zip(names, parts.test, strict=True)
        ])
        for of in scores
    }  # fmt: skip
    return {
        "rows": [*rows, _row("all classes", every, joined)],
        "other_rows": _other_rows(joined["own"], every),
        "best_epoch": _row("all classes", every, best),
        "fits": fits,
        "seed": SEED,
    }


def shown_epochs(last: int) -> list[int]:
    """Epochs of which the table tells: powers of two, then every five hundredth, and the last."""
    powers = [2**i for i in range(last.bit_length()) if 2**i <= min(last, 256)]
    return sorted({*powers, *range(500, last + 1, 500), last})


def _row(name: str, test: Discards, scores: dict[str, Singles]) -> Json:
    """Agreement of each network on some rows, and the gain of the own over the others."""
    rank = {of: ranks(found, test) for of, found in scores.items()}
    row: Json = {"class": name, "n": len(test), "games": len(np.unique(test.game))}
    for key, least in (("exact", 1), ("top3", 3)):
        row[key] = {of: share(r < least, test) for of, r in rank.items()}
        own = (rank["own"] < least).astype(np.float64)
        row[f"gain_{key}"] = {
            of: described(mean_estimate(own - (r < least), test.game, generator(SEED, 3)))
            for of, r in rank.items()
            if of != "own"
        }
    return row


def _other_rows(own: Singles, test: Discards) -> Json:
    """The own networks on other sets of rows that are not empty, and by other rules."""
    rank = ranks(own, test)
    apart = ranks(own, test, merged=False)
    literal = ranks(own, test, merged=False, held_only=False)
    free, folding = ~test.riichi, test.folding
    attacking = free & ~folding
    drawn = _drawn(test)
    every = np.ones(len(test), dtype=bool)
    sets = {
        "unforced_exact": (rank == 0, free),
        "unforced_top3": (rank < 3, free),
        "reds_apart_exact": (apart == 0, every),
        "reds_apart_top3": (apart < 3, every),
        "any_tile_exact": (literal == 0, every),
        "any_tile_top3": (literal < 3, every),
        "attacking_exact": (rank == 0, attacking),
        "folding_exact": (rank == 0, folding),
        "drawn": (drawn, every),
        "drawn_unforced": (drawn, free),
    }
    return {name: share(hit, test, rows) for name, (hit, rows) in sets.items() if rows.any()}


def _drawn(test: Discards) -> Bools:
    """What drawing and discarding would have thrown too, red fives and plain ones alike."""
    plain = np.array([*range(34), 4, 13, 22, 99])
    hit: Bools = plain[test.drawn] == plain[test.target]
    return hit


def share(hit: Bools, test: Discards, where: Bools | None = None) -> Json:
    """A share of some rows with its 95% interval, by bootstrap over games."""
    chosen = np.ones(len(test), dtype=bool) if where is None else where
    found = mean_estimate(hit[chosen], test.game[chosen], generator(SEED, 2))
    return described(found) | {"n": int(chosen.sum())}


def described(e: Estimate) -> Json:
    """An estimate as results JSON."""
    return {"value": e.value, "interval": [e.low, e.high]}
