"""The paper's network: its inputs counted again, its gradients by finite differences."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mahjong.shanten import Shanten
from naive_counts import kind, steps

from haiyomi.events import Absence
from haiyomi.logs.load import write
from haiyomi.play.demo import demo_game
from haiyomi.styles.discard_network import (
    INPUTS,
    KINDS,
    DiscardNetwork,
    Discards,
    discards_of,
    inputs,
    ranks,
)
from haiyomi.tiles import Seat, parse_tiles
from haiyomi.training import fit_discard_network
from haiyomi.training.fit_discard_network import (
    Checkpoint,
    SgdSettings,
    descend,
    fit_network,
    gradient_of,
    loss_of,
)

REDS = {"5mr": 34, "5pr": 35, "5sr": 36}


@pytest.fixture(scope="module")
def rows() -> Discards:
    return discards_of(demo_game(), {s: s for s in range(4)}, 7)


def _code(tile: str) -> int:
    return REDS.get(tile, kind(tile))


def _naive(seat: int) -> list[tuple[np.ndarray, int, bool]]:
    """Inputs, target and folding of each discard of a seat, from mjai messages."""
    out = []
    hand: list[str] = []
    river: list[str] = []
    melds = 0
    riichi = immediate = pending = reached = other = opened = False
    for m in map(json.loads, write(demo_game(), "mjai").splitlines()):
        me = m.get("actor") == seat
        if m["type"] == "start_kyoku":
            hand, river = list(m["tehais"][seat]), []
            melds = 0
            riichi = immediate = pending = reached = other = opened = False
        elif m["type"] == "tsumo" and me:
            hand.append(m["pai"])
        elif m["type"] == "reach":
            pending = pending or me
            other = other or not me
        elif m["type"] == "dahai" and me:
            x = np.zeros(INPUTS)
            for at, tiles in ((0, hand), (152, river)):
                for code in range(37):
                    n = sum(_code(t) == code for t in tiles)
                    x[at + 4 * code : at + 4 * code + n] = 1
            kinds = [kind(t) for t in hand]
            for g, suit in enumerate((range(9), range(9, 18), range(18, 27), range(27, 34))):
                for n in range(1, 5):
                    x[304 + 4 * g + n - 1] = sum(kinds.count(k) == n for k in suit)
            x[320] = melds
            counts = [kinds.count(k) for k in range(34)]
            s = Shanten()
            x[321] = (8 - s.calculate_shanten_for_regular_hand(counts)) / 8
            if len(hand) == 14:
                x[322] = (8 - s.calculate_shanten_for_chiitoitsu_hand(counts)) / 8
                x[323] = (8 - s.calculate_shanten_for_kokushi_hand(counts)) / 8
            x[324], x[325] = riichi, riichi and immediate
            best = steps(hand)
            hand.remove(m["pai"])
            after = steps(hand)
            out.append((x, _code(m["pai"]), other and not riichi and after > best))
            river.append(m["pai"])
            if not opened and not reached and after == 0:
                reached, immediate = True, pending
            riichi, pending = riichi or pending, False
        elif m["type"] in ("chi", "pon", "daiminkan") and me:
            melds, opened = melds + 1, True
            for t in m["consumed"]:
                hand.remove(t)
        elif m["type"] == "ankan" and me:
            melds += 1
            for t in m["consumed"]:
                hand.remove(t)
        elif m["type"] == "kakan" and me:
            hand.remove(m["pai"])
    return out


def test_inputs_are_those_of_table_3(rows: Discards) -> None:
    assert INPUTS == 152 + 152 + 16 + 1 + 3 + 1 + 1 == 326
    x, folding = inputs(rows), rows.folding
    assert rows.riichi.any()
    assert rows.immediate.any()
    assert folding.any()
    for seat in range(4):
        mine = np.flatnonzero(rows.player == seat)
        naive = _naive(seat)
        assert len(mine) == len(naive)
        for i, (expected, target, folds) in zip(mine, naive, strict=True):
            assert x[i] == pytest.approx(expected)
            assert rows.target[i] == target
            assert folding[i] == folds
    assert (rows.game == 7).all()


def test_a_hand_with_the_line_down_has_no_rows(rows: Discards) -> None:
    game = demo_game()
    away = (Absence(0, 3, Seat(1)), Absence(1, 0, Seat(1), back=True))
    mine = rows.take(rows.player == 1)
    first = len(discards_of(replace(game, hands=game.hands[:1]), {1: 1}, 7))
    fewer = discards_of(replace(game, absences=away), {1: 1}, 7)
    assert first > 0
    assert np.array_equal(fewer.held, mine.held[first:])
    assert np.array_equal(fewer.immediate, mine.immediate[first:])


@pytest.mark.parametrize("loss", ["mse", "cross-entropy"])
def test_gradients_are_those_of_the_loss(loss: str) -> None:
    rng = np.random.default_rng(3)
    out = rng.normal(size=(5, KINDS)).astype(np.float32)
    target = rng.integers(KINDS, size=5)

    def value(o: np.ndarray) -> float:
        o = o.astype(np.float64)
        if loss == "mse":
            return float(((o - np.eye(KINDS)[target]) ** 2).sum())
        return float((np.log(np.exp(o).sum(axis=1)) - o[np.arange(5), target]).sum())

    gradient = gradient_of(out, target, loss)  # type: ignore[arg-type]
    for i, j in ((0, int(target[0])), (1, 3), (4, 37)):
        up, down = out.copy(), out.copy()
        up[i, j] += 1e-2
        down[i, j] -= 1e-2
        assert gradient[i, j] == pytest.approx((value(up) - value(down)) / 2e-2, abs=2e-3)


def test_a_step_goes_down_its_own_gradient() -> None:
    """Each weight moves by the rate times the mean loss's gradient, found by finite differences."""
    rng = np.random.default_rng(4)
    shapes = ((INPUTS, 6), (6,), (6, KINDS), (KINDS,))
    start = [rng.normal(0, 0.3, s).astype(np.float32) for s in shapes]
    x = rng.random((7, INPUTS)).astype(np.float32)
    target = rng.integers(KINDS, size=7)

    def value(weights: list[np.ndarray]) -> float:
        w1, b1, w2, b2 = (w.astype(np.float64) for w in weights)
        out = np.maximum(x @ w1 + b1, 0) @ w2 + b2
        return float(((out - np.eye(KINDS)[target]) ** 2).sum(axis=1).mean())

    net = DiscardNetwork(*(w.copy() for w in start))
    descend(net, x, target, "mse", np.float32(1e-3))
    for name, before in zip(("w1", "b1", "w2", "b2"), start, strict=True):
        moved = (before - getattr(net, name)) / 1e-3
        flat = np.argmax(np.abs(moved))
        at = np.unravel_index(flat, before.shape)
        number = ("w1", "b1", "w2", "b2").index(name)
        up = [w.astype(np.float64) for w in start]
        down = [w.astype(np.float64) for w in start]
        up[number][at] += 1e-5
        down[number][at] -= 1e-5
        assert moved[at] == pytest.approx((value(up) - value(down)) / 2e-5, rel=2e-2)


