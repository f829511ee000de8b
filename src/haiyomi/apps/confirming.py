"""A review's costliest mistakes, confirmed by playing on: some seconds of work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import point_value
from haiyomi.events import Game
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import RecordedDecision
from haiyomi.playouts.answer import WORLDS
from haiyomi.playouts.play import PlayingOn
from haiyomi.playouts.race import FIRST
from haiyomi.review.confirmed import Confirmed
from haiyomi.review.decisions import Review
from haiyomi.review.reviewer import recorded
from haiyomi.review.summary import Mistake
from haiyomi.styles.policy import rollout_policy


def confirm(
    game: Game,
    review: Review,
    mistakes: Sequence[Mistake],
    payoff: str,
    *,
    models: Models | None = None,
    step: Callable[[int, int], None] | None = None,
) -> Review:
    """The review of a seat of the game, with what playing on says of some of its mistakes.

    Two options of each are played in up to WORLDS worlds: about 2 to 6 s each. ``step`` is called
    with the hands played and the most there may be. Raises HaiyomiError for the payoff.
    """
    answers: dict[int, Confirmed] = {}
    for number, mistake in enumerate(mistakes):

        def report(done: int, before: int = number) -> None:
            if step is not None:
                step(2 * (before * WORLDS + done), 2 * WORLDS * len(mistakes))

        decision, better = mistake.decision, mistake.verdict.best.option
        made = recorded(game, decision.hand, review.seat, decision.event)
        assert made is not None  # the review is of this game
        worth = Payoff.parse(payoff, game.header.rules)
        found = confirm_option(made, better, decision.done, worth, WORLDS, models, report)
        answers[id(decision)] = found
    hands = tuple(
        replace(
            hand,
            decisions=tuple(
                replace(d, confirmed=answers[id(d)]) if id(d) in answers else d
                for d in hand.decisions
            ),
        )
        for hand in review.hands
    )
    return replace(review, hands=hands)


def confirm_option(
    made: RecordedDecision,
    better: Option,
    taken: Option,
    payoff: Payoff,
    worlds: int = WORLDS,
    models: Models | None = None,
    step: Callable[[int], None] | None = None,
) -> Confirmed:
    """What playing on says of an option ``better`` than the one taken in a decision; ``step`` is
    called with the worlds done."""
    models = models or Models()
    playing = PlayingOn(made, rollout_policy(), payoff, models=models, only=(better, taken))
    # What is clear in points after few worlds may not be so for the placement.
    for now in playing.run(worlds, max(FIRST, worlds // 2)):
        if step is not None:
            step(int(now.played.max()))
    points, value = playing.difference(better, taken)
    gap, error = value or (None, None)
    worlds = min(playing.found().worlds)
    rate = point_value(models, made.position.rules, str(payoff))
    return Confirmed(better, playing.named, worlds, *points, gap, error, str(payoff), rate)
