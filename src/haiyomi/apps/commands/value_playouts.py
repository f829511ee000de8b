"""``haiyomi value --playouts``: the options of a decision, played to the end of the hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haiyomi.play.decision import Decision


def play_on_options(decision: Decision, playouts: int, payoff: str, as_json: bool) -> None:
    """Print what came of the options in up to ``playouts`` worlds, the best first. Ctrl-C ends the
    race and keeps what was found. Raises HaiyomiError."""
    from haiyomi.outcomes.payoff import Payoff
    from haiyomi.outcomes.places import not_placed
    from haiyomi.playouts.play import PlayingOn
    from haiyomi.review.outcomes_out import played_json, played_lines
    from haiyomi.review.printing import print_json
    from haiyomi.styles.policy import rollout_policy

    worth = Payoff.parse(payoff, decision.position.rules)
    playing = PlayingOn(decision, rollout_policy(), worth)
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
