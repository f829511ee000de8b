"""The first so many games, whatever stands between them and however many processes read them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from scale.kill import records
from scale.work import names

from haiyomi.corpus.walk import REPEATED
from haiyomi.errors import DatasetError
from haiyomi.training.first_games import first_games


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eleven games, three that cannot be read among the first."""
    folder = records(tmp_path_factory.mktemp("first") / "records", 11)
    for at in ("000a", "001a", "009a"):
        (folder / f"game-{at}.mjlog").write_bytes(b"no record")
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_cannot_be_read_is_made_up_for(given: Path, jobs: int) -> None:
    counted: list[tuple[int, int]] = []
    found, skipped = first_games(names, [given], 9, jobs, lambda *at: counted.append(at))
    assert found == [f"game-{i:03d}" for i in range(9)]
    assert [name for name, _ in skipped] == ["game-000a", "game-001a"]
    assert counted[-1] == (9, 9)
    assert all(a <= b for (a, _), (b, _) in pairwise(counted))


def test_fewer_than_asked_for(given: Path) -> None:
    found, skipped = first_games(names, [given], 500, 1)
    assert len(found) == 11
    assert len(skipped) == 3


def test_a_name_stands_for_one_record(given: Path) -> None:
    found, skipped = first_games(names, [given, given], 500, 1)
    assert len(found) == 11
    assert [why for _, why in skipped].count(REPEATED) == 14


def test_a_source_that_is_a_damaged_zip(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(DatasetError, match="damaged zip"):
        first_games(names, [tmp_path / "a.zip"], 1, 1)
