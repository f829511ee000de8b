"""A benchmark on disk: the games, the questions of each split, and what they were made of.

::

    FOLDER/games            packed games (``haiyomi dataset pack`` writes the same)
    FOLDER/decisions        the questions as a decision data set, with train, valid and test
    FOLDER/benchmark.json   the version, the hash of the games, and counts
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from haiyomi.benchmark.games import SIZES, VERSION, digest_of_games, make_games
from haiyomi.benchmark.tasks import SEED, SHARE, Questions, questions_of
from haiyomi.corpus.splits import Split
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError, unreadable
from haiyomi.storage.json_file import read_json
from haiyomi.storage.resume import Progress
from haiyomi.storage.whole_file import write_text
from haiyomi.training.decision_table import Sampling, write_table
from haiyomi.training.packed_corpus import pack_corpora

ABOUT: Final = "benchmark.json"
RECORDS: Final = "records"
"""The name of games that are not the benchmark's own."""
DRAW: Final = Sampling(SHARE, SEED, discards=True)


@dataclass(frozen=True, slots=True)
class About:
    """``source``: a size of the benchmark's own games, or RECORDS. ``data``: the hash of the games,
    which results name. ``games`` and ``questions`` by split."""

    benchmark: int
    source: str
    data: str
    games: dict[str, int]
    questions: dict[str, int]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A folder and what it states. Raises DatasetError where it is not a benchmark."""

    path: Path
    about: About

    @classmethod
    def open(cls, folder: Path | str) -> Benchmark:
        """The benchmark of a folder."""
        path = Path(folder)
        try:
            about = About(**read_json(path / ABOUT))
            if not isinstance(about.source, str) or not isinstance(about.data, str):
                raise ValueError("source and data are texts")
        except (FileNotFoundError, NotADirectoryError):
            raise DatasetError(
                f"{path} is not a benchmark: make one by `haiyomi benchmark make`"
            ) from None
        except OSError as error:
            raise DatasetError(f"{path / ABOUT}: {unreadable(error)}") from None
        except (ValueError, TypeError) as error:
            raise DatasetError(f"{path / ABOUT}: damaged ({error})") from None
        if type(about.benchmark) is not int or about.benchmark != VERSION:
            raise DatasetError(
                f"{path} is benchmark {about.benchmark!r}, this haiyomi has benchmark {VERSION}"
            )
        return cls(path, about)

    @property
    def games(self) -> Path:
        """The packed games."""
        return self.path / "games"

    @property
    def decisions(self) -> Path:
        """The data set of the questions."""
        return self.path / "decisions"

    def questions(self, split: Split, more: Sequence[str] = ()) -> Questions:
        """The questions of a split: ``columns`` has those of the decision data set that the tasks
        need, and ``more``. Raises DatasetError, also for an unknown column."""
        return questions_of(self.decisions, split, more)


def make_benchmark(
    out: Path,
    size: str,
    corpus: Path | None = None,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> tuple[Benchmark, Sequence[tuple[str, str]]]:
    """Make a benchmark of the games of a ``size``, or of one's own ``corpus`` with splits, and say
    which records were skipped and why.

    A folder that is not finished is finished. ``progress(done, total)`` counts games. Raises
    DatasetError where the folder holds something else, and as ``make_games``.
    """
    games = out / "games"
    skipped: Sequence[tuple[str, str]] = ()
    if corpus is None:
        if size not in SIZES:
            raise DatasetError(f"no size {size!r}: choose from {', '.join(SIZES)}")
        make_games(games, size, jobs, progress)
    else:
        skipped = pack_corpora([corpus], games, jobs, progress).skipped
    report = write_table(games, out / "decisions", DRAW, jobs)
    source = size if corpus is None else RECORDS
    data = digest_of_games(games)
    about = About(VERSION, source, data, report.games, report.rows)
    write_text(out / ABOUT, json.dumps(asdict(about), indent=1) + "\n")
    return Benchmark(out, about), skipped
