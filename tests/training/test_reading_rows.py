"""The rows of the fit of the paper's CRF: whole, drawn once each and by seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from haiyomi.errors import DatasetError
from haiyomi.logs.load import write
from haiyomi.play.demo import demo_game
from haiyomi.training.fit_nemoto import draw_positions
from haiyomi.training.reading_rows import ReadingRows, game_rows, split_rows


def test_the_rows_of_a_split_are_those_of_its_games(tmp_path: Path) -> None:
    for split, names in (("train", "ab"), ("valid", "c")):
        (tmp_path / split).mkdir()
        for name in names:
            file = tmp_path / split / f"{name}.mjlog"
            file.write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    (tmp_path / "train" / "broken.mjlog").write_text("<mjloggm", encoding="utf-8")
    counted: list[tuple[int, int]] = []
    train = split_rows(tmp_path, "train", 1, lambda done, total: counted.append((done, total)))
    assert counted[-1] == (3, 3)
    one = game_rows("a", demo_game())
    assert train.games == ("a", "b")
    assert len(train) == 2 * len(one)
    assert train.observations[: len(one)].tobytes() == one.observations.tobytes()
    assert train.hands[len(one) :].tobytes() == one.hands.tobytes()
    assert train.game.tolist() == [0] * len(one) + [1] * len(one)
    assert [name for name, _ in train.skipped] == ["broken"]
    with pytest.raises(DatasetError, match="has no test split"):
        split_rows(tmp_path, "test", 1)


def test_positions_are_drawn_once_each_and_by_seed(demo_rows: ReadingRows) -> None:
    rows = demo_rows
    observations, opponent, hands, row = draw_positions(rows, 50, 3)
    assert len(set(zip(row.tolist(), opponent.tolist(), strict=True))) == 50
    again = draw_positions(rows, 50, 3)
    assert again[3].tolist() == row.tolist()
    assert (hands == rows.hands[row, opponent - 1]).all()
    assert (observations == rows.observations[row]).all()
    with pytest.raises(DatasetError, match="positions are wanted"):
        draw_positions(rows, 3 * len(rows) + 1, 3)
