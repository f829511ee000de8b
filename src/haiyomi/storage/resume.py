"""Long work in a folder, which a kill may stop at any moment and a second run finishes.

::

    OUT/plan.json       what is to be done (written first)
    OUT/...             what each shard makes: it appears whole, by a rename

The folder belongs to one plan: a run with other input is refused. What is there is not made
again, so the finished folder is the same byte for byte however often the work was stopped,
on whatever engine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from haiyomi.errors import DatasetError
from haiyomi.shards import Jobs, map_shards
from haiyomi.storage.folder_lock import LOCK, only_writer
from haiyomi.storage.whole_file import PARTS, drop_parts, write_json

W = TypeVar("W")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Task(Generic[W]):
    """One shard: ``made`` is there when it is done; ``size`` is what it counts for."""

    work: W
    made: Path
    size: int


def finish(
    out: Path,
    plan: dict[str, Any],
    tasks: Sequence[Task[W]],
    function: Callable[[W], Any],
    engine: Jobs = None,
    progress: Progress | None = None,
    what: str = "a dataset",
    end: Callable[[], None] | None = None,
    ends: Sequence[Path] = (),
    done: Callable[[Path], bool] = Path.exists,
) -> None:
    """Do what is missing of a plan in the folder ``out``.

    ``function`` makes one shard and is idempotent; ``progress(done, total)`` counts sizes.
    ``what``: what such a folder holds, for the words of an error. ``done`` says of a task's
    ``made`` whether it is there and sound; what is not, ``function`` makes anew. ``end`` then
    writes ``ends``, the files that tell of all shards. A folder that has all is left as it is, so
    others may write to it and nobody need be allowed to. Raises DatasetError if ``out`` holds
    something else, cannot be written or is being written by another process.
    """
    try:
        made = all(done(task.made) for task in tasks) and all(path.exists() for path in ends)
        if made and is_plan(out, plan):
            # A kill behind the last shard leaves these.
            if (out / LOCK).exists() or any(out.glob(PARTS)):
                with suppress(DatasetError), only_writer(out):
                    drop_parts(out)
            if progress:
                progress(*[sum(task.size for task in tasks)] * 2)
            return
        with claim(out, plan, what):
            _finish(tasks, function, engine, progress, done)
            if end is not None:
                end()
    except OSError as error:
        raise unwritable(error, out) from None


def _finish(
    tasks: Sequence[Task[W]],
    function: Callable[[W], Any],
    engine: Jobs,
    progress: Progress | None,
    done: Callable[[Path], bool],
) -> None:
    missing = [task for task in tasks if not done(task.made)]
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


def unwritable(error: OSError, out: Path) -> DatasetError:
    """The one sentence for an OSError met while writing to ``out``."""
    return DatasetError(f"{error.filename or out}: {error.strerror or error}")


def is_plan(out: Path, plan: dict[str, Any]) -> bool:
    """Whether a folder holds this plan. Raises DatasetError if its plan cannot be read."""
    planned = out / "plan.json"
    if not planned.exists():
        return False
    try:
        found: Any = json.loads(planned.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DatasetError(f"{planned}: is no plan ({error})") from None
    return bool(found == plan)


def _differing(out: Path, plan: dict[str, Any]) -> list[str]:
    """By what a folder's plan is not this one."""
    found = json.loads((out / "plan.json").read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        return ["plan"]
    return sorted(k for k in plan.keys() | found.keys() if plan.get(k) != found.get(k))


@contextmanager
def claim(out: Path, plan: dict[str, Any], what: str) -> Iterator[None]:
    """Have a folder for this plan alone, cleared of what a killed run left half-written. Raises
    DatasetError if it holds something else or another process works there; OSError if it cannot
    be written."""
    out.mkdir(parents=True, exist_ok=True)
    with only_writer(out):
        # Half-written shards lie beside their place: in the folder, or in one of its folders.
        drop_parts(out)
        drop_parts(out, f"*/{PARTS}")
        if not is_plan(out, plan):
            if (out / "plan.json").exists():
                raise DatasetError(
                    f"{out} holds {what} of other records, other options or another version "
                    f"({', '.join(_differing(out, plan))}): name another folder, or remove it"
                )
            if any(path.name != LOCK for path in out.iterdir()):
                raise DatasetError(f"{out} is neither empty nor {what}")
            write_json(out / "plan.json", plan)
        yield
