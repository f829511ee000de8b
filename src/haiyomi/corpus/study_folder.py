"""A study in a folder: the answers of each piece of the records as JSON, so that one that was
killed goes on.

::

    OUT/plan.json           the records, and the function that is applied to each game
    OUT/00000000.json       the answers for the first few records, and which of them were skipped
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import haiyomi
from haiyomi.corpus.entry import Skipped
from haiyomi.corpus.value_digest import around, digest_of_value
from haiyomi.engines.shards import Jobs
from haiyomi.errors import ArgumentError, not_json
from haiyomi.storage.resume import PlannedFolder, Progress, Task
from haiyomi.storage.seal import is_sound, read_seal, write_seal
from haiyomi.storage.whole_file import not_within, whole_file

if TYPE_CHECKING:
    from haiyomi.corpus.walk import Corpus

FORMAT: Final = 2
Answers: TypeAlias = Callable[["Corpus"], tuple[list[Any], list[Skipped]]]
"""What the function answers for the games of a piece, and the records that were skipped."""


@dataclass(frozen=True, slots=True)
class _Work:
    piece: Corpus
    file: Path


def study(
    function: Callable[..., Any],
    answers: Answers,
    corpus: Corpus,
    pieces: Sequence[Corpus],
    out: Path,
    engine: Jobs = None,
    progress: Progress | None = None,
) -> tuple[list[Any], list[Skipped]]:
    """The answers for all pieces of a corpus, in their order, as JSON gives them back. Those that
    are in the folder ``out`` already are not computed again. ``answers`` calls ``function`` for the
    games of a piece.

    Raises DatasetError where the folder holds something else or cannot be written, ArgumentError
    for answers that are no JSON, for a function of which the source cannot be read, and one that
    works with what has no digest, HaiyomiError for a folder within one of the corpus.
    """
    for source in {entry.source for entry in corpus.entries if entry.file}:
        not_within(out, Path(source))
    plan = {"format": FORMAT, "haiyomi": haiyomi.__version__}
    plan |= {"records": len(corpus), "records_sha256": _digest_of(corpus)} | _named(function)
    works = [_Work(piece, out / f"{number:08d}.json") for number, piece in enumerate(pieces)]
    tasks = [Task(work, work.file, len(work.piece)) for work in works]
    write = partial(_write, answers)
    PlannedFolder(out, plan, "a study").finish(tasks, write, engine, progress)
    facts = [read_seal(work.file) for work in works]
    made = [answer for each in facts for answer in each["answers"]]
    return made, [Skipped(*line) for each in facts for line in each["skipped"]]


def _write(answers: Answers, work: _Work) -> None:
    """Store the answers for a piece unless they are there (idempotent)."""
    if is_sound(work.file):
        return
    made, skipped = answers(work.piece)
    try:
        text = json.dumps({"answers": made, "skipped": skipped}, ensure_ascii=False)
        facts = json.loads(text.encode())
        with whole_file(work.file, single_writer=True) as part:
            write_seal(part, [], facts)
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentError(
            f"the function's answers cannot be stored as JSON ({not_json(error)}): answer with "
            "Python's own numbers, texts, lists and dicts"
        ) from None


def _digest_of(corpus: Corpus) -> str:
    """Of which records, and of what they hold."""
    digest = hashlib.sha256(corpus.sha256().encode())
    for entry in corpus.entries:
        digest.update(f"{entry.label}\0".encode())
        digest.update(entry.data or b"")
    return digest.hexdigest()


def _named(function: Callable[..., Any]) -> dict[str, str]:
    """The function's name and source, and what else it works with: the arguments of a partial, the
    object of a method, the defaults, what an inner function takes from around it."""
    arguments: list[Any] = []
    while isinstance(function, partial):
        arguments += [function.args, sorted(function.keywords.items())]
        function = function.func
    arguments += [function.__self__] if hasattr(function, "__self__") else []
    function = inspect.unwrap(function)
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        raise ArgumentError(
            f"a study is stored with the source of its function, and that of {function!r} cannot "
            "be read: let it stand in a file"
        ) from None
    return {
        "function": function.__qualname__,
        "arguments_sha256": digest_of_value((arguments, around(function))).hex(),
        "source_sha256": hashlib.sha256(source.encode()).hexdigest(),
    }
