"""Claims: two servers share a library, and neither takes or ends what the other works on."""

from __future__ import annotations

import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from haiyomi.apps.web import claims as claims_module
from haiyomi.apps.web.claims import SILENT, Claims
from haiyomi.apps.web.intake import Packed
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_rows import StoredReview, unpacked


class Clock:
    """What ``time`` is to the claims."""

    def __init__(self) -> None:
        self.now = 1e9

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(claims_module, "time", clock)
    return clock


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.sqlite3")


@pytest.fixture
def key(library: Library) -> str:
    game = Packed("game", tuple("abcd"), 4, sha256(b"x").hexdigest(), zlib.compress(b"x"))
    (record,) = library.add_records([game], 10) or ()
    key = library.ask(record.id, 0, "m", 4, 10)
    assert key is not None
    return key


def _of(library: Library, key: str) -> StoredReview:
    review = library.review(key)
    assert review is not None
    return review


def test_a_second_server_leaves_a_running_review_alone(
    library: Library, key: str, clock: Clock
) -> None:
    first, second = Claims(library, "first"), Claims(library, "second")
    assert first.claim() is not None
    for _ in range(10):
        clock.now += SILENT - 1
        first.renew()
        assert second.take_over(1) == 0
        assert second.requeue_own(1) == 0
        assert second.overdue(0) == []
        assert second.claim() is None
    second.fail(key, "not mine")
    assert not second.finish(key, {}, {})
    assert _of(library, key).state == "running"
    assert first.finish(key, {}, {})
    assert _of(library, key).state == "done"


def test_a_claim_that_is_not_renewed_goes_to_another(
    library: Library, key: str, clock: Clock
) -> None:
    first, second = Claims(library, "first"), Claims(library, "second")
    assert first.claim() is not None
    clock.now += SILENT + 1
    assert second.take_over(3) == 1
    assert second.claim() is not None
    first.progress(key, 4)
    first.fail(key, "came back too late")
    assert not first.finish(key, {"of": "first"}, {})
    assert (_of(library, key).state, _of(library, key).done) == ("running", 0)
    assert second.finish(key, {"of": "second"}, {})
    assert unpacked(key, library.page(key) or b"") == {"of": "second"}


def test_a_clock_that_was_set_back_keeps_nothing_claimed(
    library: Library, key: str, clock: Clock
) -> None:
    assert Claims(library, "first").claim() is not None
    clock.now -= 3600
    assert Claims(library, "second").take_over(3) == 1


def test_what_was_running_is_queued_again_and_fails_in_the_end(library: Library, key: str) -> None:
    claims = Claims(library, "me")
    for _ in range(2):
        assert claims.claim() is not None
        assert claims.requeue_own(3) == 1
    assert claims.claim() is not None
    assert claims.requeue_own(3) == 0
    failed = _of(library, key)
    assert failed.state == "failed"
    assert "died 3 times" in (failed.error or "")
    assert library.ask(failed.record, 0, "m", 4, 10) == key  # asked for again
    assert _of(library, key).state == "queued"


def test_what_runs_too_long_is_known(library: Library, key: str) -> None:
    claims = Claims(library, "me")
    assert claims.overdue(0) == []
    claims.claim()
    assert claims.overdue(100) == []
    assert claims.overdue(-1) == [key]
