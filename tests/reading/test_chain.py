"""The chain that comes with haiyomi: what the rules demand of every answer."""

from __future__ import annotations

from pathlib import Path
from time import thread_time

import numpy as np
import pytest
from properties.made_hands import dealt_anew, made_hand
from yardstick import slowness

from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.errors import ModelError
from haiyomi.events import Discard, visible_to
from haiyomi.game.position import Position, PositionFold
from haiyomi.reading.chain import (
    MIRROR,
    N_TURNS,
    STATES,
    ChainModel,
    log_tables,
    shipped,
    shipped_file,
    state_of,
    totals_of,
)
from haiyomi.storage.model_file import float16_array, float16_text
from haiyomi.tiles import Seat
from haiyomi.training.reading_rows import ReadingRows


def test_marginals_keep_the_rules(seen_rows: ReadingRows) -> None:
    rows = seen_rows.take(np.arange(0, len(seen_rows), 7))
    for r in (1, 2, 3):
        opponent = np.full(len(rows), r)
        marginals = shipped().marginals(rows.observations, opponent)
        assert abs(marginals.sum(axis=2) - 1).max() < 1e-9
        expected = (marginals @ np.arange(5)).sum(axis=1)
        np.testing.assert_allclose(expected, totals_of(rows.observations, opponent), atol=1e-9)
        for k in range(1, 5):
            gone = rows.observations["unseen"] < k
            assert (marginals[:, :, k][gone] == 0).all()


def test_samples_keep_the_rules_and_agree_with_the_marginals(seen_rows: ReadingRows) -> None:
    rows = seen_rows.take(np.array([40, 90]))
    opponent = np.array([1, 2])
    drawn = shipped().chain_samples(rows.observations, opponent, 4000, np.random.default_rng(1))
    assert (drawn <= rows.observations["unseen"][:, None]).all()
    assert (drawn.sum(axis=2) == totals_of(rows.observations, opponent)[:, None]).all()
    marginals = shipped().marginals(rows.observations, opponent)
    for k in range(5):
        share = (drawn == k).mean(axis=1)
        np.testing.assert_allclose(share, marginals[:, :, k], atol=0.035)


def test_who_is_in_riichi_is_sampled_in_tenpai(seen_rows: ReadingRows) -> None:
    found = 0
    for r in (1, 2, 3):
        opponent = np.full(len(seen_rows), r)
        index = np.flatnonzero(
            state_of(seen_rows.observations, opponent) == STATES.index("riichi")
        )[:20]
        rows = seen_rows.take(index)
        drawn = shipped().samples(rows.observations, opponent[index], 2, np.random.default_rng(r))
        there = drawn.found == 2
        assert there.mean() > 0.9
        assert (drawn.shanten[there] == 0).all()
        found += int(there.sum())
    assert found > 10


def test_the_two_ends_of_a_suit_mirror_each_other() -> None:
    rng = np.random.default_rng(4)
    table = log_tables(
        rng.normal(size=(7, 125)), rng.normal(size=(N_TURNS, 7, 125)), rng.normal(size=(5, 7, 125))
    )
    np.testing.assert_allclose(table, table[:, ::-1][:, :, MIRROR])
    # 112 at 123 is 211 at 789.
    assert table[3, 0, 25 + 5 + 2] == pytest.approx(table[3, 6, 50 + 5 + 1])


def _position(events: tuple, seat: int) -> Position:
    fold = PositionFold(Seat(seat))
    for event in events:
        fold.apply(visible_to(event, Seat(seat)))
    return fold.position()


@pytest.mark.parametrize("seed", range(3))
def test_hidden_tiles_dealt_anew_change_no_bit_of_an_answer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    events = made_hand(rng)
    chosen = [i for i, e in enumerate(events) if isinstance(e, Discard)][5:40:11]
    for index in chosen:
        seat = events[index].seat
        seen = events[:index]
        anew = dealt_anew(seen, seat, rng)
        assert anew != seen
        first, second = (read_hands(_position(e, seat), samples=0, seed=1) for e in (seen, anew))
        for a, b in zip(first, second, strict=True):
            assert a.marginals.tobytes() == b.marginals.tobytes()
            assert a.best.tobytes() == b.best.tobytes()
            assert a.likeliest.tobytes() == b.likeliest.tobytes()


def test_one_position_is_answered_as_a_million_are(seen_rows: ReadingRows) -> None:
    """A row's answer does not depend on the rows beside it, but for the last bits."""
    rows = seen_rows.take(np.arange(30))
    opponent = np.arange(30) % 3 + 1
    together = shipped().marginals(rows.observations, opponent)
    for i in (0, 7, 29):
        single = shipped().marginals(rows.observations[i : i + 1], opponent[i : i + 1])
        np.testing.assert_allclose(single[0], together[i], atol=1e-5)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    text = shipped_file().read_text(encoding="utf-8")
    damaged = tmp_path / "chain.json"
    damaged.write_text(text.replace('"shanten": [[', '"shanten": [[1,', 1), encoding="utf-8")
    with pytest.raises(ModelError, match=r"chain\.json: the checksum"):
        ChainModel.load(damaged)
    table = float16_text(np.array([[1.5, -2.0], [0.25, 3.0]]))
    assert float16_array(table).tolist() == [[1.5, -2.0], [0.25, 3.0]]
    for wrong in ({"shape": [3], "half": table["half"]}, {"half": "a"}, 5, {**table, "half": "*"}):
        with pytest.raises(ValueError, match=r"float16|reshape"):
            float16_array(wrong)
    with pytest.raises(ModelError, match="no model file"):
        ChainModel.load(tmp_path / "none.json")


@pytest.mark.slow
def test_marginals_of_three_opponents_take_three_milliseconds(seen_rows: ReadingRows) -> None:
    """Of a quiet core, the quickest of several rounds; helping threads wait, which is no work."""
    opponent = np.array([1, 2, 3])
    chosen = [np.repeat(seen_rows.observations[i : i + 1], 3) for i in range(0, 200, 4)]
    spent = []
    for _ in range(8):
        slower = slowness()
        started = thread_time()
        for observations in chosen:
            shipped().marginals(observations, opponent)
        spent.append((thread_time() - started) / len(chosen) / slower)
    assert min(spent) < 0.003
