"""Adam with a learning-rate schedule and checkpoints, so that a killed fit can resume.

Written here instead of taken from a framework, so that a seed gives the same weights whatever
version of a framework is installed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import DatasetError
from haiyomi.storage.arrays_file import load_arrays, save_arrays

Arrays = dict[str, NDArray[Any]]
History = list[dict[str, Any]]


def step_progress(progress: Callable[[int, int], None]) -> Callable[[dict[str, Any]], None]:
    """A callback for a fit's log lines that moves a progress bar."""
    return lambda line: progress(line["step"], line["steps"])


@dataclass(frozen=True, slots=True)
class Schedule:
    """A learning-rate schedule of ``steps``: a linear warm-up over ``warm`` steps, then a cosine.

    ``tables`` names the weights with the learning rate ``table_rate``, ``decayed`` those with
    weight decay ``decay``.
    """

    steps: int
    warm: int
    rate: float
    table_rate: float
    decay: float
    tables: frozenset[str]
    decayed: frozenset[str]

    def rate_of(self, name: str, done: int) -> float:
        """The learning rate of a weight at a step, counted from 1."""
        cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, done / self.steps)))
        rate = self.table_rate if name in self.tables else self.rate
        return rate * min(1.0, done / self.warm) * cosine


class Adam:
    """AdamW with a Schedule; gradients are clipped to a norm of one."""

    def __init__(self, weights: Arrays, schedule: Schedule) -> None:
        self.schedule = schedule
        self.done = 0
        self.first = {k: np.zeros_like(v) for k, v in weights.items()}
        self.second = {k: np.zeros_like(v) for k, v in weights.items()}

    def step(self, weights: Arrays, gradient: Arrays) -> None:
        """One step, in place."""
        schedule = self.schedule
        self.done += 1
        norm = math.sqrt(sum(float((g.astype(np.float64) ** 2).sum()) for g in gradient.values()))
        cut = min(1.0, 1.0 / max(norm, 1e-12))
        for name, weight in weights.items():
            g = gradient[name] * weight.dtype.type(cut)
            a, b = self.first[name], self.second[name]
            a *= weight.dtype.type(0.9)
            a += weight.dtype.type(0.1) * g
            b *= weight.dtype.type(0.999)
            b += weight.dtype.type(0.001) * g * g
            rate = schedule.rate_of(name, self.done)
            rate *= math.sqrt(1 - 0.999**self.done) / (1 - 0.9**self.done)
            weight -= (rate * a / (np.sqrt(b) + 1e-8)).astype(weight.dtype)
            if name in schedule.decayed:
                weight -= (rate * schedule.decay * weight).astype(weight.dtype)

    def save(self, path: Path, mark: str, weights: Arrays, history: History) -> None:
        """Write a checkpoint atomically; ``mark`` identifies its rows and settings."""
        arrays: dict[str, Any] = {f"w {k}": v for k, v in weights.items()}
        arrays |= {f"a {k}": v for k, v in self.first.items()}
        arrays |= {f"b {k}": v for k, v in self.second.items()}
        arrays |= {"mark": np.array(mark), "done": np.array(self.done)}
        save_arrays(path, arrays | {"history": np.array(json.dumps(history))})

    def resume(self, path: Path, mark: str, weights: Arrays) -> History:
        """Resume from a checkpoint, if there is one: sets the weights and the state, returns the
        history. A damaged one is reported, and the fit starts again.

        Raises DatasetError if it is of other rows or settings.
        """
        data = load_arrays(path)
        if data is None:
            return []
        if "mark" not in data or str(data["mark"]) != mark:
            raise DatasetError(f"{path} is the checkpoint of other rows or settings")
        for name in weights:
            weights[name] = data[f"w {name}"]
            self.first[name] = data[f"a {name}"]
            self.second[name] = data[f"b {name}"]
        self.done = int(data["done"])
        history: History = json.loads(str(data["history"]))
        return history
