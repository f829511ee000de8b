"""The benchmark's own games: self-play of the imitation, the same bytes on every processor.

Records of people cannot be given away; these games can be made anywhere. Walls and random numbers
are integers of a seed, and the players' choices come from a policy that the benchmark keeps, with
every product rounded (``Network.rounded``), so that no bit depends on the processor, the compiler's
options, the number of processes or the policy that a release ships. Each seat of each game plays in
one of ``STYLES``, which no column names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.corpus.splits import SPLITS, Split
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.events import Game
from haiyomi.kernels.tables import new_games
from haiyomi.play.tables import recorded_game
from haiyomi.rules import TENHOU
from haiyomi.storage.resume import Derived, PlannedFolder, Progress, Task
from haiyomi.storage.seal import digest, is_sound
from haiyomi.styles.policy import Policy
from haiyomi.styles.self_play import BATCH, play_out
from haiyomi.training.packed_corpus import (
    GAMES_A_SHARD,
    MANIFEST,
    SEAL,
    manifest_of,
    row_of_game,
    write_rows,
)
from haiyomi.training.packed_reader import every_shard, read_shard

VERSION: Final = 1
"""The version of the benchmark: results of different versions do not compare."""
SEED: Final = 27
STYLES: Final = ("pooled", "open-riichi", "closed", "even-damaten")
TEMPERATURE: Final = 1.0
PLAYER: Final = Path(__file__).with_name("player.safetensors")
"""The policy that plays. Another one would play other games: they would be another version."""
SIZES: Final = {"tiny": 40, "small": 1_000, "full": 10_000}
"""Games by name: a smaller size holds the first games of a larger one, in the same splits."""
RECORDED: Final = {
    40: "8487272a3f570ed67954c040e2c3c1bdb706606e33d4958673cb668607fef269",
    1_000: "eca897c5299dc099c15ccb54e39853b39d367f906629bf1a832048c5c1b693c0",
    10_000: "16b7feac9f49ee3cc9bdb38f07de48ea135e2377f1e8a2caa5b9ed2c33ac1916",
}
"""Number of games -> the hash of that many first games; those of every size are compared."""


def make_games(
    out: Path, size: str, jobs: Jobs, progress: Progress | None = None
) -> dict[Split, int]:
    """Play the games of a size into a folder of packed games, or finish an earlier run.

    Returns how many games each split has. Raises DatasetError where the folder holds something
    else, and where the games are not those ``RECORDED``.
    """
    numbers: dict[Split, list[int]] = {split: [] for split in SPLITS}
    for number in range(SIZES[size]):
        numbers[split_of(number)].append(number)
    shards = {
        f"{split}/{at // GAMES_A_SHARD:05d}": tuple(some[at : at + GAMES_A_SHARD])
        for split, some in numbers.items()
        for at in range(0, len(some), GAMES_A_SHARD)
    }
    policy = digest(PLAYER)
    plan = {"benchmark": VERSION, "games": SIZES[size], "policy_sha256": policy}
    tasks = [
        Task(_Work(str(out / name), some), out / name / SEAL, len(some))
        for name, some in shards.items()
    ]

    def manifest() -> list[bytes]:
        return [json.dumps(manifest_of(out, list(shards)), indent=1).encode() + b"\n"]

    derived = [Derived(out / MANIFEST, manifest)]
    PlannedFolder(out, plan, "a benchmark").finish(tasks, _play_shard, jobs, progress, derived)
    lines = _lines_of(out)
    for first, recorded in RECORDED.items():
        if first <= len(lines) and _digest(lines[:first]) != recorded:
            raise DatasetError(
                f"{out}: the first {first} games are not those that this haiyomi records: it was "
                "built with options under which it plays differently"
            )
    return {split: len(some) for split, some in numbers.items()}


def split_of(number: int) -> Split:
    """The split of a game by a hash of its number: 80% train, 10% valid, 10% test."""
    tenth = _hash_of("split", number)[0] % 10
    return "test" if tenth == 0 else "valid" if tenth == 1 else "train"


def styles_of(number: int) -> tuple[str, str, str, str]:
    """In which style each absolute seat of a game plays, by a hash of its number."""
    a, b, c, d = (STYLES[byte % len(STYLES)] for byte in _hash_of("styles", number)[:4])
    return a, b, c, d


def play(numbers: Sequence[int]) -> list[Game]:
    """The games of some numbers; their players are named by their styles."""
    policy = _players()
    vectors = np.array([[policy.style(name) for name in styles_of(n)] for n in numbers])
    tables = new_games(TENHOU, [SEED] * len(numbers), list(numbers), keep=True)
    play_out(tables, policy, vectors, TEMPERATURE, both=False)
    games = []
    for at, number in enumerate(numbers):
        game = recorded_game(tables, at, TENHOU)
        assert game is not None
        games.append(replace(game, header=replace(game.header, names=styles_of(number))))
    return games


def digest_of_games(packed: Path) -> str:
    """The SHA-256 of packed games of all splits: of their names, splits and words.

    It does not depend on how the files are written. Raises DatasetError for damaged files.
    """
    return _digest(_lines_of(packed))


def _lines_of(packed: Path) -> list[str]:
    """A line for each game in order of the names: name, split, hash of the words."""
    found = []
    for split, shards in every_shard(packed).items():
        for shard in shards:
            games = read_shard(shard)
            words = games.words
            for at, name in enumerate(games.game.tolist()):
                hands = words.hands[words.games[at] : words.games[at + 1] + 1]
                content = hashlib.sha256((hands - hands[0]).astype("<i8").tobytes())
                content.update(words.words[hands[0] : hands[-1]].astype("<i4").tobytes())
                found.append(f"{name} {split} {content.hexdigest()}\n")
    return sorted(found)


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Work:
    out: str
    numbers: tuple[int, ...]


def _play_shard(work: _Work) -> None:
    """Play and pack a shard's games unless they are there already (idempotent)."""
    out = Path(work.out)
    if is_sound(out / SEAL):
        return
    rows = []
    for at in range(0, len(work.numbers), BATCH):
        some = work.numbers[at : at + BATCH]
        named: Iterable[tuple[int, Game]] = zip(some, play(some), strict=True)
        rows += [row_of_game(f"benchmark-{VERSION}-{n:05d}", game) for n, game in named]
    write_rows(out, rows)


@cache
def _players() -> Policy:
    policy = Policy.load(PLAYER)
    return replace(policy, network=replace(policy.network, rounded=True))


def _hash_of(what: str, number: int) -> bytes:
    return hashlib.sha256(f"haiyomi benchmark {VERSION} {what} {number}".encode()).digest()
