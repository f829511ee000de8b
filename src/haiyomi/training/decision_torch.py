"""The decision data set for PyTorch: by index, or as a stream of shuffled batches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset, IterableDataset, get_worker_info

from haiyomi.corpus.splits import Split
from haiyomi.errors import DatasetError
from haiyomi.training.decision_columns import BY_NAME
from haiyomi.training.decision_files import Batch, DecisionFiles

Tensors = dict[str, torch.Tensor]


class DecisionDataset(Dataset):
    """Rows by index. It keeps the file that it read last: draw indices file by file, or use
    ``DecisionBatches``. Raises DatasetError as ``DecisionFiles``, and for the column ``game``,
    which is text."""

    def __init__(
        self, folder: Path | str, split: Split = "train", columns: Sequence[str] = ()
    ) -> None:
        self.files = _files(folder, split, columns)
        self._ends = list(accumulate(self.files.rows))
        self._held: tuple[int, Tensors] | None = None

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> Tensors:
        if not -len(self) <= index < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        index %= len(self)
        number = bisect_right(self._ends, index)
        if self._held is None or self._held[0] != number:
            self._held = number, _tensors(self.files.read(number))
        row = index - (self._ends[number] - self.files.rows[number])
        return {name: values[row] for name, values in self._held[1].items()}


class DecisionBatches(IterableDataset):
    """One pass of batches, shuffled by file and in each file: ``DataLoader(..., batch_size=None)``.

    The workers of a DataLoader, and ``rank`` of ``ranks`` processes, share the files among them, so
    that each row comes once. ``rank`` is 0 to ``ranks`` - 1. The attribute ``epoch``, from 0,
    selects the shuffle.
    """

    def __init__(
        self,
        folder: Path | str,
        split: Split = "train",
        columns: Sequence[str] = (),
        *,
        size: int = 1024,
        seed: int = 0,
        rank: int = 0,
        ranks: int = 1,
    ) -> None:
        self.files = _files(folder, split, columns)
        self.size, self.seed, self.rank, self.ranks = size, seed, rank, ranks
        self.epoch = 0

    def __iter__(self) -> Iterator[Tensors]:
        worker = get_worker_info()
        workers, number = (1, 0) if worker is None else (worker.num_workers, worker.id)
        place, places = self.rank * workers + number, self.ranks * workers
        for batch in self.files.batches(self.size, self.seed, self.epoch, place, places):
            yield _tensors(batch)


def _files(folder: Path | str, split: Split, columns: Sequence[str]) -> DecisionFiles:
    numbers = [name for name, column in BY_NAME.items() if column.source is not None]
    if "game" in columns:
        raise DatasetError("the column game is text, which is no tensor: leave it out")
    return DecisionFiles(Path(folder), split, tuple(columns) or tuple(numbers))


def _tensors(batch: Batch) -> Tensors:
    """Masks of kinds become int64: they have 34 bits, and torch does little with uint64."""
    return {name: torch.from_numpy(_signed(values)) for name, values in batch.items()}


def _signed(values: NDArray[Any]) -> NDArray[Any]:
    kept = values.copy()
    return kept.view(np.int64) if kept.dtype == np.uint64 else kept
