"""The reviewing process: takes queued reviews from the library, one after the other.

Started by the server as ``python -m haiyomi.apps.web.worker LIBRARY``. A line on standard
input says that something was queued; its end says that the server is gone, and so is this.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from haiyomi.apps.web.library import Library, StoredReview
from haiyomi.errors import HaiyomiError


def main(path: Path) -> None:
    """Work until standard input ends."""
    # Ctrl-C is for the server: standard input ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wake = threading.Event()
    threading.Thread(target=_listen, args=(wake,), daemon=True).start()
    library = Library(path)
    while True:
        review = library.claim()
        if review is None:
            wake.wait(5)
            wake.clear()
            continue
        run(library, review)


def _listen(wake: threading.Event) -> None:
    for _ in sys.stdin.buffer:
        wake.set()
    # The server died: whatever is half done will be queued again when it is back.
    os._exit(0)


def run(library: Library, review: StoredReview) -> None:
    """Review one seat of one record and store what the page shows, or why it failed."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.logs.load import parse
    from haiyomi.review.html.data import review_data
    from haiyomi.review.reviewer import review_game
    from haiyomi.review.stats import game_stats
    from haiyomi.review.stats_store import game_to_json
    from haiyomi.tiles import Seat

    try:
        game = parse(library.body(review.record), review.record_name)
        done = 0

        def step(_: int) -> None:
            nonlocal done
            done += 1
            library.progress(review.id, done)

        analyzer = Analyzer(Models(review.model))
        found = review_game(game, Seat(review.seat), analyzer, step=step)
        page = review_data(found)
        library.finish(review.id, page, game_to_json(game_stats(review.record_name, found)))
    except HaiyomiError as error:
        library.fail(review.id, str(error))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
