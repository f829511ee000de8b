"""``haiyomi drill``: one's own costliest decisions as questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import EngineOption, JobsOption, Lang, LangOption
from haiyomi.apps.outputs import PAGE, named_as, not_an_input, try_outputs, write_output
from haiyomi.apps.progress import progress_bar
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError


def command(
    records: Annotated[list[str], typer.Argument(help="Files, folders, zips, or -.")],
    player: Annotated[str, typer.Option(help="Name of the player, or part of it.")],
    output: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a page that asks, for offline use.")
    ] = None,
    anki: Annotated[
        Path | None, typer.Option(help="Write a text file that Anki imports as cards.")
    ] = None,
    cards: Annotated[int, typer.Option(min=1, max=500, help="Greatest number of questions.")] = 30,
    lang: LangOption = Lang.en,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Make questions of a player's costliest decisions.

    The page asks what you would do and answers with the analysis. It keeps in the browser which
    questions you knew, and asks those that you missed sooner. Anki imports the text file by File,
    Import; a second import updates the cards.
    """
    if output is None and anki is None:
        raise HaiyomiError("nothing to write: give --out or --anki")
    from haiyomi.apps.anki import anki_text
    from haiyomi.apps.drills import drill_cards, drill_data
    from haiyomi.review.html.document import page_html

    named_as(output, "a page", ", or give it to --anki")
    named_as(anki, "CSV", ", or give it to --out")
    not_an_input(output, records)
    not_an_input(anki, records)
    try_outputs(output, anki)
    with progress_bar("reviewing", "records") as progress:
        found, skipped = drill_cards(records, player, cards, Engine.parse(engine, jobs), progress)
    if output is not None:
        data = drill_data(found, player, lang.value)
        write_output(output, page_html("drill", data, f"haiyomi - {player}", lang.value), PAGE)
    if anki is not None:
        write_output(anki, anki_text(found, lang.value))
    print(f"questions: {len(found)}", file=sys.stderr)
    for error in skipped:
        print(f"haiyomi: {error}", file=sys.stderr)
    if skipped:
        raise typer.Exit(1)
