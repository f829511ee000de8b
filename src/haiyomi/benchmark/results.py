"""Results of the benchmark as lines of JSON, to which others can append theirs, and their check.

A line is one figure: who was measured on which games, the task, the metric, its value and its 95%
interval (bootstrap by game). Figures of the same ``data`` and ``split`` compare, no others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from json import JSONDecodeError
from pathlib import Path
from reprlib import repr as shorten
from types import UnionType
from typing import Final

from haiyomi.benchmark.folder import RECORDS, Benchmark
from haiyomi.benchmark.games import RECORDED, SIZES, VERSION
from haiyomi.benchmark.predictions import Predictions, read_predictions
from haiyomi.benchmark.tasks import BY_NAME, TASKS, Questions
from haiyomi.corpus.splits import SPLITS, Split
from haiyomi.errors import ArgumentError, DatasetError, SizeError, not_json, unreadable
from haiyomi.evaluation.metrics import Estimate, by_game
from haiyomi.evaluation.report import Cell, Figure, Report, Scope
from haiyomi.logs.fields import decode_json
from haiyomi.storage.model_file import LARGEST
from haiyomi.storage.seal import digest
from haiyomi.storage.whole_file import write_text

MOST_BYTES: Final = 64 << 20
_KINDS: Final[dict[str, type | UnionType]] = {
    "str": str, "int": int, "float": int | float, "float | None": int | float | None,
}  # fmt: skip
CLOSE: Final = 1e-6
"""How far a figure may be from the one that the predictions give."""


@dataclass(frozen=True, slots=True)
class Result:
    """One figure. ``model``, ``version`` and ``url`` say what was measured; ``source`` and ``data``
    on which games (``About``); ``low`` and ``high`` are None of too few games for an interval;
    ``predictions`` is the SHA-256 of the predictions' file, empty where
    it is not given; ``questions`` and ``games`` are those of the split."""

    benchmark: int
    source: str
    data: str
    split: str
    model: str
    version: str
    url: str
    task: str
    metric: str
    value: float
    low: float | None
    high: float | None
    questions: int
    games: int
    predictions: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """Who is measured: a name, its version, and an address where more is said. Raises ArgumentError
    for no name, and for what does not stand on a line of a table."""

    model: str
    version: str = ""
    url: str = ""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ArgumentError("the model's name is empty")
        for text in (self.model, self.version, self.url):
            if not text.isprintable():
                raise ArgumentError(f"{text!r} has a character that does not print")


def results_of(
    benchmark: Benchmark, split: Split, asked: Questions, entry: Entry, file: Path
) -> list[Result]:
    """The results of a file of predictions. Raises DatasetError as ``read_predictions``."""
    found = read_predictions(file, asked)
    return _measured(benchmark, split, asked, entry, found, digest(file))


def _measured(
    benchmark: Benchmark,
    split: Split,
    asked: Questions,
    entry: Entry,
    found: Predictions,
    predictions: str,
) -> list[Result]:
    about = benchmark.about
    return [
        Result(
            about.benchmark, about.source, about.data, split, entry.model, entry.version, entry.url,
            task.name, metric, e.value, *_bounds(e), len(asked), asked.games, predictions,
        )
        for task in TASKS
        if task.name in found
        for metric, e in task.figures(asked, found[task.name]).items()
        if math.isfinite(e.value)
    ]  # fmt: skip


def read_results(file: Path) -> list[Result]:
    """The results of a file of lines, each checked by itself and beside the others.

    Raises DatasetError with the number of the line.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise DatasetError(f"{file} is larger than {MOST_BYTES >> 20} MiB")
        lines = data.decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise DatasetError(f"{file}: {unreadable(error)}") from None
    found: dict[tuple[str, ...], Result] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            result = _result(decode_json(line))
        except JSONDecodeError as error:
            raise DatasetError(f"{file}, line {number} is not JSON: {not_json(error)}") from None
        except (ValueError, TypeError, SizeError) as error:
            raise DatasetError(f"{file}, line {number}: {error}") from None
        key = (
            result.data, result.split, result.model, result.version, result.task, result.metric
        )  # fmt: skip
        if key in found:
            raise DatasetError(f"{file}, line {number}: {' '.join(key[2:])} is there twice")
        found[key] = result
    if not found:
        raise DatasetError(f"{file} holds no results")
    return list(found.values())


