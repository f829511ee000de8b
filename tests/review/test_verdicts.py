"""What a decision gave up: against the best option, by kind, by margin."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from review.made_decisions import decided, outcome, with_shanten

from haiyomi.game.player_view import RiverTile
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome, Placement
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.confirmed import Confirmed
from haiyomi.review.confirmed_part import TYPICAL_WIN, confirmed_parts, log_win
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.verdicts import CHOSEN, Margins, doubted, plan_of, verdict_of, verdicts
from haiyomi.tiles import Seat, Tile


def test_no_option_is_named_beside_one_that_is_worth_as_much_and_safer() -> None:
    usual = replace(outcome("discard 1z", 0.30, 0.05), share=0.6, deal_in_now=0.04)
    safer = replace(outcome("discard 2z", 0.31, 0.05), share=0.12, deal_in_now=0.02)
    taken = replace(outcome("discard 5p", 0.0, 0.3), share=0.1, deal_in_now=0.2)
    best = verdict_of(decided(safer, usual, taken, done=2))
    assert best is not None
    assert best.best is safer
    for other in (replace(safer, share=0.05), replace(safer, deal_in_now=0.035)):
        found = verdict_of(decided(other, usual, taken, done=2))
        assert found is not None
        assert found.best is usual


def test_severity_grows_with_the_margin_passed_and_common_choices_have_a_wider_one() -> None:
    best = outcome("discard 1z", TYPICAL_WIN, 0.1)
    margins = Margins(200, 2)
    table = confirmed_parts()
    for rate, severity in [
        (0.14, None),
        (0.18, "inaccuracy"),
        (0.26, "mistake"),
        (0.40, "blunder"),
    ]:
        verdict = verdict_of(decided(best, outcome("discard 5p", TYPICAL_WIN, rate)), margins)
        assert verdict is not None
        assert verdict.points == pytest.approx(6000 * (rate - 0.1))
        part = table.parts["safer tile"] + table.slopes["rarer_by_risk"] * log(10)
        part += table.slopes["larger"] * log(verdict.points / 400)
        assert verdict.part == pytest.approx(table.own_turn_factor * part)
        assert verdict.severity == severity
    common = replace(outcome("discard 5p", TYPICAL_WIN, 0.18), share=0.3)
    verdict = verdict_of(decided(best, common), margins)
    assert verdict is not None
    assert verdict.severity is None


def test_what_a_quarter_of_strong_players_do_is_a_blunder_from_twice_the_cost_only() -> None:
    """A named case: with 40% of them, 1,017 points given up were called a blunder."""
    best = replace(outcome("discard 1z", TYPICAL_WIN, 0.0), share=0.5)
    found = []
    for share in (0.4, 0.05, 0.01):
        taken = replace(outcome("discard 5p", TYPICAL_WIN, 0.3), share=share)
        found.append(verdict_of(decided(best, taken), Margins(200, 2)))
    assert [v and v.severity for v in found] == ["mistake", "blunder", "blunder"]


@pytest.mark.parametrize(("share", "times"), [(0.2, 1), (0.3, 2), (0.7, 2), (0.8, 4)])
def test_the_margin_grows_with_those_who_do_the_same(share: float, times: int) -> None:
    best = replace(outcome("discard 1z", TYPICAL_WIN, 0.0), share=0.1)
    costs = []
    for rate in (0.05, 0.08, 0.1, 0.14, 0.16, 0.2, 0.25, 0.3, 0.4):
        taken = replace(outcome("discard 5p", TYPICAL_WIN, rate), share=share)
        verdict = verdict_of(decided(best, taken), Margins(200, 2))
        assert verdict is not None
        costs.append(verdict.cost)
        assert verdict.mistake == (verdict.cost >= 200 * times)
    assert costs[0] < 200 * times < costs[-1]


def test_what_is_within_the_forecast_s_error_is_no_mistake() -> None:
    best = replace(outcome("discard 1z", 0.30, 0.1), error=400.0)
    taken = replace(outcome("discard 5p", 0.20, 0.1), error=300.0)
    verdict = verdict_of(decided(best, taken), Margins(200, 2))
    assert verdict is not None
    assert verdict.error == pytest.approx(500)
    assert verdict.severity is None


def test_the_error_of_what_is_given_up_grows_with_the_difference() -> None:
    best = outcome("discard 1z", 0.30, 0.1)
    errors = []
    for rate in (0.29, 0.05):
        verdict = verdict_of(decided(best, outcome("discard 5p", rate, 0.1)))
        assert verdict is not None
        errors.append(verdict.error)
        assert verdict.error == pytest.approx(confirmed_parts().error_of(verdict.points))
    assert errors[0] < 120
    assert errors[1] > 400


def test_what_was_played_on_comes_whole() -> None:
    best = replace(outcome("discard 1z", 0.30, 0.1), error=30.0)
    taken = replace(outcome("discard 5p", 0.20, 0.1), error=40.0)
    verdict = verdict_of(decided(best, taken))
    assert verdict is not None
    assert verdict.category == "efficiency"
    assert (verdict.part, verdict.error) == (1, pytest.approx(50))
    assert verdict.mistake


def test_a_win_that_was_declined_counts_whole() -> None:
    verdict = verdict_of(decided(outcome("ron", 1.0, 0.0), outcome("pass", 0.4, 0.1)))
    assert verdict is not None
    assert verdict.cost == verdict.forecast == pytest.approx(3000)
    assert verdict.severity == "blunder"


def test_the_fewer_strong_players_do_the_same_the_more_of_the_difference_comes() -> None:
    best = replace(outcome("discard 1z", 0.30, 0.1), share=0.5)
    parts = []
    for share in (0.5, 0.05, 0.002):
        verdict = verdict_of(decided(best, replace(outcome("discard 5p", 0.10, 0.1), share=share)))
        assert verdict is not None
        parts.append(verdict.part)
        assert verdict.cost == pytest.approx(verdict.part * 800)
        assert verdict.mistake == (share < 0.01)
    assert parts == sorted(parts)


def test_who_may_make_nagashi_mangan_is_not_judged() -> None:
    decision = decided(outcome("discard 1z", 0.30, 0.1), outcome("discard 5p", 0.10, 0.1))
    for tiles, called, judged in (
        ("9m 1z " * 6, None, False),
        ("9m 1z " * 6, Seat(1), True),
        ("9m 1z " * 5 + "9m", None, True),
        ("9m 1z " * 6 + "2s", None, True),
    ):
        thrown = [RiverTile(Tile.parse(text), False, i) for i, text in enumerate(tiles.split())]
        river = (*thrown[:-1], replace(thrown[-1], called_by=called))
        me, *others = decision.position.players
        position = replace(decision.position, players=(replace(me, river=river), *others))
        here = replace(decision, analysis=replace(decision.analysis, position=position))
        assert (verdict_of(here) is not None) == judged


def test_the_best_gives_up_nothing_and_a_forced_discard_is_not_judged() -> None:
    best, other = outcome("discard 1z", 0.30, 0.1), outcome("discard 5p", 0.2, 0.1)
    verdict = verdict_of(decided(best, other, done=0))
    assert verdict is not None
    assert (verdict.points, verdict.error, verdict.severity) == (0, 0, None)
    assert verdict_of(decided(best, done=0)) is None
    assert verdict_of(replace(decided(best, other), absent=True)) is None


def placed(text: str, points: float, first: float, share: float) -> Outcome:
    """An option with a placement: first with this probability, else last, worth 100 or 0."""
    shares = Endings([EndingShare(Ending.DRAW_NOTEN, 1.0, points)])
    placement = Placement((first, 0.0, 0.0, 1 - first), 25000, "100/0/0/0", 100 * first)
    return Outcome(Option.parse(text), "pooled", shares, None, placement, share=share)


def test_the_cost_is_the_place_s_value_in_points_of_the_start_of_a_game() -> None:
    best, taken = placed("discard 1z", -500, 0.5, 0.6), placed("discard 5p", 100, 0.4, 0.3)
    verdict = verdict_of(replace(decided(best, taken), rate=0.025))
    assert verdict is not None
    assert verdict.value == pytest.approx(10)
    assert verdict.forecast == pytest.approx(400)
    table = confirmed_parts()
    part = table.parts["placement"] + table.slopes["rarer_by_risk"] * log(2)
    part += table.slopes["winning"] * log_win(0)
    assert verdict.cost == pytest.approx(400 * table.own_turn_factor * part)
    assert verdict.points == -600
    assert verdict.category == "placement"


def test_nobody_is_measured_against_what_nearly_nobody_would_choose() -> None:
    """A forecast that prefers an option of which it has seen next to nothing is doubted."""
    rare = replace(outcome("discard 1z", 0.9, 0.0), share=CHOSEN / 2)
    usual = replace(outcome("discard 5p", 0.3, 0.1), share=0.6)
    other = replace(outcome("discard 9p", 0.2, 0.1), share=0.3)
    verdict = verdict_of(decided(rare, usual, other, done=2))
    assert verdict is not None
    assert verdict.best == usual
    alone = verdict_of(decided(rare, usual, other, done=0))
    assert alone is not None
    assert alone.agrees


def test_of_options_that_the_forecast_cannot_tell_apart_the_usual_one_is_the_best() -> None:
    first = replace(outcome("discard 1z", 0.30, 0.1), share=0.15)
    usual = replace(outcome("discard 5p", 0.28, 0.1), share=0.70)
    taken = replace(outcome("discard 9p", 0.15, 0.1), share=0.15)
    verdict = verdict_of(decided(first, usual, taken, done=2))
    assert verdict is not None
    assert (verdict.best, verdict.forecast) == (usual, pytest.approx(520))
    first_taken = verdict_of(decided(first, usual, taken, done=0))
    assert first_taken is not None
    assert first_taken.agrees
    clear = replace(outcome("discard 1z", 0.40, 0.1), share=0.15)
    verdict = verdict_of(decided(clear, usual, taken, done=2))
    assert verdict is not None
    assert verdict.best == clear


def test_a_safe_tile_needs_no_share_where_the_usual_one_is_dangerous() -> None:
    safe = replace(outcome("discard 1z", 0.0, 0.0), share=0.01)
    usual = replace(outcome("discard 5p", 0.0, 0.09), share=0.6, deal_in_now=0.09)
    taken = replace(outcome("discard 9p", 0.0, 0.18), share=0.05, deal_in_now=0.17)
    verdict = verdict_of(decided(safe, usual, taken, done=2))
    assert verdict is not None
    assert verdict.best == safe
    harmless = replace(usual, deal_in_now=0.0)
    verdict = verdict_of(decided(safe, harmless, taken, done=2))
    assert verdict is not None
    assert verdict.best == harmless


def test_the_margin_is_narrower_where_nearly_nobody_would_do_the_same() -> None:
    usual = replace(outcome("discard 1z", TYPICAL_WIN, 0.1), share=0.9)
    for share, severity in ((0.08, None), (0.01, "inaccuracy")):
        taken = replace(outcome("discard 5p", TYPICAL_WIN, 0.145), share=share)
        verdict = verdict_of(decided(usual, taken))
        assert verdict is not None
        assert verdict.points == pytest.approx(270)
        assert verdict.severity == severity


def test_one_plan_counts_once_in_a_hand() -> None:
    """Three turns of pushing with the same hand are one mistake, a worse tile another."""
    fold, push = outcome("discard 1z", 0.0, 0.02), outcome("discard 5p", 0.1, 0.4)
    wide = replace(outcome("discard 1z", 0.5, 0.1), share=0.9)
    narrow = replace(outcome("discard 5p", 0.2, 0.1), share=0.01)
    pushing = with_shanten(decided(fold, push), z1=1, p5=0)
    slow = with_shanten(decided(wide, narrow), z1=1, p5=1)
    turns = [pushing, slow, pushing, pushing, slow]
    decisions = tuple(replace(d, event=10 * i) for i, d in enumerate(turns))
    hand = HandReview(0, 0, 0, 0, (25000,) * 4, Tile.parse("1m"), decisions, ())
    review = Review(("", "", "", ""), Seat(0), "none", (hand,))
    plans = [verdict.plan for _, _, verdict in verdicts(review)]
    assert plans == [None, None, 0, 0, 10]
    assert [v.mistake for _, _, v in verdicts(review)] == [True, True, False, False, False]


def test_not_declaring_one_riichi_is_one_plan() -> None:
    """It was blamed again as another category one turn later."""
    riichi = replace(outcome("riichi 1z", 0.6, 0.05), share=0.9)
    silent = replace(outcome("discard 1z", 0.2, 0.1), share=0.01)
    other = replace(outcome("discard 5p", 0.1, 0.1), share=0.01)
    turns = [decided(riichi, silent), decided(riichi, other)]
    turns = [with_shanten(replace(d, event=10 * i), z1=0, p5=0) for i, d in enumerate(turns)]
    hand = HandReview(0, 0, 0, 0, (25000,) * 4, Tile.parse("1m"), tuple(turns), ())
    review = Review(("", "", "", ""), Seat(0), "none", (hand,))
    found = [verdict for _, _, verdict in verdicts(review)]
    assert [verdict.category for verdict in found] == ["riichi", "riichi"]
    assert [verdict.plan for verdict in found] == [None, 0]


def test_silence_that_no_mistake_lists_costs_once() -> None:
    """A named case: a damaten that was not flagged was charged at every turn, so that a review
    without a mistake was among the worst."""
    riichi = replace(outcome("riichi 1z", 0.6, 0.05), share=0.5)
    silent = replace(outcome("discard 1z", 0.55, 0.05), share=0.5)
    dear = replace(outcome("discard 5p", 0.1, 0.1), share=0.01)

    def plans(*taken: Outcome) -> list[tuple[int | None, bool]]:
        turns = [
            with_shanten(replace(decided(riichi, each), event=10 * i), z1=0, p5=0)
            for i, each in enumerate(taken)
        ]
        hand = HandReview(0, 0, 0, 0, (25000,) * 4, Tile.parse("1m"), tuple(turns), ())
        review = Review(("", "", "", ""), Seat(0), "none", (hand,))
        return [(v.plan, v.severity is None) for _, _, v in verdicts(review)]

    assert plans(silent, silent, silent) == [(None, True), (0, True), (0, True)]
    # One that is flagged carries the others, those before it too.
    assert plans(silent, dear, silent) == [(10, True), (None, False), (10, True)]


@pytest.mark.parametrize(
    ("later", "shanten"), [("riichi 5p", 0), ("discard 5p", 1), ("ankan 5p", 0)]
)
def test_another_mistake_after_a_riichi_that_was_not_declared_counts(
    later: str, shanten: int
) -> None:
    riichi = replace(outcome("riichi 1z", 0.6, 0.05), share=0.9)
    silent = replace(outcome("discard 1z", 0.2, 0.1), share=0.01)
    worse = replace(outcome(later, 0.05, 0.1), share=0.001)
    turns = [decided(riichi, silent), decided(riichi, worse)]
    turns = [with_shanten(replace(d, event=10 * i), z1=0, p5=shanten) for i, d in enumerate(turns)]
    hand = HandReview(0, 0, 0, 0, (25000,) * 4, Tile.parse("1m"), tuple(turns), ())
    review = Review(("", "", "", ""), Seat(0), "none", (hand,))
    assert [verdict.plan for _, _, verdict in verdicts(review)] == [None, None]


def test_who_gave_up_riichi_is_not_charged_with_it_again_when_tenpai_is_given_up() -> None:
    riichi = replace(outcome("riichi 1z", 0.6, 0.05), share=0.6)
    silent = replace(outcome("discard 1z", 0.4, 0.05), share=0.4)
    back = replace(outcome("discard 5p", 0.05, 0.05), share=0.001)
    kept = [decided(riichi, silent, back, done=n) for n in (1, 2)]
    turns = [with_shanten(replace(d, event=10 * i), z1=0, p5=1) for i, d in enumerate(kept)]
    for first, better in ((turns[0], silent), (turns[1], riichi)):
        shown = (first, replace(turns[1], event=20))
        hand = HandReview(0, 0, 0, 0, (25000,) * 4, Tile.parse("1m"), shown, ())
        review = Review(("", "", "", ""), Seat(0), "none", (hand,))
        (_, _, one), (_, _, other) = verdicts(review, Margins(points=100, common=1))
        assert one.severity is not None
        assert other.best == better
        assert other.points == pytest.approx(better.points - back.points)


def test_a_missed_call_is_a_plan_with_each_hand() -> None:
    """A named case: a pon seven turns later, with another hand, was the plan of the first."""
    call = replace(outcome("pon 55z", 0.5, 0.1), share=0.9)
    passing = decided(call, replace(outcome("pass", 0.1, 0.1), share=0.01))
    verdict = verdict_of(passing)
    assert verdict is not None
    assert verdict.category == "missed call"
    here = passing.position
    other = replace(here, hand=(Tile.parse("9s"), *here.hand[1:]))
    later = replace(passing, analysis=replace(passing.analysis, position=other))
    assert plan_of(passing, verdict) == plan_of(replace(passing, event=9), verdict)
    assert plan_of(passing, verdict) != plan_of(later, verdict)


def test_each_dangerous_tile_is_a_plan_of_its_own() -> None:
    """A named case: two dangerous tiles, four turns apart, where an 8s would have been safe."""
    safe = replace(outcome("discard 8s", 0.1, 0.05), share=0.5)
    taken = [outcome(f"discard {tile}", 0.1, 0.3) for tile in ("7m", "5p", "7m")]
    decisions = [decided(safe, replace(each, share=0.1)) for each in taken]
    plans = [plan_of(d, v) for d in decisions if (v := verdict_of(d)) is not None]
    assert plans[0] == plans[2] != plans[1]


def at_the_last_discard(decision: ReviewedDecision, left: int = 0) -> ReviewedDecision:
    """The same decision with so many draws left, by default after the last draw of the hand."""
    position = replace(decision.position, draws_left=left)
    return replace(decision, analysis=replace(decision.analysis, position=position))


def test_the_last_discard_of_a_hand_comes_whole_however_many_choose_the_same() -> None:
    safe = replace(outcome("discard 1z", 0.0, 0.0), share=0.3)
    common = replace(outcome("discard 5p", 0.0, 0.05), share=0.6)
    before = with_shanten(decided(safe, common), z1=1, p5=0)
    earlier, last = verdict_of(before), verdict_of(at_the_last_discard(before))
    assert earlier is not None
    assert last is not None
    assert (earlier.category, earlier.mistake) == ("pushed", False)
    assert (last.category, last.severity) == ("safer tile", "inaccuracy")
    assert last.cost == last.forecast == pytest.approx(300)
    # The risk of dealing in is a forecast all the same.
    assert last.error == pytest.approx(confirmed_parts().error_of(300))


@pytest.mark.parametrize(("left", "last"), [(0, True), (3, True), (4, False)])
def test_a_seat_that_draws_no_more_has_its_last_discard(left: int, last: bool) -> None:
    safe = replace(outcome("discard 1z", 0.0, 0.0), share=0.3)
    common = replace(outcome("discard 5p", 0.0, 0.05), share=0.6)
    before = with_shanten(decided(safe, common), z1=1, p5=0)
    found = verdict_of(at_the_last_discard(before, left))
    assert found is not None
    assert found.mistake is last
    assert (found.cost == found.forecast) is last


@pytest.mark.parametrize(
    ("now", "win", "flagged"),
    [(0.1, 0.2, True), (0.04, 0.2, False), (0.1, 0.25, False), (0.1, 0.204, True)],
)
def test_many_who_discard_a_tile_that_is_only_riskier_widen_no_margin(
    now: float, win: float, flagged: bool
) -> None:
    """They are no argument where the better option wins about as often; for more wins they may."""
    safe = replace(outcome("discard 1z", 0.2, 0.02), share=0.3)
    common = replace(outcome("discard 5p", win, 0.17), share=0.6, deal_in_now=now)
    verdict = verdict_of(decided(safe, common))
    assert verdict is not None
    assert 250 <= verdict.cost < 1000  # between the margin and the widest
    assert verdict.mistake is flagged


def test_what_is_hardly_confirmed_is_not_flagged() -> None:
    """Efficiency counts by the lower end of its part, which rare choices raise."""
    best = replace(outcome("discard 1z", 0.5, 0.1), share=0.24)
    for share, flagged in ((0.2, False), (0.002, True)):
        taken = replace(outcome("discard 5p", 0.1, 0.1), share=share)
        verdict = verdict_of(decided(best, taken))
        assert verdict is not None
        assert verdict.category == "efficiency"
        assert verdict.cost > 400
        assert (verdict.severity is not None) is flagged
    table = confirmed_parts()
    assert table.least["missed call"] < table.parts["missed call"]
    assert table.least["kan"] == table.parts["kan"]


def test_what_most_choose_and_nearly_nobody_declines_is_flagged_where_little_comes() -> None:
    best = replace(outcome("discard 1z", 0.3, 0.1, 8000), share=0.6)
    for share, flagged in ((0.04, False), (0.02, True)):
        verdict = verdict_of(decided(best, replace(outcome("discard 5p", 0.3, 0.1), share=share)))
        assert verdict is not None
        assert verdict.category == "value"
        assert (verdict.severity is not None) is flagged


def test_options_about_as_good_share_those_who_choose_them() -> None:
    """Two safe tiles that 48% and 47% discard: nearly everybody discards a safe tile."""
    best = replace(outcome("discard 1z", TYPICAL_WIN, 0.1), share=0.48)
    taken = replace(outcome("discard 5p", TYPICAL_WIN, 0.16), share=0.02)
    for rate, flagged in ((0.105, True), (0.14, False)):
        other = replace(outcome("discard 2z", TYPICAL_WIN, rate), share=0.47)
        verdict = verdict_of(decided(best, other, taken, done=2))
        assert verdict is not None
        assert 125 < verdict.cost < 250
        assert verdict.mistake is flagged


def test_half_the_margin_is_enough_only_where_the_difference_is_believed() -> None:
    """Of 83 plain inefficiencies of less than 250 points 83 points came, where 174 were due."""
    for win, taken, category, flagged in (
        (TYPICAL_WIN, outcome("discard 5p", TYPICAL_WIN, 0.16), "safer tile", True),
        (0.3, outcome("discard 5p", 0.12, 0.1), "efficiency", False),
    ):
        best = replace(outcome("discard 1z", win, 0.1), share=0.6)
        taken = replace(taken, share=0.02)
        verdict = verdict_of(decided(best, taken))
        assert verdict is not None
        assert verdict.category == category
        assert 125 < verdict.cost < 250
        assert (verdict.severity is not None) is flagged


def test_a_mistake_that_playing_on_contradicts_is_none() -> None:
    best = replace(outcome("discard 1z", 0.30, 0.1), share=0.5)
    made = decided(best, replace(outcome("discard 5p", 0.05, 0.1), share=0.001))
    for gap, cost in ((-500.0, False), (-100.0, False), (500.0, True)):
        found = Confirmed(best.option, ("pooled",), 1024, gap, 100.0)
        verdict = verdict_of(replace(made, confirmed=found))
        assert verdict is not None
        assert verdict.mistake is cost
        assert (verdict.cost > 250) is cost
    other = Confirmed(Option.parse("discard 2z"), ("pooled",), 1024, -500.0, 100.0)
    verdict = verdict_of(replace(made, confirmed=other))
    assert verdict is not None
    assert verdict.mistake


def test_forecast_and_playing_on_count_by_their_precision() -> None:
    """A named case: a mistake of 564 points that playing on found to be worth -1.0 ± .7 ranking
    points stayed one of 564 points."""
    best = replace(outcome("discard 1z", 0.30, 0.1), share=0.5)
    made = replace(
        decided(best, replace(outcome("discard 5p", 0.05, 0.1), share=0.001)), rate=0.005
    )
    plain = verdict_of(made)
    assert plain is not None
    assert plain.mistake
    for value, spread in ((-1.0, 0.7), (4.0, 0.8), (4.0, 1e6)):
        found = Confirmed(best.option, ("pooled",), 1024, 0.0, 1.0, value, spread, "", 0.005)
        verdict = verdict_of(replace(made, confirmed=found))
        assert verdict is not None
        weights = plain.error**-2, (spread / 0.005) ** -2
        mean = (plain.cost * weights[0] + value / 0.005 * weights[1]) / sum(weights)
        assert verdict.cost == pytest.approx(max(mean, 0))
        assert verdict.error == pytest.approx(sum(weights) ** -0.5)


def test_an_option_that_few_choose_is_doubted_where_it_is_worth_most() -> None:
    usual = replace(outcome("discard 1z", 0.3, 0.1), share=0.8)
    rare = replace(outcome("discard 5p", 0.5, 0.1), share=0.05)
    worse = replace(outcome("discard 2z", 0.2, 0.1), share=0.01)
    assert doubted((rare, usual, worse)) == {rare.option}
    assert doubted((replace(rare, share=0.1), usual, worse)) == frozenset()
    assert doubted(()) == frozenset()


def test_a_fold_that_nothing_asks_for_is_no_part_of_an_earlier_one() -> None:
    """A named case: a pair was broken for 1,853 points where the drawn wind was safe, four turns
    after another fold for 1,031, which alone counted."""
    first = replace(outcome("discard 1z", 0.5, 0.2), share=0.9, deal_in_now=0.05)
    later = replace(first, option=Option.parse("discard 2z"), deal_in_now=0.0)
    fold = replace(outcome("discard 5p", 0.1, 0.01), share=0.01)
    decisions = [with_shanten(decided(best, fold), z1=0, z2=0, p5=2) for best in (first, later)]
    found = [(d, v) for d in decisions if (v := verdict_of(d)) is not None]
    assert [verdict.category for _, verdict in found] == ["folded", "folded"]
    assert plan_of(*found[0]) != plan_of(*found[1])
    risky = replace(found[1][1], best=replace(found[1][1].best, deal_in_now=0.05))
    assert plan_of(*found[0]) == plan_of(found[1][0], risky)


def test_who_plays_on_with_nine_terminals_did_not_push() -> None:
    abort = Outcome(
        Option.parse("nine terminals"),
        "pooled",
        Endings([EndingShare(Ending.ABORTED, 1.0, 0.0)]),
        share=0.8,
    )
    verdict = verdict_of(decided(abort, replace(outcome("discard 1z", 0.05, 0.2), share=0.02)))
    assert verdict is not None
    assert verdict.category == "efficiency"
