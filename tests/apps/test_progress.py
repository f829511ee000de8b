"""What a progress bar says of its time, and what a log says without one."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence

import pytest

from haiyomi.apps.progress import progress_bar, times


@pytest.mark.parametrize(
    ("elapsed", "left", "finished", "text"),
    [
        (14.6, 70.0, False, "0:00:14 so far, 0:01:10 left"),
        (2.0, None, False, "0:00:02 so far"),
        (14.0, 0.0, True, "in 0:00:14"),
        (None, None, False, "0:00:00 so far"),
    ],
)
def test_each_time_is_named(
    elapsed: float | None, left: float | None, finished: bool, text: str
) -> None:
    """A named case: ``0:00:14 left 0:00:00`` at the end of the work."""
    assert times(elapsed, left, finished) == text


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ([(0, 0, 90), (59, 10, 90)], ""),
        (
            [(0, 1000, 5000), (60, 2000, 5000), (61, 3000, 5000), (119, 4000, 5000)],
            "haiyomi: policy: 2,000 of 5,000 steps, 0:01:00 so far, 0:03:00 left\n",
        ),
        (
            [(70, 5, 9), (130, 9, 9)],
            "haiyomi: policy: 5 of 9 steps, 0:01:10 so far\n"
            "haiyomi: policy: 9 of 9 steps, in 0:02:10\n",
        ),
        ([(10, 1, 0), (60, 12, 0)], "haiyomi: policy: 12 steps, 0:01:00 so far\n"),
        (
            [(0, 0, 100), (50, 100, 100), (52, 0, 50), (62, 10, 50)],
            "haiyomi: policy: 10 of 50 steps, 0:01:02 so far, 0:00:40 left\n",
        ),
    ],
    ids=["short work", "a line a minute", "few calls", "no total", "two parts"],
)
def test_a_log_gets_a_line_a_minute(
    calls: Sequence[tuple[float, int, int]], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours of a fit in a batch job left nothing in its log."""
    now = 500.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    with progress_bar("policy", "steps") as update:
        for at, done, total in calls:
            now = 500.0 + at
            update(done, total)
    assert log.getvalue() == said


def test_a_terminal_gets_a_bar_also_where_the_total_is_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = io.StringIO()
    monkeypatch.setattr(log, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", log)
    with progress_bar("CRF", "iterations") as update:
        update(12, 0)
    assert "12/?" in log.getvalue()
    assert "so far" in log.getvalue()
