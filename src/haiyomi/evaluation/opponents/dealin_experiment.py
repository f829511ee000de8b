"""Runs a deal-in model over records in parallel: rows, then results JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import haiyomi
from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.dealin.variant import NAME, Variant
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.metrics import by_game
from haiyomi.evaluation.networks_used import deal_in_networks
from haiyomi.evaluation.opponents.dealin_rows import TABLES, DealinRows, game_rows
from haiyomi.evaluation.opponents.dealin_tables import (
    table2_equal,
    table2_percent,
    table3,
    tenpai_tables,
    tile_tables,
)
from haiyomi.events import Game
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.storage.arrays_file import load_arrays, save_arrays
from haiyomi.storage.resume import Bar, Progress
from haiyomi.storage.whole_file import whole_file

SEED = 20170701
GAMES_A_PIECE = 12
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """Rows of some records, what was skipped with reasons, hands replayed, seconds spent."""

    rows: DealinRows
    skipped: tuple[Skipped, ...]
    hands: int
    seconds: float

    @staticmethod
    def concat(parts: Sequence[Answered]) -> Answered:
        """All answers of some parts, in their order."""
        return Answered(
            DealinRows.concat(part.rows for part in parts),
            tuple(line for part in parts for line in part.skipped),
            sum(part.hands for part in parts),
            sum(part.seconds for part in parts),
        )


def answer_piece(
    piece: Corpus, model: str, wanted: Sequence[str], nodes_at: int | None, base_han: bool = False
) -> Answered:
    """The rows of a piece of a corpus as a model answers; see ``dealin_rows.game_rows``."""
    from haiyomi.dealin.models import load_model

    fitted = load_model(model)
    hands = 0

    def rows_and_hands(name: str, game: Game) -> DealinRows:
        nonlocal hands
        rows = game_rows(fitted, name, game, wanted, nodes_at, base_han)
        hands += len(game.hands)
        return rows

    started = perf_counter()
    parts, skipped = rows_of(piece, rows_and_hands)
    return Answered(DealinRows.concat(parts), skipped, hands, perf_counter() - started)


def answer(
    records: Corpus,
    model: str,
    wanted: Sequence[str] = tuple(TABLES),
    nodes_at: int | None = None,
    jobs: Jobs = None,
    progress: Progress | None = None,
    base_han: bool = False,
) -> Answered:
    """The rows of some records, of which those stand first that were left out before.

    ``model``: a name or a model file's path; ``wanted`` tables; ``nodes_at`` and ``base_han`` as
    ``game_rows``.
    """
    ask = partial(
        answer_piece, model=model, wanted=tuple(wanted), nodes_at=nodes_at, base_han=base_han
    )
    found = Answered.concat(records.map_pieces(ask, GAMES_A_PIECE, jobs, progress))
    return replace(found, skipped=(*records.skipped, *found.skipped))


def results_json(
    result: Answered, model: str, what: str, split: str | None = None
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
        "networks": deal_in_networks(model),
        "records": what,
        "split": split,
        "games": len(rows.games),
        "hands": result.hands,
        "decisions": decisions,
        "skipped": [list(s) for s in result.skipped],
        "seconds_per_decision": result.seconds / decisions if decisions else None,
        "interval": by_game(len(rows.games)),
        "seed": SEED,
        "tile": tile_tables(rows, SEED),
        "tenpai": tenpai_tables(rows, SEED),
        "table2": {"a": table2_percent(nodes), "c": table2_equal(nodes)},
        "table3": table3(rows.tables["dealin"]),
    }


def write_rows(path: Path, rows: DealinRows) -> None:
    """The rows file: one row a tile and opponent, as Parquet (docs/how-to/dataset.md)."""
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
            "class": pa.DictionaryArray.from_arrays(
                pa.array(tile["cls"].astype(np.int8)), pa.array(CLASSES)
            ).cast(pa.string()),
        }
    )
    with whole_file(path, single_writer=True) as part:
        pq.write_table(table, part, compression="zstd")


def cross_fitted(
    dataset: Path,
    sources: Sequence[Path],
    variants: Sequence[Variant],
    cache: Path,
    mark: str,
    bar: Bar,
    jobs: Jobs,
) -> dict[str, dict[str, Any]]:
    """By variant's name, Table 3 over all games, and Table 2 (b) of those that count all han: each
    game judged by a model fitted without its fold (games are dealt to folds by a hash of their
    name).

    The model and the rows of each fold are kept in ``cache`` under ``mark``, what they are made
    of; ``bar(what)`` is a context giving a progress callback.
    """
    records = Corpus(sources).distinct()
    parts: dict[Variant, list[DealinRows]] = {variant: [] for variant in variants}
    for k in range(FOLDS):
        path = fold_model(dataset, cache, mark, k)
        mine = records.where(lambda e, k=k: fold(e.game_name) == k)  # type: ignore[misc]
        for variant in variants:
            name = f"fold {k + 1} of {FOLDS}, {variant.name}"
            with bar(name) as progress:
                file = cache / f"fold{k}-{variant.name.replace(':', '-')}.npz"
                parts[variant].append(
                    _kept_rows(file, mark, partial(_fold_rows, mine, path, variant, jobs, progress))
                )
    return {v.name: _crossed(DealinRows.concat(p), v) for v, p in parts.items()}


def fold_model(dataset: Path, cache: Path, mark: str, k: int) -> Path:
    """The file of the model fitted on all games but those of fold ``k``, fitted where missing."""
    from haiyomi.dealin.kurita_hoki import VERSION
    from haiyomi.storage.model_file import read_model, write_model
    from haiyomi.training.fit_dealin import fit, load_fit_data

    path = cache / f"fold{k}.json"
    if path.exists() and read_model(path, NAME, VERSION)[1].get("mark") == mark:
        return path
    data = load_fit_data(dataset, ("train", "valid", "test"))
    fold_of = np.array([fold(game) for game in data.games])
    payload, _ = fit(data.only(fold_of != k), None)
    write_model(path, NAME, VERSION, payload, {"fold": k, "folds": FOLDS, "mark": mark})
    return path


def _fold_rows(
    records: Corpus, model: Path, variant: Variant, jobs: Jobs, progress: Progress | None
) -> DealinRows:
    wanted = ("dealin",) if variant.base_han else ("node", "dealin")
    name = f"{model}={variant.name}"
    return answer(records, name, wanted, 10, jobs, progress, variant.base_han).rows


def _kept_rows(path: Path, mark: str, make: Callable[[], DealinRows]) -> DealinRows:
    """Rows from a file of the same mark, or made and kept there."""
    kept = load_arrays(path)
    if kept is not None and str(kept["mark"]) == mark:
        tables = {
            table: {column: kept[f"{table} {column}"] for column in ("game", *columns)}
            for table, columns in TABLES.items()
        }
        return DealinRows(tuple(map(str, kept["games"])), tables)
    rows = make()
    arrays = {
        f"{table} {column}": values
        for table, columns in rows.tables.items()
        for column, values in columns.items()
    }
    games = np.array(rows.games, dtype=np.str_)
    save_arrays(path, arrays | {"games": games, "mark": np.array(mark)})
    return rows


def _crossed(rows: DealinRows, variant: Variant) -> dict[str, Any]:
    found = {
        "games": len(rows.games),
        "folds": FOLDS,
        "table3": table3(rows.tables["dealin"], variant.base_han),
    }
    return found if variant.base_han else found | {"table2": table2_percent(rows.tables["node"])}


def fold(game: str) -> int:
    """The fold of a game, by a hash of its name."""
    import hashlib

    return hashlib.sha256(b"fold " + game.encode()).digest()[0] % FOLDS
