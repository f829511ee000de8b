"""``haiyomi value``: what a game is worth between two hands, and each option of a decision."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from haiyomi.analysis.value import PAYOFF
from haiyomi.apps.input_text import read_input
from haiyomi.apps.one_record import in_record, read_one, recorded_at
from haiyomi.apps.options import (
    EastOption,
    JsonOption,
    LinesRulesOption,
    refuse,
    rules_of_lines,
)
from haiyomi.errors import HaiyomiError
from haiyomi.review.find import find_seat
from haiyomi.review.reviewer import recorded

if TYPE_CHECKING:
    from haiyomi.outcomes.payoff import Payoff
    from haiyomi.outcomes.standing import Ended, Standing
    from haiyomi.play.decision import Decision, RecordedDecision
    from haiyomi.rules import Ruleset

LEVEL: Final = "25000,25000,25000,25000"
"""The scores at the start of a game."""
MOST_HONBA: Final = 99


def command(
    position: Annotated[
        str | None,
        typer.Argument(
            help="File with a decision, or -: a position as JSON in the own turn, or mjai lines "
            "that end with the own draw or another's tile. With --hand and --turn: a record."
        ),
    ] = None,
    file: Annotated[str | None, typer.Option(help="The same as the argument.")] = None,
    hand: Annotated[
        str | None,
        typer.Option(help="The hand of a record: E1, S3, E1.1 (one honba)."),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(min=1, help="The decision: the seat's own discards, counted from 1."),
    ] = None,
    round_: Annotated[
        str | None, typer.Option("--round", help="The hand: E1 to W4; S3.1 also says one honba.")
    ] = None,
    scores: Annotated[
        str, typer.Option(help="Four scores by seat wind in this hand, East first.")
    ] = LEVEL,
    honba: Annotated[
        int, typer.Option(min=0, max=MOST_HONBA, help="Repeats of the dealership.")
    ] = 0,
    sticks: Annotated[int, typer.Option(min=0, max=99, help="Riichi deposits on the table.")] = 0,
    ended: Annotated[
        Literal["passes", "drawn", "stays", "aborted"] | None,
        typer.Option(
            help="The hand has just ended with these scores: the deal passes after a win, or after "
            "an exhaustive draw (drawn); it stays; or the hand was aborted. Default: it is about "
            "to begin."
        ),
    ] = None,
    rules: LinesRulesOption = None,
    east: EastOption = False,
    payoff: Annotated[
        str,
        typer.Option(
            help="Four numbers, first to last place, or a name: tenhou:houou:7, "
            "mahjong-soul:jade:master2, m-league, points, points+20/10/-10/-20."
        ),
    ] = PAYOFF,
    seat: Annotated[
        int | None,
        typer.Option(
            help="Who decides, in a record or if mjai lines show all four hands: 0 is the first "
            "dealer (East of East 1)."
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="Who decides in a record, by name or part of it.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="For a decision: a folder with the networks of policy, opponents and options, "
            "or one network that predicts how the hand ends; default: the shipped networks."
        ),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            min=64,
            max=1_000_000,
            help="For a decision: play each option to the end of the hand, in at most this number "
            "of worlds (hidden hands and walls that fit what was seen). Needs a record or mjai "
            "lines. Ctrl-C prints what was found so far.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Predict each seat's final place between two hands, or value the options of a decision.

    For a decision, print what follows each option, the best option first: how the hand ends, the
    expected change of score, and the place at the end of the game. It is assumed that all seats
    then play like the average player of the records that the networks learned from (the policy
    `pooled`). With --hand and --turn it is the decision before a discard of a record. With --round
    the game is between two hands; print the place of each seat.

    Where the game is over, the rules determine the places. Elsewhere a network fitted on Tenhou's
    games predicts them; it knows nothing of the players.
    """
    of_round = {"--round": round_, "--ended": ended, "--honba": honba, "--sticks": sticks,
                "--scores": scores != LEVEL}  # fmt: skip
    of_record = {"--hand": hand is not None, "--turn": turn, "--player": player is not None}
    of_decision = {"--seat": seat is not None, "--model": model, "--playouts": playouts}
    if file is not None:
        if position is not None:
            raise HaiyomiError("the argument and --file exclude each other: give one of them")
        position = file
    if position is None:
        if round_ is None:
            if any(of_record.values()):
                raise HaiyomiError("--hand, --turn and --player need a record: name its file")
            raise HaiyomiError("nothing was given: expected a file with a decision, or --round")
        refuse({**of_record, **of_decision}, "for a decision, not with --round")
        refuse({"--rules": rules}, "for mjai lines, not with --round")
        _between_hands(round_, scores, honba, sticks, ended, east, payoff, as_json)
        return
    refuse(of_round, "for the start of a hand, not for a decision")
    if playouts is not None and model is not None:
        raise HaiyomiError("--model and --playouts exclude each other: give one of them")
    decision: Decision
    if hand is not None and turn is not None:
        refuse({"--rules": rules, "--east": east}, "for mjai lines: a record states its rules")
        decision = _of_record(position, hand, turn, seat, player)
    else:
        refuse(of_record, "for a decision of a record, which takes both --hand and --turn")
        decision = _of_file(Path(position), seat, rules_of_lines(rules, east))
    if playouts is None:
        _forecast(decision, model, payoff, as_json)
    else:
        _play_on(decision, playouts, payoff, as_json)


