"""Packed games: the records of corpora as Parquet, small enough to stream at each pass of a fit.

::

    OUT/plan.json                      what is packed (written first)
    OUT/<split>/<shard>/games.parquet  some games as words and facts, and shard.json, a seal
    OUT/manifest.json                  hashes, counts, skipped records (written last)

A game is one row: its name, players, level, date and rules, its final scores, who was away when,
and the words of its hands (``cpp/core/replay.hpp``). Each game is checked before it is packed. The
games of a split are dealt to its shards by a hash of their names, so that each shard is a random
sample of them. A killed run resumes with the shards that are missing or damaged.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import haiyomi
from haiyomi.corpus import Corpus, Entry
from haiyomi.corpus.partition import date_of
from haiyomi.corpus.splits import SPLIT_FIRST, SPLITS, Split, corpus_files
from haiyomi.corpus.walk import REPEATED, rows_of
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.events import Game
from haiyomi.game.packed_games import game_key
from haiyomi.game.table import check_game
from haiyomi.kernels.replay import encode
from haiyomi.storage.json_file import read_json
from haiyomi.storage.resume import Derived, PlannedFolder, Progress, Task
from haiyomi.storage.seal import is_sound, read_seal, write_seal
from haiyomi.storage.whole_file import whole_folder

FORMAT = 1
GAMES_A_SHARD = 256
GAMES = "games.parquet"
SEAL = "shard.json"
MANIFEST = "manifest.json"
LEVELS = {0x00: "ippan", 0x80: "joukyuu", 0x20: "tokujou", 0xA0: "houou"}
"""Tenhou's tables by two bits of a record's ``type``; other records have no level."""


@dataclass(frozen=True, slots=True)
class PackReport:
    """``games`` by split, ``size`` of all files in bytes, (record, reason) of what was skipped."""

    games: dict[str, int]
    size: int
    skipped: tuple[tuple[str, str], ...]


def is_packed(corpora: Sequence[Path], out: Path) -> bool:
    """Whether ``out`` has all games of corpora, packed by this version or an earlier one."""
    try:
        made = read_json(out / MANIFEST)
    except (FileNotFoundError, ValueError):
        return False
    sources, *_ = _plan(corpora)
    return isinstance(made, dict) and (made.get("format"), made.get("sources")) == (FORMAT, sources)


@dataclass(frozen=True, slots=True)
class _Work:
    out: str
    records: Corpus


def pack_corpora(
    corpora: Sequence[Path], out: Path, jobs: Jobs = None, progress: Progress | None = None
) -> PackReport:
    """Pack corpus folders (with train, valid and test zips or folders), or finish to pack them.

    Of records of one name the first is packed; a game under two names is packed twice.
    ``progress(done, total)`` counts games. Raises DatasetError where a folder is no corpus, or
    ``out`` holds something else.
    """
    sources, shards, repeated = _plan(corpora)
    plan = {
        "format": FORMAT,
        "haiyomi": haiyomi.__version__,
        "sources": sources,
        "shards": {name: len(entries) for name, entries in shards.items()},
    }
    tasks = [
        Task(_Work(str(out / name), Corpus.of_entries(entries)), out / name / SEAL, len(entries))
        for name, entries in shards.items()
    ]

    def manifest() -> list[bytes]:
        value = manifest_of(out, list(shards), repeated) | {"sources": sources}
        return [json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"]

    folder = PlannedFolder(out, plan, "packed games")
    folder.finish(tasks, write_shard, jobs, progress, [Derived(out / MANIFEST, manifest)])
    made = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
    games = {str(split): sum(n for _, n, *_ in rows) for split, rows in made["shards"].items()}
    size = sum(stated for rows in made["shards"].values() for _, _, stated, _ in rows)
    return PackReport(games, size, tuple((name, reason) for name, reason in made["skipped"]))


def _plan(
    corpora: Sequence[Path],
) -> tuple[dict[str, str], dict[str, list[Entry]], list[tuple[str, str]]]:
    """The sources with their hashes, the records of each shard, and what is left out."""
    sources: dict[str, str] = {}
    chosen: dict[Split, list[Entry]] = {split: [] for split in SPLITS}
    names: set[str] = set()
    repeated: list[tuple[str, str]] = []
    for number, corpus in enumerate(corpora, 1):
        if not corpus.exists():
            raise DatasetError(f"{corpus}: no such file or folder")
        files = corpus_files(corpus)
        if not files:
            raise DatasetError(f"{corpus} has no train, valid and test zips; {SPLIT_FIRST}")
        for split, paths in files.items():
            for path in paths:
                records = Corpus(path)
                sources[f"{number}/{split}/{path.name}"] = records.sha256()
                for entry in records.entries:
                    if entry.game_name in names:
                        repeated.append((entry.label, REPEATED))
                    else:
                        chosen[split].append(entry)
                    names.add(entry.game_name)
    shards: dict[str, list[Entry]] = {}
    for split, entries in chosen.items():
        entries.sort(key=lambda entry: (game_key(entry.game_name), entry.game_name))
        for at in range(0, len(entries), GAMES_A_SHARD):
            shards[f"{split}/{at // GAMES_A_SHARD:05d}"] = entries[at : at + GAMES_A_SHARD]
    if not shards:
        raise DatasetError(f"no records in {', '.join(map(str, corpora))}")
    return sources, shards, repeated


def write_shard(work: _Work) -> None:
    """Pack one shard's games unless they are there already (idempotent)."""
    out = Path(work.out)
    if not is_sound(out / SEAL):
        write_rows(out, *rows_of(work.records, row_of_game))


