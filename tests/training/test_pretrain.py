"""What the default model's fit begins with: games of self-play, a fit, the same after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import DatasetError, ModelError
from haiyomi.training.fit_default import SHIPPED as DEFAULT
from haiyomi.training.pretrain import SHIPPED, pretrain, pretrained_weights
from haiyomi.training.self_play import self_play

SMALL = replace(
    SHIPPED,
    games=3,
    ron=replace(SHIPPED.ron, steps=3, batch=32, every=1),
    weights=replace(SHIPPED.weights, rows=48, batch=16, every=1),
)


class Killed(Exception):
    pass


def bar_until(dying: str) -> Callable[[str, str], object]:
    """A bar that dies at the first news of something of this name."""

    @contextmanager
    def bar(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
        def news(done: int, total: int) -> None:
            if what == dying and done:
                raise Killed

        yield news

    return bar


@pytest.mark.slow
def test_a_killed_fit_ends_in_the_same_file(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.json", tmp_path / "killed.json"
    report = pretrain(tmp_path / "a", whole, SMALL, bar_until(""), 1)
    assert report["rons"]["step"] == 3
    for dying in (
        "self-play",
        "what was seen of them",
        "network of rons",
        "weights of tenpai hands",
    ):
        with pytest.raises(Killed):
            pretrain(tmp_path / "b", killed, SMALL, bar_until(dying), 1)
        assert not killed.exists()
    pretrain(tmp_path / "b", killed, SMALL, bar_until(""), 2)
    assert killed.read_bytes() == whole.read_bytes()
    rons, weights = pretrained_weights(whole)
    assert rons["in"].shape == weights["in"].shape
    # Games of two seeds: two of players alike, one of four kinds.
    rows, labels = self_play(tmp_path / "a", 3, bar_until(""), 1)
    assert [name[:12] for name in rows.games] == ["haiyomi-9001"] * 2 + ["haiyomi-9002"]
    assert labels.tenpai.shape == (len(rows), 3)
    with pytest.raises(DatasetError, match="holds games of other records"):
        self_play(tmp_path / "a", 4, bar_until(""), 1)


def test_what_comes_along_fits_the_default_model(tmp_path: Path) -> None:
    rons, weights = pretrained_weights()
    assert rons["in"].shape[1] == weights["in"].shape[1] == DEFAULT.width
    assert all(np.isfinite(v).all() for v in (*rons.values(), *weights.values()))
    with pytest.raises(ModelError, match="no model file"):
        pretrained_weights(tmp_path / "none.json")
