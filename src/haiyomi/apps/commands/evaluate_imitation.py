"""``haiyomi evaluate policy``, ``stand-in`` and ``absent``: measure the imitation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import ShareOption, called, finish, tell_skipped
from haiyomi.apps.options import (
    By,
    ByOption,
    CorpusOption,
    EngineOption,
    JobsOption,
    PolicyOption,
    ResultsOption,
    names_given,
)
from haiyomi.apps.outputs import not_an_input, try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.corpus.splits import Split
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError
from haiyomi.extras import require


def policy(
    packed: Annotated[
        Path, typer.Argument(help="Packed games: the folder WORK/packed of `fit all`.")
    ],
    split: Annotated[Split, typer.Option(help="The split.")] = "valid",
    model: PolicyOption = None,
    against: Annotated[
        Path | None, typer.Option(help="Another policy's file, on the same decisions.")
    ] = None,
    styles: Annotated[
        Path | None,
        typer.Option(
            help="Checkpoint of the fit, WORK/policy.checkpoint.npz: also measure the style "
            "vectors that it learned of single players."
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL=NAME",
            help="Also report the agreement with this player; the results have the label alone.",
        ),
    ] = None,
    share: ShareOption = 1.0,
    json_out: ResultsOption = None,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """Measure a policy on packed games: by table, by year, against another, by own styles.

    Also what the memory of tedashi is worth.
    """
    require("data")
    from haiyomi.evaluation.imitation.packed_policy import (
        Question,
        answer,
        learned_styles,
        reports,
        results_json,
    )

    try_outputs(json_out)
    programs = {
        name: label for label, name in names_given(player, "--player", "LABEL=NAME").items()
    }
    vectors = None if styles is None else learned_styles(styles, packed)
    question = Question(packed, split, model, against, vectors, share)
    with progress_bar("predicting", "shards") as progress:
        answers = answer(question, Engine.parse(engine, jobs), progress)
    results = results_json(answers, question, programs)
    finish(results, reports(results), json_out)


def stand_in(
    by: ByOption = By.policy,
    games: Annotated[int, typer.Option(min=1, help="Number of games to play.")] = 200,
    model: PolicyOption = None,
    temperature: Annotated[
        float, typer.Option(min=0.0, max=2.0, help="As for `haiyomi bot`.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of walls, seats and choices.")] = 1,
    json_out: ResultsOption = None,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """Play whole games of the bot under riichienv: legality, rates, time.

    The exit status is 1 if an answer was illegal or a fallback.
    """
    from haiyomi.evaluation.imitation.stand_in_experiment import Work, lines, run
    from haiyomi.storage.whole_file import write_json
    from haiyomi.styles.policy import policy_of

    if by == By.ev and model:
        raise HaiyomiError("--by ev plays by the shipped networks: it has no --model")
    policy_of(model)
    try_outputs(json_out)
    work = Work(range(games), seed, model, temperature, by.value)
    with progress_bar("playing", "games") as progress:
        results = run(work, Engine.parse(engine, jobs), progress)
    if json_out is not None:
        write_json(json_out, results)
    print("\n".join(lines(results)))
    if results["illegal"] or results["fallbacks"]:
        raise typer.Exit(1)


def absent(
    records: Annotated[
        list[Path] | None, typer.Argument(help="Records; default: all splits of the corpus.")
    ] = None,
    corpus: CorpusOption = None,
    model: PolicyOption = None,
    every: Annotated[bool, typer.Option("--every", help="Also print each decision.")] = False,
    json_out: ResultsOption = None,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """Compare the bot with the server's discards for players who were disconnected.

    The policy was fitted without the decisions of absent seats, in every split. Records that
    cannot be read are listed; the exit status is then 1.
    """
    from haiyomi.corpus import Corpus
    from haiyomi.corpus.splits import corpus_files, find_corpus
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.imitation.absent_seats import lines, run
    from haiyomi.storage.whole_file import write_json
    from haiyomi.styles.policy import policy_of

    policy_of(model)
    try_outputs(json_out)
    if records:
        sources, what = records, called(records)
    else:
        files = corpus_files(find_corpus(corpus))
        sources, what = [p for some in files.values() for p in some], "the corpus"
    not_an_input(json_out, sources)
    with progress_bar("predicting", "games") as progress:
        chosen = Corpus(sources)
        results, shown, skipped = run(chosen, model, what, Engine.parse(engine, jobs), progress)
    if json_out is not None:
        write_json(json_out, results)
    if len(skipped) == len(chosen):
        raise DatasetError(f"no record of {what} could be read")
    print("\n".join([*shown, *lines(results)] if every else lines(results)))
    tell_skipped(skipped)
