"""Both readings of (28), and what each mend of ``kurita-hoki`` is worth with one meld."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from haiyomi.corpus import Corpus
from haiyomi.dealin.kurita_hoki import KuritaHoki, shipped
from haiyomi.dealin.variant import Variant
from haiyomi.evaluation.papers.model_rows import model_rows
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress

VARIANTS: Final = tuple(
    Variant(literal, unit_shares=unit) for literal in (True, False) for unit in (False, True)
)
MELD_GAMES: Final = 60
"""Games of the mends: one meld takes three milliseconds a model and decision."""
Json = dict[str, Any]


def shape_shares(
    records: Corpus, seed: int, jobs: Jobs = None, progress: Progress | None = None
) -> list[Json]:
    """For each variant the sum of the four shares over decisions, and its riichi rows' scores."""
    models = [shipped(variant) for variant in VARIANTS]
    rows = model_rows(records, models, "riichi", jobs, progress)
    out = []
    for model, score in zip(models, rows.scores(seed), strict=True):
        two = model.riichi.two_sided[rows.live]
        sums = two + model.riichi.rest.sum() * (1.0 - two)
        found = {"mean": float(sums.mean()), "low": float(sums.min()), "high": float(sums.max())}
        out.append({"model": model.name, "sum": found | {"n": len(sums)}, "score": score})
    return out


def one_meld(records: Corpus, seed: int, jobs: Jobs, progress: Progress | None) -> Json:
    """The literal model, the same with each mend of melded hands alone, and with all three, on the
    rows of opponents with one meld."""
    letter, mended = shipped(Variant(literal=True)), shipped()
    models: dict[str, KuritaHoki] = {
        "literal": letter,
        "weight 0 without a yaku": replace(letter, yakuless=mended.yakuless),
        "weight 0.05 on a passed tile": replace(letter, passed_wait=mended.passed_wait),
        "factor on (9)": replace(letter, melded=mended.melded),
        "all three": replace(
            letter,
            yakuless=mended.yakuless,
            passed_wait=mended.passed_wait,
            melded=mended.melded,
        ),
    }
    some = records.first(MELD_GAMES)
    rows = model_rows(some, list(models.values()), "1 meld", jobs, progress)
    scores = rows.scores(seed)
    return {
        "games": MELD_GAMES,
        "rows": [{"model": name, "score": s} for name, s in zip(models, scores, strict=True)],
    }
