"""Hands of opponents with melds, against brute force over every hand and the general scorer."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from haiyomi import _core
from haiyomi.dealin.melded import Circumstances, circumstances, melded_ron, scores
from haiyomi.game.position_fold import positions
from haiyomi.kernels.scoring import no_melds, score
from haiyomi.kernels.tenpai_hands import ron_distribution
from haiyomi.play.demo import demo_game
from haiyomi.tiles import N_KINDS, Seat

NO_DORA = (0,) * N_KINDS


def plain(melds: tuple[tuple[int, int], ...], **changes: object) -> Circumstances:
    given: dict[str, object] = {
        "melds": melds, "round_wind": 27, "seat_wind": 28, "dora": NO_DORA, "reds": 0,
        "houtei": False, "chankan": False, "kuitan": True, "kiriage": False, "wind_pair_fu": 4,
    }  # fmt: skip
    given.update(changes)
    return Circumstances(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("tiles", "hands"), [(1, 34), (4, 3_756), (7, 148_809)])
def test_counts_of_tenpai_hands(tiles: int, hands: int) -> None:
    counts, waits, _ = _core.tenpai_hands(tiles)
    assert len(counts) == hands
    assert (counts.sum(axis=1) == tiles).all()
    assert len(np.unique(counts, axis=0)) == hands
    assert (waits != 0).all()


@pytest.mark.slow
def test_count_of_ten_tile_tenpai_hands() -> None:
    assert len(_core.tenpai_hands(10)[0]) == 3_431_439


def is_complete(counts: list[int]) -> bool:
    """Sets and one pair, by plain recursion: shares nothing with the core."""

    def sets(c: list[int]) -> bool:
        for k in range(N_KINDS):
            if c[k] == 0:
                continue
            if c[k] >= 3:
                c[k] -= 3
                if sets(c):
                    c[k] += 3
                    return True
                c[k] += 3
            if k < 27 and k % 9 < 7 and c[k + 1] and c[k + 2]:
                for i in range(3):
                    c[k + i] -= 1
                found = sets(c)
                for i in range(3):
                    c[k + i] += 1
                return found
            return False
        return True

    for pair in range(N_KINDS):
        if counts[pair] >= 2:
            counts[pair] -= 2
            found = sets(counts)
            counts[pair] += 2
            if found:
                return True
    return False


def brute_waits(hand: tuple[int, ...]) -> int:
    counts = [0] * N_KINDS
    for k in hand:
        counts[k] += 1
    mask = 0
    for k in range(N_KINDS):
        if counts[k] < 4:
            counts[k] += 1
            if is_complete(counts):
                mask |= 1 << k
            counts[k] -= 1
    return mask


def test_four_tile_hands_against_brute_force() -> None:
    counts, waits, _ = _core.tenpai_hands(4)
    known = {tuple(c): int(w) for c, w in zip(counts.tolist(), waits.tolist(), strict=True)}
    # Suits behave alike and apart: m and two honours make every case.
    small = [*range(9), 27, 28]
    for hand in combinations_with_replacement(small, 4):
        if max(hand.count(k) for k in hand) > 4:
            continue
        key = [0] * N_KINDS
        for k in hand:
            key[k] += 1
        assert known.get(tuple(key), 0) == brute_waits(hand)


MELD_SETS = [
    ((0, 3), (0, 12)),
    ((1, 8), (1, 28)),
    ((4, 5), (1, 14)),
    ((3, 33), (0, 20)),
    ((1, 31), (1, 32)),
    ((1, 0), (1, 9), (1, 18)),
    ((0, 0), (0, 9), (4, 27)),
    ((2, 27), (1, 29), (3, 30)),
    ((4, 31), (2, 32), (3, 33), (1, 0)),
    ((0, 19), (1, 25), (1, 32)),
]


@pytest.mark.parametrize("melds", MELD_SETS)
@pytest.mark.parametrize("extra", [{}, {"round_wind": 28}, {"houtei": True}, {"chankan": True}])
def test_open_scores_agree_with_the_general_scorer(
    melds: tuple[tuple[int, int], ...], extra: dict[str, object]
) -> None:
    tiles = 13 - 3 * len(melds)
    dora = np.zeros(N_KINDS, dtype=np.int64)
    dora[4], dora[31] = 1, 2
    given = plain(melds, dora=tuple(dora.tolist()), **extra)
    held = np.zeros(N_KINDS, dtype=np.int64)
    for type_, k in melds:
        if type_ == 0:
            held[k : k + 3] += 1
        else:
            held[k] += 3 if type_ == 1 else 4
    index = _core.tenpai_wait_index(tiles).astype(np.int64)
    complete = _core.tenpai_hands(tiles)[0][index[:, 0]].astype(np.int64)
    complete[np.arange(len(index)), index[:, 1]] += 1
    rows = np.flatnonzero((complete + held <= 4).all(axis=1))
    shown = no_melds(len(rows))
    for i, meld in enumerate(melds):
        shown[:, i] = meld
    want = score(
        complete[rows].astype(np.uint8),
        index[rows, 1].astype(np.uint8),
        melds=shown,
        round_wind=given.round_wind,
        seat_wind=given.seat_wind,
        chankan=given.chankan,
        last_tile=given.houtei,
        dora=((complete[rows] + held) @ dora).astype(np.uint8),
    )
    got = scores(tiles, given)[rows]
    assert len(rows) > 20
    assert (got[:, 0] == np.where(want.has_yaku, want.han, 0)).all()
    assert (got[:, 1] == np.where(want.has_yaku, want.fu, 0)).all()


def test_every_consistent_hand_is_scored() -> None:
    """On real positions: the core weighs as many hands as brute force over the unseen tiles
    counts, and its scores cover every (hand, winning kind) of the table."""
    checked = 0
    for hand in demo_game().hands:
        for _, _, position in list(positions(hand.events, Seat(0)))[::3]:
            for seat in (1, 2, 3):
                player = position.players[seat]
                if not 2 <= len(player.melds) <= 3 or not player.open_melds:
                    continue
                tiles = 13 - 3 * len(player.melds)
                given = circumstances(
                    player.melds,
                    position.round_wind,
                    position.seat_wind(seat),
                    position.dora,
                    position.rules,
                )
                unseen = np.array(position.unseen, dtype=np.uint8)
                factors = (0.1, 0.1, 0.1, 0.2), 0.2, 1.0, 0, 1.0
                answer = melded_ron(player.melds, given, unseen, 0, player.furiten_mask, *factors)
                hands, waits, _ = _core.tenpai_hands(tiles)
                consistent = (hands <= unseen).all(axis=1)
                assert answer.hands == consistent.sum()
                open_kinds = int(np.bitwise_or.reduce(waits[consistent], initial=0))
                assert answer.possible & ~open_kinds == 0
                checked += 1
    assert checked > 3


def test_ron_distribution_against_a_plain_sum() -> None:
    """(13)-(18) over the 3,756 hands of three melds, written out anew."""
    melds = ((1, 31), (0, 0), (0, 3))
    given = plain(melds)
    table = scores(4, given)
    hands, waits, good = _core.tenpai_hands(4)
    index = _core.tenpai_wait_index(4)
    rng = np.random.default_rng(1)
    unseen = rng.integers(0, 5, N_KINDS).astype(np.uint8)
    furiten = 1 << 7 | 1 << 20
    tenpai = (0.2, 0.0, 0.0, 0.5)  # the melds show characters alone
    ron, wait, possible, totals, consistent = _core.ron_distribution(
        4, table, unseen, 0, furiten, 1, tenpai, 0.2, 1.0, 0, 1.0, False
    )
    weight = np.zeros(len(hands))
    flush = np.zeros(len(hands), dtype=bool)
    for i, hand in enumerate(hands.tolist()):
        ways = prod(comb(int(u), n) for u, n in zip(unseen, hand, strict=True))
        consistent -= ways > 0
        if not int(waits[i]) & furiten:
            weight[i] = ways * (1.0 if good[i] else 0.2)
        flush[i] = not any(hand[9:27])
    assert consistent == 0
    p = np.where(flush, 0.2 * weight / weight[flush].sum(), 0.5 * weight / weight[~flush].sum())
    assert totals[0] == pytest.approx(weight[flush].sum())
    assert totals[3] == pytest.approx(weight[~flush].sum())
    want_wait, want_ron = np.zeros(N_KINDS), np.zeros(N_KINDS)
    open_kinds = 0
    for (hand_index, kind), (han, _fu) in zip(index.tolist(), table.tolist(), strict=True):
        want_wait[kind] += p[hand_index]
        if han:
            want_ron[kind] += p[hand_index]
            ways = prod(
                comb(int(u), int(n)) for u, n in zip(unseen, hands[hand_index], strict=True)
            )
            open_kinds |= (ways > 0) << kind
    assert wait == pytest.approx(want_wait, abs=1e-12)
    assert ron.sum(axis=(1, 2)) == pytest.approx(want_ron, abs=1e-12)
    assert p.sum() == pytest.approx(0.7)
    assert possible == open_kinds


def test_reds_raise_han_by_their_hypergeometric_share() -> None:
    melds = ((1, 31), (1, 32), (1, 0), (1, 9))
    given = plain(melds)
    table = scores(1, given)
    unseen = np.zeros(N_KINDS, dtype=np.uint8)
    unseen[22] = 2  # one of the two unseen 5s is red
    rest = (0, 3, (0, 0, 0, 1.0), 0.2, 0.0, 0, 1.0, True)
    with_red = _core.ron_distribution(1, table, unseen, 0b100, *rest)[0]
    without = _core.ron_distribution(1, table, unseen, 0, *rest)[0]
    (han,) = np.flatnonzero(without[22].sum(axis=1))
    assert without[22].sum() == pytest.approx(1.0)
    assert with_red[22, han].sum() == pytest.approx(0.5)
    assert with_red[22, han + 1].sum() == pytest.approx(0.5)


def test_factors_of_hands_without_yaku_and_of_passed_waits() -> None:
    """Hands that cannot win weigh ``yakuless``; those that wait on a passed kind less, too."""
    melds = ((0, 0), (0, 12), (0, 21))  # no yaku but by the last set or pair
    table = scores(4, plain(melds))
    hands, waits, good = _core.tenpai_hands(4)
    index = _core.tenpai_wait_index(4)
    unseen = np.full(N_KINDS, 4, dtype=np.uint8)
    passed = 1 << 3 | 1 << 30
    wait = _core.ron_distribution(
        4, table, unseen, 0, 0, 7, (0.0, 0.0, 0.0, 0.6), 0.2, 0.25, passed, 0.1, False
    )[1]
    yaku = np.zeros(len(hands), dtype=bool)
    np.logical_or.at(yaku, index[:, 0].astype(np.int64), table[:, 0] > 0)
    weight = np.array([prod(comb(4, n) for n in hand) for hand in hands.tolist()], dtype=np.float64)
    weight *= np.where(good, 1.0, 0.2) * np.where(yaku, 1.0, 0.25)
    weight *= np.where((waits & np.uint64(passed)) != 0, 0.1, 1.0)
    assert 0 < yaku.mean() < 1
    want = np.zeros(N_KINDS)
    np.add.at(want, index[:, 1].astype(np.int64), (0.6 * weight / weight.sum())[index[:, 0]])
    assert wait == pytest.approx(want, abs=1e-12)


def test_a_score_beyond_the_table_of_fu_is_refused() -> None:
    """A named case: it was added to a cell behind the answer's end."""
    tiles = len(_core.tenpai_hands(1)[0])
    wrong = np.tile(np.array([[13, 250]], np.uint8), (tiles, 1))
    with pytest.raises(ValueError, match="more than 110 fu"):
        ron_distribution(1, wrong, [4] * 34, tenpai=(0.1, 0.2, 0.3, 0.1))
