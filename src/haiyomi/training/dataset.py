"""The dataset: records become parquet shards with a manifest; a killed build resumes.

::

    OUT/plan.json                    what is to be built (written first)
    OUT/<split>/<shard>/<table>.parquet and shard.json (a seal over the tables)
    OUT/manifest.json                hashes, counts, versions, skipped records (written last)

A shard's folder appears by one rename when it is complete, so a build killed at any moment
loses at most the shards under way, and a second run does just those that are missing or
damaged: sizes and hashes of all files are kept, and checked on resuming and on reading. The same
records give the same bytes, whatever the number of processes.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import haiyomi
from haiyomi.corpus import Corpus, Entry
from haiyomi.corpus.splits import SPLITS, corpus_files, split_by_name
from haiyomi.corpus.walk import REPEATED
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError, RecordError, unreadable
from haiyomi.logs.containers import Budget
from haiyomi.storage.json_file import read_json
from haiyomi.storage.resume import Derived, PlannedFolder, Progress, Task
from haiyomi.storage.seal import check_file, is_sound, read_seal, write_seal
from haiyomi.storage.whole_file import whole_folder
from haiyomi.training.dataset_rows import TABLES, add_game, arrow_schema, arrow_table, empty_tables

FORMAT = 4
GAMES_A_SHARD = 48
SEAL = "shard.json"


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """One piece of work: the records of one source, called ``source`` in the plan, that go into one
    folder."""

    folder: str
    source: str
    records: Corpus


@dataclass(frozen=True, slots=True)
class BuildReport:
    """``rows`` by table, ``games`` by split, and (record, reason) of what was skipped."""

    games: dict[str, int]
    rows: dict[str, int]
    skipped: tuple[tuple[str, str], ...]


def build(
    corpus: Path,
    out: Path,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Build or finish the dataset of ``corpus`` in the folder ``out``.

    ``corpus``: a folder with train, valid and test zips or folders; or any zip or folder of
    records, split by a hash of their names. ``progress(done, total)`` counts games. Raises
    DatasetError if ``out`` holds something else, or nothing was found.
    """
    plan, shards = planned(corpus)
    tasks = [Task(_Work(str(out), s), out / s.folder / SEAL, len(s.records)) for s in shards]

    def text() -> list[bytes]:
        manifest = _manifest(out, plan, shards)
        return [json.dumps(manifest, indent=1, ensure_ascii=False).encode() + b"\n"]

    folder = PlannedFolder(out, plan)
    folder.finish(tasks, build_shard, jobs, progress, [Derived(out / "manifest.json", text)])
    manifest = read_manifest(out)
    skipped = tuple((name, reason) for name, reason in manifest["skipped"])
    return BuildReport(manifest["games"], manifest["rows"], skipped)


@dataclass(frozen=True, slots=True)
class _Work:
    out: str
    shard: ShardPlan


def planned(corpus: Path) -> tuple[dict[str, Any], list[ShardPlan]]:
    """What ``plan.json`` says of a dataset of ``corpus``, and its shards. Raises DatasetError."""
    splits = corpus_files(corpus)
    given: dict[str, list[Path]] = {str(k): v for k, v in splits.items()}
    if not given:
        given["all"] = [corpus]
    chosen: dict[str, dict[str, list[Entry]]] = {s: {} for s in SPLITS}
    hashes: dict[str, str] = {}
    records = Corpus([source for sources in given.values() for source in sources])
    distinct = records.distinct()
    for label, sources in given.items():
        for source in map(str, sources):
            key = Path(source).name if splits else "."
            hashes[key] = records.where(lambda e, of=source: e.source == of).sha256()  # type: ignore[misc]
            for entry in distinct.entries:
                if entry.source == source:
                    split = label if splits else split_by_name(entry.game_name)
                    chosen[split].setdefault(key, []).append(entry)
    shards: list[ShardPlan] = []
    for split in SPLITS:
        number = 0
        for key, entries in sorted(chosen[split].items()):
            for piece in Corpus.of_entries(entries).pieces(GAMES_A_SHARD):
                shards.append(ShardPlan(f"{split}/{number:05d}", key, piece))
                number += 1
    if not shards:
        raise DatasetError(f"no records in {corpus}")
    plan = {
        "format": FORMAT,
        "haiyomi": haiyomi.__version__,
        "sources": hashes,
        "shards": [[s.folder, s.source, [e.place for e in s.records.entries]] for s in shards],
        "repeated": [line.name for line in distinct.skipped],
    }
    return plan, shards


