"""Runs a deal-in model over records in parallel: rows, then results JSON."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import haiyomi
from haiyomi.errors import DatasetError, PositionError, RecordError
from haiyomi.evaluation.dealin_rows import TABLES, Rows, game_rows
from haiyomi.evaluation.dealin_tables import (
    table2_equal,
    table2_percent,
    table3,
    tenpai_tables,
    tile_tables,
)
from haiyomi.shards import Jobs, map_shards
from haiyomi.storage.whole_file import whole_file
from haiyomi.training.entries import (
    REPEATED,
    entries_of,
    entry_bytes,
    first_of_each_name,
    game_name,
)

SEED = 20170701
GAMES_A_SHARD = 12
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class EvaluationShard:
    """Some entries of a source, the model to ask (a name or a model file's path), the tables
    wanted, and which decisions (see ``game_rows``). ``repeated`` entries are only told of."""

    source: str
    entries: tuple[str, ...]
    model: str
    wanted: tuple[str, ...]
    nodes_at: int | None
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShardResult:
    """Rows of some records, what was skipped with reasons, hands replayed, seconds spent."""

    rows: Rows
    skipped: tuple[tuple[str, str], ...]
    hands: int
    seconds: float


def run_shard(shard: EvaluationShard) -> ShardResult:
    """Ask the model about one shard's records; records that do not replay are skipped."""
    from haiyomi.dealin.models import load_model
    from haiyomi.logs.load import parse

    model: Any = load_model(shard.model)
    parts: list[Rows] = []
    skipped = [(entry, REPEATED) for entry in shard.repeated]
    hands = 0
    started = perf_counter()
    for entry in shard.entries:
        source = Path(shard.source)
        file = entry if entry != "." else source.name
        name = game_name(file)
        try:
            game = parse(entry_bytes(source, entry), file)
            parts.append(game_rows(model, name, game, shard.wanted, shard.nodes_at))
            hands += len(game.hands)
        except (RecordError, PositionError) as error:
            skipped.append((name, str(error)))
    return ShardResult(Rows.concat(parts), tuple(skipped), hands, perf_counter() - started)


def plan(
    sources: Sequence[Path],
    model: str,
    wanted: Sequence[str] = tuple(TABLES),
    nodes_at: int | None = None,
    keep: Callable[[str], bool] | None = None,
    most: int | None = None,
) -> list[EvaluationShard]:
    """The shards of some zips, folders or files; ``keep`` chooses games by name, ``most`` the first
    so many of each source in order of name."""
    shards: list[EvaluationShard] = []
    seen: set[str] = set()
    for source in sources:
        if not source.exists():
            raise DatasetError(f"no such file or folder: {source}")
        names = entries_of(source)
        if keep is not None:
            names = [n for n in names if keep(game_name(n if n != "." else source.name))]
        names, repeated = first_of_each_name(names, seen, source)
        if most is not None:
            names = sorted(names)[:most]
        for start in range(0, max(len(names), 1), GAMES_A_SHARD):
            chosen = tuple(names[start : start + GAMES_A_SHARD])
            told = tuple(repeated) if start == 0 else ()
            shards.append(
                EvaluationShard(str(source), chosen, model, tuple(wanted), nodes_at, told)
            )
    return shards


def run(
    shards: Sequence[EvaluationShard], jobs: Jobs = None, progress: Progress | None = None
) -> ShardResult:
    """All shards' rows together, in the shards' order."""
    total = sum(len(s.entries) for s in shards)
    done = 0
    results: dict[int, ShardResult] = {}
    if progress:
        progress(0, total)
    for index, result in map_shards(run_shard, shards, jobs):
        results[index] = result
        done += len(shards[index].entries)
        if progress:
            progress(done, total)
    ordered = [results[i] for i in range(len(shards))]
    return ShardResult(
        Rows.concat(r.rows for r in ordered),
        tuple(s for r in ordered for s in r.skipped),
        sum(r.hands for r in ordered),
        sum(r.seconds for r in ordered),
    )


def results_json(
    result: ShardResult, model: str, what: str, split: str | None = None
) -> dict[str, Any]:
    """The results of an evaluation over whole records: every table but Table 2 (b).

    ``what`` names the records; ``split`` is the corpus split they are, if they are one.
    """
    rows = result.rows
    nodes = rows.tables["node"]
    decisions = len(nodes["own"])
    return {
        "experiment": "evaluate dealin",
        "haiyomi": haiyomi.__version__,
        "model": model,
        "records": what,
        "split": split,
        "games": len(rows.games),
        "hands": result.hands,
        "decisions": decisions,
        "skipped": [list(s) for s in result.skipped],
        "seconds_per_decision": result.seconds / decisions if decisions else None,
        "interval": "95%, bootstrap by game",
        "seed": SEED,
        "tile": tile_tables(rows, SEED),
        "tenpai": tenpai_tables(rows, SEED),
        "table2": {"a": table2_percent(nodes), "c": table2_equal(nodes)},
        "table3": table3(rows.tables["dealin"]),
    }


def write_rows(path: Path, rows: Rows) -> None:
    """The rows file of the design: one row a tile and opponent, as parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tile = rows.tables["tile"]
    games = pa.DictionaryArray.from_arrays(
        pa.array(tile["game"].astype(np.int32)), pa.array(list(rows.games), pa.string())
    ).cast(pa.string())
    table = pa.table(
        {
            "game": games,
            "hand": tile["hand"].astype(np.int32),
            "decision": tile["decision"].astype(np.int32),
            "seat": tile["seat"].astype(np.int32),
            "opponent": tile["opponent"].astype(np.int32),
            "tile": tile["tile"].astype(np.int32),
            "probability": tile["probability"],
            "label": tile["label"].astype(np.int32),
            "points": tile["points"].astype(np.float64),
        }
    )
    with whole_file(path, alone=True) as part:
        pq.write_table(table, part, compression="zstd")


def cross_fitted(
    dataset: Path,
    sources: Sequence[Path],
    folds: int = 5,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Table 2 (b) and Table 3 over all games: each game judged by a model fitted without its
    fold (games are dealt to folds by a hash of their name).
    """
    from haiyomi.dealin.kurita_hoki import NAME, VERSION
    from haiyomi.storage.model_file import write_model
    from haiyomi.training.fit_dealin import fit, load_fit_data

    data = load_fit_data(dataset, ("train", "valid", "test"))
    fold_of = np.array([fold(game, folds) for game in data.games])
    with tempfile.TemporaryDirectory(prefix="haiyomi-folds-") as folder:
        shards: list[EvaluationShard] = []
        for k in range(folds):
            payload, _ = fit(data.only(fold_of != k), None)
            path = Path(folder) / f"fold{k}.json"
            write_model(path, NAME, VERSION, payload, {"fold": k, "folds": folds})
            shards += plan(
                sources,
                str(path),
                ("node", "dealin"),
                10,
                lambda game, k=k: fold(game, folds) == k,  # type: ignore[misc]
            )
        result = run(shards, jobs, progress)
    return {
        "games": len(result.rows.games),
        "folds": folds,
        "skipped": [list(s) for s in result.skipped],
        "table2": table2_percent(result.rows.tables["node"]),
        "table3": table3(result.rows.tables["dealin"]),
    }


def fold(game: str, folds: int) -> int:
    """The fold of a game, by a hash of its name."""
    import hashlib

    return hashlib.sha256(b"fold " + game.encode()).digest()[0] % folds
