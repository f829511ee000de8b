"""A submission: a Parquet file with a row for each question, and a column for each task answered.

The columns ``game``, ``hand`` and ``discards`` name the question; a task's column holds one float a
row, or a list of floats in the order of the task's shape. Rows may come in any order, and rows of
other decisions are not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from haiyomi.arrays import Floats
from haiyomi.benchmark.tasks import BY_NAME, KEYS, TASKS, Questions, Task
from haiyomi.errors import DatasetError
from haiyomi.storage.whole_file import whole_file

Predictions = dict[str, Floats]
"""Task -> (n, *shape) predictions of the questions in their order."""
TOLERANCE: Final = 1e-3
"""How far probabilities that must sum to one may be from it, as 32-bit floats are."""


def read_predictions(file: Path, asked: Questions) -> Predictions:
    """The predictions of a file for some questions.

    Raises DatasetError, with the first question and task, where one is missing, twice there or not
    a probability.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not file.exists():
        raise DatasetError(f"{file}: no such file")
    if file.is_dir():
        raise DatasetError(f"{file} is a folder: name the file of the predictions")
    try:
        table = pq.read_table(file)
    except (OSError, pa.ArrowException) as error:
        # Of some errors the other lines are the whole schema.
        raise DatasetError(f"{file}: {str(error).partition(chr(10))[0]}") from None
    missing = [name for name in KEYS if name not in table.column_names]
    given = [task for task in TASKS if task.name in table.column_names]
    if missing or not given:
        raise DatasetError(
            f"{file}: expected the columns {', '.join(KEYS)} and one or more of "
            f"{', '.join(BY_NAME)}; found {', '.join(table.column_names) or 'none'}"
        )
    keys = list(zip(*(table[name].to_pylist() for name in KEYS), strict=True))
    try:
        place = {key: at for at, key in enumerate(keys)}
    except TypeError:
        raise DatasetError(
            f"{file}: a question's {', '.join(KEYS)} are a text and two numbers, not lists"
        ) from None
    if len(place) < len(keys):
        twice = next(key for at, key in enumerate(keys) if place[key] != at)
        raise DatasetError(f"{file}: {_named(twice)} is there twice")
    rows = np.array([place.get(key, -1) for key in asked.keys], np.int64)
    if (rows < 0).any():
        absent = asked.keys[int(np.flatnonzero(rows < 0)[0])]
        raise DatasetError(
            f"{file}: {int((rows < 0).sum())} of {len(asked)} questions have no row, the first is "
            f"{_named(absent)}"
        )
    found: Predictions = {}
    for task in given:
        column = table[task.name].combine_chunks()
        try:
            values = _floats(column, task)[rows]
        except (ValueError, TypeError, pa.ArrowException) as error:
            raise DatasetError(f"{file}: column {task.name}: {error}") from None
        _check(file, task, values, asked)
        found[task.name] = values
    return found


def write_predictions(file: Path | str, asked: Questions, found: Mapping[str, ArrayLike]) -> None:
    """Write the predictions of some tasks, arrays or lists, as 32-bit floats.

    Raises DatasetError for an unknown task, another shape, or what are no numbers.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: pa.array(asked.columns[name].tolist()) for name in KEYS}
    for name, values in found.items():
        task = BY_NAME.get(name)
        if task is None:
            raise DatasetError(f"no task {name!r}: the tasks are {', '.join(BY_NAME)}")
        wanted = (len(asked), *task.shape)
        try:
            given = np.asarray(values)
        except ValueError:
            given = np.array(None)  # lists of different lengths
        if given.dtype.kind not in "fiub":
            raise DatasetError(f"{name}: expected numbers of shape {wanted}")
        with np.errstate(over="ignore"):
            numbers = given.astype(np.float32)
        if not np.isfinite(numbers).all():
            raise DatasetError(f"{name}: some predictions are no finite numbers")
        if numbers.shape not in (wanted, (len(asked), task.width)):
            raise DatasetError(f"{name}: predictions of shape {numbers.shape}, expected {wanted}")
        flat = pa.array(numbers.reshape(-1))
        columns[name] = pa.FixedSizeListArray.from_arrays(flat, task.width) if task.shape else flat
    with whole_file(Path(file)) as part:
        pq.write_table(pa.table(columns), part, compression="zstd")


def _floats(column: object, task: Task) -> Floats:
    """(n, *shape) of a column. Raises ValueError where its values have another length."""
    import pyarrow as pa

    assert isinstance(column, pa.Array)
    if column.null_count:
        raise ValueError(f"{column.null_count} values are null")
    if not task.shape:
        return np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    lengths = np.unique(np.asarray(pa.compute.list_value_length(column)))
    if len(column) and lengths.tolist() != [task.width]:
        raise ValueError(f"lists of {lengths.tolist()} numbers, expected {task.width}")
    flat = column.flatten().cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.asarray(flat).reshape(len(column), *task.shape)


def _check(file: Path, task: Task, values: Floats, asked: Questions) -> None:
    flat = values.reshape(len(values), -1)
    bad = ~((flat >= 0) & (flat <= 1 + TOLERANCE)).all(axis=1)
    if task.sums:
        sums = flat.reshape(len(values), -1, task.sums).sum(axis=2)
        bad |= (np.abs(sums - 1) > TOLERANCE).any(axis=1)
    if bad.any():
        what = f"probabilities that sum to one by {task.sums}" if task.sums else "probabilities"
        first = asked.keys[int(np.flatnonzero(bad)[0])]
        raise DatasetError(
            f"{file}: column {task.name}: {_named(first)} and {int(bad.sum()) - 1} others are no "
            f"{what}"
        )


def _named(key: tuple[str, int, int]) -> str:
    game, hand, discards = key
    return f"game {game}, hand {hand}, discard {discards}"
