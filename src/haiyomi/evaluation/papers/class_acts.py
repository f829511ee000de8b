"""Riichi and calls of the people of each class: what they do at a chance, and what a style says.

A *chance* of riichi is a decision at which it may be declared; one of a call is another's tile
that may be claimed by chi, pon or kan. Decisions of which the choice is unknown are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Ints, Singles
from haiyomi.corpus.splits import Split
from haiyomi.evaluation.metrics import mean_estimate
from haiyomi.game.decision_record import CHI_LOW, OPEN_KAN, RIICHI, Decisions
from haiyomi.json_types import KnownJson
from haiyomi.rows import Rows
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.choice_loss import bits, choice_nats
from haiyomi.styles.estimate import style_vector
from haiyomi.styles.policy import Policy
from haiyomi.training.decision_stream import DecisionStream

SEED: Final = 25
CALLS: Final = slice(CHI_LOW, OPEN_KAN + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Acts(Rows):
    """Chances of n decisions: ``records`` and ``choice`` (n,), a code of the ``game``, and the
    number of the ``group`` of the one who decides."""

    records: Decisions
    choice: NDArray[Any]
    game: Ints
    group: Ints

    def drawn(self, group: int, most: int) -> Acts:
        """At most so many chances of riichi and as many of calls of one group, by the seed."""
        mine = np.flatnonzero(self.group == group)
        of_riichi = bits(self.choice["decided"][mine], 9)[:, RIICHI]
        some = [
            generator(SEED, "acts", group, kind).permutation(mine[of_riichi == (kind == 0)])[:most]
            for kind in (0, 1)
        ]
        return self.take(np.sort(np.concatenate(some)))


def read_acts(
    packed: Path,
    split: Split,
    group: Mapping[str, int],
    shards: int,
    progress: Progress | None,
) -> Acts:
    """The chances of the players in ``group`` (name -> number), in at most so many shards of a
    split of packed games. Raises DatasetError."""
    stream = DecisionStream(packed, split, SEED)
    parts = []
    number = min(shards, stream.segments)
    for index in range(number):
        segment = stream.segment(0, index)
        decided = bits(segment.labels["choice"]["decided"], 9)
        chance = np.flatnonzero(decided[:, RIICHI] | decided[:, CALLS].any(axis=1))
        who = np.array([group.get(name, -1) for name in segment.player[chance].tolist()])
        segment, who = segment.take(chance[who >= 0]), who[who >= 0]
        game = segment.labels["game"].astype(np.int64) + (index << 32)
        parts.append(Acts(segment.records, segment.labels["choice"], game, who))
        if progress:
            progress(index + 1, number)
    return Acts.join(parts)


def fitted(policy: Policy, acts: Acts) -> Singles:
    """(STYLE,) the vector that makes the choices at these chances most probable, under the prior of
    ``style_vector``."""
    return style_vector(policy, acts.records, acts.choice)


def chances(policy: Policy, style: Singles, acts: Acts) -> KnownJson:
    """By ``riichi`` and ``call`` the share of chances that are taken, as people did (``observed``,
    with its interval by game) and as the style says (``predicted``); ``nats`` a decision."""
    found = policy.logits(acts.records, style, both=False)
    decided, chosen = bits(acts.choice["decided"], 9), bits(acts.choice["chosen"], 9)
    logits = found.acts.astype(np.float64)
    weights = np.where(decided[:, CALLS], np.exp(logits[:, CALLS]), 0.0).sum(axis=1)
    offered, called = (np.asarray(of[:, CALLS].any(axis=1)) for of in (decided, chosen))
    riichi = 1.0 / (1.0 + np.exp(-logits[:, RIICHI]))
    taken = {
        "riichi": (decided[:, RIICHI], riichi, chosen[:, RIICHI]),
        "call": (offered, weights / (1.0 + weights), called),
    }
    out: KnownJson = {"nats": float(choice_nats(found, acts.records, acts.choice).mean())}
    for name, (rows, predicted, did) in taken.items():
        estimate = mean_estimate(did[rows], acts.game[rows], generator(SEED, name))
        out[name] = {
            "n": int(rows.sum()),
            "predicted": float(predicted[rows].mean()),
            "observed": estimate.value,
            "interval": [estimate.low, estimate.high],
        }
    return out
