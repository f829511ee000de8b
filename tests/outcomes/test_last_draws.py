"""Near the end of the wall who has no draw left hardly wins or deals in."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.outcomes.joint import ABORTED, DRAWN, PAYER, WINNER
from haiyomi.outcomes.last_draws import (
    ABORTS_DECLINED,
    LAST_RONS,
    NOTEN_LATER,
    OUT_OF_TURN,
    last_draws,
)
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision

EVEN = 1 / 33


def parts(decision: RecordedDecision, act: str) -> np.ndarray:
    """(33,) what is left of equal probabilities, of the first option that is such an act."""
    block = OptionBlock.of([decision])
    found = last_draws(block, np.full((33, 1, len(block.act)), EVEN))
    return found[:, 0, [o.act for o in block.flat].index(act)] / EVEN


def the_first(left: int, offer: int | None) -> RecordedDecision:
    """A decision with so many draws left: in the own turn, or on the discard of a seat."""
    return next(
        d
        for seed in range(30)
        for d in played(seed)
        if d.position.draws_left == left
        and {"discard", "pass"} & {o.act for o in options_of(d)}
        and (None if d.offer is None else (d.offer.seat - d.seat) % 4) == offer
        and not any(o.act in ("tsumo", "ron") for o in options_of(d))
    )


@pytest.mark.parametrize("left", [1, 2, 3])
def test_after_an_own_discard_the_seats_in_turn_draw(left: int) -> None:
    found = parts(the_first(left, None), "discard")
    for ending in range(DRAWN):
        payer = int(PAYER[ending])
        draws = 0 < payer <= left  # so many of the seats to the right
        assert found[ending] == pytest.approx(1 if draws else OUT_OF_TURN)
    assert found[DRAWN:] == pytest.approx(np.ones(33 - DRAWN))


def test_a_hand_left_tenpai_by_the_last_discard_stays_so() -> None:
    decision = next(
        d
        for seed in range(60)
        for d in played(seed)
        if 0 < d.position.draws_left < 4 and d.offer is None
        if 0 in OptionBlock.of([d]).shanten
    )
    block = OptionBlock.of([decision])
    found = last_draws(block, np.full((33, 1, len(block.act)), EVEN))[:, 0] / EVEN
    silent = block.does("discard")
    for option in np.flatnonzero(silent & (block.shanten == 0)):
        assert found[DRAWN:ABORTED:2, option] == pytest.approx(np.full(8, NOTEN_LATER))
        assert found[DRAWN:ABORTED, option].sum() == pytest.approx(16)
    for option in np.flatnonzero(silent & (block.shanten > 0)):
        assert found[DRAWN:ABORTED, option] == pytest.approx(np.ones(16))


def test_after_a_pass_the_tile_itself_may_be_won_on() -> None:
    """The seat across has discarded, and one draw is left: that of the seat to the left."""
    found = parts(the_first(1, 2), "pass")
    for payer, due in ((0, OUT_OF_TURN), (1, OUT_OF_TURN), (2, 1), (3, 1)):
        ends = found[:DRAWN][PAYER[:DRAWN] == payer]
        assert ends == pytest.approx(np.full(4, due))


def test_the_last_go_around_has_fewer_rons_and_others_have_none_fewer() -> None:
    ron = (WINNER >= 0) & (WINNER != PAYER)
    assert parts(the_first(6, None), "discard") == pytest.approx(np.where(ron, LAST_RONS, 1))
    for left in (0, 8, 30):
        assert parts(the_first(left, None), "discard") == pytest.approx(np.ones(33))


def test_who_declines_nine_terminals_sees_few_aborts() -> None:
    decision = next(
        d
        for seed in range(60)
        for d in played(seed)
        if any(o.act == "nine terminals" for o in options_of(d))
    )
    assert parts(decision, "discard")[ABORTED] * EVEN == pytest.approx(ABORTS_DECLINED)
    assert parts(decision, "nine terminals")[ABORTED] == pytest.approx(1)
