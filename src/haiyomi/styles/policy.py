"""The policy: the probabilities of a player's choices, pooled over players or in a style.

A model file holds the network's weights and *style vectors* of classes of players and of
programs; the shipped file holds no person's. A style vector is ``STYLE`` numbers, zeros for the
pooled policy; one player's is estimated from their choices (``estimate``) and not stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.kernels.network import STYLE
from haiyomi.networks.network import Network, Views
from haiyomi.networks.shape import POLICY_KINDS, POLICY_WHOLE
from haiyomi.styles.policy_network import Logits, logits, logits_of_styles

SHIPPED: Final = Path(__file__).with_name("policy.safetensors")
ROLLOUT: Final = Path(__file__).with_name("rollout.safetensors")
_STYLE: Final = "style "
POOLED: Final = "pooled"
"""The name of the policy without a style."""


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """A network with the policy's heads; ``styles`` (STYLE,) by name."""

    network: Network
    styles: dict[str, Singles] = field(default_factory=dict)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How the network was fitted."""
        return self.network.manifest

    def style(self, name: str) -> Singles:
        """The vector of a style by its name, POOLED among them. Raises ModelError."""
        if name == POOLED:
            return np.zeros(STYLE, np.float32)
        if name not in self.styles:
            known = ", ".join((POOLED, *self.styles))
            raise ModelError(f"no style {name!r} in this policy: there are {known}")
        return self.styles[name]

    def logits(self, rows: Decisions, style: Singles | None = None, both: bool = True) -> Logits:
        """The logits of decisions (see ``policy_network.logits``)."""
        return logits(self.network, rows, style, both)

    def logits_of_styles(
        self, rows: Decisions, styles: Singles, first: Views | None = None
    ) -> Logits:
        """The logits in several styles (see ``policy_network.logits_of_styles``)."""
        return logits_of_styles(self.network, rows, styles, first)

    def save(self, path: Path) -> None:
        """Write the network's file with the styles as its tables. Raises ModelError."""
        tables = {_STYLE + name: vector for name, vector in self.styles.items()}
        replace(self.network, tables=tables).save(path)

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Policy:
        """Read a model file, by default the shipped one. Raises ModelError."""
        path = Path(path)
        network = Network.load(path)
        decision = network.shape.decision
        if decision.kinds[:2] != POLICY_KINDS or decision.whole[:1] != POLICY_WHOLE:
            raise ModelError(f"{path.name}: a network without the policy's heads")
        styles = {
            name.removeprefix(_STYLE): vector
            for name, vector in network.tables.items()
            if name.startswith(_STYLE)
        }
        if any(vector.shape != (STYLE,) for vector in styles.values()):
            raise ModelError(f"{path.name}: a style of another size than the network's")
        return cls(network, styles)


@cache
def shipped_policy() -> Policy:
    """The shipped policy, read once. Raises ModelError where there is none."""
    return Policy.load(SHIPPED)


def policy_of(file: str | Path | None) -> Policy:
    """The policy of a file, or the shipped one. Raises ModelError."""
    return shipped_policy() if file is None else Policy.load(Path(file))


@cache
def rollout_policy() -> Policy:
    """The shipped rollout network, read once: a small policy without styles, to be used with one
    view (``both=False``). Raises ModelError where there is none."""
    return Policy.load(ROLLOUT)
