"""The rows of the fit of the paper's CRF: cached whole, drawn once each and by seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from haiyomi.errors import DatasetError
from haiyomi.play.demo import demo_game
from haiyomi.training.fit_nemoto import draw_positions
from haiyomi.training.reading_rows import ReadingRows, build_rows, game_rows, load_rows


@pytest.fixture(scope="module")
def rows() -> ReadingRows:
    return game_rows("demo", demo_game())


def test_rows_are_cached_whole_and_read_back(tmp_path: Path) -> None:
    from haiyomi.logs.load import write

    for split, names in (("train", "ab"), ("valid", "c"), ("test", "d")):
        (tmp_path / "corpus" / split).mkdir(parents=True)
        for name in names:
            file = tmp_path / "corpus" / split / f"{name}.mjlog"
            file.write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    (tmp_path / "corpus" / "train" / "broken.mjlog").write_text("<mjloggm", encoding="utf-8")
    cache = tmp_path / "cache"
    counted: list[tuple[int, int]] = []
    build_rows(tmp_path / "corpus", cache, 1, lambda done, total: counted.append((done, total)))
    assert counted[-1] == (5, 5)
    train = load_rows(cache, "train")
    one = game_rows("a", demo_game())
    assert train.games == ("a", "b")
    assert len(train) == 2 * len(one)
    assert train.observations[: len(one)].tobytes() == one.observations.tobytes()
    assert train.hands[len(one) :].tobytes() == one.hands.tobytes()
    assert [name for name, _ in train.skipped] == ["broken"]
    before = sorted((p, p.stat().st_mtime_ns) for p in cache.rglob("*.npz"))
    build_rows(tmp_path / "corpus", cache, 1)
    assert before == sorted((p, p.stat().st_mtime_ns) for p in cache.rglob("*.npz"))
    record = tmp_path / "corpus" / "test" / "d.mjlog"
    record.rename(record.with_name("e.mjlog"))
    with pytest.raises(DatasetError, match="other records"):
        build_rows(tmp_path / "corpus", cache, 1)
    with pytest.raises(DatasetError, match="holds no rows"):
        load_rows(tmp_path, "train")


def test_positions_are_drawn_once_each_and_by_seed(rows: ReadingRows) -> None:
    observations, opponent, hands, row = draw_positions(rows, 50, 3)
    assert len(set(zip(row.tolist(), opponent.tolist(), strict=True))) == 50
    again = draw_positions(rows, 50, 3)
    assert again[3].tolist() == row.tolist()
    assert (hands == rows.hands[row, opponent - 1]).all()
    assert (observations == rows.observations[row]).all()
    with pytest.raises(DatasetError, match="positions are wanted"):
        draw_positions(rows, 3 * len(rows) + 1, 3)