def write_rows(
    out: Path, rows: Sequence[dict[str, Any]], skipped: Sequence[tuple[str, str]] = ()
) -> None:
    """Write a shard of ``row_of_game`` rows and its seal, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist(rows, schema=arrow_schema())
    with whole_folder(out) as part:
        pq.write_table(
            table,
            part / GAMES,
            compression="zstd",
            compression_level=9,
            use_dictionary=["level", "rules"],
            column_encoding={"words.list.element": "BYTE_STREAM_SPLIT"},
        )
        write_seal(part / SEAL, [part / GAMES], {"games": len(rows), "skipped": list(skipped)})


def arrow_schema() -> Any:
    """The columns of ``games.parquet``; a pyarrow Schema."""
    import pyarrow as pa

    numbers = pa.list_(pa.int32())
    return pa.schema(
        [
            pa.field("game", pa.string(), nullable=False),
            # by absolute seat; empty where unknown
            pa.field("names", pa.list_(pa.string()), nullable=False),
            pa.field("dan", pa.list_(pa.int8())),  # by absolute seat; Tenhou's number, 16 is 7 dan
            pa.field("level", pa.string()),  # one of LEVELS
            pa.field("date", pa.string()),  # YYYY-MM-DD
            pa.field("rules", pa.string(), nullable=False),  # the Ruleset's fields as JSON
            pa.field("final", numbers),  # scores by absolute seat
            # hand, event, seat and 1 for back, 0 for away, of each change of a line, in order
            pa.field("absences", numbers, nullable=False),
            pa.field("hands", numbers, nullable=False),  # words of each hand
            pa.field("words", numbers, nullable=False),  # of all hands
        ]
    )


def row_of_game(name: str, game: Game) -> dict[str, Any]:
    """A game's row. Raises RecordError if the record does not replay."""
    check_game(game)
    header = game.header
    extra = dict(header.extra)
    hands = [encode(hand) for hand in game.hands]
    return {
        "game": name,
        "names": list(header.names),
        "dan": _dan(extra.get("dan", "")),
        "level": LEVELS[int(extra["type"]) & 0xA0] if extra.get("type", "").isdecimal() else None,
        "date": date_of(name),
        "rules": json.dumps(asdict(header.rules)),
        "final": None if header.final is None else list(header.final),
        "absences": [n for a in game.absences for n in (a.hand, a.event, a.seat, int(a.back))],
        "hands": [len(words) for words in hands],
        "words": [word for words in hands for word in words],
    }


def _dan(text: str) -> list[int] | None:
    numbers = text.split(",")
    if len(numbers) != 4 or not all(n.isdecimal() and len(n) < 3 for n in numbers):
        return None
    return [int(n) for n in numbers]


def manifest_of(
    out: Path, shards: Sequence[str], repeated: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """The manifest of sealed shards: of each split its shards' names, games, bytes and SHA-256."""
    listed: dict[str, list[Any]] = {split: [] for split in SPLITS}
    skipped: list[Any] = list(repeated)
    for shard in shards:
        seal = read_seal(out / shard / SEAL)
        listed[shard.partition("/")[0]].append([shard, seal["games"], *seal["files"][GAMES]])
        skipped += seal["skipped"]
    return {"format": FORMAT, "haiyomi": haiyomi.__version__, "shards": listed, "skipped": skipped}
