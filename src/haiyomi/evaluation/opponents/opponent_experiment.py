"""How well a model reads opponents, by class, level and year, and where it is biased.

Skill is of threat decisions. A bias is what was observed over what was predicted, on rows that
share a property; a ratio of 1 means no bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.evaluation.metrics import Estimate, by_game, finite, ratio_estimate, score_json
from haiyomi.evaluation.opponents.compare import difference
from haiyomi.evaluation.opponents.opponent_rows import SEED, OpponentRows, TenpaiRows, TileRows
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.json_types import KnownJson
from haiyomi.reading.opponent_class import CLASSES, CLOSED
from haiyomi.seeds import generator

RIICHI, THREE, ONE = (CLASSES.index(name) for name in ("riichi", "3 melds", "1 meld"))
LOSS: Final = 800.0
"""Points that a discard loses on average, above which it counts as a costly one."""
LATE: Final = 4
FEW: Final = 30
"""Rons of a part below which its figures are not printed."""
YEARS: Final = ((0, 2012), (2013, 2016), (2017, 2020), (2021, 9999))


def groups_of(rows: TileRows) -> dict[str, Bools]:
    """Named parts of the threat rows: all, by class, riichi on live tiles, by level and year."""
    out = {"all": rows.threat}
    out |= {name: rows.threat & (rows.cls == i) for i, name in enumerate(CLASSES)}
    riichi = rows.cls == RIICHI
    out["riichi, live tiles"] = riichi & rows.live
    for level in sorted(set(rows.level.tolist()) - {""}):
        of_level = rows.level == level
        out[level] = rows.threat & of_level
        out[f"{level}, riichi, live tiles"] = riichi & rows.live & of_level
    for first, last in YEARS:
        name = f"{max(first, int(rows.year[rows.year > 0].min(initial=9999)))}-"
        name += f"{min(last, int(rows.year.max(initial=0)))}"
        within = (rows.year >= max(first, 1)) & (rows.year <= last)
        if within.any():
            out[name] = rows.threat & within
    return {name: mask for name, mask in out.items() if rows.label[mask].any()}


def biases_of(rows: OpponentRows) -> dict[str, KnownJson]:
    """By name: n, observed, predicted, and their ratio with its interval by game."""
    t, ready, lost = rows.tile, rows.tenpai, rows.discard
    rons = {
        "rons of closed opponents": t.cls == CLOSED,
        "rons where two or more are in riichi": t.riichis >= 2,
        "rons on honours, one meld": t.honour & (t.cls == ONE),
        "rons in the last four draws, one meld": (t.left < LATE) & (t.cls == ONE),
        "rons on dora, three melds": t.dora & (t.cls == THREE),
    }
    out = {name: _bias(t.label, t.p, t.game, mask) for name, mask in rons.items()}
    closed = ready.cls == CLOSED
    out["closed opponents tenpai"] = _bias(ready.label, ready.p, ready.game, closed)
    name = f"points of discards with a predicted loss above {LOSS:g}"
    out[name] = _bias(lost.observed, lost.predicted, lost.game, lost.predicted > LOSS)
    return out


def _bias(observed: NDArray[Any], predicted: Floats, game: Ints, mask: Bools) -> KnownJson:
    true, said = observed[mask].astype(np.float64), predicted[mask]
    found = Estimate(float("nan"), float("nan"), float("nan"))
    if mask.any():
        found = ratio_estimate(true, said, game[mask], generator(SEED))
    return {
        "n": int(mask.sum()),
        "observed": float(true.sum()),
        "predicted": float(said.sum()),
        "ratio": found.to_json(),
    }


def opponent_results(rows: OpponentRows, name: str, split: str, fraction: float) -> KnownJson:
    """Results JSON of a model's rows."""
    tile = {part: _score(rows.tile, mask) for part, mask in groups_of(rows.tile).items()}
    ready = rows.tenpai
    tenpai = {"all": _score(ready, np.ones(len(ready.p), np.bool_))}
    tenpai |= {c: _score(ready, ready.cls == i) for i, c in enumerate(CLASSES) if i != RIICHI}
    tenpai = {name: score for name, score in tenpai.items() if score is not None}
    return dict(finite({
        "experiment": "evaluate opponents",
        "haiyomi": haiyomi.__version__,
        "model": name,
        "split": split,
        "games": rows.games,
        "decisions": rows.decisions,
        "fraction": fraction,
        "interval": by_game(rows.games),
        "tile": tile,
        "tenpai": tenpai,
        "biases": biases_of(rows),
    }))  # fmt: skip


def _score(rows: TileRows | TenpaiRows, mask: Bools) -> KnownJson | None:
    return score_json(rows.p[mask], rows.label[mask], rows.game[mask], generator(SEED))


def paired_results(ours: OpponentRows, theirs: OpponentRows) -> dict[str, KnownJson]:
    """By part of the threat rows, the skill of both and ours less theirs, with its interval.

    Raises ValueError if the rows are not the same.
    """
    a, b = ours.tile, theirs.tile
    if not (np.array_equal(a.game, b.game) and np.array_equal(a.label, b.label)):
        raise ValueError("the rows of the two models differ")
    return {
        name: dict(finite(difference(a.p[m], b.p[m], a.label[m], a.game[m], SEED)))
        for name, m in groups_of(a).items()
    }


def reports(results: Mapping[str, Any]) -> list[Report]:
    """Tables of results JSON."""
    scope = Scope.of(results)
    skill = Report(
        "Threat decisions",
        ("opponent", "n", "rate", "skill", "AUC"),
        tuple(
            (
                name, s["n"], Figure(s["rate"], ".2%"), Figure.of(s["skill"], ".1%"),
                Figure.of(s["auc"], ".3f"),
            )
            for name, s in results["tile"].items()
            if s["positives"] >= FEW
        ),
        scope,
    )  # fmt: skip
    tenpai = Report(
        "Tenpai",
        ("opponent", "n", "rate", "AUC"),
        tuple(
            (name, s["n"], Figure(s["rate"], ".2%"), Figure.of(s["auc"], ".3f"))
            for name, s in results["tenpai"].items()
        ),
        scope,
    )
    bias = Report(
        "Observed over predicted",
        ("rows", "n", "observed", "predicted", "ratio"),
        tuple(
            (
                name, b["n"], Figure(b["observed"], ",.0f"), Figure(b["predicted"], ",.0f"),
                Figure.of(b["ratio"], ".2f"),
            )
            for name, b in results["biases"].items()
        ),
        scope,
    )  # fmt: skip
    out = [skill, tenpai, bias]
    for other, found in results.get("beside", {}).items():
        rows = tuple(
            (
                name, p["n"], Figure(p["skill"], ".1%"), Figure(p["other_skill"], ".1%"),
                Figure(p["gain"], "+.2%", p["gain_low"], p["gain_high"]),
            )
            for name, p in found.items()
        )  # fmt: skip
        out.append(
            Report(f"Beside {other}", ("opponent", "n", "skill", "other", "gain"), rows, scope)
        )
    return out
