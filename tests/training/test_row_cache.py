"""A cache of rows: built once, finished after a kill, refused where it is another's."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from training.made_corpus import made_corpus

from haiyomi.corpus import Corpus
from haiyomi.errors import DatasetError
from haiyomi.training import row_cache
from haiyomi.training.row_cache import ROWS, Arrays, build_cache, load_cache

LAYOUT = {"format": 1}


def hands_of(piece: Corpus) -> Arrays:
    """How many hands each game of a piece has."""
    return {"hands": np.array([len(game.hands) for _, game in piece])}


def loaded(cache: pathlib.Path, split: str) -> list[list[int]]:
    return load_cache(cache, split, lambda arrays: arrays["hands"].tolist())


def test_each_split_comes_back_in_order(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_cache, "GAMES_A_SHARD", 2)
    corpus = made_corpus(tmp_path / "corpus", range(3), range(3, 5), range(5, 6))
    cache = tmp_path / "cache"
    build_cache(corpus, cache, LAYOUT, hands_of, 1)
    expected = [len(game.hands) for _, game in Corpus(corpus / "train.zip")]
    parts = loaded(cache, "train")
    assert [len(part) for part in parts] == [2, 1]
    assert [n for part in parts for n in part] == expected
    assert load_cache(cache, "train", lambda arrays: len(arrays["hands"]), shards=1) == [2]
    assert [len(part) for split in ("valid", "test") for part in loaded(cache, split)] == [2, 1]


def test_what_a_kill_or_a_fault_left_is_made_again(tmp_path: pathlib.Path) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(2), range(2, 3), range(3, 4))
    cache = tmp_path / "cache"
    build_cache(corpus, cache, LAYOUT, hands_of, 1)
    before = loaded(cache, "train")
    rows = cache / "train" / "00000" / ROWS
    rows.write_bytes(rows.read_bytes()[:-7])
    with pytest.raises(DatasetError, match="00000"):
        loaded(cache, "train")
    build_cache(corpus, cache, LAYOUT, hands_of, 1)
    assert loaded(cache, "train") == before


def test_a_cache_of_another_layout_or_corpus_is_refused(tmp_path: pathlib.Path) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(1), range(1, 2), range(2, 3))
    cache = tmp_path / "cache"
    build_cache(corpus, cache, LAYOUT, hands_of, 1)
    other = made_corpus(tmp_path / "other", range(5, 6), range(1, 2), range(2, 3))
    for place, layout in ((corpus, {"format": 2}), (other, LAYOUT)):
        with pytest.raises(DatasetError):
            build_cache(place, cache, layout, hands_of, 1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match="no train, valid and test zips"):
        build_cache(tmp_path / "empty", tmp_path / "new", LAYOUT, hands_of, 1)
    with pytest.raises(DatasetError, match="holds no rows of the train split"):
        loaded(tmp_path / "nowhere", "train")
