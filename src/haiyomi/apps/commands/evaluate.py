"""``haiyomi evaluate``: measure models on records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haiyomi.apps.commands.evaluate_imitation import absent, policy, stand_in
from haiyomi.apps.commands.evaluate_mistakes import blunders, mistakes
from haiyomi.apps.commands.evaluate_outcomes import (
    corrections,
    forecast,
    outcomes,
    playouts,
    suite,
    tenpai,
    wins,
)
from haiyomi.apps.commands.evaluate_release import release
from haiyomi.apps.evaluated import (
    MeasuredArgument,
    ShareOption,
    WhatOption,
    called,
    finish,
    sources_of,
    try_results,
)
from haiyomi.apps.options import (
    CorpusOption,
    EngineOption,
    JobsOption,
    ModelOption,
    RecordsArgument,
    ResultsOption,
    SplitOption,
)
from haiyomi.apps.outputs import try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.corpus.entry import Skipped
from haiyomi.corpus.splits import Split
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.extras import require

if TYPE_CHECKING:
    from haiyomi.corpus import Corpus
    from haiyomi.evaluation.opponents.dealin_rows import DealinRows

command = typer.Typer(no_args_is_help=True)


@command.callback()
def _group() -> None:
    """Measure models on records that they were not fitted on."""


@command.command("dealin")
def dealin(
    records: RecordsArgument = None,
    split: SplitOption = None,
    corpus: CorpusOption = None,
    model: ModelOption = "posterior",
    json_out: ResultsOption = None,
    rows_out: Annotated[
        Path | None,
        typer.Option("--rows", help="Write every tile-opponent row to this Parquet file."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="Compare with this model on the same rows; intervals by game."),
    ] = None,
    ablation: Annotated[
        bool,
        typer.Option("--ablation", help="Also measure each step of the model posterior."),
    ] = False,
    jobs: JobsOption = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of records to read of each source, by name; default: all."
        ),
    ] = None,
    engine: EngineOption = "processes",
) -> None:
    """Measure deal-in risk: tile-opponent and tenpai scores, Tables 2 and 3 of the paper.

    Skipped records are listed with their reasons; the exit status is then 1.
    """
    from haiyomi.corpus import Corpus
    from haiyomi.dealin.models import STEPS, load_model
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.networks_used import deal_in_networks
    from haiyomi.evaluation.opponents.compare import ablation_report, paired_reports
    from haiyomi.evaluation.opponents.dealin_experiment import answer, results_json, write_rows
    from haiyomi.evaluation.opponents.dealin_rows import TABLES
    from haiyomi.evaluation.opponents.dealin_tables import reports
    from haiyomi.evaluation.report import Scope

    if rows_out is not None:
        require("data")
    # A wrong name, or a place that cannot be written, ends the command before any work.
    load_model(model)
    others = [against] if against else []
    others += [*STEPS, "posterior"] if ablation else []
    for name in others:
        load_model(name)
    try_outputs(json_out, rows_out)
    where = Engine.parse(engine, jobs)
    sources, what = sources_of(split, records, corpus, json_out, rows_out)
    chosen = Corpus(sources).distinct().first(games)
    with progress_bar("predicting", "games") as progress:
        wanted = (*TABLES, "points") if rows_out is not None else tuple(TABLES)
        result = answer(chosen, model, wanted, None, where, progress)
    if not result.rows.games:
        for name, reason in result.skipped:
            print(f"  {Skipped(name, reason)}")
        raise DatasetError(f"no record of {what} could be read")
    # A part of a split is no split.
    results = results_json(result, model, what, None if records or games else what)
    scope = Scope.of(results)
    if others:
        results["beside"] = _beside(others, chosen, result.rows, where)
        results["networks"] = deal_in_networks(model, *others)
    more = [] if against is None else paired_reports(results["beside"][against], against, scope)
    if ablation:
        more.append(ablation_report(results["beside"], scope))
    if rows_out is not None:
        write_rows(rows_out, result.rows)
    head = (
        f"{model} on {what}: {counted(results['games'], 'game')}, "
        f"{counted(results['hands'], 'hand')}, {counted(results['decisions'], 'discard')}, "
        f"{1000 * results['seconds_per_decision']:.2f} ms a decision"
    )
    finish(results, [*reports(results), *more], json_out, result.skipped, head)


def _beside(models: list[str], records: Corpus, rows: DealinRows, engine: Engine) -> dict[str, Any]:
    """The differences between some models and the ``rows`` of another, by their names."""
    from haiyomi.evaluation.opponents.compare import paired
    from haiyomi.evaluation.opponents.dealin_experiment import SEED, answer

    found = {}
    for name in dict.fromkeys(models):
        with progress_bar(f"predicting with {name}", "games") as progress:
            other = answer(records, name, ("tile", "tenpai"), None, engine, progress)
        found[name] = paired(rows, other.rows, SEED)
    return found


@command.command("reading")
def reading(
    records: RecordsArgument = None,
    split: SplitOption = None,
    corpus: CorpusOption = None,
    model: Annotated[
        Path | None,
        typer.Option(help="File of a network of opponents; default: the shipped one."),
    ] = None,
    nemoto: Annotated[
        Path | None,
        typer.Option(
            "--nemoto-models",
            help="Folder with nemoto_none.json, nemoto_0.json and nemoto_d.json as `fit nemoto` "
            "writes them; default: the shipped ones.",
        ),
    ] = None,
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Measure hidden hands: agreement, count log loss, shanten of samples, calibration.

    Compares random hands, unseen counts, the paper's CRF with three kinds of dummies, and the
    network of opponents. Skipped records are listed with their reasons; the exit status is then 1.
    """
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.networks_used import networks_of
    from haiyomi.evaluation.opponents.reading_predictions import answer, load_models
    from haiyomi.evaluation.opponents.reading_tables import reports, results_json, summary
    from haiyomi.networks.opponents import SHIPPED
    from haiyomi.reading.nemoto import DUMMIES

    name = None if model is None else str(model)
    crfs = [None if nemoto is None else str(nemoto / f"nemoto_{d}.json") for d in DUMMIES]
    load_models(name, crfs)
    try_outputs(json_out)
    where = Engine.parse(engine, jobs)
    sources, what = sources_of(split, records, corpus, json_out)
    with progress_bar("predicting", "games") as progress:
        rows = answer(sources, name, crfs, where, progress)
    if not len(rows.game):
        for record, reason in rows.skipped:
            print(f"  {Skipped(record, reason)}")
        raise DatasetError(f"no record of {what} could be read")
    results = results_json(
        rows, "counts" if model is None else model.name, what, None if records else what
    ) | {"networks": networks_of(model or SHIPPED)}
    finish(results, reports(results), json_out, rows.skipped, summary(results))