def _result(value: object) -> Result:
    """Raises ValueError or TypeError for what is no result."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    named = {field.name: field.type for field in fields(Result)}
    unknown = sorted(value.keys() - named.keys())
    missing = sorted(named.keys() - value.keys() - {"predictions"})
    if unknown or missing:
        raise ValueError(f"unknown fields {unknown}, missing fields {missing}")
    result = Result(**value)
    for name, type_name in named.items():
        given = getattr(result, name)
        if not isinstance(given, _KINDS[str(type_name)]) or isinstance(given, bool):
            raise ValueError(f"{name} is {shorten(given)}, expected {type_name}")
        if isinstance(given, int) and abs(given) > LARGEST:
            raise ValueError(f"{name} is {shorten(given)}, above {LARGEST:.0e}")
        if isinstance(given, str) and not given.isprintable():
            raise ValueError(f"{name} {shorten(given)} has a character that does not print")
    if result.benchmark != VERSION:
        raise ValueError(f"benchmark {result.benchmark}: this haiyomi has benchmark {VERSION}")
    if result.split not in SPLITS:
        raise ValueError(f"split {result.split!r}: expected one of {', '.join(SPLITS)}")
    if result.task not in BY_NAME or result.metric not in BY_NAME[result.task].metrics:
        raise ValueError(f"no metric {result.metric!r} of a task {result.task!r}")
    if result.source in SIZES:
        recorded = RECORDED.get(SIZES[result.source], result.data)
        if result.data != recorded:
            raise ValueError(f"data {result.data[:12]!r} are not the games of {result.source}")
    elif result.source != RECORDS:
        raise ValueError(f"source {result.source!r}: expected {', '.join((*SIZES, RECORDS))}")
    low, high = result.low, result.high
    none = low is None and high is None
    known = low is not None and high is not None and -math.inf < low <= high < math.inf
    if not math.isfinite(result.value) or not (none or known):
        raise ValueError(f"value {result.value} with the interval {low} to {high}")
    if not result.model or result.questions < 1 or result.games < 1:
        raise ValueError("model is empty, or questions or games are below 1")
    return result


def _bounds(e: Estimate) -> tuple[float | None, float | None]:
    """None of too few games."""
    return (e.low, e.high) if math.isfinite(e.low) else (None, None)


def append_results(file: Path, more: Iterable[Result]) -> None:
    """Add lines to a file, whole or not at all; those of the same entry, data, split, task and
    metric are replaced. Raises DatasetError for what is no result, also in the file."""

    def key(r: Result) -> tuple[str, ...]:
        return r.data, r.split, r.model, r.version, r.task, r.metric

    known = {key(r): r for r in read_results(file)} if file.exists() else {}
    try:
        known |= {key(r): _result(asdict(r)) for r in more}
    except ValueError as error:
        raise DatasetError(f"{file} is left as it is: {error}") from None
    lines = [json.dumps(asdict(r), ensure_ascii=False, allow_nan=False) for r in known.values()]
    write_text(file, "\n".join(lines) + "\n")


def differences(
    benchmark: Benchmark, results: Sequence[Result], files: Sequence[Path]
) -> tuple[int, list[str]]:
    """How many results were computed again from the predictions that they name, and a sentence for
    each that differs. Results of other games and of predictions that are not there are left out.
    """
    by_hash = {digest(file): file for file in files if file.is_file()}
    again: dict[tuple[str, str, str], Result] = {}
    for split in SPLITS:
        named = {
            r.predictions for r in results
            if r.split == split and r.data == benchmark.about.data and r.predictions in by_hash
        }  # fmt: skip
        if not named:
            continue
        asked = benchmark.questions(split)
        for each in named:
            for r in results_of(benchmark, split, asked, Entry("again"), by_hash[each]):
                again[each + split, r.task, r.metric] = r
    checked, wrong = 0, []
    for r in results:
        ours = again.get((r.predictions + r.split, r.task, r.metric))
        if ours is None or r.data != benchmark.about.data:
            continue
        checked += 1
        pairs = ((r.value, ours.value), (r.low, ours.low), (r.high, ours.high))
        if any(_apart(a, b) for a, b in pairs):
            wrong.append(
                f"{r.model}: {r.task}, {r.metric} is {_said(r)}, its predictions give {_said(ours)}"
            )
    return checked, wrong


def _apart(a: float | None, b: float | None) -> bool:
    return a is not b if a is None or b is None else abs(a - b) > CLOSE


def _said(r: Result) -> str:
    if r.low is None or r.high is None:
        return f"{r.value:.6f} without an interval"
    return f"{r.value:.6f} [{r.low:.6f}, {r.high:.6f}]"


def reports_of(results: Sequence[Result]) -> list[Report]:
    """A table for each set of games and split: a row for each entry, by the first metrics."""
    reports = []
    for data, split in dict.fromkeys((r.data, r.split) for r in results):
        mine = [r for r in results if (r.data, r.split) == (data, split)]
        columns = [(task.name, task.metrics[0]) for task in TASKS]
        rows: list[tuple[Cell, ...]] = []
        for model, version in dict.fromkeys((r.model, r.version) for r in mine):
            own = [r for r in mine if (r.model, r.version) == (model, version)]
            found = {(r.task, r.metric): r for r in own}
            cells = (_cell(found.get(column)) for column in columns)
            rows.append((f"{model} {version}".strip(), *cells))
        first = mine[0]
        reports.append(
            Report(
                f"Benchmark {first.benchmark}, {first.source}, {first.questions:,} questions",
                ("model", *(f"{task}: {metric}" for task, metric in columns)),
                tuple(rows),
                Scope(first.games, first.split, by_game(first.games)),
            )
        )
    return reports


def _cell(result: Result | None) -> Figure:
    if result is None:
        return Figure(None)
    return Figure(result.value, ".1%", result.low, result.high)
