"""How often players of each style take each option, of decisions of every kind."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.analysis.styles import styles_of
from haiyomi.game.decision_record import RIICHI
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.demo import demo_game
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.reviewer import review_game
from haiyomi.styles.policy import POOLED, shipped_policy
from haiyomi.tiles import Seat


@cache
def reviewed() -> list[ReviewedDecision]:
    """The decisions of two hands."""
    analyzer = Analyzer(parts=["deal_in", "outcomes", "styles"], details=())
    review = review_game(demo_game(), Seat(1), analyzer, (0, 1))
    return [decision for _, decision in review.decisions]


def test_every_style_has_a_share_of_every_option_in_the_own_turn_and_on_another_s_tile() -> None:
    seen = set()
    for decision in reviewed():
        styles = decision.analysis.styles
        assert styles is not None
        if not decision.options:
            assert styles == ()
            continue
        seen.update((decision.offer is None, o.option.act) for o in decision.options)
        assert [each.style for each in styles] == [POOLED, *shipped_policy().styles]
        for each in styles:
            p = [share for _, share in each.shares]
            assert sum(p) == pytest.approx(1)
            assert p == sorted(p, reverse=True)
            assert {option for option, _ in each.shares} == {o.option for o in decision.options}
    assert {(True, "discard"), (False, "pass")} < seen
    assert {"pon", "chi"} & {act for _, act in seen}


def test_the_first_style_is_the_share_of_strong_players() -> None:
    pairs = [
        (dict(decision.analysis.styles[0].shares)[o.option], o.share)
        for decision in reviewed()
        if decision.analysis.styles
        for o in decision.options
    ]
    assert len(pairs) > 200
    first, share = np.array(pairs, np.float64).T
    assert np.abs(first - share).max() < 1e-5


def block() -> OptionBlock:
    """The decisions of the review that have a choice."""
    from haiyomi.play.stated_decision import decision_at

    return OptionBlock.of(
        [decision_at(d.position) for d in reviewed() if d.options and d.offer is None]
    )


def test_who_forgets_tedashi_sees_other_shares() -> None:
    plain, forgetful = (styles_of(shipped_policy(), block(), forgets) for forgets in (False, True))
    assert plain != forgetful
    assert Models("posterior:no-tedashi").forgets
    assert not Models().forgets


def test_styles_that_share_a_mirrored_view_say_what_both_views_say() -> None:
    """The first style to rounding; the others far nearer than one view alone."""
    policy, rows = shipped_policy(), block().records
    styles = np.array([policy.style(name) for name in (POOLED, *policy.styles)])
    found = policy.logits_of_styles(rows, styles)
    assert found.discards.shape == (len(rows), len(styles), 34)
    held = rows["hand"] > 0
    for m, style in enumerate(styles):
        both, one = policy.logits(rows, style), policy.logits(rows, style, both=False)
        mine = found.of_style(m)
        for result, whole, plain in (
            (mine.discards[held], both.discards[held], one.discards[held]),
            (mine.acts[:, RIICHI], both.acts[:, RIICHI], one.acts[:, RIICHI]),
        ):
            off = np.abs(result - whole).mean()
            assert off < (1e-5 if m == 0 else np.abs(plain - whole).mean() / 2)


def test_styles_and_outcomes_that_share_a_pass_of_the_policy_have_the_same_bits() -> None:
    decisions = block().decisions[:12]
    together = Analyzer(parts=["styles", "outcomes"]).analyze(decisions)
    for part in ("styles", "outcomes"):
        alone = Analyzer(parts=[part]).analyze([decision.position for decision in decisions])
        for one, other in zip(together, alone, strict=True):
            assert getattr(one, part) == getattr(other, part)
