"""Tile efficiency against plain counting; the network's gradients against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.game.decision_labels import CHOICE, NOT_DECIDED
from haiyomi.game.decision_record import CHI_LOW, DECISION, Decisions, as_bytes
from haiyomi.kernels import policy
from haiyomi.kernels.shanten import shanten, useful
from haiyomi.styles.policy_network import Shape
from haiyomi.training.policy_rows import PolicyRows

SIZES = (16, 2, 16)


def _tiles(mask: int, unseen: np.ndarray) -> int:
    return sum(int(unseen[k]) for k in range(34) if mask >> k & 1)


def test_tile_efficiency_by_plain_counting() -> None:
    rng = np.random.default_rng(1)
    hands = []
    for size in (14, 14, 14, 11, 8, 5):
        deck = np.repeat(np.arange(34), 4)
        hands.append(np.bincount(rng.permutation(deck)[:size], minlength=34))
    counts = np.array(hands, np.uint8)
    unseen = (4 - counts).astype(np.uint8)
    unseen[:, ::5] = np.minimum(unseen[:, ::5], 1)
    found = policy.tile_efficiency(counts, unseen)
    for hand, left, result in zip(counts, unseen, found, strict=True):
        least = min(int(o[0]) for o in result)
        for k in range(34):
            if hand[k] == 0:
                assert result[k].tolist() == [255, 0, 0, 0]
                continue
            after = hand.copy()
            after[k] -= 1
            mask = int(useful(after[None])[0])
            assert result[k, 0] == shanten(after[None])[0]
            assert result[k, 1] == _tiles(mask, left)
            assert result[k, 2] == sum(left[t] > 0 and mask >> t & 1 for t in range(34))
            if result[k, 0] != least or least == 0 or result[k, 1] == 0:
                assert result[k, 3] == 0
                continue
            total = 0
            for t in range(34):
                if mask >> t & 1 and left[t]:
                    drawn = after.copy()
                    drawn[t] += 1
                    best = 0
                    for d in np.flatnonzero(drawn):
                        rest = drawn.copy()
                        rest[d] -= 1
                        if shanten(rest[None])[0] == least - 1:
                            best = max(best, _tiles(int(useful(rest[None])[0]), left))
                    total += int(left[t]) * best
            assert result[k, 3] == min(4 * total // int(result[k, 1]), 254)


def test_tile_efficiency_refuses_other_hands() -> None:
    with pytest.raises(ValueError, match="row 0"):
        policy.tile_efficiency(np.ones((1, 34), np.uint8), np.ones((1, 34), np.uint8))


def _some(rows: PolicyRows) -> tuple[Decisions, np.ndarray]:
    """Rows of every sort, with labels that also hold kans and chi."""
    d, labels = rows.decisions, rows.labels
    turn = np.flatnonzero(labels["discard"] < 34)[:6]
    kans = np.flatnonzero(d["kans"] != 0)[:3]
    acts = np.flatnonzero(labels["decided"] & 7)[:6]
    offers = np.flatnonzero(labels["chosen"] >> CHI_LOW)[:10]
    index = np.concatenate([turn, kans, acts, offers])
    assert len(index) >= 24
    labels = labels[index].copy()
    kan_kinds = d["kans"][index]
    for i in range(len(index)):
        if kan_kinds[i]:
            labels["kan"][i] = int(kan_kinds[i]).bit_length() - 1
            labels["discard"][i] = 255
    return d[index], labels


class Loss:
    def __init__(self, rows: PolicyRows) -> None:
        self.rows, labels = _some(rows)
        self.labels = np.ascontiguousarray(labels).view(np.uint8).reshape(-1, CHOICE.itemsize)
        rng = np.random.default_rng(3)
        n = len(self.rows)
        self.mirror = (rng.random(n) < 0.5).astype(np.uint8)
        self.style = rng.normal(size=(n, 8)).astype(np.float32)
        self.size = Shape(*SIZES).size
        self.weights = (rng.normal(size=self.size) * 0.12).astype(np.float32)

    def __call__(
        self, weights: np.ndarray, style: np.ndarray, threads: int = 1
    ) -> tuple[float, np.ndarray, np.ndarray]:
        gradient = np.zeros(self.size, np.float32)
        by_style = np.zeros_like(style)
        result = policy.learn(
            SIZES, weights, as_bytes(self.rows), self.mirror, style, self.labels, gradient,
            by_style, threads,
        )  # fmt: skip
        assert result[4] > 0
        assert result[5] > 0
        assert result[6] > 0
        assert result[7] > 0
        return sum(result[:4]), gradient, by_style


def test_gradients_are_differences_of_the_loss(policy_rows: PolicyRows) -> None:
    loss = Loss(policy_rows)
    _, gradient, by_style = loss(loss.weights, loss.style)
    at = 0
    for name, rows, columns in policy.parts(SIZES):
        part = gradient[at : at + rows * columns]
        some = at + np.argsort(-abs(part))[:20]
        step = np.zeros(loss.size, np.float32)
        step[some] = 2e-4 * np.sign(gradient[some])
        result = float((gradient * step).sum())
        up, down = (loss(loss.weights + s * step, loss.style)[0] for s in (1, -1))
        assert (up - down) / 2 == pytest.approx(result, rel=0.03, abs=4e-6), name
        at += rows * columns
    step = np.zeros_like(loss.style)
    step[:, 2] = 1e-3 * np.sign(by_style[:, 2])
    up, down = (loss(loss.weights, loss.style + s * step)[0] for s in (1, -1))
    assert (up - down) / 2 == pytest.approx(float((by_style * step).sum()), rel=0.03)


def test_threads_change_no_bit(policy_rows: PolicyRows) -> None:
    loss = Loss(policy_rows)
    one, two = (loss(loss.weights, loss.style, t) for t in (1, 3))
    assert one[0] == two[0]
    assert np.array_equal(one[1], two[1])
    assert np.array_equal(one[2], two[2])


def _turned_round(rows: Decisions) -> Decisions:
    """The same decisions with 1 for 9 in every suit, by hand."""
    back = np.array([k // 9 * 9 + 8 - k % 9 if k < 27 else k for k in range(34)] + [255] * 222)
    out = rows.copy()

    def bits(mask: np.ndarray) -> np.ndarray:
        new = np.zeros_like(mask)
        for k in range(34):
            new |= (mask >> np.uint64(k) & np.uint64(1)) << np.uint64(back[k])
        return new

    kinds = np.arange(34)
    for name in ("hand", "efficiency"):
        out[name][:, kinds] = rows[name][:, back[:34]]
    for name in ("drawn", "offered"):
        out[name] = back[rows[name]]
    for name in ("discards", "kans"):
        out[name] = bits(rows[name])
    out["observation"]["unseen"][:, kinds] = rows["observation"]["unseen"][:, back[:34]]
    players, old = out["observation"]["players"], rows["observation"]["players"]
    players["kind"] = back[old["kind"]]
    for name in ("passed", "passed_riichi"):
        players[name] = bits(old[name])
    melds = old["melds"]
    low = back[melds[..., 1]]
    chi = melds[..., 0] == 0
    players["melds"][..., 1] = np.where(chi, low - 2, low)
    players["melds"][..., 2] = back[melds[..., 2]]
    low_bit = rows["legal"] >> 3 & 1
    out["legal"] = rows["legal"] & ~np.uint16(1 << 3 | 1 << 5)
    out["legal"] |= (rows["legal"] >> 5 & 1) << 3 | low_bit << 5
    out["calls"][:, [1, 3]] = rows["calls"][:, [3, 1]]
    return out


def test_mirror_is_the_same_table_turned_round(policy_rows: PolicyRows) -> None:
    rows = policy_rows.decisions
    # A next-of-indicator in a suit is no mirror image: only honours indicate here.
    rows = rows[rows["observation"]["indicators"][:, 0] >= 27][:200]
    assert len(rows) > 50
    n = len(rows)
    rng = np.random.default_rng(4)
    weights = (rng.normal(size=Shape(*SIZES).size) * 0.1).astype(np.float32)
    style = np.zeros((n, 8), np.float32)
    kinds, acts = policy.forward(SIZES, weights, as_bytes(rows), np.ones(n, np.uint8), style)
    turned = as_bytes(_turned_round(rows))
    other, other_acts = policy.forward(SIZES, weights, turned, np.zeros(n, np.uint8), style)
    back = [k // 9 * 9 + 8 - k % 9 if k < 27 else k for k in range(34)]
    assert np.array_equal(kinds, other[:, back])
    assert np.array_equal(acts, other_acts[:, [0, 1, 2, 5, 4, 3, 6, 7, 8]])


def test_damaged_rows_are_refused(policy_rows: PolicyRows) -> None:
    weights = np.zeros(Shape(*SIZES).size, np.float32)
    one, none = np.zeros(1, np.uint8), np.zeros((1, 8), np.float32)
    for field, value in (("drawn", 77), ("from", 9)):
        row = policy_rows.decisions[:1].copy()
        row[field] = value
        with pytest.raises(ValueError, match="row 0 is damaged"):
            policy.forward(SIZES, weights, as_bytes(row), one, none)
    row = policy_rows.decisions[:1].copy()
    row["observation"]["players"]["kind"][0, 1, 0] = 99
    row["observation"]["players"]["n"][0, 1] = 1
    with pytest.raises(ValueError, match="row 0 is damaged"):
        policy.forward(SIZES, weights, as_bytes(row), one, none)
    with pytest.raises(ValueError, match="weights"):
        policy.forward(SIZES, weights[:-1], as_bytes(policy_rows.decisions[:1]), one, none)
    assert DECISION.itemsize == as_bytes(row).shape[1]
    assert NOT_DECIDED == 254


def test_scores_as_far_apart_as_numbers_go(policy_rows: PolicyRows) -> None:
    """A named case: the gap to another's score overflowed (found under the sanitizers)."""
    rows, _ = _some(policy_rows)
    scores = rows["observation"]["players"]["score"]
    scores[:, 0], scores[:, 1], scores[:, 2] = 2**31 - 1, -(2**31), 25_000
    shape = Shape(16, 1, 16)
    weights = np.random.default_rng(3).standard_normal(shape.size).astype(np.float32)
    style = np.zeros((len(rows), 8), np.float32)
    found = policy.forward(
        shape.sizes, weights, as_bytes(rows), np.zeros(len(rows), np.uint8), style
    )
    assert all(np.isfinite(part).all() for part in found)
