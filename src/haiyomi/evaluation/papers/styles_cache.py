"""The records of an experiment on styles, and their tallies, counted once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.storage.arrays_file import load_arrays, save_arrays
from haiyomi.storage.resume import Bar
from haiyomi.styles.count_records import count_styles
from haiyomi.styles.statistics import HANCHAN
from haiyomi.styles.sums_table import Tallies


def train_and_valid(corpus: Path) -> tuple[list[Path], list[Path]]:
    """The files of the two splits. Raises DatasetError where one is missing."""
    files = corpus_files(corpus)
    if "train" not in files or "valid" not in files:
        raise DatasetError(f"{corpus} has no train and valid split")
    return files["train"], files["valid"]


def mark_of(sources: Sequence[Path]) -> str:
    """The digest of records, which marks the steps that are kept: a step of others is not used."""
    digests = "".join(Corpus(source).sha256() for source in sources)
    return hashlib.sha256(digests.encode()).hexdigest()


def tallies_of_sources(
    sources: Sequence[Path], cache: Path, mark: str, engine: Jobs, bar: Bar, rounds: int = HANCHAN
) -> Tallies:
    """The tallies of the games of that length, counted or as an earlier run over the same records
    kept them."""
    path = cache / f"tallies-{rounds}.npz"
    kept = load_arrays(path)
    if kept is not None and str(kept.get("mark")) == mark:
        return Tallies(
            tuple(map(str, kept["players"])), tuple(map(str, kept["games"])),
            kept["player"], kept["game"], kept["sums"],
        )  # fmt: skip
    with bar("counting") as step:
        tallies = count_styles(sources, engine, step, rounds).tallies()
    state = {"mark": mark, "players": tallies.players, "games": tallies.games}
    arrays = {"player": tallies.player, "game": tallies.game, "sums": tallies.sums}
    save_arrays(path, arrays | {name: np.array(value) for name, value in state.items()})
    return tallies
