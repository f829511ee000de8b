"""The negative log probability that a policy gives to the choices made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats, Singles
from haiyomi.game.decision_record import CHI_LOW, NINE, RIICHI, Decisions
from haiyomi.game.observation import NONE
from haiyomi.styles.policy_network import Logits

Nats = Floats
_KINDS = np.arange(34, dtype=np.uint64)
_ACTS = np.arange(9)


def bits(masks: NDArray[Any], n: int = 34) -> Bools:
    """(..., n) the bits of masks (...), the lowest first."""
    places = np.arange(n, dtype=np.uint64)
    out: Bools = (masks.astype(np.uint64)[..., None] >> places & np.uint64(1)) != 0
    return out


def choice_nats(found: Logits, rows: Decisions, labels: NDArray[Any]) -> Nats:
    """(n,) nats of the choices ``labels`` (n,) of CHOICE: of the discard among those allowed, of
    each kan, of riichi, tsumo and nine terminals, and of the answer to another's tile."""
    return (
        discard_nats(found.discards, rows, labels)
        + _kan_nats(found.kans, rows, labels)
        + _act_nats(found.acts, labels)
    )


def discard_nats(logits: Singles, rows: Decisions, labels: NDArray[Any]) -> Nats:
    """(n,) nats of the discards; 0 where none was chosen."""
    chosen = labels["discard"]
    some = np.flatnonzero(chosen < 34)
    z = np.where(bits(rows["discards"][some]), logits[some].astype(np.float64), -np.inf)
    out = np.zeros(len(rows))
    out[some] = _log_sum(z) - z[np.arange(len(some)), chosen[some]]
    return out


def _kan_nats(logits: Singles, rows: Decisions, labels: NDArray[Any]) -> Nats:
    kan = labels["kan"]
    known = (kan < 34) | (kan == NONE)  # else another choice left it open
    asked = bits(rows["kans"]) & known[:, None]
    chosen = kan[:, None] == _KINDS
    return _binary(logits, chosen, asked)


def _act_nats(logits: Singles, labels: NDArray[Any]) -> Nats:
    decided, chosen = bits(labels["decided"], 9), bits(labels["chosen"], 9)
    own = (_ACTS >= RIICHI) & (_ACTS <= NINE)
    # Passing has logit 0; it is the choice where no act is.
    z = np.where(decided & (_ACTS >= CHI_LOW), logits.astype(np.float64), -np.inf)
    z = np.concatenate([z, np.zeros((len(z), 1))], axis=1)
    taken = np.where(chosen[:, CHI_LOW:].any(axis=1), chosen.argmax(axis=1), 9)
    offered = (decided & (_ACTS >= CHI_LOW)).any(axis=1)
    with np.errstate(invalid="ignore"):
        of_offer = np.where(offered, _log_sum(z) - z[np.arange(len(z)), taken], 0.0)
    return _binary(logits, chosen, decided & own) + of_offer


def _binary(logits: Singles, chosen: Bools, asked: Bools) -> Nats:
    x = logits.astype(np.float64)
    nats = np.logaddexp(0, np.where(chosen, -x, x))
    out: Nats = np.where(asked, nats, 0.0).sum(axis=1)
    return out


def _log_sum(z: Nats) -> Nats:
    top = z.max(axis=1)
    out: Nats = np.log(np.exp(z - top[:, None]).sum(axis=1)) + top
    return out
