"""``haiyomi value``: what a game is worth to each seat as it stands between two hands."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

import typer

from haiyomi.apps.options import JsonOption


class HowEnded(StrEnum):
    """How a hand ended for the deal."""

    passes = "passes"
    stays = "stays"
    aborted = "aborted"


_ENDED: Final[dict[HowEnded, Literal["passes", "stays", "aborted"]]] = {
    HowEnded.passes: "passes",
    HowEnded.stays: "stays",
    HowEnded.aborted: "aborted",
}


def command(
    round_: Annotated[
        str, typer.Option("--round", help="The hand: E1 to W4; S3.1 also says one honba.")
    ],
    scores: Annotated[
        str, typer.Option(help="Four scores by seat wind in this hand, East first.")
    ] = "25000,25000,25000,25000",
    honba: Annotated[int, typer.Option(min=0, max=99, help="Repeats of the dealership.")] = 0,
    sticks: Annotated[int, typer.Option(min=0, max=99, help="Riichi deposits on the table.")] = 0,
    ended: Annotated[
        HowEnded | None,
        typer.Option(
            help="The hand has just ended with these scores: the deal passes or stays, or the "
            "hand was aborted. Default: it is about to begin."
        ),
    ] = None,
    east: Annotated[bool, typer.Option("--east", help="An East-only game.")] = False,
    payoff: Annotated[
        str,
        typer.Option(
            help="Four numbers, first to last place, or a name: tenhou:houou:7, "
            "mahjong-soul:jade:master2, m-league, points, points+20/10/-10/-20."
        ),
    ] = "90/45/0/-135",
    as_json: JsonOption = False,
) -> None:
    """Show where the game ends for each seat, and what that is worth.

    Where the hand that ended ends the game, the rules say the places. Elsewhere a network fitted on
    Tenhou's games predicts them; it knows nothing of the players.
    """
    from haiyomi.game.rounds import WINDS, parse_round
    from haiyomi.outcomes.payoff import Payoff
    from haiyomi.outcomes.placement import shipped
    from haiyomi.outcomes.standing import Standing, parse_scores
    from haiyomi.review.printing import print_json
    from haiyomi.rules import TENHOU, TENHOU_EAST

    rules = TENHOU_EAST if east else TENHOU
    worth = Payoff.parse(payoff, rules)
    kyoku, named = parse_round(round_)
    how = None if ended is None else _ENDED[ended]
    standing = Standing(rules, kyoku, named or honba, sticks, parse_scores(scores), how)
    placements = standing.placements(shipped(), worth)
    if as_json:
        print_json(standing.to_json(placements))
        return
    if standing.over:
        print("The game is over.")
    print("seat   score    1st    2nd    3rd    4th   final    value")
    for wind, score, placement in zip(WINDS, standing.scores, placements, strict=True):
        shares = " ".join(f"{p:6.1%}" for p in placement.places)
        print(f"{wind:<4} {score:>7} {shares} {placement.final:>7.0f} {placement.value:>8.2f}")
