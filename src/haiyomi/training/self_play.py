"""Self-play games of the imitation, as training rows for pretraining.

Discards are evidence of the hand, but a few thousand real games contain too few riichi and
melded hands: networks overfit them before they learn the pattern. The imitation was fitted to
every decision of the train split; its games supply any number of hands, each with its truth.

::

    FOLDER/plan.json               which games (written first)
    FOLDER/train/*.mjlog           the games
    FOLDER/seals/<shard>.json      the sizes and hashes of some games' records
    FOLDER/dataset, FOLDER/rows    the labels and the observations of each decision
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import haiyomi
from haiyomi.shards import Jobs
from haiyomi.storage.resume import PlannedFolder, Task
from haiyomi.storage.seal import write_seal
from haiyomi.storage.whole_file import make_folder, whole_file
from haiyomi.styles.policy import policy_hash
from haiyomi.training.dataset import build
from haiyomi.training.fit_boosting import Labels, labels_of
from haiyomi.training.played_games import DRAWN, GamesToPlay, write_games
from haiyomi.training.reading_rows import ReadingRows, build_rows, load_rows

SETS: Final = ((9001, "policy:pooled"), (9002, "policy:pooled,open-riichi,closed,even-damaten"))
"""Seeds and styles: half of the games are of four players alike, half of four kinds."""
GAMES_A_SHARD = 12


@dataclass(frozen=True, slots=True)
class _Sealed:
    """Games to play, and where the seal over their records goes."""

    games: GamesToPlay
    seal: Path


def _write_sealed(work: _Sealed) -> None:
    write_games(work.games)
    make_folder(work.seal.parent)
    with whole_file(work.seal) as part:
        write_seal(part, [work.games.file(n) for n in work.games.numbers], {})


def self_play(
    folder: Path, games: int, bar: Callable[[str, str], Any], jobs: Jobs = None
) -> tuple[ReadingRows, Labels]:
    """Rows and labels of ``games`` games, half of each of SETS; a killed run goes on.

    ``bar(what, unit)`` is a context giving a progress callback. Raises DatasetError if the
    folder holds something else.
    """
    records = folder / "train"
    tasks = []
    for place, (seed, styles) in enumerate(SETS):
        numbers = range((games + 1 - place) // len(SETS))
        for at in range(0, len(numbers), GAMES_A_SHARD):
            played = GamesToPlay(seed, numbers[at : at + GAMES_A_SHARD], styles, records)
            seal = folder / "seals" / f"{seed}-{played.numbers[0]:05d}.json"
            tasks.append(Task(_Sealed(played, seal), seal, len(played.numbers)))
    plan = {
        "haiyomi": haiyomi.__version__,
        "policy_sha256": policy_hash(),
        "games": games,
        "sets": [list(each) for each in SETS],
        "temperature": DRAWN,
    }
    with bar("self-play", "games") as progress:
        PlannedFolder(folder, plan, "games").finish(tasks, _write_sealed, jobs, progress)
    with bar("what is true of them", "games") as progress:
        build(folder, folder / "dataset", jobs, progress)
    with bar("what was seen of them", "games") as progress:
        build_rows(folder, folder / "rows", jobs, progress)
    rows = load_rows(folder / "rows", "train")
    return rows, labels_of(folder / "dataset", rows, "train")
