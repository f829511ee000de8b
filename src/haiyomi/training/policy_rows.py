"""The decisions of records with their labels, game by game.

A row is one moment at which a seat had a choice: on its own turn, or on another's tile that it
could claim. Left out: seats while they were disconnected, and choices that cannot be
known because another's call or win came first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.events import Game
from haiyomi.game.decision_labels import CHOICE, is_known
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.packed_games import decode_one, pack_games


@dataclass(frozen=True, slots=True, eq=False)
class PolicyRows:
    """n decisions: ``decisions`` (n,) of DECISION and ``labels`` (n,) of CHOICE; ``game`` (n,)
    codes into ``games``; ``hand`` in the record and ``event`` in the hand, after which was
    chosen; ``seat`` absolute; ``code`` the tile discarded as its code, NONE without;
    ``names`` (games, 4) of the players."""

    games: tuple[str, ...]
    names: NDArray[np.str_]
    decisions: Decisions
    labels: NDArray[Any]
    game: NDArray[np.int32]
    hand: NDArray[np.int16]
    event: NDArray[np.int16]
    seat: NDArray[np.uint8]
    code: NDArray[np.uint8]

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
            return _NONE
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
        )


_NONE = PolicyRows(
    (),
    np.zeros((0, 4), np.str_),
    np.zeros(0, DECISION),
    np.zeros(0, CHOICE),
    np.zeros(0, np.int32),
    np.zeros(0, np.int16),
    np.zeros(0, np.int16),
    np.zeros(0, np.uint8),
    np.zeros(0, np.uint8),
)
_BY_ROW = ("decisions", "labels", "game", "hand", "event", "seat", "code")


def game_rows(name: str, game: Game) -> PolicyRows:
    """The rows of one game. Raises RecordError if the record does not replay."""
    records, labels = decode_one(pack_games([(name, game)]))
    known = is_known(labels)
    kept = labels[known]
    return PolicyRows(
        (name,),
        np.array(game.header.names)[None],
        records[known],
        kept["choice"],
        np.zeros(len(kept), np.int32),
        kept["hand"].astype(np.int16),
        kept["event"].astype(np.int16),
        kept["seat"].copy(),
        kept["code"].copy(),
    )
