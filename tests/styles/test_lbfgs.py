"""L-BFGS beside scipy's, which goes the same way, and where the answer is known."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from haiyomi.styles.lbfgs import Function, Vector, minimise

SIZE = 8


def quadratic(rng: np.random.Generator) -> tuple[Function, Vector]:
    """A convex quadratic of random scale, and where it is least."""
    factor = rng.normal(size=(SIZE, SIZE))
    matrix = (factor @ factor.T + np.eye(SIZE)) * 10 ** rng.uniform(-2, 3)
    linear = rng.normal(size=SIZE) * 10 ** rng.uniform(-1, 2)
    return (
        lambda x: (float(x @ matrix @ x / 2 - linear @ x), matrix @ x - linear),
        np.linalg.solve(matrix, linear),
    )


def logistic(rng: np.random.Generator) -> Function:
    """A penalised logistic loss."""
    rows, linear = rng.normal(size=(20, SIZE)) * 3, rng.normal(size=SIZE) * 10

    def loss(x: Vector) -> tuple[float, Vector]:
        z = rows @ x
        value = np.logaddexp(0, z).sum() + x @ x / 2 - linear @ x
        return float(value), rows.T @ np.exp(-np.logaddexp(0, -z)) + x - linear

    return loss


def rosenbrock(x: Vector) -> tuple[float, Vector]:
    """A curved valley: line searches lengthen, shorten and interpolate."""
    away = x[1:] - x[:-1] ** 2
    gradient = np.zeros_like(x)
    gradient[1:] += 200 * away
    gradient[:-1] -= 400 * away * x[:-1] + 2 * (1 - x[:-1])
    return float(100 * away @ away + ((1 - x[:-1]) ** 2).sum()), gradient


@pytest.mark.parametrize("kind", ["quadratic", "logistic", "rosenbrock"])
def test_every_number_of_iterations_ends_where_scipy_does(kind: str) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(5)
    for _ in range(60):
        function: Function
        if kind == "quadratic":
            function = quadratic(rng)[0]
        else:
            function = logistic(rng) if kind == "logistic" else rosenbrock
        start = rng.normal(size=SIZE) * rng.choice([0.1, 1.0, 5.0])
        iterations = int(rng.integers(1, 25))
        theirs = optimize.minimize(
            function, start, jac=True, method="L-BFGS-B", options={"maxiter": iterations}
        ).x
        ours = minimise(function, start, iterations)
        assert np.abs(ours - theirs).max() <= 1e-7 * max(1.0, np.abs(theirs).max())


def test_a_quadratic_is_solved() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        function, least = quadratic(rng)
        found = minimise(function, np.zeros(SIZE), 200)
        assert function(found)[0] - function(least)[0] <= 1e-6 * max(1.0, abs(function(least)[0]))


def test_a_start_that_cannot_be_bettered_is_the_answer() -> None:
    start = np.array([1.0, -2.0])
    flat = minimise(lambda x: (0.0, np.zeros(2)), start, 10)
    assert np.array_equal(flat, start)
    wrong_way = minimise(lambda x: (float(x @ x), -2 * x), start, 10)
    assert np.array_equal(wrong_way, start)
    assert np.array_equal(minimise(rosenbrock, start, 0), start)


def test_a_step_to_where_there_is_no_value_is_halved() -> None:
    """A barrier at 1 in each direction, and the least value at .75."""

    def walled(x: Vector) -> tuple[float, Vector]:
        if (x >= 1).any():
            return inf, np.zeros_like(x)
        return float((-np.log(1 - x) - 4 * x).sum()), 1 / (1 - x) - 4

    found = minimise(walled, np.zeros(SIZE), 50)
    assert np.abs(found - 0.75).max() < 1e-4
