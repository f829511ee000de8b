"""Work on drawn games resumes, and only with the same games and models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from haiyomi.errors import DatasetError
from haiyomi.evaluation import drawn_games
from haiyomi.evaluation.drawn_games import DrawnGame, rows_of_games
from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players


@dataclass(frozen=True)
class Settings:
    seed: int = 1


@dataclass(frozen=True)
class Counted:
    hands: int
    seats: tuple[int, ...]


def hands(work: DrawnGame[Settings]) -> None:
    work.write([Counted(len(work.game.hands), (0, 1, 2, 3))])


def rows(records: Path, out: Path) -> list[Counted]:
    return rows_of_games(Counted, [records], None, Settings(), out, ("counts", 1), hands, 1)[0]


def test_rows_of_other_records_or_models_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records, out = tmp_path / "records", tmp_path / "out"
    records.mkdir()
    game = simulate_rule_players(3, 1)
    (records / "1.mjlog").write_text(write(game, "mjlog"))
    assert rows(records, out) == [Counted(len(game.hands), (0, 1, 2, 3))]
    assert rows(records, out) == [Counted(len(game.hands), (0, 1, 2, 3))]

    with monkeypatch.context() as context:
        context.setattr(drawn_games, "shipped_digests", lambda: {"policy": "another"})
        with pytest.raises(DatasetError, match="models"):
            rows(records, out)

    (records / "1.mjlog").write_text(write(simulate_rule_players(3, 2), "mjlog"))
    with pytest.raises(DatasetError, match="records_sha256"):
        rows(records, out)
