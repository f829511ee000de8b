"""``haiyomi evaluate suite``, ``forecast``, ``outcomes``, ``playouts``, ``wins``, ``tenpai``,
``corrections``: what comes of options."""

from __future__ import annotations

from pathlib import Path
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
from haiyomi.apps.options import JobsOption, ResultsOption, names_given, refuse
from haiyomi.apps.outputs import try_folders, try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.corpus.entry import nothing_read
from haiyomi.extras import require

GamesOption = Annotated[
    int | None, typer.Option(min=1, help="Number of records to read of each source; default: all.")
]


def suite(
    model: Annotated[
        Path | None,
        typer.Option(
            help="Folder with the networks of policy, opponents and options, or one network with "
            "the end of the hand; default: the shipped networks."
        ),
    ] = None,
    json_out: ResultsOption = None,
) -> None:
    """Check the values of options at positions whose right answer is proved; list the failures.

    Each position has statements that a rule or an enumeration proves. A case holds where every
    statement is answered and true.
    """
    from haiyomi.evaluation.known_answers.suite import (
        OutcomeValuer,
        cases,
        judge,
        results_json,
        suite_report,
    )
    from haiyomi.evaluation.networks_used import networks_of, shipped_networks
    from haiyomi.outcomes.later_models import load_later

    try_outputs(json_out)
    valuer = OutcomeValuer(None if model is None else load_later(model))
    results = results_json([judge(case, valuer) for case in cases()], "outcomes")
    results["networks"] = shipped_networks() if model is None else networks_of(model)
    finish(results, [suite_report(results)], json_out)
    for failure in results["failures"]:
        for sentence in failure["missed"][:3]:
            print(f"{failure['category']}, {failure['name']}: missed: {sentence}")


def forecast(
    records: MeasuredArgument,
    model: Annotated[
        Path,
        typer.Option(
            help="Network that predicts how the hand ends; with --options a folder with all "
            "networks."
        ),
    ],
    share: ShareOption = 0.1,
    options: Annotated[
        bool,
        typer.Option(
            "--options", help="Forecast the option that was chosen: about 1 ms for a decision."
        ),
    ] = False,
    named: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PLAYER",
            help="With --options, give this player a line of its own beside the levels of tables; "
            "may be repeated.",
        ),
    ] = None,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure the forecast of how a hand ends, before the choice or of the option chosen.

    Each ending and its calibration, the change of score and its calibration by tenths of the
    forecast. Takes about half a millisecond for a decision.
    """
    from haiyomi.evaluation.networks_used import networks_of
    from haiyomi.evaluation.outcomes.option_forecast import option_forecasts
    from haiyomi.evaluation.outcomes.outcome_forecast import (
        SEED,
        forecast_results,
        reports,
        state_forecasts,
    )
    from haiyomi.networks.network import Network
    from haiyomi.training.outcome_rows import outcome_rows

    if not options:
        refuse({"--named": named}, "for --options")
    try_results(json_out, [*records, model])
    players = names_given(named, "--named", "NAME=PLAYER")
    with progress_bar("reading", "records") as step:
        if options:
            rows, found, skipped = option_forecasts(
                records, model, share, SEED, jobs, step, players
            )
        else:
            rows, skipped = outcome_rows(records, share, SEED, None, jobs, step)
            found = state_forecasts(Network.load(model), rows.decisions)
    if not len(rows):
        raise nothing_read(skipped, "no decision was drawn: raise --share")
    results = forecast_results(rows, found, called(records, what), model.name)
    results["networks"] = networks_of(model)
    finish(results, reports(results), json_out, skipped)


def outcomes(
    records: MeasuredArgument,
    train: Annotated[
        list[Path], typer.Option(help="Records to fit the trees on; may be repeated.")
    ],
    share: ShareOption = 0.1,
    games: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of records to read of each source of train; default: all."
        ),
    ] = None,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure the baselines of the outcome forecast: constants and boosted trees.

    The trees see summary numbers of a decision.
    """
    from haiyomi.evaluation.outcomes.outcome_baselines import SEED, baseline_results, reports
    from haiyomi.training.outcome_rows import outcome_rows

    require("train")
    try_results(json_out, [*records, *train])
    with progress_bar("reading", "records") as step:
        taught, left_out = outcome_rows(train, share, SEED, games, jobs, step)
        held, skipped = outcome_rows(records, share, SEED, None, jobs, step)
    for rows, out in ((taught, left_out), (held, skipped)):
        if not len(rows):
            raise nothing_read(out, "no decision was drawn: raise --share")
    results = baseline_results(taught, held, called(records, what))
    finish(results, reports(results), json_out, skipped)


