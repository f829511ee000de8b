"""Folders of paired branches, made a shard at a time and resumable.

::

    OUT/plan.json     the games, the policy and the settings (written first)
    OUT/<shard>.npz   the branches of some games: the arrays of ``Branches``
    OUT/<shard>.json  the seal of that file
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import haiyomi
from haiyomi.arrays import Ints32
from haiyomi.corpus.splits import SPLITS
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DamageError, DatasetError
from haiyomi.game.decision_record import DECISION, as_bytes
from haiyomi.game.packed_games import game_key
from haiyomi.kernels.game_rows import GameWords
from haiyomi.kernels.replay import rule_numbers
from haiyomi.kernels.tables import new_games
from haiyomi.outcomes.later_models import SHIPPED as OPTIONS_FILE
from haiyomi.outcomes.option_actions import OptionActions
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator
from haiyomi.storage.arrays_file import read_arrays, save_arrays
from haiyomi.storage.json_file import read_json
from haiyomi.storage.resume import PLAN, PlannedFolder, Progress, Task
from haiyomi.storage.seal import digest, write_seal
from haiyomi.storage.whole_file import whole_file
from haiyomi.styles.policy import Policy
from haiyomi.styles.self_play import play_out
from haiyomi.training.branches import Branches, BranchSettings, branches_of
from haiyomi.training.packed_reader import PackedShard, digest_of, read_shard, shards_of

GAMES_A_SHARD: Final = 64
"""Of self-play; a packed shard has 256."""


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Hanchan of the policy at all seats, by seed and numbers."""

    seed: int
    numbers: range

    @property
    def name(self) -> str:
        """The name of a shard of them."""
        return f"{self.seed}-{self.numbers.start:06d}"


Source = PackedShard | PlayedGames


@dataclass(frozen=True, slots=True)
class _Work:
    source: Source
    policy: Path
    settings: BranchSettings
    state: Path | None
    file: Path


def recorded_sources(packed: Path, split: str, shards: int | None = None) -> list[Source]:
    """The shards of a split of packed games, the first ``shards``. Raises DatasetError."""
    named = [name for name in SPLITS if name == split]
    if not named:
        raise DatasetError(f"no split {split!r}: expected one of {', '.join(SPLITS)}")
    return list(shards_of(packed, named[0])[:shards])


def played_sources(seed: int, games: int) -> list[Source]:
    """``games`` hanchan of self-play."""
    starts = range(0, games, GAMES_A_SHARD)
    return [PlayedGames(seed, range(at, min(at + GAMES_A_SHARD, games))) for at in starts]


def make_branches(
    sources: Sequence[Source],
    policy: Path,
    out: Path,
    settings: BranchSettings,
    jobs: Jobs,
    progress: Progress | None = None,
    state: Path | None = None,
) -> None:
    """Play the branches of some games, or go on with that; ``state``: the file of the network that
    says at the next own turn how the hand ends. Raises DatasetError, ModelError."""
    tasks = []
    for source in sources:
        file = out / f"{_name(source)}.npz"
        work = _Work(source, policy, settings, state, file)
        tasks.append(Task(work, file.with_suffix(".json"), 1))
    plan = plan_of(sources, policy, settings, state)
    PlannedFolder(out, plan, "branches").finish(tasks, _make, jobs, progress)


def plan_of(
    sources: Sequence[Source], policy: Path, settings: BranchSettings, state: Path | None = None
) -> dict[str, object]:
    """All that the branches depend on, with the hashes of the files."""
    packed = [source for source in sources if isinstance(source, PackedShard)]
    played = [source for source in sources if isinstance(source, PlayedGames)]
    return {
        "haiyomi": haiyomi.__version__,
        "policy_sha256": digest(policy),
        "records_sha256": digest_of(packed) if packed else None,
        "played": [part.name for part in played],
        "settings": asdict(settings),
        "state_sha256": None if state is None else digest(state),
        "options_sha256": digest(OPTIONS_FILE) if settings.improved else None,
    }


