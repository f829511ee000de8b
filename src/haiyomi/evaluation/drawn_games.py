"""Work on games of records that are drawn at random, a file each in a folder that resumes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import haiyomi
from haiyomi.analysis.models import shipped_digests
from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.events import Game
from haiyomi.seeds import generator
from haiyomi.storage.resume import PlannedFolder, Progress, Task
from haiyomi.storage.seal import read_seal, write_seal
from haiyomi.storage.whole_file import whole_file

_ROWS: Final = "rows"


class Seeded(Protocol):
    """Settings, a frozen dataclass: the ``seed`` draws the games."""

    @property
    def seed(self) -> int:
        """The seed of all draws."""
        ...


R = TypeVar("R")
S = TypeVar("S", bound=Seeded)


@dataclass(frozen=True, slots=True)
class DrawnGame(Generic[S]):
    """One game of the work: its ``number`` in the order of the draw, the ``settings``, and the
    ``file`` for its rows."""

    number: int
    game: Game
    settings: S
    file: Path

    def write(self, rows: Sequence[Any]) -> None:
        """Keep its rows, dataclasses of one kind, with which it is done."""
        kept = json.loads(json.dumps([asdict(row) for row in rows]))
        with whole_file(self.file, single_writer=True) as part:
            write_seal(part, [], {_ROWS: kept})


def rows_of_games(
    row: Callable[..., R],
    sources: Sequence[Path],
    games: int | None,
    settings: S,
    out: Path,
    what: tuple[str, int],
    work: Callable[[DrawnGame[S]], None],
    jobs: Jobs,
    progress: Progress | None = None,
) -> tuple[list[R], list[Skipped]]:
    """The rows that ``work`` writes of ``games`` records, game after game, and the records left
    out. ``row`` makes one of its fields, numbers, texts and tuples. ``what`` the folder holds,
    and the number of its format. Raises DatasetError where a source cannot be read or the folder
    holds something else, also what other models gave."""
    corpus = Corpus(list(sources)).distinct()
    found = list(corpus)
    order = generator(settings.seed, "games").permutation(len(found))[:games]
    name, number_of_format = what
    plan: dict[str, object] = {
        "format": number_of_format,
        "haiyomi": haiyomi.__version__,
        "records": [found[i][0] for i in order],
        "records_sha256": corpus.sha256(),
        "models": shipped_digests(),
        "settings": asdict(settings),  # type: ignore[call-overload]
    }
    tasks = []
    for number, at in enumerate(order.tolist()):
        file = out / f"game-{number:05d}.json"
        tasks.append(Task(DrawnGame(number, found[at][1], settings, file), file, 1))
    PlannedFolder(out, plan, name).finish(tasks, work, jobs, progress)
    kept = [fields for task in tasks for fields in read_seal(task.seal)[_ROWS]]
    rows = [row(**{k: _as_kept(v) for k, v in fields.items()}) for fields in kept]
    return rows, list(corpus.skipped)


def _as_kept(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
