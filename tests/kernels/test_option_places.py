"""The weights and values of a hand's ends beside plain sums over the joint endings."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.kernels.option_endings import deposit_odds
from haiyomi.kernels.option_places import option_tables, option_weights
from haiyomi.outcomes.joint import ABORTED, DRAWN, JOINT

N, B, E = 3, 7, 2
BEGINS = np.array([0, 2, 3])
ROW = np.array([0, 0, 1, 2, 2, 2, 2])
CLASSES = 9
DRAWS = range(DRAWN, ABORTED + 1)


def shares(rng: np.random.Generator, *shape: int) -> np.ndarray:
    found = rng.random(shape)
    return found / found.sum(axis=-1, keepdims=True)


def columns_of(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """A forecast of made-up numbers."""
    return {
        "begins": BEGINS,
        "later": np.moveaxis(shares(rng, E, B, len(JOINT)), -1, 0),
        "nobody": rng.random(B),
        "own": shares(rng, 2, E, B, CLASSES),
        "others": shares(rng, N, DRAWN - 4, CLASSES),
        "deposit": rng.random((E, B)),
        "first": rng.random((B, 3)) / 4,
        "classes": shares(rng, B, 3, CLASSES),
        "aborted": rng.random(B) / 100,
        "nine": np.arange(B) == 4,
    }


def expected_weights(f: dict[str, np.ndarray], m: int, o: int) -> list[float]:
    """Of one option by one member, column by column."""
    p = f["later"][:, m, o] * f["nobody"][o]
    own = [p[payer] * f["own"][int(payer == 0), m, o, c] for payer in range(4) for c in range(9)]
    chance, odds = f["deposit"][m, o], deposit_odds()[:, 0]
    paid = [p[j] * odds[j] * chance / (1 + (odds[j] - 1) * chance) for j in range(4, len(JOINT))]
    unpaid = [p[j] - paid[j - 4] for j in range(4, len(JOINT))]
    unpaid[-1] = 1.0 if f["nine"][o] else unpaid[-1] + f["aborted"][o]
    once = [f["first"][o, w] * f["classes"][o, w, c] for w in range(3) for c in range(9)]
    return [*own, *unpaid, *paid, *once]


def expected_ends(f: dict[str, np.ndarray], m: int, o: int) -> np.ndarray:
    """(2, 161) P of the ends, the own deposit not paid and paid, later and at once together."""
    columns = expected_weights(f, m, o)
    out = np.zeros((2, DRAWN * CLASSES + len(DRAWS)))
    out[0, :36] = columns[:36]
    for half, rest in enumerate((columns[36:65], columns[65:94])):
        for j in range(4, DRAWN):
            for c in range(9):
                out[half, 9 * j + c] = rest[j - 4] * f["others"][ROW[o], j - 4, c]
        out[half, 9 * DRAWN :] = rest[DRAWN - 4 :]
    for w in (1, 2, 3):
        out[0, 36 * w : 36 * w + 9] += columns[94 + 9 * (w - 1) : 94 + 9 * w]
    return out


def test_weights_are_those_of_the_joint_endings() -> None:
    f = columns_of(np.random.default_rng(5))
    weights, likely = option_weights(**f)
    ends = np.array([[expected_ends(f, m, o) for o in range(B)] for m in range(E)])
    due = [[expected_weights(f, m, o) for o in range(B)] for m in range(E)]
    np.testing.assert_allclose(weights, due, rtol=1e-13, atol=0)
    for n in range(N):
        np.testing.assert_allclose(
            likely[n], ends[:, n == ROW].max(axis=(0, 1)).reshape(-1), rtol=1e-13, atol=0
        )


def test_weights_times_tables_are_the_mean_over_the_ends() -> None:
    rng = np.random.default_rng(6)
    f = columns_of(rng)
    weights, _ = option_weights(**f)
    values = rng.random((40, 6))
    row = rng.integers(-1, 40, (N, 322))
    tables = option_tables(values, row, f["others"])
    worth = np.where(row[..., None] < 0, 0, values[row])
    for m in range(E):
        for o in range(B):
            mean = expected_ends(f, m, o).reshape(-1) @ worth[ROW[o]]
            np.testing.assert_allclose(weights[m, o] @ tables[ROW[o]], mean, rtol=1e-12)


def test_what_is_refused() -> None:
    f = columns_of(np.random.default_rng(7))
    for begins in ([1, 2, 3], [0, 3, 2], [0, 2, 8]):
        with pytest.raises(ValueError, match="side by side"):
            option_weights(**{**f, "begins": np.array(begins)})
    with pytest.raises(ValueError, match="other numbers"):
        option_weights(**{**f, "first": f["first"][:-1]})
    with pytest.raises(ValueError, match="without a value"):
        option_tables(np.zeros((1, 6)), np.ones((N, 322), np.int64), f["others"])