for name, function in (
    ("policy", policy),
    ("stand-in", stand_in),
    ("absent", absent),
    ("suite", suite),
    ("forecast", forecast),
    ("outcomes", outcomes),
    ("playouts", playouts),
    ("wins", wins),
    ("tenpai", tenpai),
    ("corrections", corrections),
    ("blunders", blunders),
    ("mistakes", mistakes),
    ("release", release),
):
    command.command(name)(function)


@command.command("placement")
def placement(
    records: MeasuredArgument,
    train: Annotated[
        list[Path], typer.Option(help="Records to fit the baselines on; may be repeated.")
    ],
    model: Annotated[
        Path | None, typer.Option(help="Placement file; default: the shipped one.")
    ] = None,
    what: WhatOption = "",
    json_out: ResultsOption = None,
) -> None:
    """Measure the placement at the end of the game, beside baselines fitted on the same records.

    The baselines are a network that sees scores and round alone, a multinomial regression and
    boosted trees. Takes about ten minutes of one processor for 50,000 games to fit on.
    """
    from haiyomi.evaluation.networks_used import networks_of
    from haiyomi.evaluation.outcomes.placement_experiment import placement_results, reports
    from haiyomi.outcomes.placement import SHIPPED, PlacementModel, shipped

    require("torch")
    require("train")
    try_results(json_out, [*records, *train])
    network = shipped() if model is None else PlacementModel.load(model)
    with progress_bar("reading", "records") as step:
        results, skipped = placement_results(train, records, network, called(records, what), step)
    results["networks"] = networks_of(model or SHIPPED)
    finish(results, reports(results), json_out, skipped)


@command.command("opponents")
def opponents(
    packed: Annotated[
        Path, typer.Argument(help="Folder of packed games, as `haiyomi fit all` makes it.")
    ],
    split: Annotated[Split, typer.Option(help="Split of the games.")] = "valid",
    share: ShareOption = 0.1,
    model: Annotated[
        str,
        typer.Option(help="The network of opponents: posterior, posterior:no-tedashi, or a file."),
    ] = "posterior",
    against: Annotated[
        str | None, typer.Option(help="Compare with this model on the same rows.")
    ] = None,
    forget: Annotated[
        bool,
        typer.Option("--forget", help="Seats do not remember which discards were from the hand."),
    ] = False,
    json_out: ResultsOption = None,
) -> None:
    """Measure deal-in and tenpai predictions by class of opponent, level of table and year.

    It also measures known biases. The decisions are drawn by a hash, independently of how the hand
    ended. A network of opponents can also be measured for seats that do not remember tedashi.
    """
    require("data")
    from haiyomi.evaluation.networks_used import deal_in_networks
    from haiyomi.evaluation.opponents.opponent_experiment import (
        opponent_results,
        paired_results,
        reports,
    )
    from haiyomi.evaluation.opponents.opponent_rows import model_of_opponents, opponent_rows

    try_outputs(json_out)
    chosen = model_of_opponents(model)
    other = None if against is None else model_of_opponents(against)
    with progress_bar("predicting", "shards") as step:
        rows = opponent_rows(packed, split, share, chosen, forget, step)
    results = opponent_results(rows, model, split, share)
    results["networks"] = deal_in_networks(model, against or model)
    if other is not None:
        with progress_bar(f"predicting with {against}", "shards") as step:
            theirs = opponent_rows(packed, split, share, other, False, step)
        results["beside"] = {against: paired_results(rows, theirs)}
    print(f"{model}: {counted(rows.games, 'game')}, {counted(rows.decisions, 'decision')}")
    finish(results, reports(results), json_out)


@command.command("scores")
def scores(
    records: Annotated[list[Path], typer.Argument(help="Records of strong players.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Table to write.")] = Path("houou.json"),
    games: Annotated[
        int, typer.Option(min=1, help="Number of games, evenly spread over the records.")
    ] = 150,
) -> None:
    """Make the table that a review's score is compared with, by reviews of whole games."""
    from haiyomi.corpus import Corpus
    from haiyomi.evaluation.reviews.score_table import write_table

    entries = Corpus(records).entries
    chosen = entries[:: max(1, len(entries) // games)][:games]
    with progress_bar("reviewing", "games") as progress:
        found = write_table(
            (entry.game() for entry in chosen),
            out,
            step=lambda done: progress(done, len(chosen)),
        )
    lengths = {1: "East-only games", 2: "hanchan"}
    print(
        ", ".join(
            f"{counted(n, 'seat')} in {lengths.get(r, f'games of {r} rounds')}"
            for r, n in sorted(found.items())
        )
    )
