"""One player over many games: what dealing in was expected to cost, and what it did cost.

Every discard of a review brings its probability p to deal in and the distribution of what that
would cost. Summed over the discards these give the expected deal-ins and points; *luck* is what
was expected less what came, beside the standard deviation that independent discards would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Literal, TypeAlias

from haiyomi.analysis.value import DiscardRisk
from haiyomi.game.position import Position
from haiyomi.review.career import Career
from haiyomi.review.categories import Category
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.score import Judged, score_of
from haiyomi.review.summary import EVERY, Shown, costliest
from haiyomi.review.verdicts import USUAL, Margins, Severity, Verdict, judged

Threat: TypeAlias = Literal["riichi", "melds-3", "melds-2", "melds-1", "none"]
THREATS: tuple[Threat, ...] = ("riichi", "melds-3", "melds-2", "melds-1", "none")
"""The greatest threat at a discard: a riichi, else the most open melds of one opponent (three
or four counted together), else none.
"""
LISTED = 20
"""The costliest mistakes that are kept of a game, and of all games."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over discards, and over mistakes of any kind. ``variance`` of the deal-ins,
    ``loss_variance`` of the points, both as if discards were independent.
    """

    discards: int = 0
    expected: float = 0.0
    variance: float = 0.0
    dealt_in: int = 0
    expected_loss: float = 0.0
    loss_variance: float = 0.0
    lost: int = 0
    mistakes: int = 0
    mistake_cost: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.discards + other.discards,
            self.expected + other.expected,
            self.variance + other.variance,
            self.dealt_in + other.dealt_in,
            self.expected_loss + other.expected_loss,
            self.loss_variance + other.loss_variance,
            self.lost + other.lost,
            self.mistakes + other.mistakes,
            self.mistake_cost + other.mistake_cost,
        )

    @property
    def luck(self) -> float:
        """Expected less actual deal-ins: negative is bad luck, or a model that predicts too few."""
        return self.expected - self.dealt_in

    @property
    def luck_points(self) -> float:
        """Points lost less than expected."""
        return self.expected_loss - self.lost

    @property
    def spread(self) -> float:
        """The standard deviation of the deal-ins."""
        return sqrt(self.variance)

    @property
    def spread_points(self) -> float:
        """The standard deviation of the points lost."""
        return sqrt(self.loss_variance)


@dataclass(frozen=True, slots=True)
class Costly:
    """One of the costliest mistakes: what was ``done`` and what was ``better``, as the text of
    options, by ``cost`` points; ``risk`` and ``outcome`` of the tile that was given, if one was."""

    game: str
    hand: str
    turn: int
    done: str
    better: str
    cost: float
    severity: Severity
    category: Category
    risk: float
    outcome: str
    points: int


@dataclass(frozen=True, slots=True)
class GivenUpSums:
    """Sums over real choices: how many, the ``cost`` in points of what was given up, how often the
    best option was taken; by category of the mistakes how many and what they cost."""

    decisions: int = 0
    cost: float = 0.0
    agreed: int = 0
    by_category: dict[Category, tuple[int, float]] = field(default_factory=dict)

    def __add__(self, other: GivenUpSums) -> GivenUpSums:
        both = dict(self.by_category)
        for category, (n, cost) in other.by_category.items():
            before = both.get(category, (0, 0.0))
            both[category] = (before[0] + n, before[1] + cost)
        return GivenUpSums(
            self.decisions + other.decisions,
            self.cost + other.cost,
            self.agreed + other.agreed,
            both,
        )

    @property
    def worst(self) -> tuple[tuple[Category, int, float], ...]:
        """The categories with the number and the cost of their mistakes, costliest first."""
        found = [(category, n, cost) for category, (n, cost) in self.by_category.items()]
        return tuple(sorted(found, key=lambda each: -each[2]))


@dataclass(frozen=True, slots=True)
class GameStats:
    """One game of the player; ``career`` is None where the game itself was not at hand. ``hands``
    are those of the career, so that rates by hand agree; without one, all that were reviewed."""

    game: str
    name: str
    seat: int
    hands: int
    by_threat: dict[Threat, Tally]
    costly: tuple[Costly, ...]
    career: Career | None = None
    given_up: GivenUpSums = GivenUpSums()

    @property
    def total(self) -> Tally:
        """Over all threats."""
        return sum(self.by_threat.values(), Tally())


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """All games of a player, in the order in which they were read."""

    name: str
    model: str
    games: tuple[GameStats, ...]
    costly: tuple[Costly, ...] = field(default=())

    @property
    def total(self) -> Tally:
        """Over all games."""
        return sum((game.total for game in self.games), Tally())

    @property
    def given_up(self) -> GivenUpSums:
        """Over all games."""
        return sum((game.given_up for game in self.games), GivenUpSums())

    @property
    def careers(self) -> tuple[Career, ...]:
        """Of the games whose career is known, in their order."""
        return tuple(game.career for game in self.games if game.career is not None)

    @property
    def by_threat(self) -> dict[Threat, Tally]:
        """Over all games, by the greatest threat at the discard."""
        return {
            threat: sum((g.by_threat.get(threat, Tally()) for g in self.games), Tally())
            for threat in THREATS
        }


def threat_of(position: Position) -> Threat:
    """The greatest threat that the viewer sees."""
    others = position.players[1:]
    if any(p.riichi for p in others):
        return "riichi"
    most = max(p.open_melds for p in others)
    return ("none", "melds-1", "melds-2", "melds-3", "melds-3")[most]


def game_stats(
    game: str,
    review: Review,
    career: Career | None = None,
    margins: Margins = USUAL,
    shown: Shown = EVERY,
) -> GameStats:
    """The figures of one reviewed game while the player was there, with the costliest of its
    mistakes. What to work on is of the mistakes ``shown``."""
    verdicts = list(judged(review, margins))
    mistakes = {(h.index, d.event): v for h, d, v in verdicts if v.mistake}
    by_threat: dict[Threat, Tally] = {}
    for hand, decision in review.decisions:
        if decision.absent:
            continue
        verdict = mistakes.get((hand.index, decision.event))
        if decision.gives or verdict is not None:
            threat = threat_of(decision.position)
            by_threat[threat] = by_threat.get(threat, Tally()) + _tally(decision, verdict)
    costly = [_costly(game, h, d, v) for h, d, v in verdicts if v.mistake]
    costly.sort(key=_worst_first)
    return GameStats(
        game,
        review.names[review.seat],
        int(review.seat),
        len(review.hands) if career is None else career.hands,
        by_threat,
        tuple(costly[:LISTED]),
        career,
        _given_up(verdicts, shown),
    )


def _given_up(verdicts: Sequence[Judged], shown: Shown) -> GivenUpSums:
    score = score_of(verdicts)
    if score is None:
        return GivenUpSums()
    by_category: dict[Category, tuple[int, float]] = {}
    for mistake in shown.of(costliest(verdicts)):
        verdict = mistake.verdict
        n, cost = by_category.get(verdict.category, (0, 0.0))
        by_category[verdict.category] = (n + 1, cost + verdict.cost)
    n = score.decisions
    return GivenUpSums(n, n * score.cost, round(n * score.agreement), by_category)


def player_stats(name: str, model: str, games: Sequence[GameStats]) -> PlayerStats:
    """All games together."""
    costly: Iterable[Costly] = (c for game in games for c in game.costly)
    return PlayerStats(name, model, tuple(games), tuple(sorted(costly, key=_worst_first)[:LISTED]))


def _worst_first(c: Costly) -> tuple[float, str, str, int]:
    return -c.cost, c.game, c.hand, c.turn


def _tally(decision: ReviewedDecision, mistake: Verdict | None) -> Tally:
    """Of a decision: of a tile that was given, and of a mistake."""
    cost = 0.0 if mistake is None else mistake.cost
    if not decision.gives:
        return Tally(mistakes=1, mistake_cost=cost)
    chosen = decision.chosen
    p, loss = chosen.risk, chosen.expected_loss
    return Tally(
        1,
        p,
        p * (1.0 - p),
        int(decision.outcome.kind == "dealt-in"),
        loss,
        max(0.0, _second_moment(chosen) - loss * loss),
        decision.outcome.points,
        int(mistake is not None),
        cost,
    )


def _second_moment(choice: DiscardRisk) -> float:
    """Mean of the squared points lost."""
    return float(sum((r.rows.cells[:, 2] ** 2 @ r.rows.cells[:, 3]) for r in choice.by_opponent))


def _costly(game: str, hand: HandReview, decision: ReviewedDecision, verdict: Verdict) -> Costly:
    assert verdict.severity is not None  # it is a mistake
    return Costly(
        game,
        hand.name,
        decision.turn,
        str(decision.done),
        str(verdict.best.option),
        verdict.cost,
        verdict.severity,
        verdict.category,
        decision.chosen.risk if decision.gives else 0.0,
        decision.outcome.kind,
        decision.outcome.points,
    )
