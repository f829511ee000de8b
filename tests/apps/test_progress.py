"""What a progress bar says of its time."""

from __future__ import annotations

import pytest

from haiyomi.apps.progress import times


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
