"""From wins by own draws to all wins: the features, the fit, and what the page makes of it."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.events import Discard
from haiyomi.game.position import Position, positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat
from haiyomi.training.balance_rows import BalanceRow, balance_rows, came_of
from haiyomi.training.fit_balance import BalanceTable, payload_of
from haiyomi.winning.own import Own, own_values
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.recalibration import (
    FEATURES,
    VALUES,
    Recalibration,
    features,
    shipped,
    value_inputs,
)
from haiyomi.winning.table import win_table


def _decisions(hands: int = 3) -> list[tuple[Position, Own]]:
    found = []
    for hand in demo_game().hands[:hands]:
        for _, event, position in positions(hand.events, Seat(0)):
            if isinstance(event, Discard):
                found += [(position, own) for own in own_values(position)]
    return found


def test_every_tile_of_the_hand_has_values() -> None:
    for position, own in _decisions():
        assert len(features(position, own)) == len(FEATURES)
        assert all(math.isfinite(v) for v in features(position, own))
        assert all(math.isfinite(v) for v in value_inputs(position, own))
        assert 0 <= own.win <= 1
    position = _decisions(1)[0][0]
    assert {o.tile for o in own_values(position)} == set(position.hand)


def test_values_at_the_turn_are_those_of_the_table() -> None:
    for position, own in _decisions(1):
        table = win_table(WinQuestion.from_position(position))
        at = table.question.turn - 1
        row = next((row for row in table.rows if row.tile == own.tile), None)
        assert own.followed == (row is not None)
        if row is None:
            continue
        assert (own.win, own.tenpai) == pytest.approx((row.win[at], row.tenpai[at]), rel=1e-12)
        assert (own.points is None) == (row.points is None)
        if row.points is not None:
            assert own.points == pytest.approx(row.points[at], rel=1e-12)


def test_the_fit_finds_what_the_rows_were_drawn_from() -> None:
    """Labels drawn from a known model: the fit's probabilities come back to it."""
    rng = np.random.default_rng(3)
    weights = [0.0] * len(FEATURES)
    weights[FEATURES.index("own")], weights[FEATURES.index("left")] = 0.8, -0.7
    zeros = (0.0,) * (VALUES - 1)
    true = Recalibration(1.0, tuple(weights), (6000.0, *zeros), (3000.0, *zeros))
    many = 32
    rows = []
    for position, own in _decisions(6):
        gain = int(true.points(position, own))
        rows.append(BalanceRow("g", position, own.tile, own, True, gain, gain))
    win = np.tile([true.win(r.position, r.own) for r in rows], many)
    won = rng.random(len(win)) < win
    # What a row is made of is worked out once, its outcome drawn many times.
    table = BalanceTable.of(rows)
    columns = {f.name: getattr(table, f.name) for f in fields(table)}
    table = BalanceTable(**{n: np.concatenate([c] * many) for n, c in columns.items()})
    table = replace(table, won=won, gain=np.where(won, table.gain, 0))
    payload = payload_of(table)
    found = Recalibration(
        payload["constant"],
        tuple(payload["weights"]),
        tuple(payload["closed"]),
        tuple(payload["opened"]),
    )
    gaps = [abs(found.win(r.position, r.own) - true.win(r.position, r.own)) for r in rows]
    assert np.mean(gaps) < 0.02
    assert found.points(rows[0].position, rows[0].own) == pytest.approx(6000, rel=0.01)


def test_the_order_of_the_rows_changes_no_digit_of_the_fit() -> None:
    """Nor, so, do threads: sums in another order moved weights by 1e-4 where the fit stopped."""
    rng = np.random.default_rng(5)
    n = 3000
    x = rng.standard_normal((n, len(FEATURES))).astype(np.float32)
    x[:, 3] = x[:, 2] * 0.999 + x[:, 3] * 0.01  # two that say nearly the same
    won = rng.random(n) < 1 / (1 + np.exp(2 - x[:, 0]))
    values = np.abs(rng.standard_normal((n, 6)))
    values[:, 1:] *= 1000
    gain = np.where(won, 1000.0 * rng.integers(1, 12, n), 0.0)
    table = BalanceTable(x, values, rng.random(n) < 0.4, won, gain)
    order = rng.permutation(n)
    other = BalanceTable(**{f.name: getattr(table, f.name)[order] for f in fields(table)})
    found, again = payload_of(table), payload_of(other)
    assert found.keys() == again.keys()
    for name in ("constant", "weights", "closed", "opened"):
        assert again[name] == pytest.approx(found[name], rel=2e-8, abs=1e-10)


def test_what_is_given_away_counts_within_a_decision() -> None:
    """A named case: below a chance of .3% P(win) rose again, so that breaking a pair for thirteen
    orphans, or a step back that wins nothing alone, had a better chance than the best tile.
    """
    model = shipped()
    queries: dict[int, tuple[Position, list[Own]]] = {}
    for position, own in _decisions(8):
        queries.setdefault(id(position), (position, []))[1].append(own)
    lost = 0
    for position, owns in queries.values():
        (wins,) = model.wins([position], [owns])
        best = max(zip(owns, wins, strict=True), key=lambda pair: pair[0].win)
        for own, (win, _) in zip(owns, wins, strict=True):
            if best[0].win > 0.02 and own.win < best[0].win / 5:
                lost += 1
                assert win < 0.6 * best[1][0]
    assert lost > 50


def test_rows_say_what_came_of_the_hand() -> None:
    game = demo_game()
    rows = list(balance_rows("demo", game, 1))
    assert len(rows) > 2 * len(game.hands)
    assert rows[0].own == next(iter(balance_rows("demo", game, 1))).own
    finals = [hand.start.scores for hand in game.hands[1:]]
    for hand, after in zip(game.hands, finals, strict=False):
        for seat in range(4):
            _, _, realised = came_of(hand, seat)
            assert hand.start.scores[seat] + realised == after[seat]


def test_a_balance_is_gain_less_loss() -> None:
    analyzer = Analyzer(parts=("balance",))
    seen = 0
    for hand in demo_game().hands[:2]:
        for _, event, position in positions(hand.events, Seat(0)):
            if not isinstance(event, Discard):
                continue
            (analysis,) = analyzer.analyze([position])
            found = analysis.balance or ()
            for b in found:
                seen += 1
                assert b.loss == analysis.risks[b.tile].expected_loss
                assert b.value == pytest.approx(b.gain - b.loss)
                assert 0 <= b.win <= 1
                assert b.gain >= 0
            values = [b.value for b in found]
            assert values == sorted(values, reverse=True)
    assert seen > 50
