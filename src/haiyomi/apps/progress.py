"""A progress bar on standard error, shown only to a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta


@contextmanager
def progress_bar(
    what: str, unit: str, transient: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """Yield ``update(done, total)``, drawn as a bar with the time remaining; one that is
    ``transient`` disappears at the end."""
    if not sys.stderr.isatty():
        yield lambda done, total: None  # rich takes as long to load as some commands to run
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
    )

    with Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TextColumn("{task.fields[times]}"),
        console=Console(stderr=True),
        transient=transient,
    ) as bar:
        task = bar.add_task(what, total=None, times="")

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            state = bar.tasks[task]
            bar.update(task, times=times(state.elapsed, state.time_remaining, done >= total))

        yield update


def times(elapsed: float | None, left: float | None, finished: bool) -> str:
    """What a bar says of its time: ``0:00:14 so far, 0:01:10 left``; ``in 0:00:14`` at the end."""
    so_far = timedelta(seconds=int(elapsed or 0.0))
    if finished:
        return f"in {so_far}"
    to_go = "" if left is None else f", {timedelta(seconds=int(left))} left"
    return f"{so_far} so far{to_go}"
