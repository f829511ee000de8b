"""What a policy's answers are worth: agreement of discards, log loss and AUC of the rest.

Forced discards are no rows; a red five and a plain one are the same kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats
from haiyomi.evaluation.metrics import auc_gain, binary_score, mean_estimate
from haiyomi.game.decision_record import (
    ACTS,
    CHI_HIGH,
    CHI_LOW,
    NINE,
    OFFERS,
    OPEN_KAN,
    PON,
    RIICHI,
    RON,
    TSUMO,
    Decisions,
)
from haiyomi.networks.softmax import softmax
from haiyomi.rows import Rows
from haiyomi.styles.choice_loss import bits, choice_nats, discard_nats
from haiyomi.styles.policy_network import Logits

CHOICES: Final[dict[str, tuple[int, ...]]] = {
    "riichi": (RIICHI,),
    "chi": tuple(range(CHI_LOW, CHI_HIGH + 1)),
    "pon": (PON,),
    "open kan": (OPEN_KAN,),
    "ron": (RON,),
    "tsumo": (TSUMO,),
    "nine terminals": (NINE,),
}
"""Yes-or-no questions by the acts that say yes; a kan of one's own beside them."""
OWN_KAN: Final = "concealed or added kan"


@dataclass(frozen=True, slots=True, eq=False)
class Judged(Rows):
    """n decisions judged: ``place`` (n,) of the discard chosen among the policy's, from 0, -1 where
    none was; ``nats`` (n,) minus the log probability of everything the row tells; ``yes`` (n,
    questions) probabilities, nan where not decided, and ``outcomes`` the answers."""

    place: NDArray[np.int16]
    discard_nats: Floats
    nats: Floats
    yes: Floats
    outcomes: Bools


def judge(decisions: Decisions, labels: NDArray[Any], logits: Logits) -> Judged:
    """Judge the answers to decisions, with their labels (n,) of CHOICE."""
    n = len(decisions)
    place = np.full(n, -1, np.int16)
    of_discards = np.full(n, np.nan)
    # In riichi a discard is forced, though a kan or a win may be a choice.
    free = decisions["observation"]["players"]["riichi"][:, 0] < 0
    some = np.flatnonzero((labels["discard"] < 34) & free)
    legal = bits(decisions["discards"][some])
    z = np.where(legal, logits.discards[some].astype(np.float64), -np.inf)
    own = z[np.arange(len(some)), labels["discard"][some].astype(np.int64)]
    place[some] = (z > own[:, None]).sum(axis=1)
    of_discards[some] = discard_nats(logits.discards[some], decisions[some], labels[some])
    yes = np.full((n, len(CHOICES) + 1), np.nan)
    outcomes = np.zeros((n, len(CHOICES) + 1), bool)
    acts = logits.acts.astype(np.float64)
    decided, chosen = labels["decided"], labels["chosen"]
    offers = np.flatnonzero(decided & OFFERS)
    shares = _offer_shares(acts[offers], decided[offers])
    for j, group in enumerate(CHOICES.values()):
        mask = sum(1 << a for a in group)
        put = np.flatnonzero(decided & mask)
        outcomes[put, j] = (chosen[put] & mask) != 0
        if group[0] in (RIICHI, TSUMO, NINE):
            yes[put, j] = 1 / (1 + np.exp(-acts[put, group[0]]))
        else:
            where = np.searchsorted(offers, put)
            yes[put, j] = shares[where][:, [a - CHI_LOW + 1 for a in group]].sum(axis=1)
    kans = np.flatnonzero((decisions["kans"] != 0) & (labels["kan"] != 254))
    if len(kans):
        may = bits(decisions["kans"][kans])
        x = logits.kans[kans].astype(np.float64)
        yes[kans, -1] = np.where(may, 1 / (1 + np.exp(-x)), 0).max(axis=1)
        outcomes[kans, -1] = labels["kan"][kans] < 34
    return Judged(place, of_discards, choice_nats(logits, decisions, labels), yes, outcomes)


def _offer_shares(acts: Floats, decided: NDArray[Any]) -> Floats:
    """(n, 1 + offers) probabilities of passing and of each act on offer."""
    z = np.zeros((len(acts), RON - CHI_LOW + 2))
    for act in range(CHI_LOW, RON + 1):
        z[:, act - CHI_LOW + 1] = np.where(decided >> act & 1, acts[:, act], -np.inf)
    return softmax(z)


def discard_scores(
    judged: Judged, game: NDArray[Any], mask: Bools, rng: Generator
) -> dict[str, Any]:
    """Agreement and cross-entropy of the discards among some rows."""
    some = np.flatnonzero(mask & (judged.place >= 0))
    if not len(some):
        return {"n": 0}
    place, codes = judged.place[some], game[some]
    return {
        "n": len(some),
        "games": len(np.unique(codes)),
        "top1": mean_estimate(place == 0, codes, rng).to_json(),
        "top3": mean_estimate(place < 3, codes, rng).to_json(),
        "nats": mean_estimate(judged.discard_nats[some], codes, rng).to_json(),
    }


def discard_gains(
    judged: Judged, other: Judged, game: NDArray[Any], mask: Bools, rng: Generator
) -> dict[str, Any]:
    """What ``judged`` has over ``other`` on the same discards: agreement, and nats saved."""
    some = np.flatnonzero(mask & (judged.place >= 0))
    place, before, codes = judged.place[some], other.place[some], game[some]
    gains = {
        "top1": (place == 0).astype(float) - (before == 0),
        "top3": (place < 3).astype(float) - (before < 3),
        "nats": other.discard_nats[some] - judged.discard_nats[some],
    }
    found = {name: mean_estimate(gain, codes, rng).to_json() for name, gain in gains.items()}
    return {"n": len(some), **found}


def choice_gains(
    judged: Judged, other: Judged, game: NDArray[Any], rng: Generator
) -> dict[str, Any]:
    """What ``judged`` has over ``other`` in the AUC of each yes-or-no question."""
    out: dict[str, Any] = {}
    for j, name in enumerate((*CHOICES, OWN_KAN)):
        some = np.flatnonzero(~np.isnan(judged.yes[:, j]))
        p, q, outcomes = judged.yes[some, j], other.yes[some, j], judged.outcomes[some, j]
        if len(np.unique(outcomes)) == 2:
            out[name] = auc_gain(p, q, outcomes, game[some], rng).to_json()
    return out


def choice_scores(judged: Judged, game: NDArray[Any], rng: Generator) -> dict[str, Any]:
    """Accuracy, AUC and log loss of each yes-or-no question, against its base rate."""
    out: dict[str, Any] = {}
    for j, name in enumerate((*CHOICES, OWN_KAN)):
        some = np.flatnonzero(~np.isnan(judged.yes[:, j]))
        p, outcomes, codes = judged.yes[some, j], judged.outcomes[some, j], game[some]
        score = binary_score(p, outcomes, codes, rng)
        if score is None:
            continue
        right = mean_estimate((p > 0.5) == outcomes, codes, rng)
        summary = score.to_json()
        summary["accuracy"] = right.to_json()
        summary["base_accuracy"] = max(score.rate, 1 - score.rate)
        out[name] = summary
    return out


assert len(ACTS) == RON + 1
