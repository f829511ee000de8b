"""``haiyomi evaluate blunders`` and ``mistakes``: measure what a review flags as mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import tell_skipped
from haiyomi.apps.options import JobsOption, ResultsOption


def blunders(
    records: Annotated[list[Path], typer.Argument(help="Records to measure on: zips or folders.")],
    games: Annotated[
        int | None, typer.Option(min=1, help="Number of records, drawn at random; default: all.")
    ] = None,
    what: Annotated[str, typer.Option(help="What the records are called in the results.")] = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Replace choices of records by known blunders, and count how many a review flags.

    The blunders are named by rules that ask no network. Beside them stands how often the choices
    that the players made in the same situations are flagged. About 2 s of a processor for a record.
    """
    from haiyomi.apps.blunder_recall import recall, recall_results, report
    from haiyomi.apps.outputs import not_an_input, try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.storage.whole_file import write_json

    try_outputs(json_out)
    not_an_input(json_out, records)
    with progress_bar("reviewing", "records") as step:
        planted, judged, skipped = recall(records, games, jobs, step)
    if not judged:
        raise DatasetError("no record could be read")
    results = recall_results(planted, judged, what or ", ".join(path.name for path in records))
    print(report(results).text())
    if json_out is not None:
        write_json(json_out, results)
    tell_skipped(skipped)


def mistakes(
    records: Annotated[list[Path], typer.Argument(help="Records to measure on: zips or folders.")],
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--out", help="Folder of the games played; a second run continues there."
        ),
    ],
    games: Annotated[
        int | None, typer.Option(min=1, help="Number of records, drawn at random; default: all.")
    ] = None,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the flagged decisions that is drawn.")
    ] = 1.0,
    worlds: Annotated[
        int, typer.Option(min=64, help="Greatest number of worlds of an option.")
    ] = 1024,
    slow_worlds: Annotated[
        int,
        typer.Option(
            min=64, help="The same where the seat goes on by the improved policy or its own style."
        ),
    ] = 256,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all draws.")] = 23,
    what: Annotated[str, typer.Option(help="What the records are called in the results.")] = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Play flagged decisions on, and count how many keep their sign.

    The better option and the one that was taken are played to the end of the hand while the seat
    goes on by the rollout network, by the improved policy, and in its own style. About 8 s of a
    processor for a decision.
    """
    from haiyomi.apps.outputs import not_an_input, try_folders, try_outputs
    from haiyomi.apps.played_mistakes import Settings, play_mistakes, report, sign_results
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.storage.whole_file import write_json

    try_outputs(json_out)
    try_folders(out)
    not_an_input(json_out, records)
    settings = Settings(share, worlds, slow_worlds, seed)
    with progress_bar("playing on", "games") as step:
        rows, skipped = play_mistakes(records, games, settings, out, jobs, step)
    if not rows:
        raise DatasetError("no flagged decision was drawn: raise --share or --games")
    results = sign_results(rows, settings, what or ", ".join(path.name for path in records))
    print(report(results).text())
    if json_out is not None:
        write_json(json_out, results)
    tell_skipped(skipped)
