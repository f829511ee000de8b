"""The policy: the probabilities of a player's choices, pooled over players or in a style.

A model file holds the network's weights and the *style vectors* of classes of players, never
one player's. A style vector is ``STYLE`` numbers, zeros for the pooled policy; one player's is
estimated from their choices (``estimate``) and not stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.kernels.network import CONTEXT, KIND, STYLE, Floats
from haiyomi.networks.network import Network
from haiyomi.networks.shape import POLICY_KINDS, POLICY_WHOLE, Shape, policy_shape
from haiyomi.storage.model_file import float16_array, read_model
from haiyomi.styles.policy_network import Logits, logits, logits_of_styles

NAME: Final = "policy"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("policy.json")
ROLLOUT: Final = Path(__file__).with_name("rollout.safetensors")
_STYLE: Final = "style "
POOLED: Final = "pooled"
"""The name of the policy without a style."""


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """A network with the policy's heads; ``styles`` (STYLE,) by class of players."""

    network: Network
    styles: dict[str, Floats] = field(default_factory=dict)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How the network was fitted."""
        return self.network.manifest

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
        return logits(self.network, rows, style, both)

    def logits_of_styles(self, rows: Decisions, styles: Floats) -> Logits:
        """The logits in several styles (see ``policy_network.logits_of_styles``)."""
        return logits_of_styles(self.network, rows, styles)

    def save(self, path: Path) -> None:
        """Write the network's file with the styles as its tables. Raises ModelError."""
        tables = {_STYLE + name: vector for name, vector in self.styles.items()}
        replace(self.network, tables=tables).save(path)

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Policy:
        """Read a model file, by default the shipped one. Raises ModelError."""
        if path.suffix == ".json":
            return _load_json(path)
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


def _load_json(path: Path) -> Policy:
    """The policy of a JSON file, as version 0.1 wrote it."""
    payload, manifest = read_model(path, NAME, VERSION)
    try:
        shape = policy_shape(int(payload["width"]), int(payload["blocks"]), int(payload["hidden"]))
        weights = _with_new_inputs(shape, float16_array(payload["weights"]))
        styles = {
            str(name): np.array([float(x) for x in v], np.float32)
            for name, v in payload["styles"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{path.name}: the policy cannot be read ({error})") from None
    if any(v.shape != (STYLE,) or not np.isfinite(v).all() for v in styles.values()):
        raise ModelError(f"{path.name}: styles of another size than the network's")
    return Policy(Network(shape, weights, {}, manifest), styles)


_JSON_INPUTS: Final = {KIND: 88, CONTEXT: 152}
"""The inputs that version 0.1 had; those of later versions follow them."""


def _with_new_inputs(shape: Shape, weights: Floats) -> Floats:
    """The flat weights with zeros for the inputs that they do not know.

    Raises ValueError for weights of another size than the shape's.
    """
    out = []
    at = 0
    for name, rows, wide in shape.parts:
        reads_inputs = name in ("in", "in honours") or name.endswith(("context", "context honours"))
        known = _JSON_INPUTS[rows] if reads_inputs else rows
        part = weights[at : at + known * wide].reshape(known, wide)
        out.append(np.concatenate([part, np.zeros((rows - known, wide), np.float32)]).reshape(-1))
        at += known * wide
    if at != weights.size:
        raise ValueError(f"{weights.size} weights for a network of {at}")
    return np.concatenate(out)


@cache
def shipped_policy() -> Policy:
    """The shipped policy, read once. Raises ModelError where there is none."""
    return Policy.load(SHIPPED)


@cache
def rollout_policy() -> Policy:
    """The shipped rollout network, read once: a small policy without styles, to be used with one
    view (``both=False``). Raises ModelError where there is none."""
    return Policy.load(ROLLOUT)


def policy_hash() -> str:
    """The SHA-256 of the shipped policy file, on which the games it plays depend."""
    return hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
