"""Near the end of the wall who has no draw left hardly wins or deals in."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.outcomes.corrections.last_draws import (
    ABORTS_DECLINED,
    EARLIER,
    NOTEN_LATER,
    READ_DRAWS,
    READ_GROWTH,
    READ_NOW,
    READ_UNTIL,
    TENPAI_LATER,
    TURNS,
    last_draws,
    opponents_tenpai,
)
from haiyomi.outcomes.joint import ABORTED, DRAWN, PAYER, TENPAI
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


def draws(left: int, turn: int) -> int:
    """How often the seat draws whose turn, 1 to 4, comes so, with so many draws left."""
    return len(range(turn, left + 1, 4))


@pytest.mark.parametrize("left", range(1, 8))
def test_a_seat_ends_the_hand_as_often_as_its_draws_have_it(left: int) -> None:
    """Of two seats that the networks think as likely, the one with more draws is likelier."""
    for offer in (None, 2):
        found = parts(the_first(left, offer), "discard" if offer is None else "pass")
        turn = [(seat - (offer or 0) - 1) % 4 for seat in range(4)]
        assert found[:DRAWN] == pytest.approx(TURNS[left - 1][turn][PAYER[:DRAWN]])
        assert found[DRAWN:ABORTED].sum() == pytest.approx(ABORTED - DRAWN)
        assert found[ABORTED] == pytest.approx(1)
    for one in range(1, 5):
        for other in range(1, 5):
            if draws(left, one) > draws(left, other):
                assert TURNS[left - 1][one - 1] > TURNS[left - 1][other - 1]


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
    part = [*TENPAI_LATER, 1.0][int(block.draws_left[0]) - 1]
    for option in np.flatnonzero(silent & (block.shanten > 0)):
        assert found[DRAWN + 1 : ABORTED : 2, option] == pytest.approx(np.full(8, part))
        assert found[DRAWN:ABORTED, option].sum() == pytest.approx(16)


def test_a_hand_that_draws_no_more_is_noten_at_the_draw() -> None:
    """With one draw left: after every discard, and after a pass unless the draw is the own one."""
    seen = set()
    for decision in (d for seed in range(60) for d in played(seed)):
        position = decision.position
        if position.draws_left != 1 or (decision.offer is not None and position.players[0].riichi):
            continue
        block = OptionBlock.of([decision])
        found = last_draws(block, np.full((33, 1, len(block.act)), EVEN))[:, 0] / EVEN
        if decision.offer is None:
            noten, own = block.does("discard") & (block.shanten > 0), False
        else:
            away = block.records["calls"][0, 0, 0] > 0
            noten, own = block.does("pass") & away, (decision.offer.seat - decision.seat) % 4 == 3
        for option in np.flatnonzero(noten):
            tenpai = found[DRAWN + 1 : ABORTED : 2, option]
            assert tenpai == pytest.approx(np.full(8, float(own)))
            seen.add((decision.offer is None, own))
    assert len(seen) == 3


def test_opponents_end_more_hands_with_eight_to_eleven_draws_left() -> None:
    assert parts(the_first(9, None), "discard") == pytest.approx(np.where(PAYER > 0, EARLIER, 1))
    assert parts(the_first(9, 3), "pass") == pytest.approx(np.ones(33))
    for left in (0, 12, 30):
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


@pytest.mark.parametrize("left", [0, 3, 15, 16])
def test_who_is_tenpai_at_the_draw_is_what_the_reading_says_now(left: int) -> None:
    """By log odds, less with each draw left; each own hand and all other endings stay as likely."""
    block = OptionBlock.of([the_first(left, None)])
    read = (0.9, 0.5, 1.0)
    rng = np.random.default_rng(left)
    p = rng.uniform(0.5, 1.5, (33, 2, len(block.act)))
    # By networks that hold the four for independent; the left one is in riichi.
    networks = rng.uniform(0.1, 0.9, (4, *p.shape[1:]))
    networks[3] = 1
    sets = TENPAI[DRAWN:ABORTED, :, None, None]
    p[DRAWN:ABORTED] = np.where(sets == 1, networks, 1 - networks).prod(axis=1)
    found = opponents_tenpai(block, p, np.array([read]))
    np.testing.assert_array_equal(found[:DRAWN], p[:DRAWN])
    np.testing.assert_array_equal(found[ABORTED], p[ABORTED])
    if left > READ_UNTIL:
        np.testing.assert_array_equal(found, p)
    part = READ_NOW * np.exp(-left / READ_DRAWS) * (left <= READ_UNTIL)
    drawn = found[DRAWN:ABORTED]
    own, *opponents = (drawn[TENPAI[DRAWN:ABORTED, seat] == 1].sum(axis=0) for seat in range(4))
    np.testing.assert_allclose(own, networks[0])
    np.testing.assert_allclose(opponents[2], 1)
    for found, before, q in zip(opponents[:2], networks[1:3], read[:2], strict=True):
        due = (1 - part) * logit(before) + part * (logit(q) + READ_GROWTH * left)
        np.testing.assert_allclose(logit(found), due, atol=1e-9)


def logit(p: np.ndarray | float) -> np.ndarray:
    return np.log(p) - np.log1p(-np.asarray(p))


def test_without_a_reading_the_networks_say_who_is_tenpai() -> None:
    block = OptionBlock.of([the_first(2, None)])
    p = np.full((33, 1, len(block.act)), EVEN)
    unknown = np.full((1, 3), np.nan)
    np.testing.assert_array_equal(opponents_tenpai(block, p, unknown), p)
