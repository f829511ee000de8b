"""Playing on in one call, for bots and notebooks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Final

from haiyomi.analysis.models import Models
from haiyomi.analysis.value import PAYOFF
from haiyomi.errors import ArgumentError, PositionError, check_type
from haiyomi.events import visible_to
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision
from haiyomi.play.seat_state import SeatState
from haiyomi.playouts.play import PlayedOn, PlayingOn
from haiyomi.playouts.race import FIRST
from haiyomi.seeds import check_core_seed
from haiyomi.styles.policy import rollout_policy

WORLDS: Final = 1024
"""At most so many worlds of each option: a standard error of about 80 points between two."""
MOST_WORLDS: Final = 1_000_000
"""The most worlds that may be asked for."""


def play_on(
    decision: Decision,
    options: Sequence[Option | str] | None = None,
    *,
    worlds: int = WORLDS,
    seconds: float | None = None,
    payoff: str = PAYOFF,
    seed: int = 0,
    models: Models | None = None,
    progress: Callable[[PlayedOn], object] | None = None,
) -> PlayedOn:
    """What comes of some options of a decision, by default of all, played to the end of the hand
    in up to ``worlds`` worlds each; options that fall behind in points are played in fewer. An
    option is an Option or its text, such as "discard 5p"; ``payoff``, as an Analyzer takes it, is
    what the outcomes' placements are worth.

    The first 64 worlds are always played. No others begin where twice the time of the last ones
    would end later than ``seconds`` after the call, nor after ``progress``, which is called with
    what was found so far, has answered False (None goes on). The same ``seed`` gives the same
    worlds.
    Raises HaiyomiError for what is no Decision, a decision without a history, one that has no such
    option, fewer than 64 or more than a million worlds, a history that does not lead to the
    decision, or a payoff, a seed or a number of seconds that is not valid.
    """
    begun = before = time.perf_counter()
    check_type(decision, "play_on", Decision)
    if models is not None:
        check_type(models, "play_on(models=...)", Models)
    if not FIRST <= worlds <= MOST_WORLDS:
        raise ArgumentError(f"worlds is {worlds}, expected {FIRST} to {MOST_WORLDS:,}")
    if seconds is not None and math.isnan(seconds):
        raise ArgumentError(f"seconds is {seconds}: expected a number")
    check_core_seed(seed)
    if isinstance(options, str):
        raise ArgumentError(f"play_on takes a list of options, such as [{options!r}], not a text")
    if options is not None and not options:
        raise ArgumentError("play_on was given no option; leave options out for all")
    every = options_of(decision)
    wanted = tuple(Option.parse(o) if isinstance(o, str) else o for o in options or ())
    for option in wanted:
        if option not in every:
            raise ArgumentError(f"{option} is no option here: {', '.join(map(str, every))}")
    worth = Payoff.parse(payoff, decision.position.rules)
    if decision.history and not _leads_to(decision):
        raise ArgumentError("the history is not the hand up to this decision")
    playing = PlayingOn(
        decision, rollout_policy(), worth, seed=seed, models=models or Models(),
        only=wanted,
    )  # fmt: skip
    for _ in playing.run(worlds):
        now = time.perf_counter()
        if seconds is not None and now + 2 * (now - before) > begun + seconds:
            break
        before = now
        going = None if progress is None else progress(playing.found())
        if going is not None and not going:
            break
    return playing.found()


def _leads_to(decision: Decision) -> bool:
    """Whether the events of the history are those after which its seat has these choices."""
    state = SeatState(decision.seat, decision.position.rules)
    try:
        for event in decision.history:
            state.apply(visible_to(event, decision.seat))
        options = state.options()
    except (PositionError, AssertionError, LookupError, ValueError):
        return False
    return options is not None and Decision.of_state(state, options) == Decision(
        decision.position, decision.choices, decision.offer
    )
