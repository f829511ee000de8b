"""Factors of a ron's han: what they change, what they leave, and that a fit finds them."""

from __future__ import annotations

import numpy as np

from haiyomi.dealin.han_factors import HAN, by_han, weighed
from haiyomi.training.fit_han import Rons, fit_factors


def test_a_han_is_weighed_and_the_ron_stays_as_likely() -> None:
    rng = np.random.default_rng(1)
    cells = rng.random((34, 14, 12))
    cells[5] = 0
    factors = rng.normal(size=HAN)
    out = weighed(cells, factors)
    np.testing.assert_allclose(out.sum(axis=(1, 2)), cells.sum(axis=(1, 2)))
    assert not out[5].any()
    # Within a han the fu keep their shares, between two the odds change by the factors.
    np.testing.assert_allclose(out[3, 2] / out[3, 2].sum(), cells[3, 2] / cells[3, 2].sum())
    odds = by_han(out)[3, 1] / by_han(out)[3, 4]
    before = by_han(cells)[3, 1] / by_han(cells)[3, 4]
    np.testing.assert_allclose(odds, before * np.exp(factors[1] - factors[4]))
    np.testing.assert_allclose(by_han(cells)[3, 8], cells[3, 8:].sum())
    np.testing.assert_allclose(weighed(cells, np.zeros(HAN)), cells)


def test_a_fit_finds_the_factors_that_rons_were_drawn_by() -> None:
    rng = np.random.default_rng(2)
    n = 40_000
    true = np.array([0, -0.2, -0.1, 0.3, 0.6, 0.9, 0.5, 0.3, 0.2])
    group = np.full(n, 4)
    p = rng.dirichlet(np.full(HAN, 2.0), n)
    p[:, 0] = 0
    p /= p.sum(axis=1, keepdims=True)
    weighed_p = p * np.exp(true)
    weighed_p /= weighed_p.sum(axis=1, keepdims=True)
    han = (weighed_p.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1)
    cells = np.zeros((n, 14, 12), np.float32)
    cells[:, :HAN, 3] = p
    none = np.zeros(n, np.int64)
    found = fit_factors(Rons(group, cells, han, none, none > 0, none, none))
    assert not found[:4].any()
    np.testing.assert_allclose(found[4, 1:], true[1:] - true[1:4].mean(), atol=0.08)
