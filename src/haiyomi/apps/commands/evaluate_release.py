"""``haiyomi evaluate release``: the figures of a test split, taken once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import MeasuredArgument, ShareOption, try_results
from haiyomi.apps.options import JobsOption, WorkOption
from haiyomi.apps.outputs import try_folders
from haiyomi.apps.progress import progress_bar
from haiyomi.extras import require


def release(
    records: MeasuredArgument,
    packed: Annotated[
        Path, typer.Option(help="The same games as the test split of a folder of `dataset pack`.")
    ],
    work: WorkOption,
    out: Annotated[
        Path,
        typer.Option("-o", "--out", help="File of JSON lines, to which the figures are added."),
    ],
    what: Annotated[str, typer.Option(help="Name of the games in the file of figures.")],
    commit: Annotated[str, typer.Option(help="The commit that is measured.")],
    share: ShareOption = 0.2,
    jobs: JobsOption = None,
) -> None:
    """Measure the shipped networks on a test split, and add the figures to a file.

    The parts: deal-in and tenpai, the imitation, the
    forecast, P(win). A split that is looked at often is no test any more, so the file takes the
    figures of one set of models on the same games only once. A run that was killed continues in
    --work.
    """
    require("data")

    from datetime import UTC, datetime

    from haiyomi.evaluation.release import ReleaseQuestion, add_line, lines_of, measured, reports

    try_results(out, [packed, *records])
    try_folders(work)
    lines_of(out)
    with progress_bar("measuring", "parts") as step:
        results = measured(ReleaseQuestion(packed, tuple(records), what, share), work, jobs, step)
    add_line(out, results, f"{datetime.now(UTC):%Y-%m-%d}", commit)
    print("\n\n".join(report.text() for report in reports(results)))
