"""What decision records say of tiles: waits, and the efficiency of each discard and call.

It needs no Position and no table, so that a record can be made without what plays.
"""

from __future__ import annotations

import numpy as np

from haiyomi.game.decision_record import CHI_HIGH, CHI_LOW, CHI_MID, PON, Decisions
from haiyomi.game.observation import MELD_KINDS, NONE
from haiyomi.kernels.shanten import shanten, useful
from haiyomi.kernels.tile_efficiency import tile_efficiency
from haiyomi.kernels.waits import waits


def with_tile_facts(rows: Decisions) -> Decisions:
    """Fill in ``waits``, ``efficiency`` and ``calls``, in place."""
    _fill_waits(rows)
    unseen = np.ascontiguousarray(rows["observation"]["unseen"])
    hands = np.ascontiguousarray(rows["hand"])
    turn = np.flatnonzero(rows["from"] == NONE)
    rows["efficiency"][turn] = tile_efficiency(hands[turn], unseen[turn])
    offer = np.flatnonzero(rows["from"] != NONE)
    if not len(offer):
        return rows
    rows["calls"][offer] = NONE
    rows["calls"][offer, 0, 0] = np.maximum(shanten(hands[offer]), 0)
    bits = useful(hands[offer])[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)
    rows["calls"][offer, 0, 1] = (bits * unseen[offer]).sum(axis=1)
    rows["calls"][offer, 0, 2] = 0
    offered = rows["offered"].astype(np.int64)
    for place, (act, taken) in enumerate(
        ((CHI_LOW, (1, 2)), (CHI_MID, (-1, 1)), (CHI_HIGH, (-2, -1)), (PON, (0, 0))), 1
    ):
        some = offer[(rows["legal"][offer] >> act & 1) != 0]
        if not len(some):
            continue
        after = hands[some].copy()
        for step in taken:
            after[np.arange(len(some)), offered[some] + step] -= 1
        found = tile_efficiency(after, unseen[some]).astype(np.int64)
        # The best discard: least shanten, then most tiles, then the most after them.
        key = (NONE - found[:, :, 0]) << 16 | found[:, :, 1] << 8 | found[:, :, 3]
        best = key.argmax(axis=1)
        rows["calls"][some, place] = found[np.arange(len(some)), best][:, [0, 1, 3]]
    return rows


def _fill_waits(rows: Decisions) -> None:
    hands = rows["hand"].copy()
    drew = np.flatnonzero(rows["drawn"] != NONE)
    hands[drew, rows["drawn"][drew]] -= 1
    whole = np.flatnonzero((rows["drawn"] != NONE) | (rows["from"] != NONE))
    held = hands[whole]
    found = waits(held)
    melds = rows["observation"]["players"]["melds"][whole, 0]
    for slot in range(4):
        kind, base = melds[:, slot, 0], melds[:, slot, 1].astype(np.int64)
        chi = np.flatnonzero(kind == MELD_KINDS.index("chi"))
        for step in range(3):
            held[chi, base[chi] + step] += 1
        same = np.flatnonzero((kind != NONE) & (kind != MELD_KINDS.index("chi")))
        held[same, base[same]] += np.where(kind[same] == MELD_KINDS.index("pon"), 3, 4).astype("u1")
    gone = ((held >= 4).astype(np.uint64) << np.arange(34, dtype=np.uint64)).sum(axis=1)
    rows["waits"][whole] = found & ~gone.astype(np.uint64)
