"""The features of the boosted trees: predictions of the posterior and the network, observations.

``TENPAI_FEATURES`` are of an opponent, ``TILE_FEATURES`` of an opponent and a kind of tile; a
row's columns are in their order.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.tenpai_posterior import Readings
from haiyomi.game.observation import FACING, NONE, RIVER, TSUMOGIRI, Observations
from haiyomi.reading.features import CONTEXT_FEATURES, KIND_FEATURES, RIVER_FEATURES

Floats = NDArray[np.float32]
NetworkLogits = tuple[Floats, Floats]
"""The network's log odds of rons (n, 34) and of tenpai (n,)."""
LAST: Final = 4
TENPAI_FEATURES: Final = (
    *CONTEXT_FEATURES,
    "class", "log weight of tenpai hands", "log weight of a tile", "kinds waited on",
    "kinds won on", "likeliest kind to win on",
    *(f"{i} back: {what}" for i in range(1, LAST + 1) for what in ("sort of tile", "tsumogiri")),
    "passed since own discard", "dora unseen", "tedashi", "discards facing a riichi",
    "turn of the riichi before", "suits discarded from late",
    "network's log odds of tenpai", "network's sum of rons",
)  # fmt: skip
_KIND_COLUMNS: Final = (
    *RIVER_FEATURES,
    "discarded by kamicha", "discarded by toimen", "discarded by shimocha",
    "discarded by others in their first 4", "discarded by others lately",
    "in own melds", "called", "in others' melds", "passed since own discard", "han as dora",
    "shown as dora indicator", "in the viewer's hand", "own melds in the suit",
    "own discards in the suit", "own first 6 in the suit", "own tedashi in the suit",
    "own wind", "round wind", "other wind", "dragon",
)  # fmt: skip
_KIND_COLUMNS_AT = [KIND_FEATURES.index(name) for name in _KIND_COLUMNS]
_OFFSETS: Final = (-3, -2, -1, 1, 2, 3)
TILE_FEATURES: Final = (
    "log of tenpai times ron", "log ron", "log live", "log wait", "tenpai",
    "two-sided share", "shanpon share", "edge or closed share", "single share",
    "unseen", *(f"unseen {d:+d}" for d in _OFFSETS),
    *(f"discarded {d:+d}" for d in _OFFSETS),
    "rank from the edge", "honour",
    *_KIND_COLUMNS, "class", *CONTEXT_FEATURES,
    "network's log odds of a ron", "network's log odds of tenpai", "network's sum of rons",
    "network's share of the likeliest",
)  # fmt: skip
_RANK = np.array([min(k % 9, 8 - k % 9) if k < 27 else -1 for k in range(34)], np.float32)


def _log(p: NDArray[Any]) -> Floats:
    out: Floats = np.log(np.maximum(p, 1e-9)).astype(np.float32)
    return out


def _sums(logits: NetworkLogits) -> tuple[Floats, Floats]:
    """(n,) the network's rons summed, and the likeliest one."""
    p = 1 / (1 + np.exp(-logits[0]))
    return p.sum(axis=1), p.max(axis=1)


def tenpai_rows(
    readings: Readings, observations: Observations, opponent: NDArray[Any], logits: NetworkLogits
) -> Floats:
    """(n, len(TENPAI_FEATURES)) numbers of each opponent."""
    n = len(observations)
    factors = readings.factors
    own = observations["players"][np.arange(n), opponent]
    length = own["n"].astype(np.int64)
    x, context = factors.x, factors.context
    back = []
    rows = np.arange(n)
    for i in range(1, LAST + 1):
        at = np.clip(length - i, 0, RIVER - 1)
        kind = own["kind"][rows, at]
        there = length >= i
        rank = kind % 9
        sort = np.where(kind >= 27, 0, np.where((rank == 0) | (rank == 8), 1,
                        np.where((rank == 1) | (rank == 7), 2, 3)))  # fmt: skip
        back.append(np.where(there, sort, -1))
        back.append(np.where(there, (own["flags"][rows, at] & TSUMOGIRI) != 0, -1))
    passed = x[:, :, KIND_FEATURES.index("passed since own discard")].sum(axis=1)
    dora = (x[:, :, KIND_FEATURES.index("han as dora")] * observations["unseen"]).sum(axis=1)
    slot = np.arange(RIVER)
    there = slot < length[:, None]
    tedashi = there & ((own["flags"] & TSUMOGIRI) == 0)
    facing = there & ((own["flags"] & FACING) != 0)
    others = observations["players"]["riichi"].astype(np.int64)
    others = np.where(others < 0, 99, others)
    others[rows, opponent] = 99
    late = there & (slot >= length[:, None] - 4)
    suits = np.where(own["kind"] == NONE, 99, own["kind"] // 9)
    touched = sum(((suits == s) & late).any(axis=1).astype(np.int64) for s in range(3))
    with np.errstate(divide="ignore"):
        total = np.log(np.maximum(readings.total, 1e-30))
    columns = [
        factors.group, total, total / factors.concealed, readings.wait.sum(axis=1),
        readings.ron.sum(axis=1), readings.ron.max(axis=1), *back, passed, dora,
        tedashi.sum(axis=1), facing.sum(axis=1), others.min(axis=1), touched,
        logits[1], _sums(logits)[0],
    ]  # fmt: skip
    return np.concatenate(
        [context, np.stack(columns, axis=1).astype(np.float32)], axis=1, dtype=np.float32
    )


def tile_rows(
    readings: Readings,
    observations: Observations,
    tenpai: NDArray[Any],
    row: NDArray[Any],
    kind: NDArray[Any],
    logits: NetworkLogits,
) -> Floats:
    """(m, len(TILE_FEATURES)) numbers of opponents ``row`` and kinds ``kind``, (m,) each.

    ``tenpai`` (n,): each opponent's probability to be tenpai.
    """
    factors = readings.factors
    x = factors.x
    ron, live, wait = readings.ron[row, kind], readings.live[row, kind], readings.wait[row, kind]
    p = tenpai[row]
    shares = readings.kinds[row, kind] / np.maximum(wait, 1e-12)[:, None]
    unseen = observations["unseen"][row].astype(np.float32)
    discarded = x[row, :, 0]
    m = np.arange(len(row))
    near_unseen, near_discarded = [], []
    for d in _OFFSETS:
        at = kind + d
        inside = (kind < 27) & (at >= 0) & (at // 9 == kind // 9)
        at = np.where(inside, at, 0)
        near_unseen.append(np.where(inside, unseen[m, at], -1))
        near_discarded.append(np.where(inside, discarded[m, at], -1))
    head = np.stack(
        [_log(p * ron), _log(ron), _log(live), _log(wait), p.astype(np.float32)], axis=1
    )
    more = np.stack(
        [unseen[m, kind], *near_unseen, *near_discarded, _RANK[kind], kind >= 27], axis=1
    )
    total, most = _sums(logits)
    odds = logits[0][row, kind]
    share = 1 / (1 + np.exp(-odds)) / np.maximum(most[row], np.float32(1e-9))
    return np.concatenate(
        [
            head,
            shares,
            more,
            x[row, kind][:, _KIND_COLUMNS_AT],
            factors.group[row][:, None],
            factors.context[row],
            np.stack([odds, logits[1][row], total[row], share], axis=1),
        ],
        axis=1,
        dtype=np.float32,
    )
