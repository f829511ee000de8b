"""Ablations of the default model: what each of its parts adds.

``posterior:availability`` weighs tenpai hands by the unseen tiles alone; ``:shape`` adds the
network's factors of wait shapes; ``:furiten`` lets no furiten hand win; ``:yaku`` none without a
yaku; ``:weights`` takes all the network's factors. All are times the network's P(tenpai); the whole
model adds the network's own log odds of each ron.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from haiyomi.dealin.network_model import NetworkModel, Rons, joined, readings
from haiyomi.networks.opponents import OpponentOutputs
from haiyomi.rules import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class AblationStep(NetworkModel):
    """A reduced model: without the ``silenced`` factors of hands, and with one ``answer`` of the
    posterior, a field of ``RonAnswer``, as P(can ron | tenpai)."""

    silenced: tuple[str, ...] = ()
    answer: str = "ron"

    def rons(
        self, seen: OpponentOutputs, rules: Ruleset, chankan: bool = False, keep: bool = False
    ) -> Rons:
        """The answers for the opponents that the network has seen."""
        flat = {name: np.zeros_like(getattr(seen, name)) for name in self.silenced}
        shown = seen.shown(rules, chankan)
        rows, answers = readings(replace(seen, **flat), shown, keep)
        by_step = answers._replace(ron=getattr(answers, self.answer))
        return joined(seen, shown, rows, by_step, None)


def step(model: NetworkModel, name: str) -> AblationStep:
    """The model of one of ``models.STEPS``."""
    part = name.partition(":")[2]
    silenced: tuple[str, ...] = ()
    if part != "weights":
        silenced = ("factors", "tiles")
        if part == "availability":
            silenced += ("shape", "irregular")
    answer = {"availability": "wait", "shape": "wait", "furiten": "live"}.get(part, "ron")
    return AblationStep(model.network, name, silenced, answer)
