"""Progress on standard error: a bar for a terminal, and a line a minute for a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

LINE_SECONDS: Final = 60.0
"""The least time before a line in a log."""


@contextmanager
def progress_bar(
    what: str, unit: str, transient: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """Yield ``update(done, total)``, drawn as a bar with the time remaining; one that is
    ``transient`` disappears at the end. Where no terminal reads it, it prints a line after each
    LINE_SECONDS, so that short work prints none. A ``total`` of 0 is one that is not known."""
    if not sys.stderr.isatty():
        yield _lines(what, unit)  # rich takes as long to load as some commands to run
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
            bar.update(task, completed=done, total=total or None)
            state = bar.tasks[task]
            finished = 0 < total <= done
            bar.update(task, times=times(state.elapsed, state.time_remaining, finished))

        yield update


def _lines(what: str, unit: str) -> Callable[[int, int], None]:
    """What prints ``haiyomi: policy: 300 of 10,803 steps, 0:01:00 so far, 0:35:00 left``. The rate
    is that since the first call, because work that resumes does not begin with 0."""
    began = said = time.monotonic()
    first: tuple[int, float] | None = None
    last = 0

    def update(done: int, total: int) -> None:
        nonlocal said, first, last
        now = time.monotonic()
        if first is None or done < last:  # the work begins, or another part of it
            first = done, now
        last = done
        if now - said < LINE_SECONDS:
            return
        said = now
        made = done - first[0]
        left = (total - done) * (now - first[1]) / made if total and made > 0 else None
        so_far = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
        spent = times(now - began, left, 0 < total <= done)
        print(f"haiyomi: {what}: {so_far.rstrip()}, {spent}", file=sys.stderr, flush=True)

    return update


def times(elapsed: float | None, left: float | None, finished: bool) -> str:
    """What a bar says of its time: ``0:00:14 so far, 0:01:10 left``; ``in 0:00:14`` at the end."""
    so_far = timedelta(seconds=int(elapsed or 0.0))
    if finished:
        return f"in {so_far}"
    to_go = "" if left is None else f", {timedelta(seconds=int(left))} left"
    return f"{so_far} so far{to_go}"
