"""``haiyomi demo``: a review of the record that comes with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

import typer

from haiyomi.apps.commands.review import (
    HandOption,
    JsonOption,
    Lang,
    LangOption,
    OutputOption,
    TruthOption,
    show,
)
from haiyomi.errors import HaiyomiError
from haiyomi.events import Game
from haiyomi.logs.load import parse
from haiyomi.review.reviewer import find_seat

SEAT = 0
"""The seat that the demo reviews."""


def command(
    seat: Annotated[int, typer.Option(help="Seat to review: 0 is the first dealer.")] = SEAT,
    hand: HandOption = None,
    as_json: JsonOption = False,
    lang: LangOption = Lang.en,
    truth: TruthOption = False,
    output: OutputOption = None,
) -> None:
    """Review the bundled record: a whole game of four players of the imitation.

    The same as `haiyomi review` of that record; see its --help for the terms.
    """
    game = demo_game()
    chosen = find_seat(game.header.names, seat, None, None)
    show(game, chosen, hand=hand, as_json=as_json, lang=lang.value, truth=truth, output=output)


def demo_game() -> Game:
    """The bundled game. Raises HaiyomiError where the package lacks it."""
    folder = files("haiyomi").joinpath("data")
    found = (
        sorted((f for f in folder.iterdir() if f.name.startswith("demo.")), key=lambda f: f.name)
        if folder.is_dir()
        else []
    )
    if not found:
        raise HaiyomiError("this installation lacks its demo record: reinstall haiyomi")
    return parse(found[0].read_bytes(), found[0].name)
