"""Wins at once, deposits and changes of score beside plain sums, option by option."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from haiyomi.kernels.option_endings import (
    deposit_odds,
    option_changes,
    option_deposits,
    wins_at_once,
)
from haiyomi.outcomes.joint import DRAWN, JOINT, PAYER, TENPAI, WINNER, worth_class

CLASSES, B, E = 9, 5, 2
RNG = np.random.default_rng


def shares(rng: np.random.Generator, *shape: int) -> np.ndarray:
    found = rng.random(shape)
    return found / found.sum(axis=-1, keepdims=True)


def rons(rng: np.random.Generator) -> list[list[np.ndarray | None]]:
    """The outcomes (rows of han, fu, points, probability) of each opponent's ron on each tile."""
    every: list[list[np.ndarray | None]] = []
    for option in range(B):
        every.append([])
        for opponent in range(3):
            n = int(rng.integers(1, 5))
            points = 300 * option + rng.choice([1000, 2900, 3900, 8000, 12000, 48000], n)
            rows = np.stack([np.ones(n), np.ones(n), points, rng.random(n) / 20], axis=1)
            every[-1].append(None if option == opponent else rows)
    return every


@pytest.mark.parametrize("triple_ron", [False, True])
def test_wins_at_once_are_those_of_all_ways(triple_ron: bool) -> None:
    """Each of the eight ways in which the opponents may win or not, taken as independent."""
    found, dealer = rons(RNG(3)), np.array([0, 1, 2, 3, 1])
    honba = 300 * np.arange(B)
    flat = [(3 * o + s, rows) for o, three in enumerate(found)
            for s, rows in enumerate(three) if rows is not None]  # fmt: skip
    first, lost, classes, aborted = wins_at_once(
        np.array([at for at, _ in flat]),
        np.array([rows[:, 3].sum() for _, rows in flat]),
        np.array([rows[:, 2] @ rows[:, 3] for _, rows in flat]),
        np.array([len(rows) for _, rows in flat]),
        np.concatenate([rows for _, rows in flat]),
        honba,
        dealer,
        triple_ron,
    )
    for option, three in enumerate(found):
        p = [0.0 if rows is None else rows[:, 3].sum() for rows in three]
        points = [0.0 if rows is None else rows[:, 2] @ rows[:, 3] / rows[:, 3].sum()
                  for rows in three]  # fmt: skip
        due, loss, none = np.zeros(3), np.zeros(3), 0.0
        for way in product((False, True), repeat=3):
            chance = float(np.prod([q if wins else 1 - q for q, wins in zip(p, way, strict=True)]))
            winners = [s for s in range(3) if way[s]]
            if len(winners) == 3 and not triple_ron:
                none += chance
            elif winners:
                # Only the first in turn receives honba.
                paid = sum(points[s] for s in winners) - honba[option] * (len(winners) - 1)
                due[winners[0]] += chance
                loss[winners[0]] += chance * paid
        np.testing.assert_allclose(first[option], due, rtol=1e-12)
        np.testing.assert_allclose(lost[option] * due, loss, rtol=1e-12)
        assert aborted[option] == pytest.approx(none, rel=1e-12)
        for s, rows in enumerate(three):
            mass = np.zeros(CLASSES)
            for _, _, paid, chance in () if rows is None else rows.tolist():
                deals = np.array([s + 1 == dealer[option]])
                mass[worth_class(np.array([paid - honba[option]], np.int32), deals)] += chance
            np.testing.assert_allclose(classes[option, s], mass / max(mass.sum(), 1e-300))


def test_no_ron_is_no_win() -> None:
    none = np.zeros(0)
    for part in wins_at_once(
        none.astype(np.int64), none, none, none.astype(np.int64), np.zeros((0, 4)),
        np.zeros(2, np.int64), np.zeros(2, np.int64), False,
    ):  # fmt: skip
        assert not part.any()


def deposits_at(chance: np.ndarray) -> np.ndarray:
    """(4, 33, ...) by joint ending, of chances (4, ...) where another wins without the tile."""
    odds = deposit_odds().T[..., *[None] * (chance.ndim - 1)]
    paid = odds * chance[:, None]
    return np.divide(paid, 1 + (odds - 1) * chance[:, None], out=0 * paid, where=odds > 0)


def test_the_odds_of_a_deposit_are_those_of_its_ending() -> None:
    odds, seats = deposit_odds(), np.arange(4)
    wins, pays = WINNER[:, None] == seats, (PAYER[:, None] == seats) & (WINNER != PAYER)[:, None]
    assert not odds[wins | (TENPAI == 0)].any()
    (dealt_in,), (tenpai,) = (np.unique(odds[which]) for which in (pays, TENPAI == 1))
    assert 1 < dealt_in < tenpai
    assert np.all(odds[~(wins | pays) & (TENPAI == -1)] == 1)


def test_deposits_fall_on_the_endings_with_which_a_riichi_agrees() -> None:
    """On the mean over the endings that the seat does not win they are what was given."""
    rng = RNG(4)
    p = np.moveaxis(shares(rng, E, B, len(JOINT)), -1, 0)
    mean = rng.random((4, B))
    mean[:, 0] = 1
    found = option_deposits(mean, p)
    at = deposits_at(found)
    for seat in range(4):
        loses = seat != WINNER
        may = loses & (TENPAI[:, seat] != 0)
        due = np.minimum(mean[seat] * p[loses].sum(axis=0), p[may].sum(axis=0))
        np.testing.assert_allclose((at[seat] * p).sum(axis=0), due, rtol=1e-12)
        np.testing.assert_allclose(found[seat, :, 0], 1, rtol=1e-12)


@pytest.mark.parametrize("seat", range(4))
def test_changes_are_the_means_over_the_class_and_the_deposits(seat: int) -> None:
    rng = RNG(5)
    begins, row = np.array([0, 3]), np.array([0, 0, 0, 1, 1])
    ends = rng.normal(0, 5000, (2, DRAWN * CLASSES + len(JOINT) - DRAWN))
    own, others = shares(rng, 2, E, B, CLASSES), shares(rng, 2, DRAWN - 4, CLASSES)
    deposit = rng.random((4, E, B))
    at = deposits_at(deposit)
    found = option_changes(begins, ends, own, others, deposit, seat)
    for j, e, o in product(range(len(JOINT)), range(E), range(B)):
        if j >= DRAWN:
            due = ends[row[o], DRAWN * CLASSES + j - DRAWN]
        else:
            hand = own[int(PAYER[j] == 0), e, o] if WINNER[j] == 0 else others[row[o], j - 4]
            due = hand @ ends[row[o], j * CLASSES : (j + 1) * CLASSES]
        paid = at[:, j, e, o]
        due += 1000 * paid.sum() if WINNER[j] == seat else -1000 * paid[seat]
        assert found[j, e, o] == pytest.approx(due, rel=1e-12, abs=1e-9)


def test_what_is_refused() -> None:
    one, whole = np.ones(1), np.ones(1, np.int64)
    for at, rows, wrong in ((3, 1, "no option"), (0, 2, "beyond"), (-1, 1, "no option")):
        with pytest.raises(ValueError, match=wrong):
            wins_at_once(at * whole, one, one, rows * whole, np.ones((1, 4)), whole, whole, False)
    with pytest.raises(ValueError, match="numbers of options"):
        option_deposits(np.ones((4, 2)), np.ones((33, 1, 3)))
