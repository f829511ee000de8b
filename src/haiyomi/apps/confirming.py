"""A review's costliest mistakes, confirmed by playing on: some seconds of work.

What a choice is worth depends on who goes on: a riichi that is not declared costs less if it may
follow a turn later. The seat therefore goes on in two ways, each in half of the worlds, and what is
found is the mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import point_value
from haiyomi.events import Game
from haiyomi.outcomes.improved import shipped_improved
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.places import not_placed
from haiyomi.play.decision import RecordedDecision
from haiyomi.playouts.answer import WORLDS
from haiyomi.playouts.branches import Chooser
from haiyomi.playouts.play import PlayingOn
from haiyomi.review.confirmed import Confirmed
from haiyomi.review.decisions import Review
from haiyomi.review.reviewer import recorded
from haiyomi.review.summary import Mistake
from haiyomi.styles.policy import rollout_policy

POLICIES: Final = ("rollout network", "improved policy")
"""Who chooses for the seat after the option. The others are played by the rollout network, and the
improved policy takes its likeliest option."""


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

    Two options of each are played in WORLDS worlds: about 2 to 6 s each. ``step`` is called with
    the hands played and how many there will be. Raises HaiyomiError for the payoff.
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
    """What playing on says of an option ``better`` than the one taken in a decision, in an even
    number of ``worlds``, which the POLICIES share; where no placement is known, by the first of
    them alone. ``step`` is called with the worlds done."""
    models = models or Models()
    choosers: list[Chooser | None] = [None]
    if not_placed(made.position) is None:
        choosers.append(partial(shipped_improved().actions, rules=made.position.rules))
    each = worlds // len(choosers)
    found = []
    for number, own in enumerate(choosers):
        playing = PlayingOn(
            made, rollout_policy(), payoff, seed=number, models=models, only=(better, taken),
            own=own,
        )  # fmt: skip
        for now in playing.run(each, each):
            if step is not None:
                step(number * each + int(now.played.max()))
        found.append(playing.difference(better, taken))
    points, values = zip(*found, strict=True)
    placed = [value for value in values if value is not None]
    gap, error = _mean(placed) if placed else (None, None)
    rate = point_value(models, made.position.rules, str(payoff))
    done = each * len(choosers)
    policies = POLICIES[: len(choosers)]
    return Confirmed(better, policies, done, *_mean(points), gap, error, str(payoff), rate)


def _mean(found: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The mean of independent differences, and its standard error."""
    gaps, errors = np.array(found).T
    return float(gaps.mean()), float(np.linalg.norm(errors) / len(errors))
