"""Ablations of the posterior model: the effect of each of its parts.

``posterior:availability`` weighs hands by the unseen tiles alone; ``:shape`` adds the learned
shape factors; ``:furiten`` lets no furiten hand win; ``:yaku`` none without a yaku;
``:weights`` takes all learned weights. All are times the same tenpai probability; the whole
model adds the blend with the boosted trees and the network.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.boost_features import tenpai_rows
from haiyomi.dealin.posterior_model import Arrays, Floats, PosteriorModel
from haiyomi.dealin.tenpai_posterior import Readings, read
from haiyomi.game.observation import Observations
from haiyomi.rules import Ruleset


@dataclass(frozen=True, eq=False)
class Step(PosteriorModel):
    """A reduced posterior model; ``plain`` its weights, ``answer`` which of its answers."""

    plain: Arrays | None = None
    answer: str = "ron"

    def rons(
        self, observations: Observations, opponent: NDArray[np.int64], rules: Ruleset, chankan: bool
    ) -> tuple[Readings, Floats, Floats]:
        whole = read(self.weights, observations, opponent, rules, chankan, batch_invariant=True)
        logits = self.network_logits(whole)
        tenpai = self.tenpai_of(whole, tenpai_rows(whole, observations, opponent, logits))
        plain = whole
        if self.plain is not None:
            plain = read(self.plain, observations, opponent, rules, chankan, batch_invariant=True)
        found: Floats = getattr(plain, self.answer)
        return plain, tenpai, tenpai[:, None] * found


def step(model: PosteriorModel, name: str) -> Step:
    """The model of one of ``models.STEPS``."""
    part = name.partition(":")[2]
    plain: Arrays | None = None
    if part != "weights":
        plain = {k: np.zeros_like(v) for k, v in model.weights.items()}
        if part != "availability":
            for table in ("shape", "irregular"):
                plain[table] = model.weights[table]
    answer = {"availability": "wait", "shape": "wait", "furiten": "live"}.get(part, "ron")
    return Step(
        model.weights, model.network, model.tenpai, model.tiles, model.blend, model.han,
        name, model.manifest,
        plain=plain, answer=answer,
    )  # fmt: skip
