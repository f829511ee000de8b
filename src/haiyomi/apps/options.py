"""Options that many commands have, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DatasetArgument = Annotated[Path, typer.Argument(help="Folder made by `haiyomi dataset build`.")]
CorpusOption = Annotated[
    Path | None, typer.Option("--corpus", help="Folder with train, valid and test zips.")
]
SplitOption = Annotated[
    str, typer.Option("--split", help="Split of the corpus: test, valid or train.")
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
