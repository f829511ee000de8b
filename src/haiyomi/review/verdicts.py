"""What a decision gave up: its expected value below the best option's, of what kind, how clearly.

A decision of any kind is judged by the outcomes of its options: by the value of the placement where
there is one, else by points. Of the options that the forecast cannot tell from its first, the best
is the one that most strong players choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from haiyomi.errors import check_type
from haiyomi.review.categories import (
    COMMON,
    NEARLY_ALL,
    Category,
    category_of,
    choice_of,
    shanten_left,
    shares,
)
from haiyomi.review.confirmed_part import confirmed_parts
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.tiles import YAOCHU

if TYPE_CHECKING:
    from haiyomi.game.position import Position
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.outcomes.option import Option
    from haiyomi.review.confirmed import Confirmed

Severity: TypeAlias = Literal["inaccuracy", "mistake", "blunder"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
"""By what was given up: less than twice the margin, from twice and from four times on; the usual
margin, or the decision's own where that is wider."""
FORECAST_ERROR: Final = 210.0
GROWING_ERROR: Final = 0.4
"""The standard error of a difference of two forecasts besides what the members of its ensemble say:
in points, and as a part of the difference, joined as the root of the sum of squares: somewhat above
what ``haiyomi evaluate playouts`` measures (docs/explanation/playouts.md)."""
MARGIN: Final = 250.0
"""The points from which a decision is flagged, where ``Margins`` does not say otherwise."""
RARE: Final = 0.03
MOST: Final = 0.5
"""A decision is flagged sooner where less than RARE of the strong players do the same, and at least
MOST choose the better option or one about as good."""
CHOSEN: Final = 0.1
"""The least share of strong players who choose the option that a decision is measured against:
where nearly nobody would, a forecast that prefers it is doubted, not the player. A tile that nobody
can win on needs no share where the usual tile is ``DANGEROUS``: its safety is no forecast."""
SAFER_BY: Final = 0.01
"""An option that is worth as much as the one so chosen, and that at least CHOSEN choose, is named
instead of it where it deals in at once less often by so much."""
SAFE: Final = 0.001
"""The chance to deal in at once up to which a tile counts as one that nobody can win on."""
DANGEROUS: Final = 0.03
"""The chance to deal in at once from which a tile needs a reason."""
RISKIER: Final = 0.05
HARDLY_FEWER: Final = 0.05
"""By so much a tile deals in at once more often than another, where it is no excuse that others
discard it too; and so much of that the other may win and be tenpai at a draw less often."""
BELIEVED: Final = 0.35
"""So much of a forecast difference must be confirmed at least, with the lower end of the part of
its group, where a decision is flagged: where less comes, the forecast too often prefers the worse
option. Not so where less than RARE choose the same and MOST the better option or one about as
good."""
NAGASHI_FROM: Final = 12
"""From so many own discards on, all of them terminals or honours that nobody called, a decision is
not judged: the seat may go for nagashi mangan, of which forecasts know nothing."""


@dataclass(frozen=True, slots=True)
class Margins:
    """What must be given up to be flagged: ``points``; ``common`` times as much where at least the
    share ``COMMON`` of strong players would choose the same, and as many times again where
    ``NEARLY_ALL`` would; ``common`` times less where less than
    ``RARE`` would, at least ``MOST`` choose the better one or one about as good, and ``BELIEVED``
    of the difference is confirmed. Never wider at the seat's last discard; where the taken tile is
    ``RISKIER`` and the better option wins hardly less often, ``COMMON`` does not count."""

    points: float = MARGIN
    common: float = 2.0


