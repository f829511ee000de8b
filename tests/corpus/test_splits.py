"""The folder of a corpus: named by an option or by the environment, never assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from haiyomi.corpus.splits import corpus_files, find_corpus, split_by_name
from haiyomi.errors import DatasetError


def test_a_corpus_is_named_by_the_option_then_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HAIYOMI_CORPUS", raising=False)
    with pytest.raises(DatasetError, match="no corpus: name a folder"):
        find_corpus(None)
    with pytest.raises(DatasetError, match=r"empty: no folder with train\.zip"):
        find_corpus(tmp_path / "empty")
    (tmp_path / "train").mkdir()
    assert find_corpus(tmp_path) == tmp_path
    monkeypatch.setenv("HAIYOMI_CORPUS", str(tmp_path))
    assert find_corpus(None) == tmp_path
    assert corpus_files(tmp_path) == {"train": [tmp_path / "train"]}


def test_a_game_has_one_split_whatever_stands_beside_it() -> None:
    games = [f"game-{i}" for i in range(1000)]
    splits = [split_by_name(game) for game in games]
    assert splits == [split_by_name(game) for game in games]
    assert 60 < splits.count("test") < 140
    assert 60 < splits.count("valid") < 140
