"""``haiyomi fit``: fit the models to records."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.commands.fit_options import branches, options
from haiyomi.apps.evaluated import tell_skipped
from haiyomi.apps.options import (
    CorpusOption,
    DatasetArgument,
    EngineOption,
    JobsOption,
    MinutesOption,
    ModelOut,
    ResultsOption,
    ThreadsOption,
    names_given,
)
from haiyomi.apps.outputs import ends_in, not_an_input, try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.extras import require

command = typer.Typer(no_args_is_help=True)
command.command("branches")(branches)
command.command("options")(options)


@command.callback()
def _group() -> None:
    """Fit models from a dataset (see ``haiyomi dataset build``), a corpus or self-play."""


@command.command("dealin")
def dealin(
    dataset: DatasetArgument,
    out: ModelOut = Path("kurita_hoki.json"),
    results: ResultsOption = None,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """Fit the Kurita-Hoki model on the train split; print every regression cell.

    Each cell shows its number of rows, the share of its weight that comes from neighbouring cells,
    and its log loss on the valid split beside that of one pooled regression.
    """
    from haiyomi.storage.whole_file import write_json
    from haiyomi.training.fit_dealin import fit_dealin

    require("train")
    where = Engine.parse(engine, jobs)
    ends_in(out, ".json")
    try_outputs(out, results)
    report = fit_dealin(dataset, out, where)
    if results is not None:  # first: whoever reads the cells may leave (``| head``)
        write_json(results, report)
    print("type     melds discards        n  borrowed  n valid  cell loss  pooled")
    for c in report["cells"]:
        loss = "-" if c["loss"] is None else f"{c['loss']:.4f}"
        pooled = "-" if c["pooled_loss"] is None else f"{c['pooled_loss']:.4f}"
        print(
            f"{c['type']:<8} {c['melds']:>5} {c['discards']:>8} {c['n']:>8} {c['borrowed']:>8.1%} "
            f"{c['n_valid']:>8} {loss:>10} {pooled:>7}"
        )
    for kind in report["borrow"]:
        cells = [c for c in report["cells"] if c["type"] == kind and c["n_valid"]]
        n = sum(c["n_valid"] for c in cells)
        if n:
            own = sum(c["loss"] * c["n_valid"] for c in cells) / n
            pooled = sum(c["pooled_loss"] * c["n_valid"] for c in cells) / n
            print(
                f"{kind}: held-out loss {own:.4f} by cells, {pooled:.4f} pooled "
                f"({counted(n, 'row')} of valid; borrow {report['borrow'][kind]:g})"
            )
    print(
        f"riichi: {counted(report['riichi'], 'declaration')}, "
        f"{counted(report['riichi_deal_ins'], 'deal-in')}; "
        f"wrote {out} ({out.stat().st_size:,} bytes)"
    )


class Dummies(StrEnum):
    """The labels between suits and honours in the paper's sequence."""

    none = "none"
    zero = "0"
    d = "d"


