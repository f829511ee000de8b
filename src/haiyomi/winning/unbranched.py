"""The unbranched case: a hand whose numbers of useful tiles change in one way only, (1)-(5).

The paper's closed form. ``haiyomi reproduce winning`` compares the graph's values with it.

d useful draws win the hand, and while k of them are made there are a_k useful tiles. The
transition matrix of turn u, (1), is ``I + B / (S - u)`` with one bidiagonal B for all turns: column
k of B holds -a_k, and a_k below it. So the matrices of (2) commute, and the product is a
polynomial f of B,

    f(x) = prod_{u < t} (1 + x / (S - u)),    f(-a) = C(S - a, t) / C(S, t),

the chance that t draws without replacement miss a given tiles. The corner of f(B) is
``a_0 ... a_{d-1}`` times the divided difference of f over B's eigenvalues -a_0, ..., -a_d, where
a_d = 0. That is the closed form which the paper mentions; for distinct a_k

    p_t = sum_i C(S - a_i, t) / C(S, t) * prod_{j < d} a_j / prod_{j != i} (a_j - a_i),

and where some are equal, the divided difference is that of the polynomial f itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from haiyomi.errors import HaiyomiError

Exact = tuple[Fraction, ...]


def forward(useful: Sequence[int], wall: int, turns: int) -> Exact:
    """The state probabilities q_t of (3): d + 1 numbers that sum to one, the last won.

    ``useful``: a_0 ... a_{d-1}. ``wall``: S, the tiles before the first draw. ``turns``: t draws.
    Raises HaiyomiError where some a_k is more than the wall then holds, or t is more than S.
    """
    _check(useful, wall, turns)
    a = [*useful, 0]
    q = [Fraction(1), *[Fraction(0)] * len(useful)]
    for u in range(turns):
        moved = [Fraction(n, wall - u) * p for n, p in zip(a, q, strict=True)]
        q = [
            p - m + (moved[k - 1] if k else 0)
            for k, (p, m) in enumerate(zip(q, moved, strict=True))
        ]
    return tuple(q)


def backward(useful: Sequence[int], wall: int, turns: int, left: int) -> Exact:
    """The win probabilities p_u of (4) by state, with ``left`` of the ``turns`` draws to come.

    Arguments and errors as for ``forward``. At any cut, (5), their product with the state
    probabilities of the same turn is the chance to have won after all turns.
    """
    _check(useful, wall, turns)
    a = [*useful, 0]
    p = [*[Fraction(0)] * len(useful), Fraction(1)]
    for u in range(turns - 1, turns - left - 1, -1):
        p = [
            value + (Fraction(a[k], wall - u) * (p[k + 1] - value) if a[k] else 0)
            for k, value in enumerate(p)
        ]
    return tuple(p)


def closed_form(useful: Sequence[int], wall: int, turns: int) -> Fraction:
    """The chance to have won after t draws, by the divided difference of the docstring above.

    Arguments and errors as for ``forward``.
    """
    _check(useful, wall, turns)
    # f's coefficients; the divided difference of x^n over points is the sum of all their
    # products of degree n - d, which is defined for equal points too.
    f = [Fraction(1)]
    for u in range(turns):
        step = Fraction(1, wall - u)
        f = [c + step * (f[n - 1] if n else 0) for n, c in enumerate([*f, Fraction(0)])]
    points = [-n for n in useful] + [0]
    degree = max(turns - len(useful), -1)
    products = [Fraction(1), *[Fraction(0)] * max(degree, 0)]
    for x in points:
        for n in range(1, degree + 1):
            products[n] += x * products[n - 1]
    difference = sum(
        (f[len(useful) + n] * products[n] for n in range(degree + 1)), start=Fraction(0)
    )
    for n in useful:
        difference *= n
    return difference


def _check(useful: Sequence[int], wall: int, turns: int) -> None:
    if turns < 0 or turns > wall:
        raise HaiyomiError(f"{turns} draws from a wall of {wall} tiles: expected 0 to {wall}")
    for k, n in enumerate(useful):
        # In state k some k draws are made, so the wall is at most S - k.
        if n < 0 or (n > wall - k and turns > k):
            raise HaiyomiError(f"{n} useful tiles after {k} draws from a wall of {wall}")