USUAL: Final = Margins()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one decision gave up against its ``best`` option; ``taken`` is what was done.

    ``points``: expected change of score given up by the forecast; ``value``: of the placement under
    the payoff, None where no placement is known. ``forecast``: either in points: the value where
    there is one, at what a point is worth at the start of a game, else ``points``, and never less
    than 0. ``cost``: how much of it is confirmed when such choices are played on
    (``review.confirmed_part``); all of it where the best is a win, at the seat's last discard,
    or where the outcomes are of playing on. Where this decision was played on: the mean of that and
    of what came, by their precision; 0 where the best was clearly worse.
    ``error``: the standard error of ``cost``. All are 0 where the best was done; ``points`` and
    ``value`` may be negative, where the placement decides or more strong players choose the best.
    ``severity`` is None where it is no mistake. ``plan``: the ``event`` of the decision of the hand
    that carries what was given up, where this one is only part of its plan; such a one counts in no
    sum.
    """

    best: Outcome
    taken: Outcome
    points: float
    value: float | None
    forecast: float
    cost: float
    error: float
    category: Category
    severity: Severity | None
    plan: int | None = None

    @property
    def agrees(self) -> bool:
        """Whether the best option was taken."""
        return self.best.option == self.taken.option

    @property
    def part(self) -> float:
        """How much of the forecast difference is confirmed: 0 to 1, and more where playing on this
        decision found more."""
        return self.cost / self.forecast if self.forecast > 0 else 1.0

    @property
    def mistake(self) -> bool:
        """Whether it counts as a mistake of its own."""
        return self.severity is not None and self.plan is None


def verdict_of(decision: ReviewedDecision, margins: Margins = USUAL) -> Verdict | None:
    """The verdict of one decision by itself; None where nobody chose, there are no outcomes, or
    nagashi mangan is near."""
    taken = decision.taken
    if taken is None or decision.absent or len(decision.options) < 2:
        return None
    if _near_nagashi(decision.position):
        return None
    here = _point_here(decision.options)
    best = _best(decision, taken, here)
    points = best.points - taken.points
    value, forecast, unit = None, points, 1.0
    if best.placement is not None and taken.placement is not None:
        value = best.placement.value - taken.placement.value
        if decision.rate is not None:
            forecast, unit = value / decision.rate, here / decision.rate
    forecast = max(forecast, 0.0)
    category = category_of(decision, best, taken, forecast)
    better, same = shares(decision, best, taken)
    # How much of the forecast is confirmed, whether enough of it, and what could still be chance.
    part, believed, error = 1.0, True, unit * _error(best, taken)
    least = error
    against = contradicted(decision, best)
    if against:
        part = 0.0
    elif not _stands(best, taken):
        table = confirmed_parts()
        if not _last_discard(decision):
            choice = choice_of(decision, best, taken, category, forecast)
            part = table.part_of(choice)
            believed = table.least_of(choice) >= BELIEVED
        error, least = table.error_of(forecast), 0.0
    cost = part * forecast
    played = decision.confirmed
    if played is not None and played.better == best.option and not against:
        cost, error = _with_played_on(cost, error, played, decision.rate)
    margin = _margin(decision, best, taken, margins)
    plain = same < RARE and max(better, _as_good(decision, best, taken, here)) >= MOST
    if plain and believed:
        margin /= margins.common
    flagged = (plain or believed) and cost >= max(margin, least) and cost > 0
    severity = _severity(cost, max(margin, margins.points)) if flagged else None
    return Verdict(best, taken, points, value, forecast, cost, error, category, severity)


def _near_nagashi(position: Position) -> bool:
    river = position.players[0].river
    return len(river) >= NAGASHI_FROM and all(
        thrown.tile.kind in YAOCHU and thrown.called_by is None for thrown in river
    )


def _last_discard(decision: ReviewedDecision) -> bool:
    """Whether the seat draws no more, unless others call: its options then differ by their risks of
    dealing in, which are forecasts, and by tenpai at the draw."""
    return decision.offer is None and decision.position.draws_left < 4


def _only_riskier(best: Outcome, taken: Outcome) -> bool:
    """Whether the best option deals in at once less often by RISKIER, and wins and is tenpai at a
    draw hardly less often. How many players choose the same is then no argument for it."""
    riskier = taken.deal_in_now - best.deal_in_now
    fewer = max(taken.win - best.win, taken.tenpai_draw - best.tenpai_draw)
    return riskier >= RISKIER and fewer <= HARDLY_FEWER * riskier


def contradicted(decision: ReviewedDecision, best: Outcome) -> bool:
    """Whether the best option was played on and found worse than what was done."""
    found = decision.confirmed
    return found is not None and found.better == best.option and found.finding == "contradicted"


def _with_played_on(
    cost: float, error: float, found: Confirmed, rate: float | None
) -> tuple[float, float]:
    """What is given up, and its standard error, by the forecast and by playing on together."""
    known = (found.points, found.points_error) if rate is None else found.at_start
    if known is None or known[1] == 0:
        return cost, error
    gap, spread = known
    weight = error**2 / (error**2 + spread**2)
    return max((1 - weight) * cost + weight * gap, 0.0), spread * weight**0.5


def _as_good(decision: ReviewedDecision, best: Outcome, taken: Outcome, here: float) -> float:
    """How many strong players choose an option that gives up at most a quarter as much."""
    gap = _behind(best, taken, here)
    return sum(o.share or 0.0 for o in decision.options if _behind(best, o, here) <= gap / 4)


def _stands(best: Outcome, taken: Outcome) -> bool:
    """Whether all of the difference comes: the best was taken, is a win, or both were played on."""
    return (
        best is taken
        or best.option.act in ("tsumo", "ron")
        or (best.error is not None and taken.error is not None)
    )


def _best(decision: ReviewedDecision, taken: Outcome, here: float) -> Outcome:
    """The option that the decision is measured against; ``here``: what a point is worth."""
    usual = max(decision.options, key=lambda o: o.share or 0.0)
    options = [o for o in decision.options if o is taken or _credible(o, usual)]
    first = options[0]
    if first is taken:
        return taken
    alike = [o for o in options if _behind(first, o, here) <= _error(first, o)]
    named = max(alike, key=lambda o: o.share or 0.0)
    return next((o for o in decision.options if _better_and_safer(o, named, here)), named)


def _better_and_safer(option: Outcome, named: Outcome, here: float) -> bool:
    """Whether an option that some players choose is worth as much and deals in less at once."""
    known = option.share is not None and option.share >= CHOSEN
    safer = option.deal_in_now <= named.deal_in_now - SAFER_BY
    return known and safer and _behind(option, named, here) >= 0


def _credible(option: Outcome, usual: Outcome) -> bool:
    """Whether enough strong players choose it, or it is safe where the usual option is not."""
    if option.share is None or option.share >= CHOSEN:
        return True
    safe = option.option.act == "discard" and option.deal_in_now <= SAFE
    return safe and usual.deal_in_now >= DANGEROUS


def doubted(options: Sequence[Outcome]) -> frozenset[Option]:
    """The options that are worth more points than all that a decision may be measured against: too
    few strong players choose them."""
    usual = max(options, key=lambda o: o.share or 0.0, default=None)
    if usual is None:
        return frozenset()
    best = max(o.points for o in options if _credible(o, usual))
    return frozenset(o.option for o in options if o.points > best)


def _behind(first: Outcome, other: Outcome, here: float) -> float:
    """By how many points an option is behind the first, where a point is worth ``here``."""
    if first.placement is None or other.placement is None:
        return first.points - other.points
    return (first.placement.value - other.placement.value) / here if here > 0 else 0.0


def verdicts(
    review: Review, margins: Margins = USUAL
) -> Iterator[tuple[HandReview, ReviewedDecision, Verdict]]:
    """Every judged decision of a review with its hand, in the order of the game.

    A mistake is one whose verdict says so (``verdict.mistake``). ``margins``: what counts as one.
    Raises LookupError where the review's Analyzer left out the part ``outcomes``, ArgumentError for
    what is no Review.
    """
    check_type(review, "verdicts", Review)
    if not review.judged:
        raise LookupError("this review has no outcomes: ask Analyzer for that part")
    return judged(review, margins)


def judged(
    review: Review, margins: Margins = USUAL
) -> Iterator[tuple[HandReview, ReviewedDecision, Verdict]]:
    """``verdicts``, none where the review has no outcomes."""
    for hand in review.hands:
        for decision, verdict in hand_verdicts(hand, margins):
            yield hand, decision, verdict


def hand_verdicts(hand: HandReview, margins: Margins) -> Iterator[tuple[ReviewedDecision, Verdict]]:
    """Every judged decision of a hand, in its order.

    A plan counts once in a hand: of flagged decisions with the same plan the first carries it, and
    one that gave up riichi is not charged with it again when it later gives up tenpai. Where no
    decision without riichi is flagged, the first that costs something carries them all.
    """
    begun: dict[Plan, int] = {}
    found: list[tuple[ReviewedDecision, Verdict]] = []
    for decision in hand.decisions:
        verdict = verdict_of(decision, margins)
        if verdict is None:
            continue
        declares = verdict.best.option.act == "riichi" != verdict.taken.option.act
        if declares and DECLINED in begun and plan_of(decision, verdict) != DECLINED:
            verdict = verdict_of(decision.without_riichi(), margins) or verdict
        if verdict.severity is not None:
            first = begun.setdefault(plan_of(decision, verdict), decision.event)
            if first != decision.event:
                verdict = replace(verdict, plan=first)
        found.append((decision, verdict))
    for decision, verdict in found:
        silent = verdict.severity is None and verdict.cost > 0
        if silent and plan_of(decision, verdict) == DECLINED:
            first = begun.setdefault(DECLINED, decision.event)
            if first != decision.event:
                verdict = replace(verdict, plan=first)
        yield decision, verdict


Plan: TypeAlias = tuple[object, ...]
DECLINED: Final[Plan] = ("riichi", "riichi")
"""The plan of a hand that did not declare."""


def plan_of(decision: ReviewedDecision, verdict: Verdict) -> Plan:
    """What makes two flagged decisions of a hand one plan: staying tenpai without riichi, or
    declaring it; pushing or folding against the same riichi with a hand as near to tenpai or not;
    else the same better option, except that each dangerous tile is a plan of its own, and a missed
    call with each hand. Where the better option is safe, nobody had to fold."""
    best, category = verdict.best.option, verdict.category
    silent = verdict.taken.option.act == "discard" and shanten_left(decision, verdict.taken) == 0
    if category == "riichi" or (best.act == "riichi" and silent):
        return "riichi", best.act
    if category == "missed call":
        return category, str(best), decision.position.hand
    needless = category == "folded" and verdict.best.deal_in_now <= SAFE
    if category in ("pushed", "folded") and not needless:
        position = decision.position
        tenpai = decision.analysis.deal_in is not None and decision.analysis.risks.shanten == 0
        return category, tenpai, *(player.riichi for player in position.players[1:])
    if category == "safer tile":
        return category, str(best), str(verdict.taken.option)
    return category, str(best)


def _error(best: Outcome, taken: Outcome) -> float:
    """The standard error of the points given up."""
    if best.option == taken.option:
        return 0.0
    if best.error is None or taken.error is None:
        spread = best.difference_error(taken) or 0.0
        return hypot(FORECAST_ERROR, GROWING_ERROR * (best.points - taken.points), spread)
    return hypot(best.error, taken.error)


def _point_here(options: Sequence[Outcome]) -> float:
    """What a point is worth at a decision under the payoff, by how its options differ; 0 without
    placements."""
    placed = [o.placement.value for o in options if o.placement is not None]
    if not placed:
        return 0.0
    points = [o.points for o in options]
    spread = max(points) - min(points)
    return (max(placed) - min(placed)) / spread if spread > 0 else 0.0


def _margin(decision: ReviewedDecision, best: Outcome, taken: Outcome, margins: Margins) -> float:
    """The points from which this choice is flagged, by how many choose the same."""
    _, same = shares(decision, best, taken)
    if _last_discard(decision):
        return margins.points
    wider = (same >= COMMON and not _only_riskier(best, taken)) + (same >= NEARLY_ALL)
    return float(margins.points * margins.common**wider)


def _severity(cost: float, margin: float) -> Severity:
    """Of a flagged decision."""
    if cost < 2 * margin:
        return "inaccuracy"
    return "mistake" if cost < 4 * margin else "blunder"
