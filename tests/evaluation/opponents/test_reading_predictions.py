"""Rows and results of a reading evaluation, against second, slower counts."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pytest

from haiyomi.evaluation.metrics import agreement_counts, count_bits, ratio_estimate
from haiyomi.evaluation.opponents.reading_predictions import (
    DRAWN,
    JUDGED,
    NAMED,
    PredictedHands,
    ask,
    held_bins,
    load_models,
    rng_of,
)
from haiyomi.evaluation.opponents.reading_tables import reports, results_json, summary
from haiyomi.events import Discard
from haiyomi.game.position_fold import positions
from haiyomi.game.truth import truths_of
from haiyomi.kernels.shanten import shanten
from haiyomi.play.demo import demo_game
from haiyomi.reading.decode import random_hands
from haiyomi.tiles import Seat
from haiyomi.training.reading_rows import ReadingRows


@pytest.fixture(scope="module")
def rows(demo_rows: ReadingRows) -> PredictedHands:
    chain, crfs = load_models(None, (None, None, None))
    return ask(demo_rows, chain, crfs)


def test_every_free_discard_gives_three_rows(demo_rows: ReadingRows, rows: PredictedHands) -> None:
    game = demo_game()
    free, turns = 0, []
    for hand, truth in zip(game.hands, truths_of(game), strict=True):
        free += int((~truth.discards.forced).sum())
        index = {int(e): i for i, e in enumerate(truth.discards.event)}
        for seat in range(4):
            for at, event, position in positions(hand.events, Seat(seat)):
                if isinstance(event, Discard) and not truth.discards.forced[index[at]]:
                    turns.append(len(position.players[0].river) + 1)
    assert len(demo_rows) == free
    assert len(rows.game) == 3 * free
    assert sorted(rows.turn[::3].tolist()) == sorted(turns)


def test_agreement_and_bits_by_hand(demo_rows: ReadingRows, rows: PredictedHands) -> None:
    observations = np.repeat(demo_rows.observations, 3)
    hands = demo_rows.hands.reshape(-1, 34)
    named = random_hands(observations["unseen"], rows.tiles, rng_of("demo", "random"))
    right = [sum(min(int(a), int(b)) for a, b in zip(x, y, strict=True)) for x, y in
             zip(named[:50], hands[:50], strict=True)]  # fmt: skip
    assert rows.right[:50, NAMED.index("random")].tolist() == right
    for i in (0, 100, 500):
        unseen, tiles = observations["unseen"][i].astype(int), int(rows.tiles[i])
        whole = int(unseen.sum())
        loss = 0.0
        for h in range(34):
            k, u = int(hands[i, h]), int(unseen[h])
            p = comb(u, k) * comb(whole - u, tiles - k) / comb(whole, tiles)
            loss -= float(np.log2(p)) / 34
        assert rows.bits[i, JUDGED.index("unseen")] == pytest.approx(loss, abs=1e-5)
    assert rows.away[:, DRAWN.index("truth")].tolist() == shanten(hands).tolist()


def test_the_network_beats_what_knows_less(rows: PredictedHands) -> None:
    """The demo's players are none of those it was fitted on; still it reads them."""
    result = results_json(rows, "counts", "demo")["agreement"]["all"]["by"]
    assert result["counts best"]["value"] > result["unseen best"]["value"]
    assert result["unseen best"]["value"] > result["random"]["value"]


def test_results_are_json_and_tables_say_them(rows: PredictedHands) -> None:
    results = json.loads(json.dumps(results_json(rows, "counts", "demo"), allow_nan=True))
    assert results["rows"] == len(rows.game)
    text = "\n".join(report.text() for report in reports(results))
    for word in ("Hand agreement", "Count log loss", "Mean shanten by turn", "holds at least one"):
        assert word in text
    assert "1 game, " in summary(results)


def test_bins_hold_every_statement() -> None:
    marginals = np.zeros((2, 34, 5))
    marginals[:, :, 0] = 0.93
    marginals[:, :, 1] = 0.07
    marginals[0, 3] = (0, 1, 0, 0, 0)
    hands = np.zeros((2, 34), np.uint8)
    hands[0, 3] = 1
    hands[1, 5] = 2
    bins = held_bins(marginals, hands)
    assert bins[:, 0].sum() == 68
    assert bins[1].tolist() == pytest.approx([67, 67 * 0.07, 1])
    assert bins[19].tolist() == pytest.approx([1, 1.0, 1])


def test_metrics_of_hands() -> None:
    true = np.zeros((1, 34), np.uint8)
    true[0, :3] = (2, 1, 1)
    stated = np.zeros((1, 34), np.uint8)
    stated[0, [0, 2, 9]] = (1, 2, 1)
    assert agreement_counts(stated, true).tolist() == [2]
    marginals = np.full((1, 34, 5), 0.25)
    marginals[0, 0, 2] = 0.0
    assert count_bits(marginals, true)[0] == pytest.approx((33 * 2 - np.log2(1e-6)) / 34)
    hits, of = np.array([1.0, 1, 4] * 4), np.array([2.0, 2, 4] * 4)
    game = np.arange(12) // 2
    found = ratio_estimate(hits, of, game, np.random.default_rng(1))
    assert found.value == 0.75
    assert found.low < 0.75 < found.high
    few = ratio_estimate(hits, of, game // 2, np.random.default_rng(1))
    assert few.value == 0.75
    assert np.isnan([few.low, few.high]).all()