def build_shard(work: _Work) -> None:
    """Build one shard's folder unless it is there already (idempotent)."""
    import pyarrow.parquet as pq

    out, shard = Path(work.out), work.shard
    final = out / shard.folder
    if is_sound(final / SEAL):
        return
    source = Path(shard.records.sources[0])
    if not source.exists():
        raise DatasetError(f"{source} was there when the dataset was planned and is gone")
    tables = empty_tables()
    records: list[list[str]] = []
    skipped: list[list[str]] = []
    budget = Budget()
    for entry in shard.records.entries:
        name = entry.game_name
        marks = {t: len(tables[t]["game"]) for t in TABLES}
        try:
            data = entry.raw()
            add_game(tables, name, entry.game(budget, data))
            records.append([name, hashlib.sha256(data).hexdigest()])
        except RecordError as error:
            error.file = entry.label
            skipped.append([name, str(error)])
            for table, mark in marks.items():
                for column in tables[table].values():
                    del column[mark:]
    counts = {table: len(columns["game"]) for table, columns in tables.items()}
    with whole_folder(final) as part:
        files = {table: part / f"{table}.parquet" for table in TABLES}
        for table, file in files.items():
            pq.write_table(arrow_table(table, tables[table]), file, compression="zstd")
        facts = {"records": records, "skipped": skipped, "rows": counts}
        write_seal(part / SEAL, files.values(), facts)


def _manifest(out: Path, plan: dict[str, Any], shards: list[ShardPlan]) -> dict[str, Any]:
    games: dict[str, int] = dict.fromkeys(SPLITS, 0)
    rows: dict[str, int] = dict.fromkeys(TABLES, 0)
    skipped: list[tuple[str, str]] = [(entry, REPEATED) for entry in plan["repeated"]]
    files: dict[str, Any] = {}
    records = hashlib.sha256()
    for shard in shards:
        report = read_seal(out / shard.folder / SEAL)
        games[shard.folder.split("/")[0]] += len(report["records"])
        for table, count in report["rows"].items():
            rows[table] += count
            name = f"{table}.parquet"
            size, sha256 = report["files"][name]
            files[f"{shard.folder}/{name}"] = {"rows": count, "bytes": size, "sha256": sha256}
        skipped += [(name, reason) for name, reason in report["skipped"]]
        records.update("".join(f"{n}{h}" for n, h in report["records"]).encode())
    return {
        "format": FORMAT,
        "haiyomi": haiyomi.__version__,
        "sources": plan["sources"],
        "records_sha256": records.hexdigest(),
        "games": games,
        "rows": rows,
        "skipped": skipped,
        "files": files,
    }


def read_manifest(dataset: Path) -> dict[str, Any]:
    """The manifest of a finished dataset. Raises DatasetError."""
    path = dataset / "manifest.json"
    try:
        manifest = read_json(path)
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"{dataset} holds no finished dataset (no manifest.json)") from None
    except OSError as error:
        raise DatasetError(f"{path}: {unreadable(error)}") from None
    except ValueError as error:
        raise DatasetError(f"{path}: damaged ({error})") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DatasetError(f"{path}: not a dataset of format {FORMAT}")
    return manifest


def read_table(dataset: Path, table: str, split: str, columns: list[str] | None = None) -> Any:
    """A pyarrow Table of one split's rows, in shard order. Raises DatasetError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    manifest = read_manifest(dataset)
    try:
        stated = {
            name: (file["bytes"], file["sha256"])
            for name, file in manifest["files"].items()
            if name.startswith(f"{split}/") and name.endswith(f"/{table}.parquet")
        }
    except (LookupError, TypeError, AttributeError):
        raise DatasetError(f"{dataset / 'manifest.json'}: damaged (its list of files)") from None
    try:
        for name, (size, sha256) in stated.items():
            check_file(dataset / name, size, sha256)
        parts = [pq.read_table(dataset / name, columns=columns) for name in stated]
    except (OSError, pa.ArrowException) as error:
        raise DatasetError(f"{dataset}: {error}") from None
    if not parts:
        empty = arrow_schema(table).empty_table()
        return empty.select(columns) if columns else empty
    return pa.concat_tables(parts)
