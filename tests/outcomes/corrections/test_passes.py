"""After a pass the hand is drawn more often, and tenpai less where many would have called."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.outcomes.corrections.passes import (
    DRAWS,
    NEAR,
    TENPAI_CALLED,
    TENPAI_FAR,
    WINS_CALLED,
    after_pass,
)
from haiyomi.outcomes.joint import DRAWN, JOINT
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision

OWN_TENPAI = np.array([bool((joint.tenpai or 0) & 1) for joint in JOINT])


@pytest.fixture(scope="module")
def offers() -> list[RecordedDecision]:
    every = [d for seed in range(4) for d in played(seed) if d.offer is not None]
    return [d for d in every if any(o.act in ("chi", "pon") for o in OptionBlock.of([d]).flat)]


@pytest.mark.parametrize(("least", "shanten"), [(1, 1), (1, 2), (9, 1), (9, 2), (30, 1), (9, 0)])
def test_odds_change_by_the_draws_left_and_the_calls(
    offers: list[RecordedDecision], least: int, shanten: int
) -> None:
    """The odds of groups of endings against the rest, which keep theirs."""
    d = next(
        d
        for d in offers
        if least <= d.position.draws_left < least + 12 and d.position.shanten == shanten
    )
    block = OptionBlock.of([d])
    rng = np.random.default_rng(1)
    before = rng.dirichlet(np.ones(33), (2, len(block.act))).transpose(2, 0, 1)
    share = rng.dirichlet(np.ones(len(block.act)))
    after = after_pass(block, before, share)
    passes = block.does("pass")
    assert np.array_equal(after[:, :, ~passes], before[:, :, ~passes])
    if shanten == 0:
        assert np.array_equal(after, before)
        return
    left = d.position.draws_left
    late = max(np.log(NEAR / left), 0)
    assert (late == 0) == (least == 30)
    calls = sum(s for s, o in zip(share, block.flat, strict=True) if o.act in ("chi", "pon"))
    ends = np.arange(33)
    own, deal_in = ends < 4, np.isin(ends, (4, 8, 12))
    drawn = (ends >= DRAWN) & (ends < 32)
    others = (ends < DRAWN) & ~own & ~deal_in

    def odds(p: np.ndarray, which: np.ndarray, rest: np.ndarray) -> np.ndarray:
        return p[which][:, :, passes].sum(axis=0) / p[rest][:, :, passes].sum(axis=0)

    far = TENPAI_FAR * (shanten > 1)
    for which, rest, log in (
        (drawn, others, DRAWS / left),
        (own, drawn, WINS_CALLED * calls * (shanten == 1)),
        (deal_in, others, 0.0),
        (OWN_TENPAI, drawn & ~OWN_TENPAI, (TENPAI_CALLED * calls + far) * late),
    ):
        assert odds(after, which, rest) == pytest.approx(np.exp(log) * odds(before, which, rest))


def test_a_hand_that_is_noten_for_certain_stays_so(offers: list[RecordedDecision]) -> None:
    block = OptionBlock.of(offers)
    p = np.zeros((33, 1, len(block.act)))
    p[DRAWN] = 1
    after = after_pass(block, p, np.full(len(block.act), 0.5))
    assert np.allclose(after / after.sum(axis=0), p)
