"""How likely a seat pays a deposit after an option."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from forecasts import played

from haiyomi.outcomes.corrections.deposits import DEPOSIT_BY_SHARE, DEPOSIT_LATER, deposits_of
from haiyomi.outcomes.later import LaterEndings
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.seeds import generator


def test_who_does_not_declare_pays_a_deposit_less_often() -> None:
    decision = next(d for d in played(1) if any(o.act == "riichi" for o in options_of(d)))
    block = OptionBlock.of([decision])
    m = len(block.act)
    rng = generator(1, "deposits")
    riichi = block.does("riichi")
    share = np.where(riichi, 0.6 / riichi.sum(), 0.4 / (~riichi).sum())
    later = LaterEndings(
        rng.dirichlet(np.ones(33), (1, m)), rng.dirichlet(np.ones(9), (1, m)),
        rng.dirichlet(np.ones(9), (1, 3)), np.array([[0.5, 0, 0, 0]]), share,
    )  # fmt: skip
    known, unknown = (deposits_of(block, each) for each in (later, replace(later, share=None)))
    left = decision.position.draws_left / 70
    part = np.where(riichi, 1, DEPOSIT_LATER * left / (1 + 0.6 * DEPOSIT_BY_SHARE))
    assert known[0] == pytest.approx(unknown[0] * part)
    assert known[0, riichi] == pytest.approx(1)
    assert known[0, block.does("discard")].min() > 0
