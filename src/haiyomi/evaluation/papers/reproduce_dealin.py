"""``haiyomi reproduce dealin``: the experiments of Kurita and Hoki, as results JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.dealin.kurita_hoki import MENDED, VERSION, shipped_file
from haiyomi.dealin.variant import NAME, Variant
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.evaluation.opponents.dealin_experiment import SEED, answer, cross_fitted, results_json
from haiyomi.evaluation.opponents.dealin_tables import table3
from haiyomi.evaluation.papers.kept_step import once
from haiyomi.evaluation.papers.shape_shares import one_meld, shape_shares
from haiyomi.storage.model_file import read_model
from haiyomi.storage.resume import Bar
from haiyomi.storage.whole_file import make_folder
from haiyomi.training.dataset import build, read_manifest
from haiyomi.training.fit_dealin import fit, load_fit_data
from haiyomi.training.fit_tenpai import TYPES

LETTER: Final = Variant(literal=True)
CROSSED: Final = (MENDED, replace(MENDED, base_han=True), LETTER, replace(LETTER, base_han=True))


def experiment(
    corpus: Path,
    dataset: Path,
    cache: Path,
    jobs: Jobs,
    bar: Bar,
) -> dict[str, Any]:
    """Run everything: the test split with both models under both conventions of han, both readings
    of (28), the regression cells, and 5-fold cross-fitting over all games. ``bar(what)`` is a
    context giving a progress callback; each step is kept in the folder ``cache``.
    """
    sources = corpus_files(corpus)
    if "test" not in sources:
        raise DatasetError(f"{corpus} has no test split")
    with bar("dataset") as progress:
        build(corpus, dataset, jobs, progress)
    make_folder(cache)
    manifest = read_manifest(dataset)
    mark = f"{manifest['records_sha256']} {shipped_file().read_text(encoding='utf-8')}"
    mark = hashlib.sha256(mark.encode()).hexdigest()
    records = Corpus(sources["test"]).distinct()

    def step(name: str, run: Callable[[Any], Any]) -> Any:
        with bar(name) as progress:
            return once(cache / f"{name.replace(', ', '-').replace(' ', '-')}.json", mark,
                        lambda: run(progress))  # fmt: skip

    def whole(variant: Variant, progress: Any) -> dict[str, Any]:
        found = answer(records, variant.name, jobs=jobs, progress=progress)
        return results_json(found, variant.name, "test", "test")

    def base(variant: Variant, progress: Any) -> dict[str, Any]:
        found = answer(records, variant.name, ("dealin",), None, jobs, progress, True)
        return table3(found.rows.tables["dealin"], True)

    results: dict[str, Any] = step("test split", partial(whole, MENDED))
    results["table3_base"] = step("base han", partial(base, replace(MENDED, base_han=True)))
    literal = step("test split, to the letter", partial(whole, LETTER))
    literal["table3_base"] = step(
        "base han, to the letter", partial(base, replace(LETTER, base_han=True))
    )
    results["shape_shares"] = step(
        "shape shares", lambda progress: shape_shares(records, SEED, jobs, progress)
    )
    results["one_meld"] = step("one meld", lambda progress: one_meld(records, SEED, jobs, progress))
    every = [path for split in sources.values() for path in split]
    crossed = cross_fitted(dataset, every, CROSSED, cache, mark, bar, jobs)
    for found, variant in ((results, MENDED), (literal, LETTER)):
        whole_crossed = crossed[variant.name]
        found["table2"]["b"] = whole_crossed["table2"]
        found["cross_fitted"] = {k: v for k, v in whole_crossed.items() if k != "table2"}
        base_name = replace(variant, base_han=True).name
        found["cross_fitted"]["table3_base"] = crossed[base_name]["table3"]
    results["literal"] = {
        name: literal[name] for name in ("tile", "table2", "table3", "table3_base", "cross_fitted")
    }
    results["refit"] = step("fit", lambda _: _refit(dataset))
    results["records_sha256"] = manifest["records_sha256"]
    return results


def _refit(dataset: Path) -> dict[str, Any]:
    """The model fitted anew: its cells, and how far its tables are from the shipped ones."""
    payload, report = fit(load_fit_data(dataset, ("train",)), load_fit_data(dataset, ("valid",)))
    shipped_payload, _ = read_model(shipped_file(), NAME, VERSION)
    return {
        "cells": cell_summary(report["cells"]),
        "borrow": report["borrow"],
        "difference": largest_difference(payload, shipped_payload),
        "closed": shipped_payload["closed"],
        "melded": shipped_payload["melded"],
    }


def cell_summary(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The regression cells summed over discards: one row for each type and number of melds."""
    rows = []
    for kind in TYPES:
        for melds in range(4):
            own = [c for c in cells if c["type"] == kind and c["melds"] == melds]
            measured = [c for c in own if c["n_valid"]]
            n, n_valid = sum(c["n"] for c in own), sum(c["n_valid"] for c in measured)
            rows.append(
                {
                    "type": kind,
                    "melds": melds,
                    "n": n,
                    "smallest": min((c["n"] for c in own if c["n"]), default=0),
                    "borrowed": sum(c["borrowed"] * c["n"] for c in own) / max(n, 1),
                    "n_valid": n_valid,
                    "loss": sum(c["loss"] * c["n_valid"] for c in measured) / max(n_valid, 1),
                    "pooled": sum(c["pooled_loss"] * c["n_valid"] for c in measured)
                    / max(n_valid, 1),
                }
            )
    return rows


def largest_difference(a: Any, b: Any) -> float:
    """The largest relative difference of two nested lists or dicts of numbers of one shape;
    infinite where the shapes differ.
    """
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return max((largest_difference(a[k], b[k]) for k in a), default=0.0)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return max(map(largest_difference, a, b), default=0.0)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) / max(abs(a), abs(b)) if a != b else 0.0
    return float("inf")
