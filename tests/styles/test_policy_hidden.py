"""What is hidden never enters a decision: dealt anew, it leaves record and answer bit-identical."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from properties.made_hands import dealt_anew, made_hand

from haiyomi.events import Discard, Draw, Event, Kakan, visible_to
from haiyomi.game.decision_record import Decisions
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import decision_of
from haiyomi.play.seat_state import SeatState
from haiyomi.styles.policy import shipped_policy
from haiyomi.tiles import Seat


def _decisions_of(events: Sequence[Event], seat: Seat) -> Decisions | None:
    state = SeatState(seat)
    for event in events:
        state.apply(visible_to(event, seat))
    options = state.options()
    if options is None or len(options.choices) < 2:
        return None
    last = events[-1]
    other = isinstance(last, Discard | Kakan) and last.seat != seat
    offer = last if other else None
    return decision_of(Decision(state.position(), options.choices, offer))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_hidden_tiles_change_no_answer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    events = made_hand(rng)
    policy = shipped_policy()
    turns = offers = 0
    for end in range(6, len(events), 3):
        seen = events[:end]
        if sum(isinstance(e, Draw) for e in seen) > 60:
            break  # a made hand knows no end of the wall
        for seat in range(4):
            row = _decisions_of(seen, Seat(seat))
            if row is None:
                continue
            anew = _decisions_of(dealt_anew(seen, seat, rng), Seat(seat))
            assert anew is not None
            assert row.tobytes() == anew.tobytes()
            result, again = policy.logits(row), policy.logits(anew)
            assert result.discards.tobytes() == again.discards.tobytes()
            assert result.acts.tobytes() == again.acts.tobytes()
            if row["from"][0] == 255:
                turns += 1
            else:
                offers += 1
    assert turns > 3
    assert turns + offers > 8
