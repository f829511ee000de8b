"""``haiyomi evaluate``: what a room's model is worth, measured on records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import (
    CorpusOption,
    DatasetArgument,
    EngineOption,
    JobsOption,
    PolicyOption,
    RecordsOption,
    ResultsOption,
    RowsOption,
    SplitOption,
)
from haiyomi.shards import Engine

command = typer.Typer(no_args_is_help=True)


@command.callback()
def _group() -> None:
    """Measure models on records they were not fitted on."""


@command.command("dealin")
def dealin(
    split: SplitOption = None,
    records: RecordsOption = None,
    corpus: CorpusOption = None,
    model: Annotated[str, typer.Option(help="A model's name or file.")] = "posterior",
    json_out: ResultsOption = None,
    rows_out: Annotated[
        Path | None,
        typer.Option("--rows", help="Write every tile-opponent row here (parquet)."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="A second model on the same rows: differences, bootstrapped by game."),
    ] = None,
    ablation: Annotated[
        bool,
        typer.Option("--ablation", help="Also what each step of the model posterior is worth."),
    ] = False,
    diagrams: Annotated[
        Path | None, typer.Option(help="Folder for reliability diagrams by class (SVG).")
    ] = None,
    jobs: JobsOption = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Only so many records of each source, by name.")
    ] = None,
    engine: EngineOption = "processes",
) -> None:
    """Deal-in risk: tile-opponent and tenpai scores, Tables 2 and 3 of the paper.

    Exit status 1 if records were skipped; they are listed with reasons.
    """
    from haiyomi.apps.outputs import try_folders, try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.dealin.models import STEPS, load_model
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.compare import ablation_table, paired, paired_tables
    from haiyomi.evaluation.dealin_experiment import SEED, plan, results_json, run, write_rows
    from haiyomi.evaluation.dealin_print import plain, tables
    from haiyomi.evaluation.dealin_rows import TABLES
    from haiyomi.evaluation.reliability import write_diagrams
    from haiyomi.whole import write_json

    # A wrong name, or a place that cannot be written, is told before any work.
    load_model(model)
    others = [against] if against else []
    others += [*STEPS, "posterior"] if ablation else []
    for name in others:
        load_model(name)
    try_outputs(json_out, rows_out)
    try_folders(diagrams)
    where = Engine.parse(engine, jobs)
    sources, what = _sources(split, records, corpus)
    with progress_bar("asking", "games") as progress:
        tables_of = (*TABLES, "points") if rows_out is not None else tuple(TABLES)
        result = run(plan(sources, model, tables_of, most=games), where, progress)
    if not result.rows.games:
        for name, reason in result.skipped:
            print(f"  {name}: {reason}")
        raise DatasetError(f"no record of {what} could be read")
    # A part of a split is not the split that reference figures stand beside.
    results = results_json(result, model, what, None if records or games else what)
    told = []
    for name in dict.fromkeys(others):
        with progress_bar(f"asking {name}", "games") as progress:
            other = run(plan(sources, name, ("tile", "tenpai"), most=games), where, progress)
        found = paired(result.rows, other.rows, SEED)
        results.setdefault("beside", {})[name] = found
        told += paired_tables(found, name) if name == against else []
    if json_out is not None:
        write_json(json_out, results)
    if diagrams is not None:
        write_diagrams(diagrams, result.rows, model)
    if rows_out is not None:
        write_rows(rows_out, result.rows)
    print(
        f"{model} on {what}: {results['games']} games, {results['hands']} hands, "
        f"{results['decisions']:,} discards, "
        f"{1000 * results['seconds_per_decision']:.2f} ms a decision"
    )
    if ablation:
        told.append(ablation_table(results["beside"]))
    for table in (*tables(results), *told):
        print()
        print(plain(table))
    _tell_skipped(result.skipped)


@command.command("reading")
def reading(
    split: SplitOption = None,
    records: RecordsOption = None,
    corpus: CorpusOption = None,
    chain: Annotated[
        Path | None, typer.Option(help="A chain's model file; default the one that comes along.")
    ] = None,
    nemoto: Annotated[
        Path | None,
        typer.Option(
            help="Folder with nemoto_none.json, nemoto_0.json and nemoto_d.json as `fit reading` "
            "writes them; default those that come along."
        ),
    ] = None,
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Hidden hands: agreement, count log loss, shanten of samples, calibration.

    Random hands, unseen counts alone, the paper's CRF with its three dummies, and the chain.
    Exit status 1 if records were skipped; they are listed with reasons.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.dealin_print import plain
    from haiyomi.evaluation.reading_print import summary, tables
    from haiyomi.evaluation.reading_rows import load_models, plan, run
    from haiyomi.evaluation.reading_tables import results_json
    from haiyomi.reading.nemoto import DUMMIES
    from haiyomi.whole import write_json

    name = None if chain is None else str(chain)
    crfs = [None if nemoto is None else str(nemoto / f"nemoto_{d}.json") for d in DUMMIES]
    load_models(name, crfs)
    try_outputs(json_out)
    where = Engine.parse(engine, jobs)
    sources, what = _sources(split, records, corpus)
    with progress_bar("asking", "games") as progress:
        rows = run(plan(sources, name, crfs), where, progress)
    if not len(rows.game):
        for record, reason in rows.skipped:
            print(f"  {record}: {reason}")
        raise DatasetError(f"no record of {what} could be read")
    results = results_json(
        rows, "chain" if chain is None else chain.name, what, None if records else what
    )
    if json_out is not None:
        write_json(json_out, results)
    print(summary(results))
    for table in tables(results):
        print()
        print(plain(table))
    _tell_skipped(rows.skipped)


@command.command("points")
def points(
    dataset: DatasetArgument,
    corpus: CorpusOption = None,
    rows: RowsOption = Path("out/reading-rows"),
    folds: Annotated[int, typer.Option(min=2, max=20, help="Parts of the games.")] = 5,
    tenpai: Annotated[
        int, typer.Option(min=1, help="Tenpai opponents to learn each fold's weights from.")
    ] = 100_000,
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Han and points of every real ron, told by models fitted without its game.

    All splits, by cross-fitting: beside kurita-hoki and what winners of the class had elsewhere.
    Some twenty minutes of a processor.
    """
    from dataclasses import replace

    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.dealin_print import plain
    from haiyomi.evaluation.points_experiment import run, tables
    from haiyomi.training.fit_default import SHIPPED
    from haiyomi.training.splits import find_corpus
    from haiyomi.whole import write_json

    try_outputs(json_out)
    results = run(
        find_corpus(corpus), dataset, rows, folds, replace(SHIPPED, rows=tenpai), progress_bar,
        Engine.parse(engine, jobs),
    )  # fmt: skip
    if json_out is not None:
        write_json(json_out, results)
    told = results["rons"]
    print(
        f"{results['games']:,} games, {folds} folds, {told['both']:,} rons (of "
        f"{told['posterior']:,} and {told['kurita-hoki']:,} that either model holds for possible)"
    )
    for table in tables(results):
        print()
        print(plain(table))


