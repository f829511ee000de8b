"""A decision in plain summary numbers: what the baselines of the outcome forecast see.

All of it comes from decision records: scores, the turn, riichi, melds and rivers of the four
players, and the own hand's distance to winning. No network and no search is behind it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Ints, Singles
from haiyomi.game.decision_record import ACTS, Decisions
from haiyomi.game.observation import DECLARES, FACING, NONE, TSUMOGIRI, open_melds
from haiyomi.tiles import YAOCHU

_KINDS: Final = np.arange(34)
_YAOCHU: Final = np.isin(_KINDS, YAOCHU)
_KANS: Final = (2, 3, 4)


def summary(rows: Decisions) -> Singles:
    """(n, features) of n decision records."""
    columns = [*_table(rows), *_hand(rows)]
    for seat in range(4):
        columns += _player(rows, seat)
    return np.column_stack(columns).astype(np.float32)


def _table(rows: Decisions) -> list[NDArray[Any]]:
    """The round, the deposits, the wall, and what the rules allow."""
    seen = rows["observation"]
    scores = seen["players"]["score"].astype(np.int64)
    own = scores[:, 0]
    ranks = (scores > own[:, None]).sum(axis=1)
    legal = rows["legal"]
    riichis = (seen["players"]["riichi"][:, 1:] >= 0).sum(axis=1)
    return [
        seen["kyoku"],
        seen["rounds"],
        4 * seen["rounds"].astype(np.int64) - 1 - seen["kyoku"],
        seen["honba"],
        seen["sticks"],
        seen["dealer"],
        seen["dealer"] == 0,
        seen["draws_left"],
        ranks,
        scores.max(axis=1) - own,
        own - scores.min(axis=1),
        riichis,
        (seen["indicators"] != NONE).sum(axis=1),
        rows["offered"] == NONE,
        rows["from"],
        *(legal >> act & 1 for act in range(len(ACTS))),
    ]


def _dora(rows: Decisions) -> Ints:
    """(n, 34) han that one tile of each kind brings."""
    han = np.zeros((len(rows), 34), np.int64)
    at = np.arange(len(rows))
    follows = np.array([k - 8 if k % 9 == 8 else k + 1 for k in range(27)])
    follows = np.concatenate([follows, [28, 29, 30, 27, 32, 33, 31]])
    for shown in rows["observation"]["indicators"].T:
        there = shown != NONE
        np.add.at(han, (at[there], follows[shown[there]]), 1)
    return han


def _hand(rows: Decisions) -> list[NDArray[Any]]:
    """The own hand: distance, acceptance, value, and how much of it is safe."""
    seen = rows["observation"]
    hand = rows["hand"].astype(np.int64)
    dora = _dora(rows)
    value = np.zeros((len(rows), 34), bool)
    value[:, 31:] = True
    at = np.arange(len(rows))
    value[at, 27 + seen["kyoku"] // 4 % 4] = True
    value[at, 27 + (-seen["dealer"].astype(np.int64)) % 4] = True
    efficiency = rows["efficiency"].astype(np.int64)
    # Sorted by shanten, then by useful tiles: the best three discards.
    rank = efficiency[:, :, 0] * 1000 - efficiency[:, :, 1]
    order = np.argsort(rank, axis=1, kind="stable")[:, :3]
    best = np.take_along_axis(efficiency, order[:, :, None], axis=1)
    calls = rows["calls"].astype(np.int64)
    reds = sum(rows["reds"] >> suit & 1 for suit in range(3))
    suits = np.stack([hand[:, 9 * s : 9 * s + 9].sum(axis=1) for s in range(3)], axis=1)
    return [
        *best.reshape(len(rows), -1).T,
        *calls.reshape(len(rows), -1).T,
        np.bitwise_count(rows["waits"]),
        hand.sum(axis=1),
        (hand * dora).sum(axis=1) + reds,
        (value & (hand == 2)).sum(axis=1),
        (value & (hand >= 3)).sum(axis=1),
        (hand[:, 27:] == 1).sum(axis=1),
        (hand * _YAOCHU).sum(axis=1),
        suits.max(axis=1) + hand[:, 27:].sum(axis=1),
        (hand == 2).sum(axis=1),
        (hand >= 3).sum(axis=1),
        *_safe(rows, hand),
        (seen["unseen"].astype(np.int64) * dora).sum(axis=1),
    ]


def _safe(rows: Decisions, hand: Ints) -> list[NDArray[Any]]:
    """Of each opponent: how many tiles of the hand it cannot win on."""
    found = []
    for seat in (1, 2, 3):
        player = rows["observation"]["players"][:, seat]
        river = np.zeros((len(rows), 35), bool)
        np.put_along_axis(river, np.minimum(player["kind"], 34).astype(np.int64), True, axis=1)
        passed = player["passed"] | player["passed_riichi"]
        mask = river[:, :34] | (passed[:, None] >> _KINDS.astype(np.uint64) & 1).astype(bool)
        found.append((hand * mask).sum(axis=1))
    return found


def _player(rows: Decisions, seat: int) -> list[NDArray[Any]]:
    """One player's score, river, riichi and melds."""
    player = rows["observation"]["players"][:, seat]
    dora = _dora(rows)
    melds = player["melds"].astype(np.int64)
    kind = melds[:, :, 0]
    there = kind != NONE
    base = np.where(there, melds[:, :, 1], 0)
    triplet = there & (kind != 0)
    n = player["n"].astype(np.int64)
    flags = player["flags"]
    at = np.arange(flags.shape[1])
    made = at < n[:, None]
    late = made & (at >= n[:, None] - 5)
    tedashi = (flags & TSUMOGIRI) == 0
    kinds = np.minimum(player["kind"], 33)
    riichi = player["riichi"].astype(np.int64)
    meld_dora = np.take_along_axis(dora, base, axis=1)
    meld_dora = (meld_dora * np.where(triplet, 3, 1) * there).sum(axis=1)
    return [
        player["score"],
        n,
        player["concealed"],
        riichi >= 0,
        np.where(riichi >= 0, n - riichi, -1),
        rows["observation"]["ippatsu"] >> seat & 1,
        rows["observation"]["double_riichi"] >> seat & 1,
        open_melds(player),
        (there & np.isin(kind, _KANS)).sum(axis=1),
        (triplet & (base >= 27)).sum(axis=1),
        meld_dora + (melds[:, :, 5] * there).sum(axis=1),
        (made & tedashi).sum(axis=1),
        (late & tedashi).sum(axis=1),
        (late & ((flags & FACING) != 0)).sum(axis=1),
        (made & ((flags & DECLARES) != 0)).sum(axis=1),
        (made & _YAOCHU[kinds]).sum(axis=1),
        (late & ~_YAOCHU[kinds]).sum(axis=1),
        (made & (np.take_along_axis(dora, kinds.astype(np.int64), axis=1) > 0)).sum(axis=1),
    ]
