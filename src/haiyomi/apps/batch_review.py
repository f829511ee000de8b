"""Reviews of many games in one folder, which a kill may stop at any moment.

::

    DIR/plan.json                     what is to be reviewed, and how
    DIR/<nnnnn-game>/seat<N>.html     one page (or .json) for each seat asked for
    DIR/<nnnnn-game>/review.json      names, totals, and a seal over the pages; or why the record
                                      was left out
    DIR/index.html                    a page that leads to all pages, with the sums of each
    DIR/manifest.json                 all of those reviews (written last)

The folder of a game appears by one rename when all its pages are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import haiyomi
from haiyomi.corpus import Corpus, Entry
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError, RecordError
from haiyomi.review.summary import EVERY, Shown
from haiyomi.review.verdicts import USUAL, Margins
from haiyomi.storage.resume import Derived, PlannedFolder, Progress, Task, unwritable
from haiyomi.storage.seal import digest, is_sound, read_seal, write_seal
from haiyomi.storage.whole_file import whole_folder
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.events import Game

FORMAT = 3
SEAL = "review.json"
INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """How every game is reviewed: ``seat`` an absolute one, or ``player`` a name or part of one,
    or neither for all four seats; ``form`` html or json; ``hands_model`` of hidden hands;
    ``margins`` make a mistake, ``shown`` are those that are listed."""

    seat: int | None = None
    player: str | None = None
    model: str = "posterior"
    lang: str = "en"
    truth: bool = False
    form: str = "html"
    hands_model: str = "counts"
    margins: Margins = USUAL
    shown: Shown = EVERY


@dataclass(frozen=True, slots=True)
class Work:
    """One game: its record and the folder for its reviews."""

    entry: Entry
    folder: str
    options: ReviewOptions


@dataclass(frozen=True, slots=True)
class BatchReport:
    """``games`` read, ``pages`` written, (record, reason) of what was left out, and the names of
    all ``players``."""

    games: int
    pages: int
    skipped: tuple[tuple[str, str], ...]
    players: frozenset[str]


def review_all(
    source: Path,
    out: Path,
    options: ReviewOptions,
    jobs: Jobs,
    progress: Progress | None = None,
) -> BatchReport:
    """Review every record of a folder or zip, or finish doing so. Raises DatasetError."""
    corpus = Corpus(source)
    if not corpus.entries:
        raise DatasetError(f"no records in {source}")
    model = Path(options.model)
    plan = {
        "format": FORMAT,
        "haiyomi": haiyomi.__version__,
        "source": corpus.sha256(),
        "records": [entry.place for entry in corpus.entries],
        "options": json.loads(json.dumps(asdict(options))),
        "model": digest(model) if model.is_file() else None,
    }
    folders = [out / folder_name(i, entry) for i, entry in enumerate(corpus.entries)]
    tasks = [
        Task(Work(entry, str(folder), options), folder / SEAL, 1)
        for entry, folder in zip(corpus.entries, folders, strict=True)
    ]
    derived = [Derived(out / "manifest.json", lambda: _manifest(plan, folders))]
    if options.form == "html":
        derived.insert(0, Derived(out / INDEX, lambda: _index(options, folders)))
    folder = PlannedFolder(out, plan, "a batch of reviews")
    folder.finish(tasks, review_record, jobs, progress, derived)
    try:
        return _report(folders)
    except OSError as error:
        raise unwritable(error, out) from None


def folder_name(number: int, entry: Entry) -> str:
    """``00012-name``: a name that every system takes, whatever the record is called."""
    name = re.sub(r"[^\w-]+", "_", entry.game_name)
    return f"{number:05d}-{name[:60]}"


def _summaries(folders: Sequence[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By folder the facts of each game's seal, one at a time: there may be millions."""
    for folder in folders:
        yield folder.name, read_seal(folder / SEAL)


def _report(folders: Sequence[Path]) -> BatchReport:
    skipped: list[tuple[str, str]] = []
    players: set[str] = set()
    pages = 0
    for _, summary in _summaries(folders):
        pages += len(summary["files"])
        players.update(summary["names"] or ())
        if summary["skipped"] is not None:
            skipped.append((summary["record"], summary["skipped"]))
    return BatchReport(len(folders) - len(skipped), pages, tuple(skipped), frozenset(players))