def playouts(
    records: MeasuredArgument,
    out: PlayedFolderOption,
    games: DrawnGamesOption = None,
    share: ShareOption = 0.01,
    most: Annotated[
        int,
        typer.Option(
            min=2, help="Greatest number of options of a decision: the best by the forecast."
        ),
    ] = 4,
    worlds: Annotated[int, typer.Option(min=8, help="Worlds in which each option is played.")] = 64,
    policy: Annotated[
        bool,
        typer.Option("--by-policy", help="The policy plays instead of the small rollout network."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of all draws.")] = 23,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Compare the forecast of options with playing them on: differences within a decision.

    About 0.4 s of a processor for a decision with four options.
    """
    from haiyomi.evaluation.outcomes.playout_agreement import (
        Settings,
        agreement_results,
        compare,
        reports,
    )

    try_results(json_out, records)
    try_folders(out, beside=json_out)
    settings = Settings(share, most, worlds, policy, seed)
    with progress_bar("playing on", "games") as step:
        rows, skipped = compare(records, games, settings, out, jobs, step)
    if not rows:
        raise nothing_read(skipped, "no decision was drawn: raise --share or --games")
    results = agreement_results(rows, settings, called(records, what))
    finish(results, reports(results), json_out, skipped)


def wins(
    records: MeasuredArgument,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure P(win) after the discards that players chose, three of each seat and hand."""
    from haiyomi.evaluation.outcomes.discard_wins import reports, win_forecasts, win_results

    try_results(json_out, records)
    with progress_bar("reading", "records") as step:
        found, skipped = win_forecasts(records, jobs, step)
    if not any(map(len, found)):
        raise nothing_read(skipped, "no discard was drawn")
    results = win_results(found, called(records, what))
    finish(results, reports(results), json_out, skipped)


def tenpai(
    records: MeasuredArgument,
    games: GamesOption = None,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure P(win) after choices that left a hand tenpai: by the networks, with the correction
    by winning tiles and yaku, and by the same regression fitted to these records.
    """
    from haiyomi.evaluation.outcomes.rows_by_record import rows_by_record
    from haiyomi.evaluation.outcomes.tenpai_experiment import (
        reports,
        rows_of_game,
        tenpai_results,
    )

    require("train")
    try_results(json_out, records)
    with progress_bar("reading", "records") as step:
        found, skipped = rows_by_record(rows_of_game, records, games, jobs, step)
    if not found:
        raise nothing_read(skipped, "no choice left a hand tenpai")
    results = tenpai_results(found, called(records, what))
    finish(results, reports(results), json_out, skipped)


def corrections(
    records: MeasuredArgument,
    games: GamesOption = None,
    what: WhatOption = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Compare what the corrected forecast expects with what came, separately for the decisions that
    each correction is for. About 1 ms for a decision.
    """
    from haiyomi.evaluation.outcomes.correction_rows import rows_of_game
    from haiyomi.evaluation.outcomes.corrections import correction_results, reports
    from haiyomi.evaluation.outcomes.rows_by_record import rows_by_record

    try_results(json_out, records)
    with progress_bar("reading", "records") as step:
        found, skipped = rows_by_record(rows_of_game, records, games, jobs, step)
    if not found:
        raise nothing_read(skipped, "no decision whose choice is known")
    results = correction_results(found, called(records, what))
    finish(results, reports(results), json_out, skipped)
