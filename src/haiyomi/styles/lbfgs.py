"""Minimisation of a smooth function by L-BFGS with the line search of Moré and Thuente.

The method, its constants and its order of trial points are those of the L-BFGS-B of Zhu, Byrd,
Lu and Nocedal without bounds: results agree with ``scipy.optimize.minimize(method="L-BFGS-B")``
to rounding.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, inf, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Function = Callable[[Vector], tuple[float, Vector]]
"""A point to the value there and its gradient."""

MEMORY: Final = 10
"""How many of the latest steps approximate the inverse Hessian."""
GRADIENT_TOLERANCE: Final = 1e-5
VALUE_TOLERANCE: Final = 2.220446049250313e-09
MOST_TRIALS: Final = 20
DECREASE, CURVATURE, WIDTH = 1e-3, 0.9, 0.1
LONGEST: Final = 1e10


@dataclass(frozen=True, slots=True)
class _Trial:
    """The function at ``step`` along a line: its value, and its derivative along the line."""

    step: float
    value: float
    derivative: float

    def less(self, rate: float) -> _Trial:
        """The same trial of the function less ``rate`` times the step."""
        return _Trial(self.step, self.value - rate * self.step, self.derivative - rate)


def minimise(function: Function, start: Vector, iterations: int) -> Vector:
    """The best point found within so many iterations; ``start`` where nothing is gained. The
    function may be ``inf`` away from ``start``, whatever the gradient: there a step is halved.

    Ends early where the largest component of the gradient is at most 1e-5, or an iteration
    lowers the value by less than 2e-9 of it.
    """
    x = np.array(start, dtype=np.float64)
    value, gradient = function(x)
    memory: deque[tuple[Vector, Vector]] = deque(maxlen=MEMORY)
    done = 0
    while done < iterations and np.abs(gradient).max() > GRADIENT_TOLERANCE:
        direction = _direction(memory, gradient)
        first = 1.0 if done else min(1 / sqrt(float(direction @ direction)), LONGEST)
        here = _Trial(0.0, value, float(gradient @ direction))
        found = _line_search(function, x, direction, here, first)
        if found is None:
            if not memory:
                break
            memory.clear()
            continue
        step, new_value, new_gradient = found
        moved, turned = step * direction, new_gradient - gradient
        gained = value - new_value
        flat = gained <= VALUE_TOLERANCE * max(abs(value), abs(new_value), 1.0)
        if moved @ turned > np.finfo(float).eps * -(gradient @ moved):
            memory.append((moved, turned))
        x, value, gradient, done = x + moved, new_value, new_gradient, done + 1
        if flat:
            break
    return x


def _direction(memory: deque[tuple[Vector, Vector]], gradient: Vector) -> Vector:
    """Minus the approximate inverse Hessian times the gradient (the two-loop recursion)."""
    direction = -gradient
    shares = []
    for moved, turned in reversed(memory):
        share = (moved @ direction) / (moved @ turned)
        shares.append(share)
        direction = direction - share * turned
    if memory:
        moved, turned = memory[-1]
        direction = direction * ((moved @ turned) / (turned @ turned))
    for (moved, turned), share in zip(memory, reversed(shares), strict=True):
        direction = direction + (share - (turned @ direction) / (moved @ turned)) * moved
    return np.asarray(direction)


def _line_search(
    function: Function, x: Vector, direction: Vector, start: _Trial, step: float
) -> tuple[float, float, Vector] | None:
    """A step of sufficient decrease and curvature, with the value and gradient there.

    None where the direction does not descend, or no such step is found in 20 trials.
    """
    if start.derivative >= 0:
        return None
    rate = DECREASE * start.derivative
    best = other = start
    bracketed, decreased = False, False
    low, high = 0.0, 5 * step
    width, width_before = LONGEST, 2 * LONGEST
    for _ in range(MOST_TRIALS):
        value, gradient = function(x + step * direction)
        if value == inf:
            step = best.step + 0.5 * (step - best.step)
            continue
        new = _Trial(step, value, float(gradient @ direction))
        enough = value <= start.value + step * rate
        if enough and abs(new.derivative) <= CURVATURE * -start.derivative:
            return step, value, gradient
        if bracketed and (not low < step < high or high - low <= WIDTH * high):
            # The interval shrank to nothing: its best end is all there is.
            return step, value, gradient
        decreased |= enough and new.derivative >= 0
        if not decreased and value <= best.value and not enough:
            tried = (best.less(rate), other.less(rate), new.less(rate))
        else:
            tried = (best, other, new)
        step, bracketed = _next_step(*tried, bracketed, low, high)
        best, other = _interval(best, other, new, tried)
        if bracketed:
            if abs(other.step - best.step) >= 0.66 * width_before:
                step = best.step + 0.5 * (other.step - best.step)
            width_before, width = width, abs(other.step - best.step)
            low, high = sorted((best.step, other.step))
        else:
            low, high = step + 1.1 * (step - best.step), step + 4 * (step - best.step)
        step = min(max(step, 0.0), LONGEST)
        if bracketed and (not low < step < high or high - low <= WIDTH * high):
            step = best.step
    return None


def _interval(
    best: _Trial, other: _Trial, new: _Trial, tried: tuple[_Trial, _Trial, _Trial]
) -> tuple[_Trial, _Trial]:
    """The ends of the interval after a trial, the better one first.

    ``tried``: the three trials of the function that the step was chosen by.
    """
    if tried[2].value > tried[0].value:
        return best, new
    turned = tried[2].derivative * copysign(1, tried[0].derivative) < 0
    return new, best if turned else other


def _next_step(
    best: _Trial, other: _Trial, new: _Trial, bracketed: bool, low: float, high: float
) -> tuple[float, bool]:
    """The next step to try, by cubic and quadratic interpolation, and whether a minimum is
    known to lie between two trials."""
    ahead = new.step > best.step
    if new.value > best.value:
        cubic = _cubic(best, new)
        rise = (best.value - new.value) / (new.step - best.step) + best.derivative
        quadratic = best.step + best.derivative / rise / 2 * (new.step - best.step)
        if abs(cubic - best.step) <= abs(quadratic - best.step):
            return cubic, True
        return cubic + (quadratic - cubic) / 2, True
    if new.derivative * copysign(1, best.derivative) < 0:
        cubic, secant = _cubic(new, best), _secant(best, new)
        return cubic if abs(cubic - new.step) > abs(secant - new.step) else secant, True
    if abs(new.derivative) < abs(best.derivative):
        beyond = high if ahead else low
        cubic, secant = _cubic(new, best, beyond), _secant(best, new)
        farther = abs(cubic - new.step) > abs(secant - new.step)
        if not bracketed:
            return min(max(cubic if farther else secant, low), high), False
        nearer = secant if abs(cubic - new.step) >= abs(secant - new.step) else cubic
        limit = new.step + 0.66 * (other.step - new.step)
        return min(limit, nearer) if ahead else max(limit, nearer), True
    if bracketed:
        return _cubic(new, other), True
    return high if ahead else low, False


def _secant(best: _Trial, new: _Trial) -> float:
    """Where the line through the derivatives of two trials is zero."""
    share = new.derivative / (new.derivative - best.derivative)
    return new.step + share * (best.step - new.step)


def _cubic(near: _Trial, far: _Trial, beyond: float | None = None) -> float:
    """Where the cubic through two trials is least, reckoned from ``near``.

    ``beyond``: the answer where that lies on the other side of ``near``, or nowhere.
    """
    a, b = near.derivative, far.derivative
    theta = 3 * (far.value - near.value) / (near.step - far.step) + a + b
    scale = max(abs(theta), abs(a), abs(b))
    under = (theta / scale) ** 2 - a / scale * (b / scale)
    gamma = copysign(scale * sqrt(max(0.0, under)), far.step - near.step)
    share = (gamma - a + theta) / (gamma - a + gamma + b)
    if beyond is not None and not (share < 0 and gamma):
        return beyond
    return near.step + share * (far.step - near.step)
