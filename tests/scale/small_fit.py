"""A fit of seconds for the tests that kill it: rows, a walk with checkpoints, a model file.

python tests/scale/small_fit.py CORPUS OUT JOBS
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from haiyomi.storage.folder_lock import only_writer
from haiyomi.storage.whole_file import whole_file
from haiyomi.training.fit_chain import Settings, fit
from haiyomi.training.reading_rows import build_rows, load_rows

SETTINGS = Settings(width=8, layers=1, passes=4.0, batch=16, every=5)


def main(corpus: Path, out: Path, jobs: int) -> None:
    """The functions of ``haiyomi fit reading``, with a network small enough to be fitted often."""
    build_rows(corpus, out / "rows", jobs)
    train, valid = load_rows(out / "rows", "train"), load_rows(out / "rows", "valid")
    rows = np.arange(min(len(train), 400))
    checkpoint = out / "walk.npz"
    with only_writer(out):
        weights, _ = fit(train.take(rows), valid.take(np.arange(50)), SETTINGS, checkpoint)
    with whole_file(out / "weights.npz", single_writer=True) as part, part.open("wb") as stream:
        np.savez(stream, **{name: weights[name] for name in sorted(weights)})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
