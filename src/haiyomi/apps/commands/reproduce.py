"""``haiyomi reproduce``: the tables and figures of the papers beside ours."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from haiyomi.apps.options import CorpusOption, EngineOption, JobsOption
from haiyomi.apps.outputs import try_folders
from haiyomi.apps.progress import progress_bar
from haiyomi.engines.shards import Engine
from haiyomi.errors import DatasetError, HaiyomiError
from haiyomi.extras import require
from haiyomi.json_types import Json

command = typer.Typer(no_args_is_help=True)
WorkOption = Annotated[
    Path,
    typer.Option(help="Folder for what takes long; a run that was killed continues from it."),
]
DocsOption = Annotated[Path, typer.Option(help="Folder to write the pages and results to.")]
PublishedOption = Annotated[
    Path | None, typer.Option(help="win_probability.json.gz: values of published programs.")
]
LargeOption = Annotated[
    Path | None,
    typer.Option(help="Corpus with many games of each player; default: that of --corpus."),
]
LeastOption = Annotated[
    int, typer.Option("--least", min=2, help="Least number of hanchan of a player.")
]
EpochsOption = Annotated[
    int, typer.Option(min=6, help="Epochs of the networks; more continue from fewer.")
]
TableRowsOption = Annotated[
    int, typer.Option("--sample", min=4, help="Discards of each class to learn from.")
]
PackedOption = Annotated[
    Path | None, typer.Option(help="Packed games; default: those of --corpus, packed in --work.")
]
BotGamesOption = Annotated[
    int, typer.Option("--games", min=4, help="Games of bots for each set of vectors.")
]
WORK, DOCS = Path("out/reproduce"), Path("docs")
EPOCHS, ROWS, BOT_GAMES = 3000, 20_000, 100


@command.callback()
def _group() -> None:
    """Run the experiments of the papers and write docs/results and docs/reproduction."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Where the records, the kept steps and the pages are, and where the work runs."""

    corpus: Path | None
    work: Path
    docs: Path
    engine: Engine

    def folder(self) -> Path:
        """The corpus folder. Raises DatasetError."""
        from haiyomi.corpus.splits import find_corpus

        return find_corpus(self.corpus)

    def write(self, name: str, results: Callable[[], Json]) -> None:
        """Store one experiment's results, write the pages, and print its time and memory."""
        from haiyomi.evaluation.papers.reproduction_page import write

        try_folders(self.docs)
        started = monotonic()
        found = results()
        try:
            write(name, found, self.docs)
        except DatasetError as error:
            # Another experiment's results are of an earlier version: its turn may come yet.
            print(f"haiyomi: {name} is stored, the pages are not written: {error}", file=sys.stderr)
        print(f"{name}: {monotonic() - started:,.0f} s, {_peak_memory()}; wrote {self.docs}")


def _alone(cache: Path, results: Callable[[], Json]) -> Json:
    """The results of an experiment that keeps its steps in ``cache``, as its only writer."""
    from haiyomi.storage.folder_lock import only_writer
    from haiyomi.storage.whole_file import make_folder

    make_folder(cache)
    with only_writer(cache):
        return results()


def _peak_memory() -> str:
    """The most memory of this process and of its largest worker since the start, in words."""
    if sys.platform == "win32":
        return "memory not measured"
    import resource

    # Kilobytes, but bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    own, worker = (
        resource.getrusage(who).ru_maxrss * unit / 1e9
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return f"at most {own:.1f} GB so far, and {worker:.1f} GB in a worker"


def _dealin(run: _Run) -> None:
    from haiyomi.evaluation.papers.reproduce_dealin import experiment

    require("train")
    bar, work = partial(progress_bar, unit="games"), run.work / "dealin"

    def results() -> Json:
        return experiment(run.folder(), run.work / "dataset", work, run.engine, bar)

    run.write("dealin", lambda: _alone(work, results))


def _reading(run: _Run) -> None:
    from haiyomi.evaluation.papers import reading_variants
    from haiyomi.evaluation.papers.reproduce_reading import experiment
    from haiyomi.training.reading_rows import split_rows

    require("train")
    bar, work = partial(progress_bar, unit="done"), run.work / "reading"

    def variants() -> Json:
        return reading_variants.experiment(
            split_rows(run.folder(), "train", run.engine),
            split_rows(run.folder(), "test", run.engine),
            work / "variants",
            bar,
        )

    run.write(
        "reading", lambda: _alone(work, lambda: experiment(run.folder(), work, run.engine, bar))
    )
    run.write("reading-variants", lambda: _alone(work / "variants", variants))


def _winning(run: _Run, published: Path | None) -> None:
    from haiyomi.evaluation.papers.reproduce_winning import experiment

    if published is None:
        raise HaiyomiError("name the file of published values by --published")
    run.write("winning", lambda: experiment(published))


