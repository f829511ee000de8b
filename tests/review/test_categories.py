"""What a decision gave up, of what kind, and how many choose the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from review.made_decisions import decided, outcome, with_shanten

from haiyomi.game.player_view import Meld
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome, OwnWait
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.categories import CATEGORIES, Category, category_of, choice_of, shares
from haiyomi.review.confirmed_part import GROUPS, TYPICAL_WORTH, confirmed_parts
from haiyomi.review.verdicts import verdict_of
from haiyomi.tiles import Seat, Tile, parse_tiles


@pytest.mark.parametrize(
    ("best", "taken", "shanten", "category"),
    [
        (outcome("discard 1z", 0.0, 0.05), outcome("discard 5p", 0.1, 0.3), (1, 0), "pushed"),
        (outcome("discard 5p", 0.4, 0.15), outcome("discard 1z", 0.1, 0.1), (0, 1), "folded"),
        (outcome("discard 1z", 0.3, 0.1), outcome("discard 5p", 0.2, 0.1), (1, 1), "efficiency"),
        (outcome("discard 1z", 0.3, 0.1, 8000), outcome("discard 5p", 0.3, 0.1), (1, 1), "value"),
        (outcome("discard 1z", 0.1, 0.0), outcome("discard 5p", 0.1, 0.2), (1, 1), "safer tile"),
        (outcome("riichi 1z", 0.4, 0.1), outcome("discard 1z", 0.3, 0.1), (0, 0), "riichi"),
        (outcome("pass", 0.2, 0.1), outcome("pon 55z", 0.1, 0.1), (0, 0), "call"),
        (outcome("chi 46p", 0.2, 0.1), outcome("pass", 0.1, 0.1), (0, 0), "missed call"),
        (outcome("discard 1z", 0.2, 0.1), outcome("ankan 5p", 0.1, 0.1), (0, 0), "kan"),
        (outcome("ron", 1.0, 0.0), outcome("pass", 0.4, 0.1), (0, 0), "value"),
    ],
)
def test_the_category_is_what_the_numbers_show(
    best: Outcome, taken: Outcome, shanten: tuple[int, int], category: Category
) -> None:
    decision = with_shanten(decided(best, taken), z1=shanten[0], p5=shanten[1])
    if best.option.tiles[:1] == (Tile.parse("5p"),):
        decision = with_shanten(decision, p5=shanten[0], z1=shanten[1])
    verdict = verdict_of(decision)
    assert verdict is not None
    assert verdict.category == category


@pytest.mark.parametrize(
    ("left", "win", "category"),
    [(4, 0.0, "pushed"), (3, 0.0, "safer tile"), (3, 0.1, "pushed"), (0, 0.0, "safer tile")],
)
def test_without_another_draw_only_a_hand_that_may_win_is_pushed(
    left: int, win: float, category: Category
) -> None:
    best, taken = outcome("discard 1z", 0.0, 0.05), outcome("discard 5p", win, 0.3)
    decision = with_shanten(decided(best, taken), z1=1, p5=0)
    position = replace(decision.position, draws_left=left)
    decision = replace(decision, analysis=replace(decision.analysis, position=position))
    assert category_of(decision, best, taken, best.points - taken.points) == category


def test_a_tile_that_deals_in_more_often_at_once_is_no_fold() -> None:
    """A named case: 3m, which dealt in 17% at once, was called a fold where 5m dealt in 5%."""
    best, taken = outcome("discard 5p", 0.4, 0.35), outcome("discard 1z", 0.1, 0.2)
    decision = with_shanten(decided(best, taken), z1=1, p5=0)
    gap = best.points - taken.points
    assert category_of(decision, best, taken, gap) == "folded"
    for now, category in ((0.03, "folded"), (0.17, "efficiency")):
        risky = replace(taken, deal_in_now=now)
        assert category_of(decision, best, risky, gap) == category


def test_a_hand_that_is_given_up_either_way_is_not_folded_too_soon() -> None:
    for drawn, category in ((0.05, "efficiency"), (0.2, "folded")):
        best = Outcome(
            Option.parse("discard 1z"),
            "pooled",
            Endings([
                EndingShare(Ending.DEAL_IN_LEFT, 0.02, -3000),
                EndingShare(Ending.DRAW_TENPAI, drawn, 1500),
                EndingShare(Ending.DRAW_NOTEN, 0.98 - drawn, 0),
            ]),
        )  # fmt: skip
        taken = outcome("discard 6z", 0.0, 0.005)
        decision = with_shanten(decided(best, taken), z1=2, z6=3)
        assert category_of(decision, best, taken, best.points - taken.points) == category


def test_a_tile_that_leaves_tenpai_is_not_as_common_as_staying_without_riichi() -> None:
    riichi = replace(outcome("riichi 1z", 0.40, 0.1), share=0.6)
    silent = replace(outcome("discard 1z", 0.35, 0.1), share=0.4)
    broken = replace(outcome("discard 5p", 0.10, 0.1), share=0.0)
    decision = with_shanten(decided(riichi, silent, broken, done=2), z1=0, p5=1)
    assert shares(decision, riichi, silent) == (0.6, 0.4)
    red = replace(outcome("riichi 0p", 0.40, 0.1), share=0.6)
    plain = replace(outcome("discard 5p", 0.35, 0.1), share=0.3)
    other = replace(outcome("discard 0p", 0.35, 0.1), share=0.1)
    assert shares(decided(red, plain, other), red, plain) == (0.6, 0.4)
    chi, wrong = (
        replace(outcome(text, 0.3, 0.1), share=share)
        for text, share in (("chi 46p", 0.8), ("chi 67p", 0.01))
    )
    called = decided(chi, wrong, replace(outcome("pass", 0.1, 0.1), share=0.19))
    assert shares(called, chi, wrong) == (0.8, 0.01)
    assert shares(called, chi, called.options[2]) == pytest.approx((0.81, 0.19))
    tile = replace(outcome("discard 2z", 0.30, 0.1), share=0.05)
    more = decided(riichi, replace(silent, share=0.3), tile, outcome("riichi 2z", 0.3, 0.1), done=2)
    assert shares(more, riichi, tile) == (0.6, 0.05)
    assert shares(decision, riichi, broken) == (0.6, 0.0)


def test_a_tile_that_nearly_nobody_discards_is_not_shielded_by_all_who_make_no_kan() -> None:
    """A named case: a tile that .2% choose counted as the 59% who make no kan."""
    kan = replace(outcome("ankan 5p", 0.4, 0.1), share=0.41)
    usual = replace(outcome("discard 1z", 0.3, 0.1), share=0.588)
    rare = replace(outcome("discard 9p", 0.1, 0.1), share=0.002)
    decision = decided(kan, usual, rare, done=2)
    assert shares(decision, kan, rare) == (0.41, 0.002)
    assert shares(decision, kan, usual) == pytest.approx((0.41, 0.59))
    assert shares(decision, usual, kan) == pytest.approx((0.59, 0.41))
    verdict = verdict_of(decision)
    assert verdict is not None
    assert (verdict.category, verdict.mistake) == ("kan", True)


@pytest.mark.parametrize(
    ("best", "taken", "shanten", "melds", "group"),
    [
        ("pass", "chi 46p", (0, 0), 0, "call"),
        ("pass", "pon 55z", (0, 0), 0, "call"),
        ("pass", "chi 12m", (0, 0), 0, "call, no nearer to tenpai"),
        ("riichi 1z", "discard 1z", (0, 0), 0, "riichi not declared"),
        ("discard 1z", "riichi 1z", (0, 0), 0, "riichi declared"),
        ("discard 1z", "discard 5p", (0, 0), 0, "efficiency, closed tenpai"),
        ("discard 1z", "discard 5p", (0, 0), 1, "efficiency"),
        ("discard 1z", "discard 5p", (1, 1), 0, "efficiency"),
    ],
)
def test_choices_are_told_apart_by_what_comes_of_them(
    best: str, taken: str, shanten: tuple[int, int], melds: int, group: str
) -> None:
    options = outcome(best, 0.4, 0.1), outcome(taken, 0.1, 0.1)
    decision = with_shanten(decided(*options), z1=shanten[0], p5=shanten[1])
    me, *others = decision.position.players
    thrown = Tile.parse("3p")
    me = replace(me, melds=(Meld("pon", (thrown,) * 3, thrown, Seat(1), 3),) * melds)
    position = replace(decision.position, players=(me, *others))
    decision = replace(decision, analysis=replace(decision.analysis, position=position))
    verdict = verdict_of(decision)
    assert verdict is not None
    choice = choice_of(decision, *options, verdict.category, verdict.forecast)
    assert choice.group == group
    placed = choice_of(decision, *options, "placement", verdict.forecast).group
    assert placed == (group if group == "riichi declared" else "placement")
    assert choice.group in GROUPS
    assert set(confirmed_parts().parts) == set(GROUPS)
    assert verdict.cost == pytest.approx(verdict.forecast * confirmed_parts().part_of(choice))


def test_every_category_has_a_group() -> None:
    """By it a verdict finds how much of the difference is confirmed."""
    for category in CATEGORIES:
        parts = (f"{category} ", f"{category},")
        assert any(group == category or group.startswith(parts) for group in GROUPS), category


@pytest.mark.parametrize(("left", "group"), [(0, "efficiency"), (1, "efficiency, closed tenpai")])
def test_a_wait_without_a_tile_left_is_no_closed_tenpai(left: int, group: str) -> None:
    """A named case: a mistake of 300 points against a tenpai on a tile that was called; played on,
    it was the better one."""
    wait = OwnWait(parse_tiles("8m"), left, False, parse_tiles("8m"), left)
    best = replace(outcome("discard 1z", 0.4, 0.1), wait=wait)
    taken = outcome("discard 5p", 0.1, 0.1)
    decision = with_shanten(decided(best, taken), z1=0, p5=1)
    assert choice_of(decision, best, taken, "efficiency", 900).group == group


def test_a_call_with_tiles_that_nobody_would_use_is_no_common_choice() -> None:
    """A named case: chi 56m with the red five kept was not flagged, because 36% call with it."""
    best = replace(outcome("pass", 0.4, 0.1), share=0.6)
    usual = replace(outcome("chi 06m", 0.15, 0.1), share=0.39)
    taken = replace(outcome("chi 56m", 0.1, 0.1), share=0.01)
    decision = decided(best, taken)
    analysis = replace(decision.analysis, outcomes=(best, usual, taken))
    decision = replace(decision, analysis=analysis)
    assert shares(decision, best, taken)[1] == 0.01
    assert shares(decision, best, usual)[1] == pytest.approx(0.4)


def test_a_call_is_as_common_as_those_with_other_tiles_that_are_worth_no_more() -> None:
    """A named case: chi 45p with the red five kept was flagged, chi 40p, which 63% choose and which
    is worth a little less, was not."""
    best = replace(outcome("pass", 0.5, 0.1), share=0.37)
    taken = replace(outcome("chi 45p", 0.4, 0.1), share=0.002)
    usual = replace(outcome("chi 40p", 0.39, 0.1), share=0.628)
    decision = decided(best, taken, usual)
    assert shares(decision, best, taken) == (0.37, pytest.approx(0.63))


@pytest.mark.parametrize(("ron_left", "dear"), [(3, True), (0, False)])
def test_a_hand_that_cannot_win_by_ron_in_silence_is_not_dear_there(
    ron_left: int, dear: bool
) -> None:
    """A named case: a closed hand without a yaku, for which 97% declare, was held to be dear enough
    without riichi, and not flagged."""
    wait = OwnWait(parse_tiles("36s"), 7, not ron_left, parse_tiles("36s"), ron_left)
    best, taken = outcome("riichi 1z", 0.6, 0.05, 9000), outcome("discard 1z", 0.4, 0.05, 9000)
    taken = replace(taken, wait=wait)
    decision = with_shanten(decided(best, taken), z1=0)
    worth = choice_of(decision, best, taken, "riichi", 900).worth
    assert worth == pytest.approx(9000 if dear else TYPICAL_WORTH)
