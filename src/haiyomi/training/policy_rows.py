"""The training rows of the imitation: every decision of the corpus with its label.

A row is one moment at which a seat had a choice: on its own turn, or on another's tile that it
could claim. Left out and counted: seats while they were disconnected, and choices that cannot be
known because another's call or win came first. Rows are cached by ``training.row_cache``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus
from haiyomi.corpus.walk import rows_of
from haiyomi.events import Game, Riichi
from haiyomi.game.decision_labels import CHOICE
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.play.decision import decisions
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.training.policy_labels import label_of
from haiyomi.training.row_cache import Arrays, build_cache, load_cache

FORMAT = 1


@dataclass(frozen=True, slots=True, eq=False)
class PolicyRows:
    """n decisions: ``decisions`` (n,) of DECISION and ``labels`` (n,) of CHOICE; ``game`` (n,)
    codes into ``games``; ``hand`` in the record and ``event`` in the hand, after which was
    chosen; ``seat`` absolute; ``code`` the tile discarded as its code, NONE without;
    ``names`` (games, 4) of the players. ``skipped`` (record, reason); ``absent`` decisions
    left out because the line was down."""

    games: tuple[str, ...]
    names: NDArray[np.str_]
    decisions: Decisions
    labels: NDArray[Any]
    game: NDArray[np.int32]
    hand: NDArray[np.int16]
    event: NDArray[np.int16]
    seat: NDArray[np.uint8]
    code: NDArray[np.uint8]
    skipped: tuple[tuple[str, str], ...] = ()
    absent: int = 0

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def player(self) -> NDArray[np.str_]:
        """(n,) names."""
        out: NDArray[np.str_] = self.names[self.game, self.seat]
        return out

    def take(self, index: NDArray[Any]) -> PolicyRows:
        """Some of the rows."""
        return replace(self, **{c: getattr(self, c)[index] for c in _BY_ROW})

    @staticmethod
    def concat(parts: Sequence[PolicyRows]) -> PolicyRows:
        """All rows of some parts, games renumbered."""
        if not parts:
            return _rows("", np.array([""] * 4), [], [], 0)
        offsets = np.cumsum([0, *(len(p.games) for p in parts)])
        return PolicyRows(
            tuple(g for p in parts for g in p.games),
            np.concatenate([p.names for p in parts]),
            np.concatenate([p.decisions for p in parts]),
            np.concatenate([p.labels for p in parts]),
            np.concatenate(
                [p.game + np.int32(o) for p, o in zip(parts, offsets[:-1], strict=True)]
            ),
            np.concatenate([p.hand for p in parts]),
            np.concatenate([p.event for p in parts]),
            np.concatenate([p.seat for p in parts]),
            np.concatenate([p.code for p in parts]),
            tuple(s for p in parts for s in p.skipped),
            sum(p.absent for p in parts),
        )


_BY_ROW = ("decisions", "labels", "game", "hand", "event", "seat", "code")


def game_rows(name: str, game: Game) -> PolicyRows:
    """The rows of one game. Raises RecordError if the record does not replay."""
    packed: list[bytes] = []
    found: list[tuple[Any, ...]] = []
    absent = 0
    for decision in decisions(game):
        if isinstance(decision.history[-1], Riichi):
            continue  # its discard belongs to the choice before
        if decision.absent:
            absent += 1
            continue
        label = label_of(decision.choices, decision.seat, decision.followed)
        if label is None:
            continue
        packed.append(pack_decision(decision))
        found.append((*label[0], decision.hand, decision.event, decision.seat, label[1]))
    return _rows(name, np.array(game.header.names), packed, found, absent)


def _rows(
    name: str, names: NDArray[Any], packed: list[bytes], found: list[Any], absent: int
) -> PolicyRows:
    table = np.array(found, dtype=np.int64).reshape(-1, 8)
    labels = np.empty(len(table), CHOICE)
    for i, field in enumerate(CHOICE.names or ()):
        labels[field] = table[:, i]
    return PolicyRows(
        (name,) if name else (),
        names[None].astype(np.str_) if name else np.zeros((0, 4), np.str_),
        unpack_decisions(b"".join(packed)) if packed else np.zeros(0, DECISION),
        labels,
        np.zeros(len(table), np.int32),
        table[:, 4].astype(np.int16),
        table[:, 5].astype(np.int16),
        table[:, 6].astype(np.uint8),
        table[:, 7].astype(np.uint8),
        (),
        absent,
    )


def read_rows(piece: Corpus) -> PolicyRows:
    """The rows of a piece of a corpus; records that do not replay are listed."""
    parts, skipped = rows_of(piece, game_rows)
    rows = PolicyRows.concat(parts)
    return replace(rows, skipped=skipped)


_COLUMNS = ("game", "hand", "event", "seat", "code")


def _arrays(piece: Corpus) -> Arrays:
    rows = read_rows(piece)
    return {
        "games": np.array(rows.games, dtype=np.str_),
        "names": rows.names.astype(np.str_),
        "decisions": rows.decisions.view(np.uint8).reshape(len(rows), DECISION.itemsize),
        "labels": rows.labels.view(np.uint8).reshape(len(rows), CHOICE.itemsize),
        "skipped": np.array(rows.skipped, dtype=np.str_).reshape(-1, 2),
        "absent": np.array(rows.absent),
        **{c: getattr(rows, c) for c in _COLUMNS},
    }


def _rows_of(data: Arrays) -> PolicyRows:
    return PolicyRows(
        tuple(data["games"].tolist()),
        data["names"],
        data["decisions"].view(DECISION).reshape(-1),
        data["labels"].view(CHOICE).reshape(-1),
        **{c: data[c] for c in _COLUMNS},
        skipped=tuple((a, b) for a, b in data["skipped"].tolist()),
        absent=int(data["absent"]),
    )


def build_rows(
    corpus: Path, cache: Path, jobs: Jobs = None, progress: Progress | None = None
) -> None:
    """Build or finish the cache of a corpus folder. Raises DatasetError."""
    layout = {"format": FORMAT, "decision": DECISION.itemsize}
    build_cache(corpus, cache, layout, _arrays, jobs, progress)


def load_rows(cache: Path, split: str, shards: int | None = None) -> PolicyRows:
    """A split's rows, in shard order; only the first ``shards``. Raises DatasetError."""
    return PolicyRows.concat(load_cache(cache, split, _rows_of, shards))