def described(*folders: Path) -> dict[str, Any]:
    """What a manifest says of branches: the command, and of each folder the hashes of its records
    and networks and how its decisions were drawn. Raises DatasetError where a folder has no plan
    that can be read."""
    try:
        plans = [read_json(folder / PLAN) for folder in folders]
    except (OSError, ValueError) as error:
        raise DatasetError(f"a folder of branches has no readable {PLAN}: {error}") from None
    data = {f"branches {number}": plan for number, plan in enumerate(plans, 1)}
    return {"command": "haiyomi fit options", "haiyomi": haiyomi.__version__, **data}


def load_branches(*folders: Path, shards: int | None = None) -> Branches:
    """The branches of some folders, of the first ``shards`` that are in each.

    Raises DatasetError where there are none, or a file is damaged.
    """
    files = []
    for folder in folders:
        if not (folder / PLAN).is_file():
            raise DatasetError(f"{folder} holds no branches (no {PLAN})")
        found = sorted(folder.glob("*.npz"))[:shards]
        if not found:
            raise DatasetError(f"{folder} holds no branches yet")
        files += found
    try:
        parts = [read_arrays(file) for file in files]
    except (DamageError, OSError) as error:
        raise DatasetError(str(error)) from None
    starts = np.cumsum([0, *(len(part["records"]) for part in parts)])
    firsts = np.cumsum([0, *(len(part["row"]) for part in parts)])
    parts = [
        part | {"row": part["row"] + start, "taken": part["taken"] + first}
        for part, start, first in zip(parts, starts, firsts, strict=False)
    ]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    if not len(joined["records"]):
        raise DatasetError(f"{folders[0]} holds no branches: none of its decisions was drawn")
    records = joined["records"].view(DECISION).reshape(-1)
    wide = {name: joined[name].astype(np.int64) for name in ("row", "first", "second")}
    options = OptionActions.of(records, wide["row"], wide["first"], wide["second"])
    rest = {name: joined[name] for name in _COLUMNS}
    return Branches(records, joined["number"], options, **rest)


_COLUMNS: Final = (
    "taken", "drawn", "ronned", "ending", "worth", "deposits", "change",
    "turn", "turn_ending", "turn_own", "turn_points",
)  # fmt: skip


def _name(source: Source) -> str:
    return source.name.replace("/", "-")


def _make(work: _Work) -> None:
    """One shard and its seal."""
    policy = _policy(work.policy)
    if isinstance(work.source, PackedShard):
        games = read_shard(work.source).words
    else:
        games = played_words(work.source, policy)
    rng = generator(work.settings.seed, "branches", _name(work.source))
    state = None if work.state is None else _policy(work.state).network
    made = branches_of(games, policy, work.settings, rng, state)
    options = made.options
    arrays = {
        "records": as_bytes(made.records),
        "number": made.number,
        "row": options.row.astype(np.int32),
        "first": options.first,
        "second": options.second,
        **{name: getattr(made, name) for name in _COLUMNS},
    }
    save_arrays(work.file, arrays)
    seal = work.file.with_suffix(".json")
    with whole_file(seal) as part:
        write_seal(part, [work.file], {"decisions": len(made), "branches": len(options)})


@cache
def _policy(path: Path) -> Policy:
    return Policy.load(path)


def played_words(played: PlayedGames, policy: Policy) -> GameWords:
    """The words of games of a policy at all seats, at temperature 1."""
    n = len(played.numbers)
    tables = new_games(TENHOU, [played.seed] * n, list(played.numbers), keep=True)
    play_out(tables, policy, both=False)
    words: list[Ints32] = []
    hands, games = [0], [0]
    for i in range(n):
        of_game, begins, _ = tables.recorded(i)
        ends = [*begins.tolist()[1:], len(of_game)]
        hands += [hands[games[-1]] + end for end in ends]
        games.append(len(hands) - 1)
        words.append(of_game)
    _, scores = tables.standings()
    rules = (*rule_numbers(TENHOU), TENHOU.rounds)
    keys = [game_key(f"{played.seed}/{number}") for number in played.numbers]
    return GameWords(
        np.concatenate(words),
        np.array(hands, np.int64),
        np.array(games, np.int64),
        np.array(keys, np.uint64),
        np.array([rules] * n, np.int32),
        np.ones(n, np.uint8),
        scores,
        np.zeros((0, 5), np.int32),
    )
