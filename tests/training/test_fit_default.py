"""The whole fit of the default model: one command's work, the same file after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from training.made_corpus import made_corpus

from haiyomi.dealin.posterior_model import PosteriorModel
from haiyomi.errors import DatasetError
from haiyomi.evaluation.halves_experiment import halves_results
from haiyomi.training.dataset import build
from haiyomi.training.fit_boosting import BoostSettings
from haiyomi.training.fit_default import SHIPPED, fit_default
from haiyomi.training.fit_ron import RonSettings

SMALL = (
    replace(SHIPPED, rows=48, batch=16, every=1),
    RonSettings(steps=2, batch=32, every=1),
    BoostSettings(
        tenpai_trees=3, tile_trees=3, leaves=4, train_threat=0.1, train_quiet=0.05,
        more_open=0.1, valid_threat=0.5, valid_quiet=0.1,
    ),
)  # fmt: skip
Bar = Callable[[str, str], object]


class Killed(Exception):
    pass


def bar_until(dying: str) -> Bar:
    """A bar that dies as soon as something of this name begins."""

    @contextmanager
    def bar(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
        if what == dying:
            raise Killed
        yield lambda done, total: None

    return bar


@pytest.mark.slow
def test_a_killed_fit_ends_in_the_same_file(tmp_path: Path) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(4), range(4, 7), range(7, 8))
    build(corpus, tmp_path / "data", jobs=1)
    rows = tmp_path / "rows"
    whole, killed = tmp_path / "whole.json", tmp_path / "killed.json"
    halves = tmp_path / "halves"
    report = fit_default(corpus, tmp_path / "data", rows, whole, *SMALL, bar_until(""), 1, halves)
    assert report["boosting"]["tile"]["all"]["n"] > 100
    for dying in (
        "network of rons 2",
        "weights 2",
        "answers on valid",
        "forests",
        "forests without half 1",
        "rons on train 2",
    ):
        with pytest.raises(Killed):
            fit_default(corpus, tmp_path / "data", rows, killed, *SMALL, bar_until(dying), 1)
        assert not killed.exists()
    fit_default(corpus, tmp_path / "data", rows, killed, *SMALL, bar_until(""), 1)
    assert killed.read_bytes() == whole.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "corpus", "data", "halves", "killed.json", "rows", "whole.json",
    ]  # fmt: skip
    model = PosteriorModel.load(whole)
    assert model.manifest is not None
    assert "made" not in model.manifest
    assert model.manifest["ron network"]["steps"] == 2
    # Every game once, each by a model that did not learn from it.
    judged = halves_results(corpus, rows, halves, 1)
    assert judged["games"] == 8
    bins = judged["table2"]["b"]["bins"]
    assert judged["table2"]["b"]["nodes"] >= sum(b["n"] for b in bins) > 20
    with pytest.raises(DatasetError, match=r"no model .*half-0"):
        halves_results(corpus, rows, tmp_path, 1)
