"""The posterior over tenpai hands, against full enumeration and the general scorer."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from time import process_time

import numpy as np
import pytest
from kernels.brute_posterior import (
    add,
    bits,
    brute_weights,
    complete,
    every_hand,
    mask_of,
    random_factors,
    standard_tenpai,
)
from scipy.special import chdtri
from slowness import slowness

from haiyomi.arrays import Floats
from haiyomi.game.decision_record import as_bytes
from haiyomi.game.observation import NONE, OBSERVATION, Observations
from haiyomi.kernels.posterior import (
    Factors,
    Given,
    Posterior,
    Shown,
    ron_cells,
    ron_outcomes,
    ways,
)
from haiyomi.kernels.scoring import MeldType, no_melds, score, score_one
from haiyomi.kernels.tenpai_hands import score_open, tenpai_hands, wait_index
from haiyomi.kernels.waits import waits

CHI, PON, ANKAN = int(MeldType.CHI), int(MeldType.PON), int(MeldType.ANKAN)


DECKS = {
    "one suit and honours": {0: 3, 1: 3, 2: 3, 3: 2, 4: 2, 5: 2, 6: 1, 27: 3, 31: 2},
    "three colours": {0: 2, 1: 2, 2: 2, 9: 2, 10: 2, 11: 2, 18: 2, 19: 2, 20: 2, 31: 2, 5: 2},
    "pairs of runs": {3: 2, 4: 2, 5: 2, 12: 2, 13: 2, 14: 2, 22: 2, 23: 2, 24: 1, 28: 2, 6: 2},
    "triplets": {0: 3, 9: 3, 18: 3, 4: 3, 13: 2, 27: 3, 10: 1, 11: 1},
    "orphans": {0: 2, 8: 1, 9: 1, 17: 2, 18: 1, 26: 1, 27: 1, 28: 1, 29: 2, 30: 1, 31: 1, 32: 1,
                33: 1, 1: 1, 2: 1},
    "four of a kind": {1: 4, 2: 4, 3: 4, 4: 4, 22: 2, 21: 1, 33: 2},
}  # fmt: skip


@pytest.mark.parametrize("deck", DECKS)
def test_closed_hands_of_small_decks(deck: str) -> None:
    """Every closed hand, one by one: weights, waits, furiten, yaku, marginals."""
    unseen = [DECKS[deck].get(k, 0) for k in range(34)]
    rng = np.random.default_rng(5)
    factors = random_factors(rng, unseen)
    hands = every_hand(unseen, 13)
    weight = brute_weights(hands, factors)
    hands, weight = hands[weight > 0], weight[weight > 0]
    assert len(hands) > 30
    posterior = Posterior(13, factors)
    assert posterior.total == pytest.approx(weight.sum(), rel=1e-12)
    p = weight / weight.sum()
    np.testing.assert_allclose(posterior.probability(hands), p, rtol=1e-11)
    waiting = bits(waits(hands))
    for furiten in ([], [2, 12, 31], [0, 9, 27]):
        given = Given(mask_of(furiten), False, (), 27, 29)
        live = waiting & ~(waiting & bits(np.array([given.barred], np.uint64))).any(axis=1)[:, None]
        yaku = np.zeros_like(live)
        for k in range(34):
            rows = np.flatnonzero(waiting[:, k])
            if len(rows):
                won = hands[rows].copy()
                won[:, k] += 1
                found = score(won, k, round_wind=27, seat_wind=29)
                yaku[rows, k] = found.has_yaku
        answer = posterior.ron(given)
        np.testing.assert_allclose(answer.wait, p @ waiting, atol=1e-13)
        np.testing.assert_allclose(answer.live, p @ live, atol=1e-13)
        np.testing.assert_allclose(answer.ron, p @ (live & yaku), atol=1e-12)
        certain = posterior.ron(Given(given.barred, True))
        np.testing.assert_allclose(certain.ron, p @ live, atol=1e-13)
    marginals = posterior.marginals()
    for n in range(5):
        np.testing.assert_allclose(marginals.count[:, n], p @ (hands == n), atol=1e-12)
    np.testing.assert_allclose(marginals.count.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(answer.kinds, marginals.wait, atol=1e-14)
    if deck != "orphans":  # whose waits are of no kind
        np.testing.assert_allclose(marginals.wait.sum(axis=1), p @ waiting, atol=1e-12)


@pytest.mark.parametrize("melds", [
    ((CHI, 1), (PON, 31)), ((CHI, 9), (CHI, 18)), ((PON, 4), (PON, 13)), ((CHI, 0), (CHI, 3)),
    ((PON, 0), (PON, 9), (CHI, 20)), ((PON, 28), (CHI, 3), (CHI, 13)),
    ((PON, 33), (PON, 4), (PON, 8), (CHI, 19)),
])  # fmt: skip
def test_agrees_with_the_enumeration_of_melded_hands(melds: tuple[tuple[int, int], ...]) -> None:
    """Two to four melds: every hand of the tables, with the same weights, to 1e-9."""
    tiles = 13 - 3 * len(melds)
    table, index = tenpai_hands(tiles), wait_index(tiles)
    rng = np.random.default_rng(len(melds))
    for seat_wind in (28, 30):
        unseen = [int(n) for n in rng.integers(0, 5, 34)]
        furiten = mask_of([int(k) for k in rng.choice(34, 5, replace=False)])
        factors = Factors.flat(unseen, poor_wait=0.2)
        weight = np.prod(factors.count[np.arange(34), table.counts], axis=1)
        p = weight * np.where(table.good, 1.0, 0.2)
        p /= p.sum()
        scored = score_open(
            tiles, melds, round_wind=27, seat_wind=seat_wind, dora=[0] * 34
        )  # fmt: skip
        live = p * ((table.waits & np.uint64(furiten)) == 0)
        expected = np.zeros((3, 34))
        np.add.at(expected[0], index[:, 1], p[index[:, 0]])
        np.add.at(expected[1], index[:, 1], live[index[:, 0]])
        np.add.at(expected[2], index[:, 1], live[index[:, 0]] * (scored[:, 0] > 0))
        posterior = Posterior(tiles, factors)
        answer = posterior.ron(Given(furiten, False, melds, 27, seat_wind))
        np.testing.assert_allclose(np.array(answer[:3]), expected, atol=1e-9)
        np.testing.assert_allclose(posterior.probability(table.counts), p, atol=1e-12)


@pytest.mark.parametrize("tiles", [1, 4, 7])
def test_general_factors_of_melded_hands(tiles: int) -> None:
    rng = np.random.default_rng(tiles)
    unseen = [int(n) for n in rng.integers(0, 5, 34)]
    factors = random_factors(rng, unseen)
    hands = tenpai_hands(tiles).counts
    chosen = rng.permutation(len(hands))[:1500]
    weight = brute_weights(hands[chosen], factors)
    posterior = Posterior(tiles, factors)
    np.testing.assert_allclose(
        posterior.probability(hands[chosen]) * posterior.total, weight, rtol=1e-11, atol=1e-13
    )
    assert posterior.probability(hands).sum() == pytest.approx(1.0, abs=1e-11)


def test_one_hand_of_two_forms_counts_once() -> None:
    """2233445566778 of one suit is seven pairs and standard: its waits are the standard ones."""
    unseen = [0] * 34
    for k in range(1, 8):
        unseen[k] = 2
    posterior = Posterior(13, Factors.flat(unseen, pairs=1.0))
    hands = every_hand(unseen, 13)
    assert len(hands) == 7
    np.testing.assert_allclose(posterior.probability(hands).sum(), 1.0, rtol=1e-12)
    assert posterior.total == pytest.approx(7 * 2)  # two ways to draw the kind held once
    assert posterior.marginals().pairs == pytest.approx(0.0, abs=1e-12)


def test_seven_pairs_wait_is_a_standard_wait_of_hands_of_both_forms() -> None:
    """What lets the standard form stand for both: it waits on the single tile too."""
    unseen = [2] * 8 + [0] * 19 + [2] + [0] * 6
    hands = every_hand(unseen, 13)
    both = [h for h in hands if (h == 2).sum() == 6 and standard_tenpai(h.astype(np.int64))]
    assert both
    for hand in both:
        single = int(np.flatnonzero(hand == 1)[0])
        assert complete(add(hand.astype(np.int64), single))


def test_samples_are_drawn_by_weight() -> None:
    """Chi-square of 20 positions' samples against the enumeration."""
    hands = tenpai_hands(4).counts
    for seed in range(20):
        rng = np.random.default_rng(seed)
        unseen = [int(n) for n in rng.integers(0, 3, 34)]
        posterior = Posterior(4, random_factors(rng, unseen))
        p = posterior.probability(hands)
        n = 20_000
        drawn = posterior.sample(n, seed)
        assert drawn.shape == (n, 34)
        key = {h.tobytes(): i for i, h in enumerate(hands)}
        seen = np.bincount([key[h.tobytes()] for h in drawn], minlength=len(hands))
        order = np.argsort(-p)
        # Bins of at least twenty expected hands.
        cuts = [0]
        total = 0.0
        for i, k in enumerate(order):
            total += p[k] * n
            if total >= 20:
                cuts.append(i + 1)
                total = 0.0
        pairs = list(pairwise(cuts))
        observed = np.array([seen[order[a:b]].sum() for a, b in pairs], float)
        expected = np.array([p[order[a:b]].sum() for a, b in pairs]) * n
        rest = n - expected.sum()
        if rest > 5:
            observed, expected = np.append(observed, n - observed.sum()), np.append(expected, rest)
        statistic = ((observed - expected) ** 2 / expected).sum()
        # One bad draw in a million, over twenty positions.
        assert statistic < chdtri(len(expected) - 1, 1e-6), seed


