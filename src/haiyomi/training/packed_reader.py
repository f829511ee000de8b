"""Reads packed games: the shards of a split, and the games of a shard as the core takes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Ints32
from haiyomi.corpus.splits import SPLITS, Split
from haiyomi.errors import DamageError, DatasetError, unreadable
from haiyomi.game.packed_games import game_key
from haiyomi.kernels.game_rows import GameWords
from haiyomi.kernels.replay import rule_numbers
from haiyomi.rules import Ruleset
from haiyomi.storage.json_file import read_json
from haiyomi.storage.seal import check_file
from haiyomi.training.packed_corpus import FORMAT, GAMES, MANIFEST, arrow_schema

TABLES: Final = {
    ("houou", 2): "Houou hanchan",
    ("houou", 1): "Houou East-only",
    ("tokujou", 2): "Tokujou hanchan",
}
"""Kinds of tables by level and rounds."""
OTHER_TABLES: Final = "other tables, or no level stated"
"""The rest: games of other levels, and those whose records have none, such as self-play."""


@dataclass(frozen=True, slots=True)
class PackedShard:
    """A file of packed games, with its size in bytes and its SHA-256."""

    name: str
    file: Path
    games: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class PackedGames:
    """n games of a shard: ``words`` for the core, and facts by game.

    ``game`` (n,) names; ``players`` (n, 4) by absolute seat; ``dan`` (n, 4) and ``year`` (n,), 0
    where unknown; ``level`` (n,) a text, empty where unknown; ``rounds`` (n,).
    """

    words: GameWords
    game: NDArray[np.str_]
    players: NDArray[np.str_]
    dan: NDArray[np.int8]
    level: NDArray[np.str_]
    year: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.game)

    @property
    def table(self) -> NDArray[np.str_]:
        """(n,) the kind of table: one of TABLES, or OTHER_TABLES."""
        pairs = zip(self.level.tolist(), self.rounds.tolist(), strict=True)
        return np.array([TABLES.get(pair, OTHER_TABLES) for pair in pairs], np.str_)

    @property
    def rounds(self) -> Ints32:
        out: Ints32 = self.words.rules[:, 10]
        return out


def shards_of(packed: Path, split: Split) -> tuple[PackedShard, ...]:
    """The shards of a split in order. Raises DatasetError if there are none."""
    found = every_shard(packed).get(split, ())
    if not found:
        raise DatasetError(f"{packed} holds no games of the {split} split (of {', '.join(SPLITS)})")
    return found


def every_shard(packed: Path) -> dict[Split, tuple[PackedShard, ...]]:
    """The shards of each split in order; a split without games has none. Raises DatasetError where
    there are no packed games."""
    path = packed / MANIFEST
    try:
        manifest = read_json(path)
        if manifest["format"] != FORMAT:
            raise DatasetError(f"{path}: not packed games of format {FORMAT}")
        if "shards" not in manifest:
            raise DatasetError(f"{packed} holds no packed games (its {MANIFEST} is of other files)")
        return {
            split: tuple(
                PackedShard(str(name), packed / name / GAMES, int(games), int(size), str(sha256))
                for name, games, size, sha256 in manifest["shards"].get(split, ())
                if games
            )
            for split in SPLITS
        }
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(
            f"{packed} holds no packed games (no {MANIFEST}): `haiyomi dataset pack` makes them"
        ) from None
    except OSError as error:
        raise DatasetError(f"{path}: {unreadable(error)}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise DatasetError(f"{path}: damaged ({error})") from None


def digest_of(shards: Sequence[PackedShard]) -> str:
    """A hash of what some shards hold."""
    return hashlib.sha256("".join(shard.sha256 for shard in shards).encode()).hexdigest()


def read_shard(shard: PackedShard) -> PackedGames:
    """The games of a shard. Raises DatasetError where the file is gone or damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        check_file(shard.file, shard.size, shard.sha256)
        table = pq.read_table(shard.file, schema=arrow_schema())
        return _games(table)
    except DamageError as error:
        raise DatasetError(str(error)) from None
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise DatasetError(f"{shard.file}: damaged ({error})") from None


def _games(table: Any) -> PackedGames:
    n = len(table)
    hands, hands_of = _flat(table["hands"])
    words, _ = _flat(table["words"])
    absences, numbers = _flat(table["absences"])
    names = table["game"].to_pylist()
    rules = {text: _rules(text) for text in set(table["rules"].to_pylist())}
    final = table["final"].to_pylist()
    dan = table["dan"].to_pylist()
    changes = absences.reshape(-1, 4)
    game = np.repeat(np.arange(n, dtype=np.int32), np.diff(numbers) // 4)
    return PackedGames(
        GameWords(
            words,
            np.concatenate([[0], np.cumsum(hands, dtype=np.int64)]),
            hands_of.astype(np.int64),
            np.array([game_key(name) for name in names], np.uint64),
            np.array([rules[text] for text in table["rules"].to_pylist()], np.int32),
            np.array([scores is not None for scores in final], np.uint8),
            np.array([scores or [0] * 4 for scores in final], np.int32),
            np.ascontiguousarray(np.column_stack([game, changes]), np.int32),
        ),
        np.array(names, np.str_),
        np.array(table["names"].to_pylist(), np.str_).reshape(n, 4),
        np.array([d or [0] * 4 for d in dan], np.int8),
        np.array([level or "" for level in table["level"].to_pylist()], np.str_),
        np.array([int(date[:4]) if date else 0 for date in table["date"].to_pylist()], np.int16),
    )


def _flat(column: Any) -> tuple[Ints32, Ints32]:
    """All numbers of a column of lists, and where each list begins in them, and their end."""
    lists = column.combine_chunks()
    return lists.flatten().to_numpy(), lists.offsets.to_numpy() - lists.offsets[0].as_py()


def _rules(text: str) -> tuple[int, ...]:
    rules = Ruleset(**json.loads(text))
    return (*rule_numbers(rules), rules.rounds)
