"""Games that the imitation plays with itself, as rows to learn from before any real record.

What people discard says what they hold, but a few thousand games hold too few riichi and melded
hands to learn that from: networks know those by heart before they know the rule. The imitation
learned people's choices from every decision of the train split; its own games carry what it
knows to as many hands as are wanted, each with its truth.

::

    FOLDER/plan.json               which games (written first)
    FOLDER/train/*.mjlog           the games
    FOLDER/dataset, FOLDER/rows    what is true of each decision, and what was seen of it
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from haiyomi.logs.load import write
from haiyomi.resume import Task, finish
from haiyomi.shards import Jobs
from haiyomi.styles.imitated_game import imitated, parse_imitated
from haiyomi.styles.policy import shipped_policy
from haiyomi.training.dataset import build
from haiyomi.training.fit_boosting import Labels, labels_of
from haiyomi.training.reading_rows import ReadingRows, build_rows, load_rows
from haiyomi.whole import whole_file

SETS: Final = ((9001, "policy:pooled"), (9002, "policy:pooled,open-riichi,closed,even-damaten"))
"""Seeds and styles: half of the games are of four players alike, half of four kinds."""
TEMPERATURE: Final = 1.0
"""Choices are drawn from the probabilities: as varied as people's."""
GAMES_A_SHARD = 12


@dataclass(frozen=True, slots=True)
class _Work:
    seed: int
    styles: str
    numbers: range
    folder: str


def _file(folder: Path, seed: int, number: int) -> Path:
    return folder / f"haiyomi-{seed}-{number:05d}.mjlog"


def play_shard(work: _Work) -> None:
    """Play some games and write their records, those that are not there yet (idempotent)."""
    Path(work.folder).mkdir(parents=True, exist_ok=True)
    policy = shipped_policy()
    styles = parse_imitated(work.styles, policy)
    for number in work.numbers:
        file = _file(Path(work.folder), work.seed, number)
        if not file.exists():
            game = imitated(work.seed, number, policy, styles, temperature=TEMPERATURE)
            with whole_file(file) as part:
                part.write_text(write(game, "mjlog"), encoding="utf-8")


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
            some = numbers[at : at + GAMES_A_SHARD]
            last = _file(records, seed, some[-1])
            tasks.append(Task(_Work(seed, styles, some, str(records)), last, len(some)))
    plan = {"games": games, "sets": [list(each) for each in SETS], "temperature": TEMPERATURE}
    with bar("self-play", "games") as progress:
        finish(folder, plan, tasks, play_shard, jobs, progress, "games")
    with bar("what is true of them", "games") as progress:
        build(folder, folder / "dataset", jobs, progress)
    with bar("what was seen of them", "games") as progress:
        build_rows(folder, folder / "rows", jobs, progress)
    rows = load_rows(folder / "rows", "train")
    return rows, labels_of(folder / "dataset", rows, "train")
