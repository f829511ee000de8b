"""The decision data set: packed games become Parquet files of documented columns, with a card.

::

    OUT/plan.json                           what is written (first)
    OUT/<split>/<shard>/decisions.parquet   a shard's decisions, and _shard.json, a seal
    OUT/manifest.json                       hashes, counts (last)
    OUT/README.md                           the data card

The core decodes the records and labels (``game.packed_games``); ``decision_columns`` says which
columns they become. A killed run resumes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import haiyomi
from haiyomi.corpus.splits import Split
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.game.packed_games import decode_games
from haiyomi.kernels.game_rows import GameFault
from haiyomi.seeds import check_core_seed
from haiyomi.storage.resume import Derived, PlannedFolder, Progress, Task
from haiyomi.storage.seal import is_sound, read_seal, write_seal
from haiyomi.storage.whole_file import whole_folder
from haiyomi.training.decision_columns import (
    COLUMNS,
    KNOWN,
    arrow_schema,
    arrow_type,
    columns_table,
    values_of,
)
from haiyomi.training.packed_reader import PackedShard, digest_of, every_shard, read_shard

FORMAT: Final = 1
DECISIONS: Final = "decisions.parquet"
SEAL: Final = "_shard.json"
"""Readers of folders of Parquet files leave out names that begin with an underscore."""
MANIFEST: Final = "manifest.json"
CARD: Final = "README.md"
ROW_GROUP: Final = 16_384
"""Rows that a reader takes from a file at once."""


@dataclass(frozen=True, slots=True)
class TableReport:
    """``rows`` and ``games`` by split, and ``size`` of all files in bytes."""

    rows: dict[str, int]
    games: dict[str, int]
    size: int


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which decisions: a ``share`` of them, drawn by a hash of ``seed``, game and place; with
    ``discards`` every discard that no own riichi forces, else every choice of two options."""

    share: float = 1.0
    seed: int = 0
    discards: bool = False


@dataclass(frozen=True, slots=True)
class _Work:
    out: str
    shard: PackedShard
    sampling: Sampling


def write_table(
    packed: Path, out: Path, sampling: Sampling, jobs: Jobs = None, progress: Progress | None = None
) -> TableReport:
    """Write the data set of packed games, or finish to write it.

    ``progress(done, total)`` counts games. Raises DatasetError where ``packed`` holds no packed
    games, or ``out`` something else, ArgumentError for a seed that is not valid.
    """
    if not 0 < sampling.share <= 1:
        raise DatasetError(f"--share {sampling.share}: expected a number above 0, at most 1")
    check_core_seed(sampling.seed)
    shards = every_shard(packed)
    every = [shard for found in shards.values() for shard in found]
    plan: dict[str, object] = {
        "format": FORMAT,
        "haiyomi": haiyomi.__version__,
        "packed": digest_of(every),
        "share": sampling.share,
        "seed": sampling.seed,
        "discards": sampling.discards,
    }
    tasks = [Task(_Work(str(out), s, sampling), out / s.name / SEAL, s.games) for s in every]

    def manifest() -> list[bytes]:
        value = plan | {"splits": _facts(out, shards)}
        return [json.dumps(value, indent=1).encode() + b"\n"]

    def card() -> list[bytes]:
        return [data_card(_facts(out, shards), sampling).encode()]

    derived = [Derived(out / CARD, card), Derived(out / MANIFEST, manifest)]
    PlannedFolder(out, plan, "a decision data set").finish(
        tasks, write_shard, jobs, progress, derived
    )
    facts = _facts(out, shards)
    return TableReport(
        {split: f["rows"] for split, f in facts.items()},
        {split: f["games"] for split, f in facts.items()},
        sum(f["bytes"] for f in facts.values()),
    )


def write_shard(work: _Work) -> None:
    """Write the decisions of one shard unless they are there already (idempotent)."""
    import pyarrow.parquet as pq

    final = Path(work.out) / work.shard.name
    if is_sound(final / SEAL):
        return
    table = decisions_table(work.shard, work.sampling)
    with whole_folder(final) as part:
        pq.write_table(table, part / DECISIONS, compression="zstd", row_group_size=ROW_GROUP)
        write_seal(part / SEAL, [part / DECISIONS], {"rows": len(table)})


def decisions_table(shard: PackedShard, sampling: Sampling) -> Any:
    """The pyarrow Table of a shard's decisions. Raises DatasetError for a damaged shard."""
    import pyarrow as pa

    games = read_shard(shard)
    try:
        records, labels = decode_games(
            games.words, sampling.discards, sampling.share, sampling.seed
        )
    except GameFault as fault:
        raise DatasetError(f"{shard.file}: game {games.game[fault.game]}: {fault.error}") from None
    arrays = []
    for column in COLUMNS:
        if column.source is None:
            names = pa.array(games.game.tolist(), pa.string())
            arrays.append(names.take(pa.array(labels["game"])))
            continue
        values = values_of(column, records, labels)
        flat = pa.array(values.reshape(-1))
        if column.width:
            arrays.append(pa.FixedSizeListArray.from_arrays(flat, type=arrow_type(column)))
        else:
            arrays.append(flat)
    return pa.Table.from_arrays(arrays, schema=arrow_schema())


def _facts(out: Path, shards: dict[Split, tuple[PackedShard, ...]]) -> dict[str, dict[str, int]]:
    """Of each split its shards, games, rows and bytes."""
    found = {}
    for split, some in shards.items():
        seals = [read_seal(out / shard.name / SEAL) for shard in some]
        found[str(split)] = {
            "shards": len(some),
            "games": sum(shard.games for shard in some),
            "rows": sum(int(seal["rows"]) for seal in seals),
            "bytes": sum(int(seal["files"][DECISIONS][0]) for seal in seals),
        }
    return found


def data_card(facts: dict[str, dict[str, int]], sampling: Sampling) -> str:
    """The card: what the data set holds, for people and for ``datasets.load_dataset``."""
    named = [split for split, f in facts.items() if f["rows"]]
    files = "".join(
        f"      - split: {split}\n        path: {split}/*/{DECISIONS}\n" for split in named
    )
    rows = "\n".join(
        f"| {split} | {facts[split]['games']:,} | {facts[split]['rows']:,} |" for split in named
    )
    which = (
        "every discard that no own riichi forces" if sampling.discards else "every choice of a seat"
    )
    share = (
        ""
        if sampling.share == 1
        else f", of which a share of {sampling.share:g} is drawn by a hash"
    )
    known = "".join(f"- **{name}**: {meaning}\n" for name, meaning in KNOWN.items())
    return (
        "---\n"
        "pretty_name: Decisions of riichi mahjong games\n"
        "tags:\n  - mahjong\n  - imperfect-information\n"
        f"configs:\n  - config_name: default\n    data_files:\n{files}"
        "---\n\n"
        "# Decisions of riichi mahjong games\n\n"
        f"Written by haiyomi {haiyomi.__version__}. A row is a decision: {which}{share}. Features "
        "are what the seat sees; labels are the choice, what was hidden, and how the hand and the "
        "game ended.\n\n"
        f"| split | games | decisions |\n|---|---|---|\n{rows}\n\n"
        "The rights to the records that it was made of stay with their owners. Pass the data set "
        "on only if you may pass the records on.\n\n"
        "## Columns\n\n"
        "Relative seats: 0 decides, 1 acts next. Kinds are 0 to 33: 1m to 9m, 1p to 9p, 1s to 9s, "
        "East, South, West, North, White, Green, Red. No value is null.\n\n"
        f"{known}\n{columns_table()}"
    )
