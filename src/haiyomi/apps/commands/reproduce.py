"""``haiyomi reproduce``: the tables and figures of a paper beside ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from haiyomi.apps.options import CorpusOption, EngineOption, JobsOption, RowsOption
from haiyomi.extras import require
from haiyomi.shards import Engine

command = typer.Typer(no_args_is_help=True)
DocsOption = Annotated[Path, typer.Option(help="Folder to write the page and results to.")]
PagesOnlyOption = Annotated[
    bool, typer.Option("--pages-only", help="Only generate the page from stored results.")
]
DOCS = Path("docs")


@command.callback()
def _group() -> None:
    """Run the experiments of a paper and write docs/explanation/reproduction.md."""


def _page(paper: str, docs: Path, results: Callable[[], dict[str, Any]] | None) -> None:
    """Write the page, after the paper's experiment unless there is none to be run."""
    from haiyomi.apps.outputs import try_folders
    from haiyomi.evaluation.reproduction_page import rewrite, write

    page = docs / "explanation" / "reproduction.md"
    try_folders(page.parent)
    if results is None:
        rewrite(docs)
    else:
        require("train")
        write(paper, results(), docs)
    print(f"wrote {page}")


@command.command("dealin")
def dealin(
    corpus: CorpusOption = None,
    dataset: Annotated[
        Path, typer.Option(help="Folder of the dataset; built or completed if needed.")
    ] = Path("out/dataset"),
    docs: DocsOption = DOCS,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    pages_only: PagesOnlyOption = False,
) -> None:
    """Kurita and Hoki: Tables 2 and 3 beside ours, and a map from equations to code."""
    from haiyomi.apps.progress import progress_bar
    from haiyomi.corpus.splits import find_corpus
    from haiyomi.evaluation.reproduce_dealin import experiment

    where, bar = Engine.parse(engine, jobs), partial(progress_bar, unit="games")

    def results() -> dict[str, Any]:
        return experiment(find_corpus(corpus), dataset, where, bar)

    _page("dealin", docs, None if pages_only else results)


@command.command("reading")
def reading(
    corpus: CorpusOption = None,
    rows: RowsOption = Path("out/reading-rows"),
    docs: DocsOption = DOCS,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    pages_only: PagesOnlyOption = False,
) -> None:
    """Nemoto, Komiya and Kotani: Tables 2 to 6 and Figures 1 to 3 beside ours."""
    from haiyomi.apps.progress import progress_bar
    from haiyomi.corpus.splits import find_corpus
    from haiyomi.evaluation.reproduce_reading import experiment

    where, bar = Engine.parse(engine, jobs), partial(progress_bar, unit="done")

    def results() -> dict[str, Any]:
        return experiment(find_corpus(corpus), rows, where, bar)

    _page("reading", docs, None if pages_only else results)


@command.command("styles")
def styles(
    corpus: CorpusOption = None,
    cache: Annotated[
        Path,
        typer.Option(
            help="Folder for intermediate results; a run that was killed continues from it."
        ),
    ] = Path("out/styles"),
    games: Annotated[int, typer.Option(min=2, help="Least number of hanchan of a player.")] = 20,
    epochs: Annotated[
        int,
        typer.Option(
            min=1, help="Epochs of the networks; more continue from fewer. The paper has 3,000."
        ),
    ] = 100,
    docs: DocsOption = DOCS,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    pages_only: PagesOnlyOption = False,
) -> None:
    """Maekawa and Takeuchi: statistics, classes, networks, and the number of games needed."""
    from haiyomi.apps.progress import progress_bar
    from haiyomi.corpus.splits import find_corpus
    from haiyomi.evaluation.reproduce_styles import experiment
    from haiyomi.training.fit_imitation import SgdSettings

    where, bar = Engine.parse(engine, jobs), partial(progress_bar, unit="done")

    def results() -> dict[str, Any]:
        settings = SgdSettings(epochs=epochs)
        return experiment(find_corpus(corpus), cache, where, bar, games, settings=settings)

    _page("styles", docs, None if pages_only else results)
