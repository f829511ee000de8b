"""Rows of the imitation: the decisions of each seat and their labels, on made games."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import DatasetError
from haiyomi.events import Absence, Chi, Discard, Game, Pon, Riichi, Win
from haiyomi.game.decision_record import CHI_HIGH, CHI_LOW, PON, RIICHI, RON, TSUMO
from haiyomi.logs.load import write
from haiyomi.play.simulate import simulate
from haiyomi.play.style import STYLES
from haiyomi.tiles import Seat
from haiyomi.training.policy_rows import PolicyRows, build_rows, game_rows, load_rows


@pytest.fixture(scope="module")
def game() -> Game:
    return simulate(5, 2, styles=[STYLES[n] for n in ("balanced", "caller", "bold", "timid")])


@pytest.fixture(scope="module")
def rows(game: Game) -> PolicyRows:
    return game_rows("made", game)


def _free_discards(game: Game) -> int:
    """Discards not forced by one's own riichi."""
    n = 0
    for hand in game.hands:
        riichi: set[int] = set()
        declaring = None
        for event in hand.events:
            if isinstance(event, Riichi):
                declaring = event.seat
            if isinstance(event, Discard):
                n += event.seat not in riichi
                if declaring is not None:
                    riichi.add(declaring)
                    declaring = None
    return n


def test_every_free_discard_is_a_row(game: Game, rows: PolicyRows) -> None:
    free = rows.labels["discard"] < 34
    riichi = rows.decisions["observation"]["players"]["riichi"][:, 0] >= 0
    assert int((free & ~riichi).sum()) == _free_discards(game)


def test_what_was_chosen_was_legal(rows: PolicyRows) -> None:
    labels, decisions = rows.labels, rows.decisions
    assert not (labels["chosen"] & ~labels["decided"]).any()
    assert not (labels["decided"] & ~decisions["legal"]).any()
    free = np.flatnonzero(labels["discard"] < 34)
    bit = decisions["discards"][free] >> labels["discard"][free].astype(np.uint64)
    assert (bit & np.uint64(1)).all()
    assert (rows.code[free] < 37).all()


def test_calls_and_wins_are_all_there(game: Game, rows: PolicyRows) -> None:
    events = [e for hand in game.hands for e in hand.events]
    chosen = rows.labels["chosen"]

    def of(*acts: int) -> int:
        return int(sum((chosen >> a & 1).sum() for a in acts))

    assert of(CHI_LOW, CHI_LOW + 1, CHI_HIGH) == sum(isinstance(e, Chi) for e in events)
    assert of(PON) == sum(isinstance(e, Pon) for e in events)
    assert of(RIICHI) == sum(isinstance(e, Riichi) for e in events)
    wins = [e for e in events if isinstance(e, Win)]
    assert of(TSUMO) == sum(w.tsumo for w in wins)
    assert of(RON) == sum(not w.tsumo for w in wins)


def test_a_dropped_line_is_left_out(game: Game, rows: PolicyRows) -> None:
    away = dataclasses.replace(game, absences=(Absence(1, 0, Seat(2)),))
    left = game_rows("away", away)
    mine = (rows.seat == 2) & (rows.hand >= 1)
    assert len(left) + left.absent >= len(rows)
    assert len(left) == len(rows) - int(mine.sum())
    assert left.absent >= int(mine.sum()) > 0


def test_a_cache_is_built_once_and_refuses_other_records(tmp_path: Path, game: Game) -> None:
    corpus = tmp_path / "corpus"
    for split in ("train", "valid", "test"):
        (corpus / split).mkdir(parents=True)
        (corpus / split / f"{split}.mjlog").write_text(write(game, "mjlog"), encoding="utf-8")
    (corpus / "train" / "broken.mjlog").write_text("<mjloggm ver=", encoding="utf-8")
    cache = tmp_path / "rows"
    build_rows(corpus, cache, jobs=1)
    before = {p: p.stat().st_mtime_ns for p in cache.rglob("*.npz")}
    build_rows(corpus, cache, jobs=1)
    assert before == {p: p.stat().st_mtime_ns for p in cache.rglob("*.npz")}
    found = load_rows(cache, "train")
    assert np.array_equal(found.labels, game_rows("made", game).labels)
    assert [name for name, _ in found.skipped] == ["broken"]
    assert set(found.player.tolist()) == set(game.header.names)
    (corpus / "valid" / "more.mjlog").write_text("", encoding="utf-8")
    with pytest.raises(DatasetError, match="other records"):
        build_rows(corpus, cache, jobs=1)
    with pytest.raises(DatasetError, match="no rows"):
        load_rows(tmp_path, "train")
