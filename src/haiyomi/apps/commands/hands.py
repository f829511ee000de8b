"""``haiyomi hands``: what the opponents may hold at one decision of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.one_record import in_record, read_one, recorded_at
from haiyomi.apps.options import HandsModelOption, JsonOption, Lang, LangOption
from haiyomi.events import Game
from haiyomi.review.columns import Line
from haiyomi.review.find import find_seat, hand_names
from haiyomi.review.printing import print_json, print_lines
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.models import Models
    from haiyomi.review.hands_text import Truth


def command(
    record: Annotated[
        str,
        typer.Argument(
            help="A file, a zip of one record, - for standard input, or a pasted address."
        ),
    ],
    hand: Annotated[str, typer.Option(help="The hand: E1, S3, E1.1 (one honba).")],
    turn: Annotated[
        int, typer.Option(min=1, help="The decision: the viewer's own discards, counted from 1.")
    ],
    seat: Annotated[
        int | None, typer.Option(help="The viewer: 0 is the first dealer (East of East 1).")
    ] = None,
    player: Annotated[str | None, typer.Option(help="The viewer, by name or part of it.")] = None,
    samples: Annotated[int, typer.Option(min=1, max=1000, help="Number of hands to draw.")] = 5,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of the draws.")] = 0,
    model: HandsModelOption = "counts",
    truth: Annotated[
        bool, typer.Option("--truth", help="Also show what they really held.")
    ] = False,
    as_json: JsonOption = False,
    lang: LangOption = Lang.en,
) -> None:
    """Show what each opponent may hold, from what one seat sees before a discard.

    For each opponent: the chance of holding each kind, the hand that is expected to share the most
    tiles with the true one, and hands drawn at random by their probability. Shanten: tiles to
    exchange until tenpai. Tenpai: one tile from winning.
    """
    from haiyomi.analysis.models import Models

    game = read_one(record)
    chosen = find_seat(game.header.names, seat, player, None, "the viewer")
    fitted = Models(hidden_hands=model)
    with in_record(record):
        lines, value = hands_at(game, chosen, hand, turn, fitted, samples, seed, truth, lang.value)
    if as_json:
        print_json({"schema": "haiyomi-hands", "version": 1, **value})
    else:
        print_lines(lines)


def hands_at(
    game: Game,
    seat: Seat,
    hand: str,
    turn: int,
    models: Models,
    samples: int,
    seed: int,
    truth: bool,
    lang: str,
) -> tuple[list[Line], dict[str, object]]:
    """Lines and JSON of one decision: the ``turn``-th discard of an absolute seat in a hand.

    Raises HaiyomiError where the record has no such decision.
    """
    from haiyomi.analysis.hidden_hands import read_hands
    from haiyomi.game.rounds import parse_round
    from haiyomi.review.hands_text import hands_json, hands_lines
    from haiyomi.review.words import words_of

    index, event, position = recorded_at(game, seat, hand, turn)
    readings = read_hands(position, samples, seed, models)
    held = true_hands(game, index, event, seat) if truth else None
    names = game.header.names
    name = hand_names(game.hands)[index]
    words = words_of(lang)
    kyoku, honba = parse_round(name)
    title = f"{words.short_hand(kyoku, honba or 0)}, {words.turn.format(n=turn).lower()}"
    head: list[Line] = [((title, "bold"),), ()]
    value = {
        "model": readings[0].model,
        "hand": index,
        "name": name,
        "turn": turn,
        "event": event,
        "seat": int(seat),
        "opponents": hands_json(position, readings, names, held),
    }
    return head + list(hands_lines(position, readings, names, lang, held)), value


def true_hands(game: Game, index: int, event: int, seat: Seat) -> Truth:
    """What the opponents held at an event of a hand, by relative seat."""
    import numpy as np

    from haiyomi.game.truth import truth_of
    from haiyomi.kernels.shanten import shanten
    from haiyomi.review.hands_text import TrueHand

    columns = truth_of(game.hands[index], game.header.rules).discards
    row = int(np.flatnonzero(columns.event == event)[0])
    held = columns.concealed[row, [(seat + r) % 4 for r in (1, 2, 3)]]
    left = shanten(held).tolist()
    return {r: TrueHand(held[r - 1], left[r - 1]) for r in (1, 2, 3)}
