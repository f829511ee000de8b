"""``haiyomi value --playouts``: the options of a decision, played to the end of the hand."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from haiyomi.apps.input_text import read_input

if TYPE_CHECKING:
    from haiyomi.playouts.play import PlayedOn


def play_on_options(
    file: Path, seat: int | None, playouts: int, payoff: str, as_json: bool, seed: int = 0
) -> None:
    """Print what came of the options in up to ``playouts`` worlds, the best first. Ctrl-C ends the
    race and keeps what was found. Raises HaiyomiError."""
    from haiyomi.outcomes.payoff import Payoff
    from haiyomi.outcomes.places import not_placed
    from haiyomi.play.stated_decision import read_history
    from haiyomi.playouts.play import PlayingOn
    from haiyomi.review.printing import print_json
    from haiyomi.styles.policy import rollout_policy

    decision, events = read_input(file, partial(read_history, seat=seat))
    worth = Payoff.parse(payoff, decision.position.rules)
    playing = PlayingOn(decision, events, rollout_policy(), worth, seed=seed)
    try:
        for now in playing.run(playouts):
            print(
                f"{now.played.max()} worlds, options left: {now.racing.sum()}",
                file=sys.stderr, flush=True,
            )  # fmt: skip
    except KeyboardInterrupt:
        if playing.standings is None:
            raise
        print("stopped: this is what was found until then", file=sys.stderr)
    found = playing.found()
    why = not_placed(decision.position)
    if as_json:
        print_json(played_json(found, payoff, why))
        return
    print(f"Policy after the option: {found.outcomes[0].policy}. Payoff: {payoff}.")
    if why is not None:
        print(f"Points only: {why}.")
    print("\n".join(played_lines(found)))


def played_lines(found: PlayedOn) -> list[str]:
    """A table of the options, the best in points first."""
    width = max(len(str(outcome.option)) for outcome in found.outcomes)
    lines = [
        f"{'option':<{width}}  worlds  points          behind the best    win deal-in    value"
    ]
    for row in _order(found):
        outcome, gap = found.outcomes[row], found.gaps[row]
        behind = "" if gap is None else f"{gap[0]:+z.0f} ± {gap[1]:.0f}"
        placement = outcome.placement
        value = "" if placement is None else f"{placement.value:z8.2f}"
        lines.append(
            f"{outcome.option!s:<{width}} {found.worlds[row]:7} {outcome.points:+z7.0f} "
            f"± {outcome.error or 0:4.0f} {behind:>18} {outcome.win:6.1%} "
            f"{outcome.deal_in:7.1%} {value}"
        )
    return [*lines, "± is one standard error; an option three of them behind is played no further."]


def played_json(found: PlayedOn, payoff: str, not_placed: str | None) -> dict[str, object]:
    """The value that ``--json`` prints: the options, the best in points first."""
    options = []
    for row in _order(found):
        gap = found.gaps[row]
        options.append(
            found.outcomes[row].to_json()
            | {
                "worlds": found.worlds[row],
                "behind": None if gap is None else gap[0],
                "behind_error": None if gap is None else gap[1],
                "racing": found.racing[row],
            }
        )
    return {
        "schema": "haiyomi-options-played",
        "version": 1,
        "policy": found.outcomes[0].policy,
        "payoff": payoff,
        "not_placed": not_placed,
        "options": options,
    }


def _order(found: PlayedOn) -> list[int]:
    """The options by their points; those that left the race come last."""
    rows = range(len(found.outcomes))
    return sorted(rows, key=lambda row: (not found.racing[row], -found.outcomes[row].points))