def _styles(run: _Run, games: int) -> None:
    from haiyomi.evaluation.papers.reproduce_styles import experiment

    require("train")
    bar, cache = partial(progress_bar, unit="done"), run.work / "styles"
    run.write("styles", lambda: experiment(run.folder(), cache, run.engine, bar, games))


def _table4(run: _Run, epochs: int, rows: int) -> None:
    from haiyomi.evaluation.papers.reproduce_table4 import Design, experiment
    from haiyomi.evaluation.papers.table4_rows import Sizes
    from haiyomi.training.fit_discard_network import SgdSettings

    require("train")
    bar, cache = partial(progress_bar, unit="done"), run.work / "table4"
    design = Design(sizes=Sizes(learn=rows), settings=SgdSettings(epochs=epochs))
    run.write("table4", lambda: experiment(run.folder(), cache, run.engine, bar, design))


def _class_styles(run: _Run, packed: Path | None, games: int) -> None:
    from haiyomi.evaluation.papers.reproduce_class_styles import Design, experiment

    require("train")
    bar, cache = partial(progress_bar, unit="done"), run.work / "class-styles"
    folder, design = packed or run.work / "packed", Design(games=games)
    run.write(
        "class-styles", lambda: experiment(run.folder(), cache, folder, run.engine, bar, design)
    )


@command.command("dealin")
def dealin(
    corpus: CorpusOption = None, work: WorkOption = WORK, docs: DocsOption = DOCS,
    jobs: JobsOption = None, engine: EngineOption = "processes",
) -> None:  # fmt: skip
    """Kurita and Hoki: Tables 2 and 3 of the literal and the corrected model, under two conventions
    of han."""
    _dealin(_Run(corpus, work, docs, Engine.parse(engine, jobs)))


@command.command("reading")
def reading(
    corpus: CorpusOption = None, work: WorkOption = WORK, docs: DocsOption = DOCS,
    jobs: JobsOption = None, engine: EngineOption = "processes",
) -> None:  # fmt: skip
    """Nemoto, Komiya and Kotani: Tables 2 to 6, Figures 1 to 3, and what the unpublished settings
    are worth."""
    _reading(_Run(corpus, work, docs, Engine.parse(engine, jobs)))


@command.command("winning")
def winning(published: PublishedOption = None, docs: DocsOption = DOCS) -> None:
    """tomohxx: every equation on worked hands, and the values of two published programs."""
    _winning(_Run(None, WORK, docs, Engine.parse("processes", 1)), published)


@command.command("styles")
def styles(
    corpus: CorpusOption = None, work: WorkOption = WORK, games: LeastOption = 20,
    docs: DocsOption = DOCS, jobs: JobsOption = None, engine: EngineOption = "processes",
) -> None:  # fmt: skip
    """Maekawa and Takeuchi: statistics, classes, and the number of games needed."""
    _styles(_Run(corpus, work, docs, Engine.parse(engine, jobs)), games)


@command.command("table4")
def table4(
    corpus: CorpusOption = None, work: WorkOption = WORK, epochs: EpochsOption = EPOCHS,
    rows: TableRowsOption = ROWS, docs: DocsOption = DOCS, jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:  # fmt: skip
    """Maekawa and Takeuchi: four classes of the players with 100 East-only games or more, and the
    networks of Table 4."""
    _table4(_Run(corpus, work, docs, Engine.parse(engine, jobs)), epochs, rows)


@command.command("class-styles")
def class_styles(
    corpus: CorpusOption = None, work: WorkOption = WORK, packed: PackedOption = None,
    games: BotGamesOption = BOT_GAMES, docs: DocsOption = DOCS, jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:  # fmt: skip
    """Bots of the classes of players beside their people, with the shipped vectors and with vectors
    fitted to the classes' choices."""
    _class_styles(_Run(corpus, work, docs, Engine.parse(engine, jobs)), packed, games)


@command.command("pages")
def pages(docs: DocsOption = DOCS) -> None:
    """Only generate the pages, from the results that are stored."""
    from haiyomi.evaluation.papers.reproduction_page import rewrite

    for page in rewrite(docs):
        print(f"wrote {page}")


@command.command("all")
def everything(
    corpus: CorpusOption = None, large: LargeOption = None, published: PublishedOption = None,
    work: WorkOption = WORK, docs: DocsOption = DOCS, jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:  # fmt: skip
    """Run every experiment of the four papers in turn; a run that was killed continues."""
    where = Engine.parse(engine, jobs)
    run = _Run(corpus, work, docs, where)
    _winning(run, published)
    _dealin(run)
    _reading(run)
    _styles(run, 20)
    many = _Run(large or corpus, work, docs, where)
    _table4(many, EPOCHS, ROWS)
    _class_styles(many, None, BOT_GAMES)
