"""``haiyomi evaluate suite``, ``forecast``, ``wins``, ``outcomes``: what comes of options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import tell_skipped
from haiyomi.apps.options import JobsOption, ResultsOption
from haiyomi.extras import require


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
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.evaluation.suite import cases, judge, results_json, suite_report
    from haiyomi.evaluation.suite_valuers import OutcomeValuer
    from haiyomi.outcomes.later_models import load_later
    from haiyomi.storage.whole_file import write_json

    try_outputs(json_out)
    valuer = OutcomeValuer(None if model is None else load_later(model))
    results = results_json([judge(case, valuer) for case in cases()], "outcomes")
    print(suite_report(results).text())
    for failure in results["failures"]:
        for sentence in failure["missed"][:3]:
            print(f"{failure['category']}, {failure['name']}: missed: {sentence}")
    if json_out is not None:
        write_json(json_out, results)


def forecast(
    records: Annotated[list[Path], typer.Argument(help="Records to measure on: zips or folders.")],
    model: Annotated[
        Path,
        typer.Option(
            help="Network with the end of the hand; with --options a folder with all networks."
        ),
    ],
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of all decisions that is drawn.")
    ] = 0.1,
    options: Annotated[
        bool,
        typer.Option(
            "--options", help="Forecast the option that was chosen: about 5 ms for a decision."
        ),
    ] = False,
    what: Annotated[str, typer.Option(help="What the records are called in the results.")] = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure the forecast of how a hand ends, before the choice or of the option chosen.

    Each ending and its calibration, the change of score and its calibration by tenths of the
    forecast. Takes about half a millisecond for a decision.
    """
    from haiyomi.analysis.models import Models
    from haiyomi.apps.outputs import not_an_input, try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.option_forecast import option_forecasts
    from haiyomi.evaluation.outcome_forecast import SEED, forecast_results, state_forecasts
    from haiyomi.evaluation.outcome_forecast_print import reports
    from haiyomi.networks.network import Network
    from haiyomi.outcomes.later_models import load_later
    from haiyomi.storage.whole_file import write_json
    from haiyomi.training.outcome_rows import outcome_rows

    try_outputs(json_out)
    not_an_input(json_out, [*records, model])
    called = what or ", ".join(path.name for path in records)
    with progress_bar("reading", "records") as step:
        if options:
            models = Models(later=load_later(model))
            rows, found, skipped = option_forecasts(records, models, share, SEED, step)
        else:
            rows, skipped = outcome_rows(records, share, SEED, None, jobs, step)
            found = state_forecasts(Network.load(model), rows.decisions)
    results = forecast_results(rows, found, called, model.name)
    print("\n\n".join(report.text() for report in reports(results)))
    if json_out is not None:
        write_json(json_out, results)
    tell_skipped(skipped)


def outcomes(
    records: Annotated[list[Path], typer.Argument(help="Records to measure on: zips or folders.")],
    train: Annotated[
        list[Path], typer.Option(help="Records to fit the trees on; may be repeated.")
    ],
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of all decisions that is drawn.")
    ] = 0.1,
    games: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of records to read of each source of train; default: all."
        ),
    ] = None,
    what: Annotated[str, typer.Option(help="What the records are called in the results.")] = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure the baselines of the outcome forecast: constants and boosted trees.

    The trees see summary numbers of a decision.
    """
    from haiyomi.apps.outputs import not_an_input, try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.outcome_baselines import SEED, baseline_results
    from haiyomi.evaluation.outcome_print import reports
    from haiyomi.storage.whole_file import write_json
    from haiyomi.training.outcome_rows import outcome_rows

    require("train")
    try_outputs(json_out)
    not_an_input(json_out, [*records, *train])
    called = what or ", ".join(path.name for path in records)
    with progress_bar("reading", "records") as step:
        taught, _ = outcome_rows(train, share, SEED, games, jobs, step)
        held, skipped = outcome_rows(records, share, SEED, None, jobs, step)
    results = baseline_results(taught, held, called)
    print("\n\n".join(report.text() for report in reports(results)))
    if json_out is not None:
        write_json(json_out, results)
    tell_skipped(skipped)


def two_ways(
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
        float, typer.Option(min=0.0, max=1.0, help="Share of all decisions that is drawn.")
    ] = 0.01,
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
    seed: Annotated[int, typer.Option(min=0, help="Seed of all draws.")] = 23,
    what: Annotated[str, typer.Option(help="What the records are called in the results.")] = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Compare the forecast of options with playing them on: differences within a decision.

    About .4 s of a processor for a decision with four options.
    """
    from haiyomi.apps.outputs import not_an_input, try_folders, try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.two_ways import Settings, agreement_results, compare
    from haiyomi.evaluation.two_ways_print import reports
    from haiyomi.storage.whole_file import write_json

    try_outputs(json_out)
    try_folders(out)
    not_an_input(json_out, records)
    settings = Settings(share, most, worlds, policy, seed)
    with progress_bar("playing on", "games") as step:
        rows, skipped = compare(records, games, settings, out, jobs, step)
    if not rows:
        raise DatasetError("no decision was drawn: raise --share or --games")
    called = what or ", ".join(path.name for path in records)
    results = agreement_results(rows, settings, called)
    print("\n\n".join(table.text() for table in reports(results)))
    if json_out is not None:
        write_json(json_out, results)
    tell_skipped(skipped)


def wins(
    records: Annotated[list[Path], typer.Argument(help="Records to measure on: zips or folders.")],
    what: Annotated[str, typer.Option(help="What the records are called in the results.")] = "",
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure P(win) after the discards that players chose, three of each seat and hand."""
    from haiyomi.apps.outputs import not_an_input, try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.discard_wins import reports, win_forecasts, win_results
    from haiyomi.storage.whole_file import write_json

    try_outputs(json_out)
    not_an_input(json_out, records)
    with progress_bar("reading", "records") as step:
        found, skipped = win_forecasts(records, jobs, step)
    if not any(map(len, found)):
        raise DatasetError("no discard was drawn")
    results = win_results(found, what or ", ".join(path.name for path in records))
    print("\n\n".join(table.text() for table in reports(results)))
    if json_out is not None:
        write_json(json_out, results)
    tell_skipped(skipped)
