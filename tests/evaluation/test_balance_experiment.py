"""The balance held against records: rows by hand, bins, and the same figures for any records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haiyomi.corpus import Corpus
from haiyomi.evaluation.balance_experiment import balance_results, judged
from haiyomi.logs.load import parse

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
MODEL = "kurita-hoki"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one game."""
    folder = tmp_path_factory.mktemp("balance")
    name = "haiyomi-7-00000.mjlog"
    (folder / name).write_bytes((SAMPLES / name).read_bytes())
    return folder


def test_results_are_those_of_the_rows(game: Path) -> None:
    (rows,), skipped = judged(Corpus(game), MODEL, None)
    found, left_out = balance_results([game], 5, MODEL, None, "a sample")
    assert not skipped
    assert not left_out
    assert found["games"] == 1
    assert found["rows"] == len(rows)
    p, won, balance, realised = rows[:, 0], rows[:, 2], rows[:, 3], rows[:, 4]
    loss = -np.where(won > 0, np.log(p), np.log1p(-p)).mean()
    assert found["win"]["log_loss"]["value"] == pytest.approx(loss)
    assert sum(b["n"] for b in found["win_bins"]) == len(rows)
    for part, printed in zip(
        np.array_split(np.argsort(balance, kind="stable"), 10),
        found["balance_deciles"],
        strict=True,
    ):
        assert printed["predicted"] == pytest.approx(balance[part].mean())
        assert printed["observed"] == pytest.approx(realised[part].mean())
        # One game has no spread between games.
        assert printed["low"] == pytest.approx(printed["high"])
    assert found["points_of_wins"]["n"] == int(won.sum())


def test_three_rows_a_seat_and_hand_at_most_and_a_win_is_the_seat_s(game: Path) -> None:
    (rows,), _ = judged(Corpus(game), MODEL, None)
    name = next(game.iterdir())
    record = parse(name.read_bytes(), name.name)
    assert 0 < len(rows) <= 12 * len(record.hands)
    assert np.all((rows[:, 0] >= 0) & (rows[:, 0] <= 1))
    assert set(rows[:, 2]) == {0.0, 1.0}
    assert np.all(rows[rows[:, 2] > 0, 4] > 0), "who wins the hand gains points"


def test_no_readable_record_gives_no_row(tmp_path: Path) -> None:
    (tmp_path / "damaged.mjlog").write_text("<mjloggm", encoding="utf-8")
    found, left_out = balance_results([tmp_path], 5, MODEL, None, "nothing")
    assert (found["games"], found["rows"], found["win"], found["win_bins"]) == (0, 0, None, [])
    assert len(left_out) == 1
