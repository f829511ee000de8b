"""``haiyomi fit dealin``: the parameters of the Kurita-Hoki model, from the train split."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.arrays import Bools, Floats
from haiyomi.dealin.features import FEATURE_NAMES
from haiyomi.dealin.kurita_hoki import VERSION
from haiyomi.dealin.riichi import N_CONDITIONS
from haiyomi.dealin.variant import NAME
from haiyomi.dealin.waits import N_WAITS
from haiyomi.engines.shards import Jobs
from haiyomi.storage.model_file import write_model
from haiyomi.tiles import N_KINDS
from haiyomi.training import fit_riichi, fit_tenpai
from haiyomi.training.dataset import read_manifest, read_table

Columns = dict[str, NDArray[Any]]
POOR_WAIT = 0.2
"""Factor (15) of a hand without a two-sided or shanpon wait, as published."""
YAKULESS = 0.0
"""Factor of a hand that can win on none of its waits; 1 reads (13) literally."""
PASSED_WAIT = 0.05
"""Factor of a hand that waits on a tile let pass since the last tedashi; 1 leaves it out."""
MELDED = 1.11
"""Winning kinds of real tenpai hands of one to three melds over those of the weighted hands:
players keep wide waits. Chosen on the validation split; 1 leaves it out."""
CLOSED_COLUMNS = ("open_melds", "ron")


@dataclass(frozen=True, slots=True)
class FitData:
    """Numpy columns of the tables that the fit reads; ``game`` columns are codes into
    ``games`` so that folds can be cut by game.
    """

    games: tuple[str, ...]
    opponents: Columns
    riichi: Columns
    facing: Columns
    dealins: Columns

    def only(self, keep: Bools) -> FitData:
        """The rows of the games for which ``keep`` (one flag a game) is set."""

        def cut(columns: Columns) -> Columns:
            rows = keep[columns["game"]]
            return {name: values[rows] for name, values in columns.items()}

        return FitData(
            self.games,
            cut(self.opponents),
            cut(self.riichi),
            cut(self.facing),
            cut(self.dealins),
        )


def load_fit_data(dataset: Path, splits: tuple[str, ...]) -> FitData:
    """Read what the fit needs of some splits. Raises DatasetError."""
    import pyarrow as pa

    wanted = {
        "opponents": [
            *fit_tenpai.FIT_COLUMNS,
            *FEATURE_NAMES,
            "live_suji",
            "two_sided",
            *CLOSED_COLUMNS,
        ],
        "riichi": ["game", "conditions", "waits"],
        "facing": ["game", "margins", "conditions", "waits"],
        "dealins": ["game", "riichi", "tile", "han", "fu", "shift", "bonus"],
    }
    tables = {
        name: pa.concat_tables([read_table(dataset, name, s, columns) for s in splits])
        for name, columns in wanted.items()
    }
    games = tuple(sorted(set(tables["opponents"]["game"].unique().to_pylist())))
    code = {game: i for i, game in enumerate(games)}

    def columns(name: str) -> Columns:
        out: Columns = {}
        for field in tables[name].schema.names:
            chunked = tables[name][field].combine_chunks()
            if field == "game":
                encoded = chunked.dictionary_encode()
                if isinstance(encoded, pa.ChunkedArray):
                    encoded = encoded.combine_chunks()
                lookup = np.array([code[g] for g in encoded.dictionary.to_pylist()], dtype=np.int64)
                out[field] = lookup[encoded.indices.to_numpy()]
            elif field in ("conditions", "waits", "margins"):
                width = 3 * N_CONDITIONS if field == "conditions" else N_WAITS
                raw = np.frombuffer(b"".join(chunked.to_pylist()), dtype=np.int8)
                out[field] = raw.reshape(-1, width)
            else:
                out[field] = chunked.to_numpy(zero_copy_only=False)
        return out

    return FitData(
        games, columns("opponents"), columns("riichi"), columns("facing"), columns("dealins")
    )


def fit(
    train: FitData, valid: FitData | None, engine: Jobs = 1
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(payload of the model file, report). Deterministic: nothing is drawn at random, and the
    cells are the same whoever fits them.

    The report holds a row for each regression cell, the borrow chosen and counts.
    """
    payload: dict[str, Any] = {
        "poor_wait": POOR_WAIT,
        "yakuless": YAKULESS,
        "passed_wait": PASSED_WAIT,
        "melded": MELDED,
    }
    report: dict[str, Any] = {"cells": [], "borrow": {}}
    for kind in fit_tenpai.TYPES:
        own = fit_tenpai.samples(train.opponents, kind)
        held_out = None if valid is None else fit_tenpai.samples(valid.opponents, kind)
        table, borrow, cells = fit_tenpai.fit_type(own, held_out, kind, engine)
        payload[kind] = _rounded(table)
        report["borrow"][kind] = borrow
        report["cells"] += [asdict(cell) for cell in cells]
    facing = train.opponents["riichi"]
    share, rows = fit_riichi.two_sided_share(
        train.opponents["live_suji"][facing], train.opponents["two_sided"][facing]
    )
    payload["two_sided"] = _rounded(share)
    report["two_sided_rows"] = rows
    waits = train.riichi["waits"].astype(bool)
    conditions = train.riichi["conditions"].reshape(-1, 3, N_CONDITIONS).astype(bool)
    payload["rest"] = _rounded(fit_riichi.shape_shares(waits))
    payload["rest_unit"] = _rounded(fit_riichi.unit_shape_shares(waits))
    counted = fit_riichi.priors(waits)
    payload["prior_literal"] = _rounded(counted)
    payload["ratio_literal"] = _rounded(fit_riichi.ratios(waits, conditions, counted))
    prior, ratio = fit_riichi.joint_factors(
        train.facing["margins"],
        train.facing["conditions"].reshape(-1, 3, N_CONDITIONS),
        train.facing["waits"],
    )
    payload["prior"], payload["ratio"] = _rounded(prior), _rounded(ratio)
    on_riichi = train.dealins["riichi"]
    rons = {name: values[on_riichi] for name, values in train.dealins.items()}
    han, fu = fit_riichi.worth(rons["han"], rons["fu"], rons["shift"])
    payload["han"], payload["fu"] = [float(v) for v in han], [float(v) for v in fu]
    payload["han_base"] = [float(v) for v in _base_han(rons)]
    payload["closed"] = float(f"{closed_factor(train.opponents):.7g}")
    report["riichi"] = len(waits)
    report["facing"] = len(train.facing["game"])
    report["riichi_deal_ins"] = int(on_riichi.sum())
    return payload, report


