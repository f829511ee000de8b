"""The policy: the probabilities of a player's choices, pooled over players or in a style.

A model file holds the network's weights and the *style vectors* of classes of players, never
one player's. A style vector is ``STYLE`` numbers, zeros for the pooled policy; one player's is
estimated from their choices (``estimate``) and not stored.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.storage.model_file import float16_array, float16_text, read_model, write_model
from haiyomi.styles.policy_network import STYLE, Floats, Logits, Shape, logits, logits_of_styles

NAME: Final = "policy"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("policy.json")
POOLED: Final = "pooled"
"""The name of the policy without a style."""


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """``weights`` (shape.size,) of the network; ``styles`` (STYLE,) by class of players."""

    shape: Shape
    weights: Floats
    styles: dict[str, Floats] = field(default_factory=dict)
    manifest: dict[str, Any] = field(default_factory=dict)

    def style(self, name: str) -> Floats:
        """The vector of a style by its name, POOLED among them. Raises ModelError."""
        if name == POOLED:
            return np.zeros(STYLE, np.float32)
        if name not in self.styles:
            known = ", ".join((POOLED, *self.styles))
            raise ModelError(f"no style {name!r} in this policy: there are {known}")
        return self.styles[name]

    def logits(self, rows: Decisions, style: Floats | None = None, both: bool = True) -> Logits:
        """The logits of decisions (see ``policy_network.logits``)."""
        return logits(self.shape, self.weights, rows, style, both)

    def logits_of_styles(self, rows: Decisions, styles: Floats) -> Logits:
        """The logits in several styles (see ``policy_network.logits_of_styles``)."""
        return logits_of_styles(self.shape, self.weights, rows, styles)

    def save(self, path: Path) -> None:
        """Write the model file, with float16 weights."""
        payload: dict[str, Any] = {
            "width": self.shape.width,
            "blocks": self.shape.blocks,
            "hidden": self.shape.hidden,
            "weights": float16_text(self.weights),
            "styles": {name: [round(float(x), 5) for x in v] for name, v in self.styles.items()},
        }
        write_model(path, NAME, VERSION, payload, self.manifest)

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Policy:
        """Read a model file, by default the shipped one. Raises ModelError."""
        payload, manifest = read_model(path, NAME, VERSION)
        try:
            shape = Shape(int(payload["width"]), int(payload["blocks"]), int(payload["hidden"]))
            weights = float16_array(payload["weights"])
            styles = {
                str(name): np.array([float(x) for x in v], np.float32)
                for name, v in payload["styles"].items()
            }
            right = weights.shape == (shape.size,) and bool(np.isfinite(weights).all())
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(f"{path.name}: the policy cannot be read ({error})") from None
        if not right or any(
            v.shape != (STYLE,) or not np.isfinite(v).all() for v in styles.values()
        ):
            raise ModelError(f"{path.name}: weights or styles of another size than the network's")
        return cls(shape, weights, styles, manifest)


@cache
def shipped_policy() -> Policy:
    """The shipped policy, read once. Raises ModelError where there is none."""
    return Policy.load(SHIPPED)


def policy_hash() -> str:
    """The SHA-256 of the shipped policy file, on which the games it plays depend."""
    return hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
