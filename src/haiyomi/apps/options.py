"""Options that many commands have, each said once."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.errors import HaiyomiError

DatasetArgument = Annotated[Path, typer.Argument(help="Folder made by `haiyomi dataset build`.")]
CorpusOption = Annotated[
    Path | None, typer.Option("--corpus", help="Folder with train, valid and test zips.")
]
SplitOption = Annotated[
    str | None,
    typer.Option(
        "--split", help="Split of the corpus: test (where nothing is said), valid or train."
    ),
]
RecordsOption = Annotated[
    Path | None,
    typer.Option("--records", help="Records (file, folder or zip) instead of a split."),
]
RowsOption = Annotated[
    Path, typer.Option("--rows", help="Folder for the corpus' rows; built or finished if need be.")
]
PolicyOption = Annotated[
    Path | None, typer.Option("--model", help="A policy's file; default the one that comes along.")
]
ResultsOption = Annotated[Path | None, typer.Option("--json", help="Write the results JSON here.")]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Processes; default one a processor.")
]
ReportOption = Annotated[Path | None, typer.Option("--json", help="Also write the report here.")]


def _joined(engine: str) -> str:
    """The option as it is. Of torchrun's processes, all but the leader never come back: the
    command, with what it prints and writes, is the leader's alone.
    """
    if engine == "torchrun":
        from haiyomi.engines.torch_ranks import join

        join()
    elif "TORCHELASTIC_RUN_ID" in os.environ and os.environ.get("WORLD_SIZE", "1") != "1":
        raise HaiyomiError("under torchrun each process would do all the work: --engine torchrun")
    return engine


EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        callback=_joined,
        help="Where the work runs: `processes` of this machine; `ray`, a cluster on this machine "
        "for the time it takes; `ray://HOST:PORT`, a cluster elsewhere; `ray:auto`, the cluster "
        "that this machine belongs to; `torchrun`, the processes that torchrun started. Other "
        "machines must see the same folders.",
    ),
]


class Lang(StrEnum):
    """What is printed."""

    en = "en"
    ja = "ja"


HandOption = Annotated[
    str | None,
    typer.Option(help="One hand only: E1, S3, E1.1 (one honba), or 東1; default all."),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON (docs/reference/review-json.md).")
]
LangOption = Annotated[Lang, typer.Option(help="Language of what is printed.")]
ModelOption = Annotated[
    str,
    typer.Option(help="The deal-in model: posterior, kurita-hoki, kurita-hoki-literal, or a file."),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Write one self-contained HTML page to this file instead, or with --json the JSON; "
        "of many records, one each to this folder.",
    ),
]
TruthOption = Annotated[
    bool, typer.Option("--truth", help="Show the hidden truth too: what each opponent waited on.")
]