def _of_record(
    record: str, hand: str, turn: int, seat: int | None, player: str | None
) -> RecordedDecision:
    """The decision before the ``turn``-th discard of a seat in a hand. Raises HaiyomiError."""
    game = read_one(record)
    decider = find_seat(game.header.names, seat, player, None, "who decides")
    with in_record(record):
        index, event, _ = recorded_at(game, decider, hand, turn)
        made = recorded(game, index, decider, event)
    assert made is not None  # every discard is a decision
    return made


def _of_file(file: Path, seat: int | None, rules: Ruleset | None) -> Decision:
    """The decision that a file states. Raises HaiyomiError."""
    from haiyomi.play.stated_decision import read_decision

    return read_input(file, partial(read_decision, seat=seat, rules=rules))


def _between_hands(
    round_: str,
    scores: str,
    honba: int,
    sticks: int,
    ended: Ended | None,
    east: bool,
    payoff: str,
    as_json: bool,
) -> None:
    """Print the place of each seat before a hand, or after it."""
    from haiyomi.game.rounds import parse_round
    from haiyomi.outcomes.payoff import Payoff
    from haiyomi.outcomes.standing import Standing, parse_scores
    from haiyomi.rules import TENHOU, TENHOU_EAST

    rules = TENHOU_EAST if east else TENHOU
    worth = Payoff.parse(payoff, rules)
    kyoku, named = parse_round(round_)
    if named is not None and named > MOST_HONBA:
        raise HaiyomiError(f"--round {round_} has {named} honba: expected 0 to {MOST_HONBA}")
    if named is not None and honba not in (0, named):
        raise HaiyomiError(f"--round {round_} and --honba {honba} do not agree: give one of them")
    standing = Standing(rules, kyoku, named or honba, sticks, parse_scores(scores), ended)
    _print_places(standing, worth, as_json)


def _print_places(standing: Standing, payoff: Payoff, as_json: bool) -> None:
    """Print the place of each seat between two hands."""
    from haiyomi.game.rounds import WINDS
    from haiyomi.outcomes.placement import shipped
    from haiyomi.review.printing import print_json

    placements = standing.placements(shipped(), payoff)
    if as_json:
        print_json(standing.to_json(placements))
        return
    if standing.over:
        print("The game is over.")
    print("seat   score    1st    2nd    3rd    4th   final    value")
    for wind, score, placement in zip(WINDS, standing.scores, placements, strict=True):
        shares = " ".join(f"{p:6.1%}" for p in placement.places)
        print(f"{wind:<4} {score:>7} {shares} {placement.final:>7.0f} {placement.value:>z8.2f}")


def _forecast(decision: Decision, model: Path | None, payoff: str, as_json: bool) -> None:
    """Print the outcomes of the options of a decision."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.outcomes.later_models import load_later
    from haiyomi.outcomes.places import not_placed
    from haiyomi.review.outcomes_out import COLUMNS, outcome_lines, outcomes_json
    from haiyomi.review.printing import print_json

    later = None if model is None else load_later(model)
    (found,) = Analyzer(Models(later=later), payoff=payoff).outcomes([decision])
    why = not_placed(decision.position)
    if as_json:
        print_json(outcomes_json(found, payoff, why))
        return
    _print_options(found[0].policy, payoff, why, [*outcome_lines(found), *COLUMNS])


def _play_on(decision: Decision, playouts: int, payoff: str, as_json: bool) -> None:
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
    _print_options(found.outcomes[0].policy, payoff, why, played_lines(found))


def _print_options(policy: str, payoff: str, why: str | None, lines: Iterable[str]) -> None:
    """Print a table of options; ``why``: why it has points only."""
    print(f"Policy after the option: {policy}. Payoff: {payoff}.")
    if why is not None:
        print(f"Points only: {why}.")
    print("\n".join(lines))
