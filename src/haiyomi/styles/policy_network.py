"""The logits of a policy's network: of discards, kans and acts, in one style or in several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels.network import STYLE, Floats
from haiyomi.networks.network import Answers, Network

__all__ = ["STYLE", "Floats", "Logits", "logits", "logits_of_styles"]


FAR: Final = 2.0
"""The length of the difference of two style vectors from which they are called far."""


@dataclass(frozen=True, slots=True, eq=False)
class Logits:
    """Of n decisions: ``discards`` and ``kans`` (n, 34), ``acts`` (n, 9) as ``ACTS`` names them.

    A discard's are compared with each other; a kan's, riichi's, tsumo's and nine terminals'
    with 0; those of another's tile with each other and with 0 for passing.
    """

    discards: Floats
    kans: Floats
    acts: Floats

    @classmethod
    def of(cls, found: Answers) -> Logits:
        """From a network's answers."""
        return cls(found["discard"][:, :, 0], found["kan"][:, :, 0], found["acts"])

    def of_style(self, number: int) -> Logits:
        """One of the styles of ``logits_of_styles``."""
        return Logits(self.discards[:, number], self.kans[:, number], self.acts[:, number])


def logits(
    network: Network, rows: Decisions, style: Floats | None = None, both: bool = True
) -> Logits:
    """The logits of decisions; ``style`` and ``both`` as in ``Network.answers``."""
    return Logits.of(network.answers(rows, style, both))


def logits_of_styles(network: Network, rows: Decisions, styles: Floats) -> Logits:
    """The logits of n decisions in m ``styles`` (m, STYLE): (n, m, 34), (n, m, 34), (n, m, 9).

    The first style and those ``FAR`` from it are averaged over both views. A nearer one takes the
    difference that the mirrored view makes from the first: a pass less, with an error of at most
    1.2e-4 nats.
    """
    n, m = len(rows), len(styles)
    far = np.linalg.norm(styles - styles[0], axis=1) > FAR
    far[0] = True
    turned = np.flatnonzero(far)
    place = np.where(far, np.cumsum(far) - 1, 0)
    data = as_bytes(rows)
    vectors = np.concatenate([np.tile(styles, (n, 1)), np.tile(styles[turned], (n, 1))])
    mirror = np.repeat(np.array([0, 1], np.uint8), [n * m, n * len(turned)])
    records = np.concatenate([np.repeat(data, m, axis=0), np.repeat(data, len(turned), axis=0)])
    both = Logits.of(network.outputs(records, mirror, vectors.astype(np.float32)))

    def of(found: Floats) -> Floats:
        plain = found[: n * m].reshape(n, m, -1)
        difference = found[n * m :].reshape(n, len(turned), -1) - plain[:, turned]
        out: Floats = plain + difference[:, place] / np.float32(2)
        return out

    return Logits(of(both.discards), of(both.kans), of(both.acts))
