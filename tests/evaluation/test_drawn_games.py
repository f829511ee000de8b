"""Work on drawn games resumes, and only with the same games and models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from haiyomi.errors import DatasetError
from haiyomi.evaluation import drawn_games
from haiyomi.evaluation.drawn_games import DrawnGame, rows_of_games
from haiyomi.logs.load import write
from haiyomi.play.simulate import simulate


@dataclass(frozen=True)
class Settings:
    seed: int = 1


def hands(work: DrawnGame[Settings]) -> None:
    work.write([{"hands": len(work.game.hands)}])


def rows(records: Path, out: Path) -> list[dict[str, int]]:
    return rows_of_games([records], None, Settings(), out, ("counts", 1), hands, 1)[0]


def test_rows_of_other_records_or_models_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records, out = tmp_path / "records", tmp_path / "out"
    records.mkdir()
    game = simulate(3, 1)
    (records / "1.mjlog").write_text(write(game, "mjlog"))
    assert rows(records, out) == [{"hands": len(game.hands)}]
    assert rows(records, out) == [{"hands": len(game.hands)}]

    with monkeypatch.context() as context:
        context.setattr(drawn_games, "shipped_digests", lambda: {"policy": "another"})
        with pytest.raises(DatasetError, match="models"):
            rows(records, out)

    (records / "1.mjlog").write_text(write(simulate(3, 2), "mjlog"))
    with pytest.raises(DatasetError, match="records_sha256"):
        rows(records, out)
