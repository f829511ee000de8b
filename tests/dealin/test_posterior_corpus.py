"""The posterior on real positions: against the enumeration of melded hands, and its samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.special import chdtri

from haiyomi.corpus import Corpus
from haiyomi.dealin.melded import circumstances, scores
from haiyomi.dealin.network_model import shipped
from haiyomi.events import Discard, Event, visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.kernels.posterior import Factors, Given, Posterior
from haiyomi.kernels.tenpai_hands import tenpai_hands, wait_index
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat

pytestmark = pytest.mark.corpus
Asked = tuple[Position, int]
"""A position and the relative seat of the opponent that is read."""


@pytest.fixture(scope="module")
def melded(corpus: Path) -> list[Asked]:
    """Ten opponents with two melds and ten with three, each of another hand of the valid split."""
    source = corpus / "valid.zip"
    found: dict[int, list[Asked]] = {2: [], 3: []}
    for _, game in Corpus(source):
        for hand in game.hands:
            by_melds = _last_melded(hand.events, game.header.rules)
            for melds, one in by_melds.items():
                if len(found[melds]) < 10:
                    found[melds].append(one)
        if all(len(v) == 10 for v in found.values()):
            return found[2] + found[3]
    raise AssertionError("the split has too few melded opponents")


def _last_melded(events: Sequence[Event], rules: Ruleset) -> dict[int, Asked]:
    """By number of melds, the last decision at which an opponent not in riichi shows so many."""
    out: dict[int, Asked] = {}
    folds = [PositionFold(Seat(s), rules) for s in range(4)]
    for event in events:
        if type(event) is Discard:
            position = folds[event.seat].position()
            for r in (1, 2, 3):
                player = position.players[r]
                if len(player.melds) in (2, 3) and player.riichi_index is None:
                    out[len(player.melds)] = position, r
        for fold in folds:
            fold.apply(visible_to(event, fold.seat))
    return out


def test_agrees_with_the_enumeration_on_real_positions(melded: list[Asked]) -> None:
    """Every hand of the tables weighted as published: P(ron) of both ways, to 1e-9."""
    assert len(melded) == 20
    for position, seat in melded:
        player = position.players[seat]
        tiles = 13 - 3 * len(player.melds)
        winds = 27 + position.kyoku // 4 % 4, position.seat_wind(Seat(seat))
        given = circumstances(player.melds, *winds, (0,) * 34, position.rules)
        table, index = tenpai_hands(tiles), wait_index(tiles)
        factors = Factors.flat(position.unseen, poor_wait=0.2)
        weight = np.prod(factors.count[np.arange(34), table.counts], axis=1)
        p = weight * np.where(table.good, 1.0, 0.2)
        p /= p.sum()
        live = p * ((table.waits & np.uint64(player.furiten_mask)) == 0)
        expected = np.zeros((3, 34))
        np.add.at(expected[0], index[:, 1], p[index[:, 0]])
        np.add.at(expected[1], index[:, 1], live[index[:, 0]])
        won = live[index[:, 0]] * (scores(tiles, given)[:, 0] > 0)
        np.add.at(expected[2], index[:, 1], won)
        by_melds = Given(player.furiten_mask, False, given.melds, *winds, position.rules)
        answer = Posterior(tiles, factors).ron(by_melds)
        np.testing.assert_allclose(np.array(answer[:3]), expected, atol=1e-9)


def test_learned_weights_sum_to_the_answer_on_real_positions(melded: list[Asked]) -> None:
    """Each hand's own probability under the shipped weights, summed by what it waits on."""
    model = shipped()
    for position, seat in melded:
        reading = model.read([position])[0].rows[seat - 1]
        tiles = 13 - 3 * len(position.players[seat].melds)
        table, index = tenpai_hands(tiles), wait_index(tiles)
        p = reading.posterior.probability(table.counts)
        assert p.sum() == pytest.approx(1.0, abs=1e-9)
        wait = np.bincount(index[:, 1], weights=p[index[:, 0]], minlength=34)
        np.testing.assert_allclose(reading.posterior.ron(reading.given).wait, wait, atol=1e-9)


def test_samples_of_real_positions_are_drawn_by_weight(melded: list[Asked]) -> None:
    """Chi-square of 20 positions' samples against the enumeration, learned weights."""
    model = shipped()
    n = 20_000
    code = np.random.default_rng(1).integers(1, 1 << 60, 34, dtype=np.uint64)
    for number, (position, seat) in enumerate(melded):
        reading = model.read([position])[0].rows[seat - 1]
        hands = tenpai_hands(13 - 3 * len(position.players[seat].melds)).counts
        p = reading.posterior.probability(hands)
        keys = hands.astype(np.uint64) @ code
        sorter = np.argsort(keys)
        drawn = reading.posterior.sample(n, number).astype(np.uint64) @ code
        at = sorter[np.searchsorted(keys, drawn, sorter=sorter).clip(max=len(keys) - 1)]
        assert (keys[at] == drawn).all()
        seen = np.bincount(at, minlength=len(hands))
        order = np.argsort(-p, kind="stable")
        mass = np.cumsum(p[order]) * n
        # Bins of at least twenty expected hands, the rarest together.
        cuts = [0, *(int(np.searchsorted(mass, m)) + 1 for m in np.arange(20, mass[-1] - 20, 20))]
        cuts = [*sorted(set(cuts)), len(order)]
        observed = np.array([seen[order[a:b]].sum() for a, b in pairwise(cuts)], float)
        expected = np.array([p[order[a:b]].sum() for a, b in pairwise(cuts)]) * n
        keep = expected > 5
        assert expected[keep].sum() > 0.999 * n
        statistic = ((observed - expected)[keep] ** 2 / expected[keep]).sum()
        assert statistic < chdtri(int(keep.sum()) - 1, 1e-6), number
