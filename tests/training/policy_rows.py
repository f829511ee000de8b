"""The decisions of records with their labels, game by game.

A row is one moment at which a seat had a choice: on its own turn, or on another's tile that it
could claim. Left out: seats while they were disconnected, and choices that cannot be
known because another's call or win came first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.events import Game
from haiyomi.game.decision_labels import is_known
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_one, pack_games
from haiyomi.rows import Rows


@dataclass(frozen=True, slots=True, eq=False)
class PolicyRows(Rows):
    """n decisions: ``decisions`` (n,) of DECISION and ``labels`` (n,) of CHOICE; ``player`` (n,)
    names; ``hand`` in the record, ``seat`` absolute; ``code`` the tile discarded as its code, NONE
    without."""

    decisions: Decisions
    labels: NDArray[Any]
    player: NDArray[np.str_]
    hand: NDArray[np.int16]
    seat: NDArray[np.uint8]
    code: NDArray[np.uint8]


def game_rows(name: str, game: Game) -> PolicyRows:
    """The rows of one game. Raises RecordError if the record does not replay."""
    records, labels = decode_one(pack_games([(name, game)]))
    known = is_known(labels)
    kept = labels[known]
    return PolicyRows(
        records[known],
        kept["choice"],
        np.array(game.header.names)[kept["seat"]],
        kept["hand"].astype(np.int16),
        kept["seat"].copy(),
        kept["code"].copy(),
    )
