"""A position becomes a decision record whether or not the viewer is to discard.

A network that reads opponents has learned from discards. Where the viewer holds no tile to discard,
the record is that of a viewer who has drawn the tile of its last discard once more: the hand that
remains is the true one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import DECISION, RIICHI, Decisions
from haiyomi.game.game_end import DEPOSIT
from haiyomi.game.kuikae import swapped_kinds
from haiyomi.game.observation import MELD_KINDS, NONE, observations_of
from haiyomi.game.position import Position
from haiyomi.play.riichi_rule import RIICHI_DRAWS
from haiyomi.play.tile_facts import with_tile_facts
from haiyomi.tiles import kind_counts

_BITS: Final = np.uint64(1) << np.arange(34, dtype=np.uint64)
_PON: Final = MELD_KINDS.index("pon")
_ANKAN: Final = MELD_KINDS.index("ankan")


def seat_records(positions: Sequence[Position]) -> Decisions:
    """(n,) the records of viewers that are to discard, with the legal discards, kans and riichi; a
    win and nine terminals are left out. After a riichi of the viewer the discards are those that
    keep it tenpai, as when it declared it."""
    rows = np.zeros(len(positions), DECISION)
    rows["observation"] = observations_of(positions)
    rows["hand"] = [kind_counts(p.hand) for p in positions]
    rows["reds"] = [sum({1 << (t.code - 34) for t in p.hand if t.red}) for p in positions]
    rows["drawn"] = [NONE if p.drawn is None else p.drawn.kind for p in positions]
    rows["drawn_red"] = [p.drawn is not None and p.drawn.red for p in positions]
    for name in ("offered", "from", "calls"):
        rows[name] = NONE
    _give_tile(rows)
    held = rows["hand"] > 0
    for i, position in enumerate(positions):
        held[i, list(swapped_kinds(position))] = False
    rows["discards"] = _mask(held)
    _add_options(with_tile_facts(rows))
    return rows


def _give_tile(rows: Decisions) -> None:
    """A tile to discard for those who hold none: the kind of the last discard; before it that of
    which most are left, honours first."""
    for i in np.flatnonzero(rows["hand"].sum(axis=1) % 3 != 2).tolist():
        own = rows["observation"]["players"][i, 0]
        left = rows["observation"]["unseen"][i]
        last = own["kind"][own["n"] - 1] if own["n"] else (np.roll(left, -27).argmax() + 27) % 34
        kind = int(last)
        rows["hand"][i, kind] += 1
        rows["drawn"][i], rows["drawn_red"][i] = kind, False


def _add_options(rows: Decisions) -> None:
    """The legal kans and riichi, in place."""
    observation = rows["observation"]
    me, left = observation["players"][:, 0], observation["draws_left"]
    drew = (rows["drawn"] != NONE) & (left > 0)
    kans = rows["hand"] == 4
    row, slot = np.nonzero(me["melds"][:, :, 0] == _PON)
    base = me["melds"][row, slot, 1]
    kans[row, base] |= rows["hand"][row, base] > 0
    rows["kans"] = _mask(kans & drew[:, None])
    closed = ((me["melds"][:, :, 0] == NONE) | (me["melds"][:, :, 0] == _ANKAN)).all(axis=1)
    tenpai = (rows["efficiency"][:, :, 0] == 0).any(axis=1)
    riichi = me["riichi"] >= 0
    rows["discards"][riichi] &= _mask(rows["efficiency"][riichi, :, 0] == 0)
    may = drew & ~riichi & closed & tenpai & (me["score"] >= DEPOSIT) & (left >= RIICHI_DRAWS)
    rows["legal"] = may.astype(np.uint16) << RIICHI


def _mask(kinds: NDArray[np.bool_]) -> NDArray[np.uint64]:
    out: NDArray[np.uint64] = (kinds * _BITS).sum(axis=1, dtype=np.uint64)
    return out
