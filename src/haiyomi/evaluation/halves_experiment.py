"""The default model on every game of the corpus, each predicted by a model not fitted on it.

A train game is predicted by the model fitted on the other half of the games (``fit posterior
--halves``), a game of valid or test by the shipped model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import haiyomi
from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.errors import DatasetError
from haiyomi.evaluation.dealin_experiment import Answered, answer
from haiyomi.evaluation.dealin_tables import table2_percent
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.training.fit_default import HALVES, half_model_file
from haiyomi.training.fit_posterior import games_of_half
from haiyomi.training.reading_rows import load_rows

TENTH = 10


def halves_results(
    corpus: Path,
    rows_folder: Path,
    halves: Path,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Table 2 (b): tenth discards of all games. Raises DatasetError if a half is missing."""
    files = corpus_files(corpus) or {}
    train = load_rows(rows_folder, "train")
    parts = []
    for number, first in enumerate(HALVES):
        model = half_model_file(halves, number)
        if not model.exists():
            raise DatasetError(
                f"no model {model}: make it by haiyomi fit posterior --halves {halves}"
            )
        unseen = games_of_half(train, not first)
        records = Corpus(files.get("train", [])).distinct()
        mine = records.where(lambda e, of=unseen: e.game_name in of)  # type: ignore[misc]
        parts.append(answer(mine, str(model), ("node",), TENTH, jobs, progress))
    rest = Corpus([path for split in ("valid", "test") for path in files.get(split, [])])
    parts.append(answer(rest.distinct(), "posterior", ("node",), TENTH, jobs, progress))
    result = Answered.concat(parts)
    return {
        "experiment": "evaluate halves",
        "haiyomi": haiyomi.__version__,
        "games": len(result.rows.games),
        "skipped": [list(s) for s in result.skipped],
        "table2": {"b": table2_percent(result.rows.tables["node"])},
    }
