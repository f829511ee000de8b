"""``haiyomi reproduce``: a paper's tables and figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.engines import EngineOption, engine_of
from haiyomi.apps.options import CorpusOption, JobsOption, RowsOption

command = typer.Typer(no_args_is_help=True)


@command.callback()
def _group() -> None:
    """Run a paper's experiments and write docs/reproduction.md."""


@command.command("dealin")
def dealin(
    corpus: CorpusOption = None,
    dataset: Annotated[
        Path, typer.Option(help="Dataset folder; built or finished if need be.")
    ] = Path("out/dataset"),
    docs: Annotated[Path, typer.Option(help="Folder to write the page and results to.")] = Path(
        "docs"
    ),
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    pages_only: Annotated[
        bool, typer.Option("--pages-only", help="Only generate the page from stored results.")
    ] = False,
) -> None:
    """Kurita and Hoki's Tables 2 and 3, beside ours, and the map from equations to code."""
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.reproduce_dealin import experiment
    from haiyomi.evaluation.reproduction_page import rewrite, write
    from haiyomi.training.splits import find_corpus

    try_outputs(docs / "reproduction.md")
    where = engine_of(engine, jobs)
    if not pages_only:
        results = experiment(
            find_corpus(corpus), dataset, where, lambda what: progress_bar(what, "games")
        )
        write("dealin", results, docs)
    else:
        rewrite(docs)
    print(f"wrote {docs / 'reproduction.md'}")


@command.command("reading")
def reading(
    corpus: CorpusOption = None,
    rows: RowsOption = Path("out/reading-rows"),
    docs: Annotated[Path, typer.Option(help="Folder to write the page and results to.")] = Path(
        "docs"
    ),
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    pages_only: Annotated[
        bool, typer.Option("--pages-only", help="Only generate the page from stored results.")
    ] = False,
) -> None:
    """Nemoto, Komiya and Kotani's tables 2 to 6 and figures 1 to 3, beside ours."""
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.reproduce_reading import experiment
    from haiyomi.evaluation.reproduction_page import rewrite, write
    from haiyomi.training.splits import find_corpus

    try_outputs(docs / "reproduction.md")
    where = engine_of(engine, jobs)
    if not pages_only:
        results = experiment(
            find_corpus(corpus), rows, where, lambda what: progress_bar(what, "done")
        )
        write("reading", results, docs)
    else:
        rewrite(docs)
    print(f"wrote {docs / 'reproduction.md'}")


@command.command("styles")
def styles(
    corpus: CorpusOption = None,
    cache: Annotated[
        Path, typer.Option(help="Folder for what takes long; a killed run goes on from it.")
    ] = Path("out/styles"),
    games: Annotated[int, typer.Option(min=2, help="Hanchan that a player must have.")] = 20,
    epochs: Annotated[
        int,
        typer.Option(
            min=1, help="Epochs of the networks, more going on from fewer; the paper's are 3,000."
        ),
    ] = 100,
    docs: Annotated[Path, typer.Option(help="Folder to write the page and results to.")] = Path(
        "docs"
    ),
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    pages_only: Annotated[
        bool, typer.Option("--pages-only", help="Only generate the page from stored results.")
    ] = False,
) -> None:
    """Maekawa and Takeuchi's statistics, classes and networks; and how few games suffice."""
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.evaluation.reproduce_styles import experiment
    from haiyomi.evaluation.reproduction_page import rewrite, write
    from haiyomi.training.fit_imitation import SgdSettings
    from haiyomi.training.splits import find_corpus

    try_outputs(docs / "reproduction.md")
    where = engine_of(engine, jobs)
    if not pages_only:
        results = experiment(
            find_corpus(corpus),
            cache,
            where,
            lambda what: progress_bar(what, "done"),
            games,
            settings=SgdSettings(epochs=epochs),
        )
        write("styles", results, docs)
    else:
        rewrite(docs)
    print(f"wrote {docs / 'reproduction.md'}")