def _index(options: ReviewOptions, folders: Sequence[Path]) -> Iterator[bytes]:
    from haiyomi.apps.batch_index import index_page

    yield index_page(_summaries(folders), options.model, options.lang).encode()


def _manifest(plan: dict[str, Any], folders: Sequence[Path]) -> Iterator[bytes]:
    head = {key: plan[key] for key in ("format", "haiyomi", "source", "options", "model")}
    yield json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}").encode()
    for number, (name, summary) in enumerate(_summaries(folders)):
        start = ",\n" if number else ',\n "games": {\n'
        key, value = (json.dumps(each, ensure_ascii=False) for each in (name, summary))
        yield f"{start}  {key}: {value}".encode()
    yield b"\n }\n}\n"


def review_record(work: Work) -> None:
    """Write the folder of one game unless it is there already (idempotent)."""
    final = Path(work.folder)
    if is_sound(final / SEAL):
        return
    with whole_folder(final) as part:
        facts = _reviewed(work, part)
        write_seal(part / SEAL, sorted(part.iterdir()), facts)


def _reviewed(work: Work, part: Path) -> dict[str, Any]:
    """Write the pages of one game into a folder; the facts of its seal."""
    entry, options = work.entry, work.options
    if entry.fault is None and not entry.path.exists():
        raise DatasetError(f"{entry.path} was there when the reviews were planned and is gone")
    summary: dict[str, Any] = {
        "record": entry.label,
        "names": None,
        "totals": {},
        "skipped": None,
    }
    try:
        game = entry.game()
        seats = _seats(game, options)
        # All or none of a record's pages: a fault in its third hand is one of the record.
        pages = {seat: _page(game, summary["record"], seat, options) for seat in seats}
    except RecordError as error:
        error.file = None  # the summary names the record
        return summary | {"skipped": str(error)}
    summary["names"] = list(game.header.names)
    for seat, (page, totals) in pages.items():
        name = f"seat{int(seat)}.{options.form}"
        (part / name).write_bytes(page)
        if totals:
            summary["totals"][name] = totals
    return summary


def _seats(game: Game, options: ReviewOptions) -> list[Seat]:
    """The seats asked for; none where the player does not sit at this table."""
    if options.seat is not None:
        return [Seat(options.seat)]
    if options.player is None:
        return [Seat(seat) for seat in range(4)]
    names = game.header.names
    wanted = options.player.casefold()
    same = [Seat(s) for s in range(4) if names[s] == options.player]
    return same or [Seat(s) for s in range(4) if wanted in names[s].casefold()]


@lru_cache(maxsize=2)
def _analyzer(model: str, hands_model: str, form: str) -> Analyzer:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.review_page import page_analyzer

    models = Models(model, hands_model)
    return page_analyzer(models) if form == "html" else Analyzer(models)


def _page(
    game: Game, record: str, seat: Seat, options: ReviewOptions
) -> tuple[bytes, dict[str, Any]]:
    """One seat's review as a page, with its sums for the list of pages; or as JSON, which holds
    each decision for whoever wants sums."""
    from haiyomi.apps.review_page import page_of, revealed
    from haiyomi.review.reviewer import review_game

    hidden = revealed(game, seat, range(len(game.hands))) if options.truth else None
    analyzer = _analyzer(options.model, options.hands_model, options.form)
    review = review_game(game, seat, analyzer, None, hidden)
    if options.form == "html":
        from haiyomi.review.stats import game_stats
        from haiyomi.review.stats_out import tally_json

        stats = game_stats(record, review, margins=options.margins)
        totals = {"seat": int(seat)} | tally_json(stats.total)
        page = page_of(review, options.lang, record, f"../{INDEX}", options.margins, options.shown)
        return page.encode(), totals
    from haiyomi.review.json_out import review_json

    value = review_json(review, True, options.margins, options.shown, options.lang)
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n", {}