@pytest.mark.parametrize("deck", DECKS)
def test_closed_samples_given_a_win(deck: str) -> None:
    unseen = [DECKS[deck].get(k, 0) for k in range(34)]
    posterior = Posterior(13, random_factors(np.random.default_rng(1), unseen))
    answer = posterior.ron(Given(0b101, True))
    win = int(np.argmax(answer.live))
    drawn = posterior.sample(4000, 3, win, 0b101)
    mask = waits(drawn)
    assert len(drawn) == 4000
    assert ((mask >> np.uint64(win) & np.uint64(1)) == 1).all()
    assert ((mask & np.uint64(0b101)) == 0).all()
    unique, count = np.unique(drawn, axis=0, return_counts=True)
    p = posterior.probability(unique) / answer.live[win]
    assert p.sum() <= 1 + 1e-9
    statistic = ((count - 4000 * p) ** 2 / (4000 * p))[4000 * p >= 5]
    assert statistic.sum() < chdtri(max(len(statistic), 1), 1e-6)
    assert (drawn <= np.array(unseen)).all()


def test_points_of_few_hands_are_those_of_every_hand() -> None:
    """Three melds: the sampled distribution over (han, fu) against the enumerated one."""
    melds = ((PON, 31), (CHI, 1), (CHI, 12))
    rng = np.random.default_rng(4)
    unseen = [int(n) for n in rng.integers(0, 4, 34)]
    dora = [0] * 34
    dora[22] = 1
    table, index = tenpai_hands(4), wait_index(4)
    factors = Factors.flat(unseen)
    p = Posterior(4, factors).probability(table.counts)
    scored = score_open(4, melds, round_wind=27, seat_wind=28, dora=dora)
    expected = np.zeros((34, 14, 12))
    for (hand, win), (han, fu) in zip(index, scored, strict=True):
        if han:
            expected[win, han, fu // 10] += p[hand]
    total = expected.sum(axis=(1, 2), keepdims=True)
    expected = np.divide(expected, total, out=np.zeros_like(expected), where=total > 0)
    row = observation(melds)
    row["unseen"], row["indicators"][:, 0] = unseen, 21
    samples = np.where(total[:, 0, 0] > 0, 20_000, 0).astype(np.int32)
    samples[22] = 0
    (found,) = ron_cells(
        [Posterior(4, factors)], shown(row), range(34), samples[None], 1.0 * (samples > 0)[None]
    ).cells
    assert not found[22].any()
    expected[22], total[22] = 0, 0
    np.testing.assert_allclose(found.sum(axis=(1, 2))[total[:, 0, 0] > 0], 1.0, atol=1e-9)
    np.testing.assert_allclose(found, expected, atol=5 * (0.25 / 20_000) ** 0.5)


@pytest.mark.parametrize("riichi", [0, 1, 2])
@pytest.mark.parametrize("draws_left", [0, 9])
@pytest.mark.parametrize("chankan", [False, True])
def test_points_are_scored_as_the_observation_has_them(
    riichi: int, draws_left: int, chankan: bool
) -> None:
    """Of an opponent with one possible hand: one cell, that of the scorer."""
    held = np.zeros(34, np.uint8)
    held[[0, 1, 2, 3, 4, 5, 6, 7, 8, 28]] += 1
    held[[14]] += 3
    count = np.zeros((34, 5))
    count[np.arange(34), held] = 1.0
    factors = replace(Factors.flat([4] * 34), count=count)
    for ippatsu, kyoku in product((0, 1), (0, 5)):
        row = observation()
        row["unseen"], row["kyoku"], row["draws_left"] = 4, kyoku, draws_left
        row["players"]["riichi"][0, 1] = 3 if riichi else -1
        row["double_riichi"], row["ippatsu"] = (riichi == 2) << 1, (riichi > 0 and ippatsu) << 1
        scored = score_one(
            [*np.repeat(np.arange(34), held).tolist(), 28], 28, riichi=riichi,
            ippatsu=bool(riichi and ippatsu), last_tile=draws_left == 0 and not chankan,
            chankan=chankan, round_wind=27 + kyoku // 4, seat_wind=28,
        )  # fmt: skip
        cells = ron_cells(
            [Posterior(13, factors)], shown(row, chankan), [28], np.full((1, 1), 20, np.int32),
            np.full((1, 1), 0.5),
        ).cells  # fmt: skip
        assert np.argwhere(cells).tolist() == [[0, 0, scored.han, scored.fu // 10]]
        assert cells.sum() == 0.5
        ((han, fu, points, p),), ends, sums, losses = ron_outcomes(
            cells, np.full((1, 14, 12), 900), [0], [False]
        )
        assert (han, fu, points, p) == (scored.han, scored.fu, 900, 0.5)
        assert (ends, sums, losses) == ([0, 1], [0.5], [450.0])


def observation(melds: tuple[tuple[int, int], ...] = ()) -> Observations:
    """(1,) of a South player to the right of the viewer, who deals."""
    row = np.zeros(1, OBSERVATION)
    row["players"]["melds"], row["players"]["riichi"] = NONE, -1
    row["indicators"], row["reds_seen"], row["draws_left"] = NONE, 7, 40
    for i, meld in enumerate(melds):
        row["players"]["melds"][0, 1, i] = *meld, NONE, 0, NONE, 0
    return row


def shown(rows: Observations, chankan: bool = False) -> Shown:
    return Shown(as_bytes(rows), np.ones(len(rows), np.uint8), chankan=chankan)


def test_closed_kan_counts_among_concealed_triplets() -> None:
    """With two closed kans, one more concealed triplet is three: any such ron has a yaku."""
    melds = ((ANKAN, 1), (ANKAN, 14))
    table, index = tenpai_hands(7), wait_index(7)
    rng = np.random.default_rng(2)
    unseen = [int(n) for n in rng.integers(0, 3, 34)]
    unseen[1] = unseen[14] = 0
    posterior = Posterior(7, Factors.flat(unseen))
    p = posterior.probability(table.counts)
    keep = (p[index[:, 0]] > 0) & ~np.isin(index[:, 1], (1, 14))  # of which none is left
    rows, wins = index[keep, 0], index[keep, 1]
    won = table.counts[rows].copy()
    won[np.arange(len(rows)), wins] += 1
    places = no_melds(len(rows))
    for i, (kind, base) in enumerate(melds):
        places[:, i] = kind, base
    found = score(won, wins.astype(np.uint8), melds=places, round_wind=27, seat_wind=28)
    expected = np.bincount(wins, weights=p[rows] * found.has_yaku, minlength=34)
    answer = posterior.ron(Given(0, False, melds, 27, 28))
    left = [k for k in range(34) if k not in (1, 14)]
    np.testing.assert_allclose(answer.ron[left], expected[left], atol=1e-12)
    assert (answer.ron < answer.live - 1e-6).any()


@pytest.mark.parametrize("keep", [True, False])
def test_many_at_once_are_each_by_itself(keep: bool) -> None:
    """Bit for bit, whatever else is in the batch: the answers, the sums, the samples; also where
    what samples need is summed at the first of them."""
    rng = np.random.default_rng(21)
    melds: list[tuple[tuple[int, int], ...]] = [
        (), ((CHI, 1),), ((PON, 27),), ((ANKAN, 8),), ((CHI, 0), (CHI, 12), (CHI, 21)),
        ((PON, 3), (PON, 12)), ((CHI, 9), (CHI, 12), (CHI, 15)),
    ]  # fmt: skip
    held = [melds[i] for i in rng.integers(0, len(melds), 12)] + [()] * 11
    m = len(held)
    rows = np.concatenate([observation(each) for each in held])
    rows["unseen"] = rng.integers(0, 5, (m, 34))
    none = m - 3
    rows["unseen"][none] = 0
    furiten = [mask_of([int(k) for k in rng.choice(34, 3, replace=False)]) for _ in held]
    rows["players"]["passed"][:, 1] = furiten
    rows["players"]["riichi"][::5, 1] = 2
    turn = np.arange(m)
    rows["kyoku"], rows["dealer"] = 4 * (turn % 2), (1 - turn) % 4
    queries = [
        Given(furiten[i], i % 5 == 0, each, 27 + i % 2, 27 + i % 4) for i, each in enumerate(held)
    ]
    kinds, tiles, shape, irregular = (rng.random((m, *of)) for of in ((34, 8), (28,), (15,), (2,)))
    table = shown(rows)
    row = np.concatenate((kinds.reshape(m, -1), tiles, shape, irregular), axis=1)
    made, answers = Posterior.read(table, row, keep)
    assert len(made) == len(answers.wait) == m
    assert [table.given(i) for i in range(m)] == queries
    factors = []
    for i in range(m):
        count = ways(rows["unseen"][i])
        count[:, 1:] *= kinds[i, :, :4]
        suits = tiles[i].reshape(2, 14)[[0, 0, 0, 1]]
        pairs, orphans = irregular[i]
        factors.append(Factors(count, suits, kinds[i, :, 4:], shape[i], pairs, orphans))
    for i, posterior in enumerate(made):
        single = Posterior(13 - 3 * len(held[i]), factors[i])
        assert posterior.total == single.total
        assert (posterior.total == 0) == (i == none)
        for found, expected in zip(answers, single.ron(queries[i]), strict=True):
            np.testing.assert_array_equal(found[i], expected)
        np.testing.assert_array_equal(posterior.sample(5, i), single.sample(5, i))
        np.testing.assert_array_equal(posterior.marginals().count, single.marginals().count)


def test_batch_of_a_fit_is_the_single_answers() -> None:
    from haiyomi import _core

    rng = np.random.default_rng(9)
    unseen = [[int(n) for n in rng.integers(0, 4, 34)] for _ in range(3)]
    factors = [random_factors(rng, u) for u in unseen]
    truth = np.concatenate([Posterior(7, f).sample(1, i) for i, f in enumerate(factors)])
    logs, rows = _core.posterior_batch(
        np.array([7, 7, 7], dtype=np.uint8),
        *(
            np.stack([getattr(f, name) for f in factors])
            for name in ("count", "tiles", "wait", "shape")
        ),
        np.array([[f.pairs, f.orphans] for f in factors]),
        truth,
    )
    for i, f in enumerate(factors):
        posterior = Posterior(7, f)
        assert logs[i, 0] == pytest.approx(posterior.total)
        assert logs[i, 1] / logs[i, 0] == pytest.approx(posterior.probability(truth[i : i + 1])[0])
        used = np.eye(5)[truth[i]]
        np.testing.assert_allclose(
            rows[i, :170].reshape(34, 5), used - posterior.marginals().count, atol=1e-12
        )


def test_a_hand_uses_the_factors_that_its_weight_is_made_of() -> None:
    """Doubling a factor doubles the weight of just the hands said to use it."""
    from haiyomi import _core

    rng = np.random.default_rng(12)
    unseen = [3] * 34
    factors = random_factors(rng, unseen)
    hands = Posterior(13, factors).sample(60, 5)
    names = ("count", "tiles", "wait", "shape")

    def batch(f: Factors) -> tuple[Floats, Floats]:
        n = len(hands)
        return _core.posterior_batch(
            np.full(n, 13, dtype=np.uint8),
            *(np.repeat(getattr(f, name)[None], n, axis=0) for name in names),
            np.repeat(np.array([[f.pairs, f.orphans]]), n, axis=0),
            hands,
        )

    logs, gradients = batch(factors)
    marginals = Posterior(13, factors).marginals()
    start = 0
    for name in names:
        expected = getattr(marginals, name).ravel()
        size = len(expected)
        for at in rng.choice(size, 12, replace=False):
            parts = {n: getattr(factors, n).copy() for n in names}
            parts[name].ravel()[at] *= 2
            twice, _ = batch(Factors(**parts, pairs=factors.pairs, orphans=factors.orphans))
            used = gradients[:, start + at] + expected[at]
            np.testing.assert_allclose(twice[:, 1] / logs[:, 1], 2**used, rtol=1e-9)
        start += size


def test_marginals_are_the_gradient() -> None:
    """d log(total) / d log(factor) is the expected use of the factor, for every factor."""
    rng = np.random.default_rng(3)
    unseen = [2] * 34
    factors = random_factors(rng, unseen)
    step = 1e-5
    exact = Posterior(13, factors).marginals()
    for name, places in (
        ("tiles", (4, 14)),
        ("wait", (34, 4)),
        ("count", (34, 5)),
        ("shape", (15,)),
    ):
        for _ in range(6):
            at = tuple(int(rng.integers(n)) for n in places)
            logs = []
            for sign in (1, -1):
                changed = getattr(factors, name).copy()
                changed[at] *= np.exp(sign * step)
                parts = {
                    n: getattr(factors, n)
                    for n in ("count", "tiles", "wait", "shape", "pairs", "orphans")
                }
                parts[name] = changed
                logs.append(np.log(Posterior(13, Factors(**parts)).total))
            gradient = (logs[0] - logs[1]) / (2 * step)
            assert gradient == pytest.approx(getattr(exact, name)[at], abs=1e-6), (name, at)


def test_errors_name_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="1, 4, 7, 10 or 13"):
        Posterior(5, Factors.flat([4] * 34))
    with pytest.raises(ValueError, match="1, 4, 7, 10 or 13"):
        Posterior(5, Factors.flat([4] * 34))
    one, two = shown(observation()), shown(np.repeat(observation(), 2))
    with pytest.raises(ValueError, match="differ in length"):
        Posterior.read(two, ones(1))
    with pytest.raises(ValueError, match="another size"):
        Posterior.read(replace(one, observations=one.observations[:, :-1].copy()), ones(1))
    bad = Factors.flat([4] * 34)
    bad.count[3, 2] = -1
    with pytest.raises(ValueError, match="count factors"):
        Posterior(7, bad)
    none = Posterior(7, Factors.flat([0] * 34))
    assert none.total == 0
    assert not none.ron(Given()).wait.any()
    assert len(none.sample(3, 0)) == 0


def ones(m: int) -> Floats:
    """The factors of m opponents, all one."""
    return np.ones((m, 34 * 8 + 28 + 15 + 2))


@pytest.mark.slow
def test_cost_of_three_opponents() -> None:
    """Three closed hands, two of which need a yaku, within 1.5 ms of a quiet core."""
    rng = np.random.default_rng(0)
    spent = []
    for _ in range(60):
        rows = np.repeat(observation(), 3)
        rows["unseen"] = rng.integers(0, 4, 34)
        rows["players"]["riichi"][0, 1] = 2
        rows["players"]["passed"][:, 1] = 7, 3, 9
        given, factors = shown(rows), ones(3)
        slower = slowness()
        before = process_time()
        Posterior.read(given, factors)
        spent.append((process_time() - before) / slower)
    assert np.median(spent) < 1.5e-3