def test_a_fit_learns_and_is_the_same_again(rows: Discards) -> None:
    settings = SgdSettings(width=16, rate=0.05, batch=16, epochs=8)
    course = fit_network(rows, "cross-entropy", settings, rows)
    again = fit_network(rows, "cross-entropy", settings, rows)
    assert course.agreement == again.agreement
    assert np.array_equal(course.best.w1, again.best.w1)
    assert course.agreement[-1] > 0.3 > 1 / 14
    assert course.losses[-1] < course.losses[0]
    out, target = course.net.scores(inputs(rows)), rows.target.astype(np.int64)
    shares = np.exp(out.astype(np.float64))
    shares /= shares.sum(axis=1, keepdims=True)
    assert course.losses[-1] == pytest.approx(-np.log(shares[np.arange(len(rows)), target]).mean())
    squared = ((out.astype(np.float64) - np.eye(KINDS)[target]) ** 2).sum(axis=1).mean()
    assert loss_of(out, target, "mse") == pytest.approx(squared)


def test_a_fit_that_stopped_goes_on_to_the_same_network(
    rows: Discards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SgdSettings(width=8, rate=0.05, batch=32, epochs=5)
    whole = fit_network(rows, "mse", settings, rows)
    made = Checkpoint(tmp_path / "network.npz", "made")
    monkeypatch.setattr(fit_discard_network, "EPOCHS_A_CHECKPOINT", 2)

    def killed(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_network(rows, "mse", settings, rows, killed, checkpoint=made)
    seen: list[int] = []
    again = fit_network(
        rows, "mse", settings, rows, lambda done, _: seen.append(done), checkpoint=made
    )
    assert seen == [3, 4, 5]
    # Fewer epochs are made from the start, more from where it stands.
    fewer = fit_network(rows, "mse", replace(settings, epochs=3), rows, checkpoint=made)
    more = fit_network(rows, "mse", settings, rows, checkpoint=made)
    for other in (again, more):
        assert other.agreement == whole.agreement
        assert other.losses == whole.losses
        for name in ("w1", "b1", "w2", "b2"):
            assert np.array_equal(getattr(other.net, name), getattr(whole.net, name))
            assert np.array_equal(getattr(other.best, name), getattr(whole.best, name))
    assert fewer.agreement == whole.agreement[:3]
    # What was learnt from other rows is not taken.
    seen.clear()
    other_rows = replace(made, mark="other")
    fit_network(
        rows, "mse", settings, rows, lambda done, _: seen.append(done), checkpoint=other_rows
    )
    assert seen == [1, 2, 3, 4, 5]


def test_a_stage_of_a_fit_leaves_a_course_that_went_further_as_it_is(
    rows: Discards, tmp_path: Path
) -> None:
    settings = SgdSettings(width=8, rate=0.05, batch=32, epochs=4)
    made = Checkpoint(tmp_path / "network.npz", "made")
    first = fit_network(rows, "mse", settings, rows, checkpoint=replace(made, until=2))
    assert len(first.agreement) == 2
    whole = fit_network(rows, "mse", settings, rows, checkpoint=made)
    seen: list[int] = []
    again = fit_network(
        rows, "mse", settings, rows, lambda done, _: seen.append(done),
        checkpoint=replace(made, until=2),
    )  # fmt: skip
    assert not seen
    assert again.agreement == whole.agreement


def test_ranks_of_held_and_merged_tiles() -> None:
    held = np.zeros((1, 37), dtype=np.uint8)
    for tile in parse_tiles("05m19p"):
        held[0, tile.code] += 1
    zero = np.zeros(1)
    rows = Discards(
        held, np.zeros_like(held), zero, zero > 0, zero > 0, zero > 0, zero, np.array([4]), zero,
        zero,
    )  # fmt: skip
    scores = np.zeros((1, KINDS), dtype=np.float32)
    scores[0, 34], scores[0, 4], scores[0, 9], scores[0, 33] = 3.0, 1.0, 2.0, 9.0
    assert ranks(scores, rows).tolist() == [0]  # the red five speaks for the plain one
    assert ranks(scores, rows, merged=False).tolist() == [2]
    assert ranks(scores, rows, held_only=False).tolist() == [1]  # 7z is not held