@command.command("halves")
def halves(
    folder: Annotated[
        Path, typer.Argument(help="Folder of the two models of `haiyomi fit posterior --halves`.")
    ],
    corpus: CorpusOption = None,
    rows: RowsOption = Path("out/reading-rows"),
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Table 2 (b) of the default model: tenth discards of all games, none told by what learned
    from it.

    Games of train are told by the half of the fit that never saw them, the others by the shipped
    model. Some fifteen minutes of a processor.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.dealin_print import plain, table2_tables
    from haiyomi.evaluation.halves_experiment import halves_results
    from haiyomi.training.splits import find_corpus
    from haiyomi.whole import write_json

    try_outputs(json_out)
    with progress_bar("asking", "games") as step:
        results = halves_results(
            find_corpus(corpus), rows, folder, Engine.parse(engine, jobs), step
        )
    if json_out is not None:
        write_json(json_out, results)
    print(f"{results['games']:,} games")
    for table in table2_tables(results["table2"]):
        print()
        print(plain(table))


def _tell_skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """List the records that were left out; the exit status is then 1."""
    if skipped:
        print(f"\n{len(skipped)} skipped:")
        for name, reason in skipped:
            print(f"  {name}: {reason}")
        raise typer.Exit(1)


def _sources(
    split: str | None, records: Path | None, corpus: Path | None
) -> tuple[list[Path], str]:
    """The files to ask about and what they are called. Raises DatasetError."""
    from haiyomi.errors import DatasetError
    from haiyomi.training.splits import SPLITS, corpus_files, find_corpus

    if records is not None:
        if split is not None:
            raise DatasetError("--records and --split exclude each other")
        if not records.exists():
            raise DatasetError(f"no such file or folder: {records}")
        return [records], records.name or str(records)
    split = "test" if split is None else split
    if split not in SPLITS:
        raise DatasetError(f"no split {split!r}: choose from {', '.join(SPLITS)}")
    files = corpus_files(find_corpus(corpus)) or {}
    chosen = next((paths for name, paths in files.items() if name == split), [])
    if not chosen:
        raise DatasetError(f"the corpus has no {split} split")
    return chosen, split


@command.command("balance")
def balance(
    split: SplitOption = None,
    records: RecordsOption = None,
    corpus: CorpusOption = None,
    games: Annotated[int, typer.Option(min=1, help="How many games are read at most.")] = 100_000,
    model: Annotated[str, typer.Option(help="The deal-in model: a name or file.")] = "posterior",
    fitted: Annotated[
        Path | None, typer.Option(help="A file of `fit balance`; default the one that comes along.")
    ] = None,
    json_out: ResultsOption = None,
) -> None:
    """The balance of a discard: win rates in ten bins, realised points by balance decile.

    Exit status 1 if records were skipped; they are listed with reasons.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.dealin.models import load_model
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.balance_experiment import balance_results
    from haiyomi.training.fit_balance import rows_of
    from haiyomi.whole import write_json
    from haiyomi.winning.recalibration import Recalibration

    answering, wins = load_model(model), Recalibration.load(fitted)
    try_outputs(json_out)
    sources, what = _sources(split, records, corpus)
    with progress_bar("asking", "games") as step:
        left_out: list[tuple[str, str]] = []
        found = balance_results(rows_of(sources, games, step, left_out), wins, answering, what)
    if not found["rows"]:
        raise DatasetError(f"no record of {what} could be read")
    if json_out is not None:
        write_json(json_out, found)
    print(f"{what}: {found['games']} games, {found['rows']:,} decisions, up to 3 a seat and hand")
    win, alone = found["win"], found["own_draws_alone"]
    for name, s in (("win, recalibrated", win), ("win by own draws alone", alone)):
        print(
            f"{name}: log loss {s['log_loss']['value']:.4f} "
            f"[{s['log_loss']['low']:.4f}, {s['log_loss']['high']:.4f}], "
            f"constant {s['constant']:.4f}, AUC {s['auc']['value']:.3f}"
        )
    for title, key, scale in (("P(win)", "win_bins", 100), ("balance", "balance_deciles", 1)):
        print(f"\n{title:<10} {'n':>7} {'predicted':>10} {'observed':>10}   95% by game")
        for number, b in enumerate(found[key], 1):
            print(
                f"{number:<10} {b['n']:>7} {scale * b['predicted']:>10.1f} "
                f"{scale * b['observed']:>10.1f}   "
                f"[{scale * b['low']:.1f}, {scale * b['high']:.1f}]"
            )
    print(f"\nlargest gap of the win rate {100 * found['largest_gap']:.1f} points")
    wins = found["points_of_wins"]
    print(
        f"points of a win: predicted {wins['predicted']:,.0f}, observed {wins['observed']:,.0f} "
        f"(n {wins['n']:,})"
    )
    _tell_skipped(left_out)


@command.command("styles")
def styles(
    split: SplitOption = None,
    records: RecordsOption = None,
    corpus: CorpusOption = None,
    model: PolicyOption = None,
    history: Annotated[
        Path | None,
        typer.Option(
            help="Rows that `fit policy` built: also what players' styles gain, estimated from "
            "their games in train and valid."
        ),
    ] = None,
    players: Annotated[int, typer.Option(min=1, help="So many players at most for that.")] = 32,
    json_out: ResultsOption = None,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """The imitation: agreement of discards; riichi, calls, kans and wins; gain by style.

    Exit status 1 if records were skipped; they are listed with reasons.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.policy_experiment import load, plan, results_json, run, style_gains
    from haiyomi.evaluation.policy_print import lines
    from haiyomi.training.policy_rows import PolicyRows, load_rows
    from haiyomi.whole import write_json

    name = None if model is None else str(model)
    policy = load(name)
    try_outputs(json_out)
    past = None
    if history is not None:
        past = PolicyRows.concat([load_rows(history, s) for s in ("train", "valid")])
    sources, what = _sources(split, records, corpus)
    shards = plan(sources, name)
    if not shards:
        raise DatasetError(f"no record of {what} could be read")
    with progress_bar("asking", "games") as progress:
        asked = run(shards, Engine.parse(engine, jobs), progress)
    if not len(asked.rows):
        for record, reason in asked.rows.skipped:
            print(f"  {record}: {reason}")
        raise DatasetError(f"no decision of {what} could be read")
    results = results_json(asked, policy, what, None if records else what)
    if past is not None:
        if set(past.games) & set(asked.rows.games):
            raise DatasetError(f"{history} holds games of {what}: styles would not be held out")
        with progress_bar("styles", "players") as progress:
            results["style_gains"] = style_gains(asked, policy, past, players, progress=progress)
    if json_out is not None:
        write_json(json_out, results)
    print("\n".join(lines(results)))
    _tell_skipped(asked.rows.skipped)


@command.command("stand-in")
def stand_in(
    games: Annotated[int, typer.Option(min=1, help="Whole games to play.")] = 200,
    model: PolicyOption = None,
    temperature: Annotated[
        float, typer.Option(min=0.0, max=2.0, help="As of `haiyomi bot`.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="The seed of walls, seats and lots.")] = 1,
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """The stand-in in whole games before an outside referee (riichienv): legality, rates, time.

    Exit status 1 if anything was illegal or fell back.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.policy_experiment import load
    from haiyomi.evaluation.stand_in_experiment import lines, run
    from haiyomi.whole import write_json

    name = None if model is None else str(model)
    load(name)
    try_outputs(json_out)
    with progress_bar("playing", "games") as progress:
        results = run(games, name, temperature, seed, jobs, progress)
    if json_out is not None:
        write_json(json_out, results)
    print("\n".join(lines(results)))
    if results["illegal"] or results["fallbacks"]:
        raise typer.Exit(1)


@command.command("absent")
def absent(
    records: Annotated[
        list[Path] | None, typer.Argument(help="Records; default all splits of the corpus.")
    ] = None,
    corpus: CorpusOption = None,
    model: PolicyOption = None,
    every: Annotated[bool, typer.Option("--every", help="Print each decision, too.")] = False,
    json_out: ResultsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Real dropped lines: what the server threw for absent seats, and what the stand-in would.

    Absent seats are no part of what the policy was fitted on, whatever the split. Exit status 1 if
    records could not be read.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.absent_seats import lines, run
    from haiyomi.evaluation.policy_experiment import load, plan
    from haiyomi.training.splits import corpus_files, find_corpus
    from haiyomi.whole import write_json

    name = None if model is None else str(model)
    load(name)
    try_outputs(json_out)
    if records:
        for path in records:
            if not path.exists():
                raise DatasetError(f"no such file or folder: {path}")
        sources, what = records, ", ".join(p.name for p in records)
    else:
        files = corpus_files(find_corpus(corpus)) or {}
        sources, what = [p for some in files.values() for p in some], "the corpus"
    with progress_bar("asking", "games") as progress:
        shards = plan(sources, name)
        results, shown = run(shards, what, jobs, progress)
    if json_out is not None:
        write_json(json_out, results)
    if results["skipped"] == sum(len(shard.entries) for shard in shards):
        raise DatasetError(f"no record of {what} could be read")
    print("\n".join([*shown, *lines(results)] if every else lines(results)))
    if results["skipped"]:
        print(f"{results['skipped']} records could not be read")
        raise typer.Exit(1)
