"""The reviewing process: takes queued reviews from the library, one after the other.

Started by the server as ``python -P -m haiyomi.apps.web.worker LIBRARY OWNER``. A line on standard
input says that something was queued; its end says that the server is gone, and so is this.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from haiyomi.apps.web.child import limit_memory
from haiyomi.apps.web.claims import Claims
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_errors import DamagedRowError, LibraryError
from haiyomi.apps.web.library_rows import StoredReview
from haiyomi.engines.garbage import collect_seldom
from haiyomi.errors import HaiyomiError

T = TypeVar("T")
LONGEST_PAUSE = 60.0
MEMORY = 2 << 30
"""Bytes that a review may take beyond what this process begins with."""


def main(path: Path, owner: str) -> None:
    """Work until standard input ends."""
    # Ctrl-C, which Windows sends here too, is for the server: standard input ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wake = threading.Event()
    threading.Thread(target=_listen, args=(wake,), daemon=True).start()
    limit_memory(MEMORY)
    collect_seldom()
    claims = Claims(patiently(lambda: Library(path)), owner)
    while True:
        review = patiently(claims.claim)
        if review is None:
            wake.wait(5)
            wake.clear()
            continue
        run(claims, review)


def _listen(wake: threading.Event) -> None:
    for _ in sys.stdin.buffer:
        wake.set()
    # The server died: whatever is half done will be queued again when it is back.
    os._exit(0)


def patiently(change: Callable[[], T]) -> T:
    """What ``change`` returns, as soon as the library can be written: a full disk may have room
    again. The pauses grow from one second to LONGEST_PAUSE."""
    pause = 1.0
    while True:
        try:
            return change()
        except LibraryError as error:
            if isinstance(error, DamagedRowError):
                raise
            print(f"haiyomi: {error}; the next try is in {pause:g} s", file=sys.stderr, flush=True)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def run(claims: Claims, review: StoredReview) -> None:
    """Review one seat of one record and store it, or why it failed."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.careers import career_of
    from haiyomi.corpus.same_game import played_digest
    from haiyomi.logs.load import parse
    from haiyomi.review.html.data import review_data
    from haiyomi.review.json_out import review_json
    from haiyomi.review.reviewer import review_game
    from haiyomi.review.stats import game_stats
    from haiyomi.review.stats_store import game_to_json
    from haiyomi.tiles import Seat

    library = claims.library
    done = 0

    def step(_: int) -> None:
        nonlocal done
        done += 1
        # The review goes on even where its progress cannot be shown.
        with suppress(LibraryError):
            claims.progress(review.id, done)

    try:
        if review.state != "running":
            raise DamagedRowError.of("review", review.id)
        body = patiently(lambda: library.body(review.record))
        game = parse(body, review.record_name)
        analyzer = Analyzer(
            Models(review.model), details=("own_tenpai", "own_points", "all_waits", "forced_hands")
        )
        found = review_game(game, Seat(review.seat), analyzer, step=step)
        page, result = review_data(found), review_json(found, points=False)
        stats = game_to_json(
            game_stats(review.record_name, found, career=career_of(game, Seat(review.seat)))
        ) | {"played": played_digest(game).hex()}
    except (HaiyomiError, MemoryError) as error:
        why = str(error) or f"reviewing this takes more than {MEMORY >> 20} MiB"
        patiently(lambda: claims.fail(review.id, why))
    except Exception as error:
        traceback.print_exc()
        fault = f"this is a fault of haiyomi ({type(error).__name__}): please report it"
        patiently(lambda: claims.fail(review.id, fault))
    else:
        patiently(lambda: claims.finish(review.id, page, result, stats))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
