"""``haiyomi benchmark``: make its games, score predictions, run the baselines, check results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.evaluated import list_skipped
from haiyomi.apps.options import EngineOption, JobsOption
from haiyomi.apps.outputs import not_within
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.extras import require
from haiyomi.review.printing import print_json

if TYPE_CHECKING:
    from haiyomi.benchmark.results import Result
    from haiyomi.corpus.splits import Split

command = typer.Typer(no_args_is_help=True)

BenchmarkArgument = Annotated[Path, typer.Argument(help="Folder of `haiyomi benchmark make`.")]
SplitOption = Annotated[
    str, typer.Option("--split", help="Split whose questions are used: train, valid or test.")
]
AppendOption = Annotated[
    Path | None,
    typer.Option(
        "--results", help="Add the figures as lines of JSON to this file; those it has stay."
    ),
]


@command.callback()
def _group() -> None:
    """Compare models that read opponents: make the games, score predictions, check results."""


@command.command("make")
def make(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder to write; an unfinished one is completed.")
    ],
    corpus: Annotated[
        Path | None,
        typer.Argument(
            help="Your own records: a folder with train, valid and test (`haiyomi corpus split`); "
            "without it, the benchmark's own games."
        ),
    ] = None,
    size: Annotated[
        str, typer.Option(help="How many of the benchmark's games: full, small or tiny.")
    ] = "full",
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Play the games of the benchmark, or take your own records, and write the questions.

    The games of a size have the same bytes on every machine, which is checked. If the command is
    killed, run it again to complete the folder. Records of yours that cannot be read are listed
    with their reasons; the exit status is then 1.
    """
    from haiyomi.benchmark.folder import make_benchmark

    require("data")
    if corpus is not None:
        not_within(out, corpus)
    with progress_bar("making", "games") as progress:
        made, skipped = make_benchmark(out, size, corpus, Engine.parse(engine, jobs), progress)
    about = made.about
    for split, games in about.games.items():
        questions = counted(about.questions[split], "question")
        print(f"  {split:<6} {counted(games, 'game'):>14} {questions:>20}")
    print(f"benchmark {about.benchmark}, {about.source}, data {about.data}")
    if skipped:
        list_skipped(skipped)
        raise typer.Exit(1)


@command.command("score")
def score(
    benchmark: BenchmarkArgument,
    predictions: Annotated[Path, typer.Option(help="Parquet file of the predictions.")],
    name: Annotated[str, typer.Option(help="Name of the model in the table.")],
    release: Annotated[str, typer.Option(help="Version of the model.")] = "",
    url: Annotated[str, typer.Option(help="Web page that describes the model.")] = "",
    split: SplitOption = "test",
    results: AppendOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Score the predictions of a file for the questions of a split.

    The manual describes the file under 'Benchmark'.
    """
    from haiyomi.benchmark.folder import Benchmark
    from haiyomi.benchmark.results import Entry, results_of

    require("data")
    opened = Benchmark.open(benchmark)
    of = _split(split)
    entry = Entry(name, release, url)
    _tell(results_of(opened, of, opened.questions(of), entry, predictions), results, as_json)


@command.command("baselines")
def baselines(
    benchmark: BenchmarkArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for their predictions.")],
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this one: constant, 'random deal', kurita-hoki, nemoto, maekawa-takeuchi, "
            "tomohxx or haiyomi; may be repeated."
        ),
    ] = None,
    split: SplitOption = "test",
    results: AppendOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Let the baselines answer the questions of a split, and score them in one table."""
    import haiyomi
    from haiyomi.benchmark.baselines import BASELINES, Sample
    from haiyomi.benchmark.folder import Benchmark
    from haiyomi.benchmark.predictions import write_predictions
    from haiyomi.benchmark.results import Entry, results_of
    from haiyomi.errors import DatasetError
    from haiyomi.storage.folder_lock import only_writer
    from haiyomi.storage.whole_file import make_folder

    require("data")
    unknown = sorted(set(only or ()) - BASELINES.keys())
    if unknown:
        raise DatasetError(f"no baseline {unknown[0]!r}: choose from {', '.join(BASELINES)}")
    opened = Benchmark.open(benchmark)
    not_within(out, benchmark)
    make_folder(out)
    for path in sorted(out.iterdir()):
        if path.suffix not in (".parquet", ".jsonl") and not path.name.startswith("."):
            raise DatasetError(f"{out} is neither empty nor a folder of predictions ({path.name})")
    of = _split(split)
    sample = Sample.of(opened, of)
    chosen = [name for name in BASELINES if not only or name in only]
    found = []
    with only_writer(out), progress_bar("asking", "baselines") as progress:
        for done, name in enumerate(chosen):
            progress(done, len(chosen))
            file = out / f"{name.replace(' ', '-')}.parquet"
            write_predictions(file, sample.asked, BASELINES[name](sample))
            entry = Entry(name, f"haiyomi {haiyomi.__version__}")
            found += results_of(opened, of, sample.asked, entry, file)
        progress(len(chosen), len(chosen))
    _tell(found, results, as_json)


@command.command("check")
def check(
    results: Annotated[Path, typer.Argument(help="File of results, lines of JSON.")],
    benchmark: Annotated[
        Path | None, typer.Option(help="Folder of `haiyomi benchmark make`, for --predictions.")
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Folder of predictions: figures that name one are computed again."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON.")] = False,
) -> None:
    """Check a file of results, and print it as tables.

    Every line must be sound by itself, and name the games of this benchmark. The exit status is 1
    where a figure is not the one that its predictions give.
    """
    from haiyomi.benchmark.folder import Benchmark
    from haiyomi.benchmark.results import differences, read_results, reports_of
    from haiyomi.errors import DatasetError

    require("data")
    if (benchmark is None) != (predictions is None):
        raise DatasetError("--benchmark and --predictions go together")
    if predictions is not None and not predictions.is_dir():
        raise DatasetError(f"{predictions} is no folder: name the folder of the predictions")
    found = read_results(results)
    tables = reports_of(found)
    checked, wrong = 0, list[str]()
    if benchmark is not None and predictions is not None:
        files = sorted(predictions.glob("*.parquet"))
        checked, wrong = differences(Benchmark.open(benchmark), found, files)
    if as_json:
        value = {
            "tables": [table.to_json() for table in tables],
            "results": len(found),
            "computed_again": checked,
            "wrong": wrong,
        }
        print_json(value)
    else:
        for table in tables:
            print(table.text())
        print(f"sound: {counted(len(found), 'result')}, {checked} of them computed again")
        for sentence in wrong:
            print(f"  {sentence}")
    if wrong:
        raise typer.Exit(1)


def _split(text: str) -> Split:
    from haiyomi.corpus.splits import SPLITS
    from haiyomi.errors import DatasetError

    for split in SPLITS:
        if split == text:
            return split
    raise DatasetError(f"no split {text!r}: choose from {', '.join(SPLITS)}")


def _tell(found: list[Result], file: Path | None, as_json: bool) -> None:
    """Print results as a table or as JSON, and add them to a file."""
    from dataclasses import asdict

    from haiyomi.benchmark.results import append_results, reports_of

    if file is not None:
        append_results(file, found)
    if as_json:
        print_json([asdict(result) for result in found])
        return
    for report in reports_of(found):
        print(report.text())
