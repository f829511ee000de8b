"""What each style would discard: a share of one, of what the rules allow."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.events import Discard, visible_to
from haiyomi.game.decision_record import RIICHI
from haiyomi.play.decision import Decision
from haiyomi.play.demo import demo_game
from haiyomi.play.packed_decision import decision_of
from haiyomi.play.seat_state import SeatState
from haiyomi.styles.discards import discard_shares_of, own_turns
from haiyomi.styles.policy import POOLED, shipped_policy
from haiyomi.tiles import Seat, Tile


def test_a_position_alone_gives_the_decision_that_the_table_asks() -> None:
    """The rules, put to the stream of events, allow the same discards, kans and riichi."""
    queries = riichis = 0
    game = demo_game()
    for hand in game.hands:
        for seat in range(4):
            state = SeatState(Seat(seat), game.header.rules)
            for event in hand.events:
                state.apply(visible_to(event, Seat(seat)))
                options = state.options()
                position = state.position()
                if options is None or position.players[0].riichi or len(position.hand) % 3 != 2:
                    continue
                tiles = [c.tile for c in options.choices if isinstance(c, Discard)]
                theirs = decision_of(Decision(position, options.choices, None))
                ours = own_turns([(position, tiles)])
                for name in theirs.dtype.names or ():
                    if name != "legal":
                        assert (theirs[name] == ours[name]).all(), name
                bit = 1 << RIICHI
                assert (theirs["legal"] & bit == ours["legal"] & bit).all()
                riichis += int(ours["legal"][0] & bit != 0)
                queries += 1
    assert queries > 300
    assert riichis > 5


def test_shares_are_probabilities_of_allowed_tiles() -> None:
    hand = demo_game().hands[0]
    state = SeatState(Seat(0), demo_game().header.rules)
    seen = 0
    for event in hand.events:
        state.apply(visible_to(event, Seat(0)))
        position = state.position()
        if len(position.hand) % 3 != 2 or position.players[0].riichi:
            continue
        found = discard_shares_of([(position, position.discards)])[0]
        if not found:
            continue
        seen += 1
        assert [s.style for s in found] == [POOLED, *shipped_policy().styles]
        for style in found:
            p = [share for _, share in style.shares]
            assert sum(p) == pytest.approx(1.0)
            assert p == sorted(p, reverse=True)
            assert {k for k, _ in style.shares} == {t.kind for t in position.discards}
        assert discard_shares_of([(position, position.discards)])[0] == found
        two = position.discards[:2]
        few = discard_shares_of([(position, two)])[0]
        assert all({k for k, _ in s.shares} <= {t.kind for t in two} for s in few)
    assert seen > 5
    assert discard_shares_of([(position, [Tile(0)])])[0] == ()
    assert np.isfinite(seen)


def test_styles_that_share_a_mirrored_view_say_what_both_views_say() -> None:
    """The first style to rounding; the others far nearer than one view alone."""
    policy, game = shipped_policy(), demo_game()
    state = SeatState(Seat(1), game.header.rules)
    queries = []
    for event in game.hands[0].events:
        state.apply(visible_to(event, Seat(1)))
        position = state.position()
        if len(position.hand) % 3 == 2 and not position.players[0].riichi:
            queries.append((position, position.discards))
    rows = own_turns(queries)
    styles = np.array([policy.style(name) for name in (POOLED, *policy.styles)])
    found = policy.logits_of_styles(rows, styles)
    assert found.discards.shape == (len(queries), len(styles), 34)
    held = rows["hand"] > 0
    for m, style in enumerate(styles):
        both, one = policy.logits(rows, style), policy.logits(rows, style, both=False)
        for result, whole, plain in (
            (found.discards[:, m][held], both.discards[held], one.discards[held]),
            (found.acts[:, m, RIICHI], both.acts[:, RIICHI], one.acts[:, RIICHI]),
        ):
            off = np.abs(result - whole).mean()
            assert off < (1e-5 if m == 0 else np.abs(plain - whole).mean() / 2)
