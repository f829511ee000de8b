"""The whole fit of the default model: one command's work, the same file after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from training.made_corpus import made_corpus

from haiyomi.dealin.posterior_model import PosteriorModel
from haiyomi.errors import ModelError
from haiyomi.training.dataset import build
from haiyomi.training.fit_boosting import BoostSettings
from haiyomi.training.fit_default import SHIPPED, fit_default, start_network
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
    report = fit_default(corpus, tmp_path / "data", rows, whole, *SMALL, bar_until(""), 1)
    assert report["boosting"]["tile"]["all"]["n"] > 100
    for dying in (
        "network of rons 2",
        "weights 2",
        "answers on valid",
        "forests",
        "rons on train 2",
    ):
        with pytest.raises(Killed):
            fit_default(corpus, tmp_path / "data", rows, killed, *SMALL, bar_until(dying), 1)
        assert not killed.exists()
    fit_default(corpus, tmp_path / "data", rows, killed, *SMALL, bar_until(""), 1)
    assert killed.read_bytes() == whole.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "corpus", "data", "killed.json", "rows", "whole.json",
    ]  # fmt: skip
    model = PosteriorModel.load(whole)
    assert model.manifest is not None
    assert "made" not in model.manifest
    assert model.manifest["ron network"]["steps"] == 2


def test_the_network_to_start_from_comes_along(tmp_path: Path) -> None:
    begin = start_network()
    assert begin["in"].shape[1] == SHIPPED.width
    assert all(np.isfinite(v).all() for v in begin.values())
    with pytest.raises(ModelError, match="no model file"):
        start_network(tmp_path / "none.json")
