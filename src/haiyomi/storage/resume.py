"""Long work in a folder, which a kill or a power cut may stop and a second run finishes.

::

    OUT/plan.json       what is to be done (written first)
    OUT/...             what each shard makes, with a seal that states its files' sizes and hashes
    OUT/...             files derived from all shards (written last)

Once a shard is there the folder belongs to one plan: a run with other input is refused. What is
there and sound is not made again; what is damaged is named and made again. So the finished folder
is the same byte for byte however often the work was stopped, on whatever engine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from haiyomi.engines.shards import Jobs, map_shards
from haiyomi.errors import DamageError, DatasetError
from haiyomi.storage.folder_lock import LOCK, only_writer
from haiyomi.storage.json_file import read_json
from haiyomi.storage.seal import check_seal
from haiyomi.storage.whole_file import PARTS, drop_parts, make_folder, whole_file

W = TypeVar("W")
Progress: TypeAlias = Callable[[int, int], None]
"""Called with what is done, and with all that there is to do, 0 where that is not known."""
Bar: TypeAlias = Callable[..., AbstractContextManager[Progress]]
"""What shows progress: called with what is done and its unit."""
PLAN = "plan.json"
_PARTS = (PARTS, f"*/{PARTS}")
"""Half-written shards lie beside their place: in the folder, or in one of its folders."""


@contextmanager
def no_bar(*_: str) -> Iterator[Progress]:
    """A Bar that shows nothing."""
    yield lambda done, total: None


@dataclass(frozen=True, slots=True)
class Task(Generic[W]):
    """One shard: it is done when ``seal`` is there and sound; ``size`` is what it counts for."""

    work: W
    seal: Path
    size: int


@dataclass(frozen=True, slots=True)
class Derived:
    """A file that can be made anew from what is known: ``chunks`` gives its bytes."""

    path: Path
    chunks: Callable[[], Iterable[bytes]]

    def is_written(self) -> bool:
        """Whether the file is there with these bytes."""
        if not self.path.is_file():
            return False
        with self.path.open("rb") as file:
            return all(file.read(len(c)) == c for c in self.chunks()) and not file.read(1)

    def write(self) -> None:
        """Write the file, whole or not at all."""
        with whole_file(self.path) as part, part.open("wb") as file:
            file.writelines(self.chunks())


class PlannedFolder:
    """A folder for one plan: it is planned, then claimed by one process, then finished.

    ``plan`` is JSON that says all that the contents depend on; ``what`` names such folders in
    errors. ``finish`` does shards; work of another kind uses ``claimed``.
    """

    def __init__(self, path: Path, plan: dict[str, object], what: str = "a dataset") -> None:
        self.path = path
        self.plan = plan
        self.what = what
        text = json.dumps(plan, indent=1, ensure_ascii=False) + "\n"
        self._planned = Derived(path / PLAN, lambda: [text.encode()])

    def finish(
        self,
        tasks: Sequence[Task[W]],
        function: Callable[[W], Any],
        engine: Jobs = None,
        progress: Progress | None = None,
        derived: Sequence[Derived] = (),
    ) -> None:
        """Do what is missing or damaged, then write the derived files.

        ``function`` makes one shard and its seal, and is idempotent; ``progress(done, total)``
        counts sizes. A folder that has all is left as it is, so others may write to it and nobody
        need be allowed to. Raises DatasetError if the folder holds something else, cannot be
        written or is being written by another process.
        """
        try:
            if self._is_finished(tasks, derived):
                self._tidy()
                if progress:
                    progress(*[sum(task.size for task in tasks)] * 2)
                return
            with self.claimed():
                _do(tasks, function, engine, progress)
                for file in derived:
                    if not file.is_written():
                        file.write()
        except OSError as error:
            raise unwritable(error, self.path) from None

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Have the folder for this process, cleared of what a killed run left half-written.

        Raises DatasetError if it holds something else or another process works there; OSError if
        it cannot be written.
        """
        make_folder(self.path)
        with only_writer(self.path):
            self._drop_parts()
            self._write_plan()
            yield

    def _is_finished(self, tasks: Sequence[Task[W]], derived: Sequence[Derived]) -> bool:
        names = [task.seal for task in tasks] + [file.path for file in derived]
        if not all(path.exists() for path in names) or not self._planned.is_written():
            return False
        try:
            for task in tasks:
                check_seal(task.seal)
        except DamageError:
            return False  # named when it is made again
        return all(file.is_written() for file in derived)

    def _tidy(self) -> None:
        """Remove what a kill behind the last shard leaves."""
        if (self.path / LOCK).exists() or any(any(self.path.glob(parts)) for parts in _PARTS):
            with suppress(DatasetError), only_writer(self.path):
                self._drop_parts()

    def _drop_parts(self) -> None:
        for parts in _PARTS:
            drop_parts(self.path, parts)

    def _found(self) -> Any:
        """The plan that the folder holds, None for none. Raises DatasetError if it is damaged."""
        planned = self.path / PLAN
        try:
            return read_json(planned)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise DatasetError(
                f"{planned}: damaged ({error}); remove {self.path} and run again"
            ) from None

    def _write_plan(self) -> None:
        if self._planned.is_written():
            return
        found = self._found()
        empty = all(path.name in (LOCK, PLAN) for path in self.path.iterdir())
        if found is None and not empty:
            raise DatasetError(f"{self.path} is neither empty nor {self.what}")
        if found != self.plan and not empty:
            if not isinstance(found, dict) or found.keys() != self.plan.keys():
                held = f"something else than {self.what}, or one of another version"
            else:
                differing = sorted(key for key in found if found[key] != self.plan[key])
                held = (
                    f"{self.what} of other records, other options or another version "
                    f"({', '.join(differing)})"
                )
            raise DatasetError(f"{self.path} holds {held}: name another folder, or remove it")
        self._planned.write()


def is_done(seal: Path) -> bool:
    """Whether a shard is there and sound; a damaged one is named."""
    try:
        check_seal(seal)
    except FileNotFoundError:
        return False
    except DamageError as error:
        print(f"haiyomi: {error}; it is made again", file=sys.stderr)
        return False
    return True


def unwritable(error: OSError, out: Path) -> DatasetError:
    """The one sentence for an OSError met while writing to ``out``."""
    return DatasetError(f"{error.filename or out}: {error.strerror or error}")


def _do(
    tasks: Sequence[Task[W]],
    function: Callable[[W], Any],
    engine: Jobs,
    progress: Progress | None,
) -> None:
    """Do the tasks that are not done."""
    missing = [task for task in tasks if not is_done(task.seal)]
    total = sum(task.size for task in tasks)
    so_far = total - sum(task.size for task in missing)
    if progress:
        progress(so_far, total)
    try:
        for index, _ in map_shards(function, [task.work for task in missing], engine):
            so_far += missing[index].size
            if progress:
                progress(so_far, total)
    except KeyboardInterrupt:
        print(
            f"haiyomi: stopped with {so_far} of {total} done; run again, it goes on from there",
            file=sys.stderr,
        )
        raise
