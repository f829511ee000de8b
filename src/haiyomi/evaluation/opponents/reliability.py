"""Bins of a reliability diagram: observed against predicted, from the rows of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import DatasetError
from haiyomi.evaluation.metrics import rate_interval
from haiyomi.reading.opponent_class import CLASSES

BINS: Final = 20
_NEEDED: Final = {
    "game": "string", "hand": "int32", "decision": "int32", "class": "string",
    "probability": "double", "label": "int32",
}  # fmt: skip
_MOST: Final = {"hand": (1 << 20) - 1, "decision": (1 << 20) - 1, "probability": 1, "label": 1}


def bins(p: NDArray[Any], label: NDArray[Any]) -> list[tuple[float, float, float, float]]:
    """(mean predicted, observed, low, high) of each equal-count bin, 95% Wilson intervals."""
    out = []
    for part in np.array_split(np.argsort(p, kind="stable"), BINS):
        if len(part):
            hits = int(label[part].sum())
            out.append((float(p[part].mean()), hits / len(part), *rate_interval(hits, len(part))))
    return out


def threat_rows(path: Path, opponent_class: str | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """(predicted, observed) of a file that ``haiyomi evaluate dealin --rows`` wrote: its decisions
    with an opponent in riichi or with an open meld; those of one class of opponent, or of all.

    Raises OSError, and DatasetError for another file, another class, and where no row is left.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if opponent_class is not None and opponent_class not in CLASSES:
        raise DatasetError(f"no class {opponent_class!r}: the classes are {', '.join(CLASSES)}")
    try:
        with path.open("rb") as file:  # pyarrow's own error names no file
            found = pq.ParquetFile(file)
            missing = _NEEDED.keys() - set(found.schema_arrow.names)
            if missing:  # pyarrow's own error has the whole schema
                raise DatasetError(
                    f"{path} has no column {sorted(missing)[0]}: write it anew with "
                    "`haiyomi evaluate dealin --rows`"
                )
            table = found.read(columns=list(_NEEDED))
            table = pa.table({name: table[name].cast(kind) for name, kind in _NEEDED.items()})
    except (pa.ArrowException, KeyError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path} is not a file of `evaluate dealin --rows`: {error}") from None
    for name, most in _MOST.items():
        values = table[name].to_numpy()
        if table[name].null_count or not ((values >= 0) & (values <= most + 1e-6)).all():
            raise DatasetError(f"{path}: column {name} has what is no number from 0 to {most}")
    if table["game"].null_count or table["class"].null_count:
        raise DatasetError(f"{path}: a row has no game or no class")
    games = table["game"].combine_chunks().dictionary_encode().indices.to_numpy()
    hand, decision = (table[c].to_numpy().astype(np.int64) for c in ("hand", "decision"))
    number = np.unique(games.astype(np.int64) << 40 | hand << 20 | decision, return_inverse=True)[1]
    classes = np.array(table["class"].to_pylist(), dtype=np.str_)
    threat = np.bincount(number, classes != "closed")[number] > 0
    kept = threat if opponent_class is None else threat & (classes == opponent_class)
    if not kept.any():
        raise DatasetError(f"{path} has no row of that kind")
    return table["probability"].to_numpy()[kept], table["label"].to_numpy()[kept]