@command.command("nemoto")
def nemoto(
    corpus: CorpusOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Model file to write; default: nemoto_DUMMIES.json."),
    ] = None,
    dummies: Annotated[
        Dummies, typer.Option(help="Label of the dummies between suits.")
    ] = Dummies.d,
    positions: Annotated[int, typer.Option(min=1, help="Number of training positions.")] = 6039,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Fit the CRF of hidden hands of Nemoto, Komiya and Kotani on the train split.

    By python-crfsuite.
    """
    from haiyomi.corpus.splits import find_corpus
    from haiyomi.training.fit_nemoto import fit_nemoto

    require("train")
    file = Path(f"nemoto_{dummies.value}.json") if out is None else out
    ends_in(file, ".json")
    try_outputs(file)
    where = Engine.parse(engine, jobs)
    summary = fit_nemoto(find_corpus(corpus), file, positions, dummies.value, where, progress_bar)
    print(
        f"{summary['positions']:,} positions, {summary['strings']:,} feature strings, "
        f"{summary['iterations']} iterations, loss {summary['loss']:.1f}"
    )
    print(f"wrote {file} ({file.stat().st_size:,} bytes)")


@command.command("tilts")
def tilts(
    corpus: CorpusOption = None,
    games: Annotated[int, typer.Option(min=1, help="Games of the train split.")] = 1200,
    network: Annotated[
        Path | None, typer.Option(help="File of the network; default: the shipped one.")
    ] = None,
    out: ModelOut = Path("count_tilts.json"),
) -> None:
    """Fit how strongly hands that are drawn from the predicted counts are pulled towards tenpai.

    Two numbers for each range of discards of the opponent, on the train split: with numbers t and u
    hands one step from tenpai become exp(t) times as likely and hands two steps from it exp(u)
    times, beside hands further away. The numbers belong to the network of opponents: fit them again
    for another one.
    """
    import haiyomi
    from haiyomi.corpus import Corpus
    from haiyomi.corpus.splits import corpus_files, find_corpus
    from haiyomi.reading.counts import CountModel, shipped
    from haiyomi.reading.tilts import LAST_DISCARDS
    from haiyomi.training.fit_tilts import fit_tilts

    ends_in(out, ".json")
    try_outputs(out)
    records = Corpus(corpus_files(find_corpus(corpus)).get("train", []))
    model = shipped() if network is None else CountModel.load(network)
    with progress_bar("tilts", "games") as step:
        found, sizes = fit_tilts(records, model, games, step)
    manifest = {
        "haiyomi": haiyomi.__version__,
        "command": "haiyomi fit tilts",
        "games": games,
        "opponents": sizes,
    }
    found.save(out, manifest)
    for last, (one, two), n in zip(LAST_DISCARDS, found.values, sizes, strict=True):
        print(f"up to {last} discards: {one:.3f}, {two:.3f} ({counted(n, 'opponent')})")
    print(f"wrote {out}")


@command.command("placement")
def placement(
    records: Annotated[
        list[Path], typer.Argument(help="Records of the train splits: zips or folders.")
    ],
    valid: Annotated[
        list[Path] | None,
        typer.Option(
            "--held-out", help="Records on which the log loss is measured; may be repeated."
        ),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the rows.")] = 16,
    out: ModelOut = Path("placement.json"),
) -> None:
    """Fit the placement at the end of the game from what a hand starts with.

    A small network predicts the final order and scores of the four seats from scores, hand, honba
    and deposits. Takes about three minutes of one processor for 50,000 games.
    """
    from haiyomi.corpus import Skipped
    from haiyomi.training.fit_placement import PlacementSettings, fit_placement

    require("torch")
    try_outputs(out)
    held = valid or []
    not_an_input(out, [*records, *held])
    skipped: list[Skipped] = []
    settings = PlacementSettings(epochs=epochs)
    with progress_bar("reading", "records") as step:
        summary = fit_placement(records, out, settings, held, skipped, step)
    print(
        f"{counted(summary['rows'], 'hand')} of {counted(summary['games'], 'game')}; "
        f"wrote {out} ({out.stat().st_size:,} bytes)"
    )
    if "valid" in summary:
        found = summary["valid"]
        print(f"valid: {counted(found['games'], 'game')}, log loss of a place {found['log_loss']}")
    tell_skipped(skipped)


@command.command("worth")
def worth(
    packed: Annotated[Path, typer.Argument(help="Folder of packed games.")],
    games: Annotated[int, typer.Option(min=1, help="Games of the train split to read.")] = 8000,
    out: ModelOut = Path("worth.json"),
) -> None:
    """Measure what a win pays on average, by class of worth, for the forecast of outcomes."""
    from haiyomi.training.fit_worth import fit_worth

    try_outputs(out)
    manifest = fit_worth(packed, out, games)
    print(f"{counted(manifest['games'], 'game')}; wrote {out} ({out.stat().st_size:,} bytes)")


@command.command("all")
def everything(
    work: Annotated[Path, typer.Option(help="Folder of the packed games, checkpoints and files.")],
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="Folder with train, valid and test zips; give the option several times."),
    ] = None,
    only: Annotated[
        str | None, typer.Option(help="Train this network alone: policy, rollout or opponents.")
    ] = None,
    minutes: MinutesOption = None,
    share: Annotated[
        float,
        typer.Option(
            help="A share of the steps of each network: below 1 to try the whole, above 1 for a "
            "longer fit."
        ),
    ] = 1.0,
    plan: Annotated[
        bool, typer.Option("--plan", help="Print the phases and their progress, and stop.")
    ] = False,
    style_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PLAYER",
            help="Keep the style of this player of 50 games or more in the policy's file, under "
            "this name; may be repeated.",
        ),
    ] = None,
    threads: ThreadsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Pack the games of corpora, train all networks in phases, and fit what values options.

    A run that was killed, or that --minutes ended, continues from its last checkpoint. Uses a GPU
    where there is one; torchrun divides each batch among its processes. Once all networks are
    there, the pay of wins, the places, and what each option adds are fitted, in about two hours of
    a processor.
    """
    require("torch")
    require("data")

    from haiyomi.corpus.splits import find_corpus
    from haiyomi.training.fit_networks import PHASES, chosen, fit_all, scaled, states
    from haiyomi.training.fit_values import check_games, fit_values
    from haiyomi.training.ranks import use_threads

    phases = chosen(scaled(PHASES, share), only)
    given: list[Path | None] = [*corpus] if corpus else [None]
    corpora = [] if plan else list(map(find_corpus, given))
    print("phase      steps  done    decisions/s  hours left")
    for state in states(work, phases):
        rate = "-" if state.rate is None else f"{state.rate:,.0f}"
        left = "-" if state.hours_left is None else f"{state.hours_left:.1f}"
        print(
            f"{state.phase.name:10} {state.phase.settings.steps:6,} {state.done:6,} "
            f"{rate:>12} {left:>10}"
        )
    if plan:
        return
    named = names_given(style_of, "--style-of", "NAME=PLAYER")
    use_threads(threads)
    if only is None:
        check_games(corpora)
    done = fit_all(corpora, work, phases, minutes, jobs, print, progress_bar, named)
    if done and only is None and os.environ.get("RANK", "0") == "0":
        fit_values(corpora, work, progress_bar, share, jobs)
    print("done" if done else "not done yet: run the command again")
