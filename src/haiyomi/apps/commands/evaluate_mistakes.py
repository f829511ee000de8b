"""``haiyomi evaluate blunders`` and ``mistakes``: measure what a review flags as mistakes."""

from __future__ import annotations

from typing import Annotated

import typer

from haiyomi.apps.evaluated import (
    DrawnGamesOption,
    MeasuredArgument,
    PlayedFolderOption,
    ShareOption,
    WhatOption,
    called,
    finish,
    try_results,
)
from haiyomi.apps.options import JobsOption, ResultsOption
from haiyomi.apps.outputs import try_folders
from haiyomi.apps.progress import progress_bar
from haiyomi.corpus.entry import nothing_read


def blunders(
    records: MeasuredArgument,
    games: DrawnGamesOption = None,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Replace choices of records by known blunders, and count how many a review flags.

    Rules decide what is a blunder, and ask no network. The table also shows how often the choices
    that players made in the same situations are flagged. A record takes about 2 s of one processor.
    """
    from haiyomi.evaluation.reviews.blunder_recall import recall, recall_results, report

    try_results(json_out, records)
    with progress_bar("reviewing", "records") as step:
        planted, judged, skipped = recall(records, games, jobs, step)
    if not judged:
        raise nothing_read(skipped, "there is no record")
    results = recall_results(planted, judged, called(records, what))
    finish(results, [report(results)], json_out, skipped)


def mistakes(
    records: MeasuredArgument,
    out: PlayedFolderOption,
    games: DrawnGamesOption = None,
    share: ShareOption = 1.0,
    worlds: Annotated[
        int, typer.Option(min=64, help="Greatest number of worlds in which an option is played.")
    ] = 1024,
    from_: Annotated[
        float | None,
        typer.Option(
            "--from",
            min=1,
            help="Take all choices that the forecast calls worse by so many points, flagged or "
            "not, and fit how much of the difference comes; by the rollout network alone, but in "
            "all three ways where a riichi was not declared.",
        ),
    ] = None,
    calls_after: Annotated[
        int | None,
        typer.Option(
            min=0, help="After so many games, take only the calls of chi and pon that were made."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of all draws.")] = 23,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Play on from mistakes that a review flags, and count how often the better option gains.

    The better option and the one that was taken are played to the end of the hand in drawn worlds.
    Afterwards the seat is played in three ways: by the rollout network, by the improved policy, and
    in the player's own style. With 512 worlds a decision takes about 7 s of one processor.
    Without --from a second table says how many of the flagged tiles dealt in, in the records.

    --from also fits the parts of the forecast that ``haiyomi.review.confirmed_part`` reads.
    """
    from haiyomi.evaluation.reviews.mistake_results import deal_in_report, report, sign_results
    from haiyomi.evaluation.reviews.played_mistakes import Settings, play_mistakes

    try_results(json_out, records)
    try_folders(out, beside=json_out)
    settings = Settings(share, worlds, seed, from_, calls_after)
    with progress_bar("playing on", "games") as step:
        rows, skipped = play_mistakes(records, games, settings, out, jobs, step)
    if not rows:
        raise nothing_read(skipped, "no flagged decision was drawn: raise --share or --games")
    results = sign_results(rows, settings, called(records, what))
    reports = [report(results)]
    if results.get("deal_ins"):
        reports.append(deal_in_report(results))
    finish(results, reports, json_out, skipped)
