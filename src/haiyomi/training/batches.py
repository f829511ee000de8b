"""The batches of a training run, cut from segments of decision records.

A segment is what is decoded and held at once, shuffled, and cut into batches; a run remembers
which segment of which pass it is in, so that it resumes without decoding those before.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from haiyomi.arrays import Ints
from haiyomi.errors import DatasetError
from haiyomi.game.decision_record import Decisions
from haiyomi.rows import Rows
from haiyomi.seeds import generator


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows(Rows):
    """n decisions: ``records`` of DECISION, ``labels`` of LABELS (for the policy alone, a type with
    ``choice`` is enough), ``player`` (n,) a row of the style table, 0 for none."""

    records: Decisions
    labels: NDArray[Any]
    player: Ints


class Source(Protocol):
    """Rows in segments."""

    @property
    def digest(self) -> str:
        """A hash of what the rows are made of."""
        ...

    @property
    def segments(self) -> int:
        """Segments in a pass."""
        ...

    def segment(self, epoch: int, index: int) -> TrainingRows:
        """One segment of a pass; the same for the same arguments."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is: pass, segment of it, and batch of that."""

    epoch: int = 0
    segment: int = 0
    batch: int = 0


def batches(
    source: Source, size: int, seed: int, place: Place
) -> Iterator[tuple[Place, TrainingRows]]:
    """Batches of ``size`` rows without end, each with the place after it. Rows that do not fill a
    batch are left out; a segment with fewer rows is one batch. The next segment is decoded
    meanwhile. Raises DatasetError if no segment has rows."""
    pool = ThreadPoolExecutor(1)
    try:
        nothing = 0
        loading = pool.submit(source.segment, place.epoch, place.segment)
        while True:
            epoch, index = place.epoch, place.segment
            rows = loading.result()
            following = _after(place, source.segments)
            loading = pool.submit(source.segment, following.epoch, following.segment)
            order = generator(seed, "rows", epoch, index).permutation(len(rows))
            number = max(len(rows) // size, min(len(rows), 1))
            nothing = 0 if number else nothing + 1
            if nothing > source.segments:
                raise DatasetError("no segment has rows")
            for at in range(place.batch, number):
                after = Place(epoch, index, at + 1) if at + 1 < number else following
                yield after, rows.take(order[at * size : (at + 1) * size])
            place = following
    finally:
        # A run that stops does not wait for the segment that is being decoded.
        pool.shutdown(wait=False, cancel_futures=True)


def _after(place: Place, segments: int) -> Place:
    if place.segment + 1 < segments:
        return Place(place.epoch, place.segment + 1)
    return Place(place.epoch + 1)
