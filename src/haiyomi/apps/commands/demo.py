"""``haiyomi demo``: a review of the record that comes with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.batch_review import ReviewOptions
from haiyomi.apps.commands.review import named_for, show
from haiyomi.apps.options import HandOption, JsonOption, Lang, LangOption, TruthOption
from haiyomi.apps.outputs import try_outputs
from haiyomi.play.demo import demo_game
from haiyomi.review.find import find_seat

SEAT = 0
"""The seat that the demo reviews."""


def command(
    seat: Annotated[int, typer.Option(help="Seat to review: 0 is the first dealer.")] = SEAT,
    hand: HandOption = None,
    as_json: JsonOption = False,
    lang: LangOption = Lang.en,
    truth: TruthOption = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write one self-contained HTML page (with --json: the JSON) to this file.",
        ),
    ] = None,
) -> None:
    """Review the bundled record, a hanchan between four players of the imitation.

    The output is that of `haiyomi review`, whose --help explains the terms.
    """
    named_for(output, as_json)
    try_outputs(output)
    game = demo_game()
    chosen = find_seat(game.header.names, seat, None, None)
    how = ReviewOptions(lang=lang.value, truth=truth, form="json" if as_json else "html")
    show(game, chosen, how, hand=hand, output=output)