def _base_han(rons: Columns) -> Floats:
    """(24) without the han of ura dora, ippatsu and red fives, of the rons whose yaku are known."""
    known = rons["bonus"] >= 0
    limit = rons["fu"] == 0
    bonus = np.where(limit, 0, rons["bonus"])
    red = (rons["tile"] >= N_KINDS) & ~limit
    han, _ = fit_riichi.worth(
        (rons["han"].astype(np.int64) - bonus)[known],
        rons["fu"][known],
        (rons["shift"] - red)[known],
    )
    return han


def closed_factor(opponents: Columns) -> float:
    """Kinds that win by ron for a closed tenpai hand without riichi, over those for one in
    riichi, on average: without riichi a yaku is wanted, and the narrow waits are left.
    """
    kinds = np.bitwise_count(opponents["ron"])
    riichi = opponents["riichi"]
    closed = ~riichi & (opponents["open_melds"] == 0) & opponents["tenpai"]
    if not closed.any() or not kinds[riichi].any():
        return 1.0
    return float(kinds[closed].mean() / kinds[riichi].mean())


def _rounded(table: Floats) -> Any:
    # Seven digits keep the file small and its bytes the same wherever it is fitted.
    def shortened(value: Any) -> Any:
        return [shortened(v) for v in value] if isinstance(value, list) else float(f"{value:.7g}")

    return shortened(table.tolist())


def fit_dealin(dataset: Path, out: Path, engine: Jobs = 1) -> dict[str, Any]:
    """Fit on train, choose the borrow on valid, write the model file; returns the report."""
    manifest = read_manifest(dataset)
    train = load_fit_data(dataset, ("train",))
    valid = load_fit_data(dataset, ("valid",))
    payload, report = fit(train, valid, engine)
    write_model(
        out,
        NAME,
        VERSION,
        payload,
        {
            "command": "haiyomi dataset build CORPUS DATASET && haiyomi fit dealin DATASET",
            "haiyomi": haiyomi.__version__,
            "records_sha256": manifest["records_sha256"],
            "games": {"train": len(train.games), "valid": len(valid.games)},
            "rows": {
                "opponents": len(train.opponents["game"]),
                "riichi": report["riichi"],
                "riichi_deal_ins": report["riichi_deal_ins"],
            },
            "borrow": report["borrow"],
        },
    )
    return report
