"""The shape of a network: its towers, and the meaning of their outputs.

A network is a *decision tower* over what a seat sees and, if it answers for opponents, an *opponent
tower* that runs for each of the three with the same weights, on the decision tower's channels and
the opponent's own features. A tower ends in *heads*: named outputs for each kind and for the whole.
A new prediction is one more head here, and its loss in ``training.losses``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, TypeAlias

from haiyomi.kernels import network as kernel

Heads: TypeAlias = tuple[tuple[str, int], ...]
"""(name, number of outputs) in order."""

POLICY_KINDS: Final[Heads] = (("discard", 1), ("kan", 1))
"""Logits of discarding a kind, and of a kan of it."""
POLICY_WHOLE: Final[Heads] = (("acts", 9),)
"""Logits of the acts as ``game.decision_record.ACTS`` names them: the first of the whole, because
the core exchanges two chi in a mirrored record."""
JOINT_ENDINGS: Final = 33
WORTH_CLASSES: Final = 9
STATE_WHOLE: Final[Heads] = (
    ("ending", JOINT_ENDINGS),  # logits of how the hand ends (outcomes.joint.JOINT)
    ("worth", 4 * WORTH_CLASSES),  # of each seat's hand, if it is the one that wins
    ("deposit", 4),  # log odds that a seat without a riichi pays a deposit later and does not win
)
"""Of the decision tower: how the hand ends, from what the seat sees before it decides."""
HAN_CLASSES: Final = 8
"""1, 2, ... 7, and 8 or more han."""
OPPONENT_KINDS: Final[Heads] = (
    ("ron", 1),  # log odds that the opponent could ron the kind now
    ("count", 4),  # log potentials of holding 1, 2, 3, 4 of it against none
    ("factors", 8),  # log factors of a tenpai hand: holding 1-4, waiting on it in four ways
    ("han", HAN_CLASSES),  # logits of the han of a ron on it
)
OPPONENT_WHOLE: Final[Heads] = (
    ("tenpai", 1),  # log odds
    ("shape", 15),  # log factors of a tenpai hand's waiting suits (kernels.posterior.SUIT_SHAPES)
    ("irregular", 2),  # of seven pairs and thirteen orphans
    ("tiles", 28),  # of the number of tiles, 0 to 13, of a suit and of the honours
)


@dataclass(frozen=True, slots=True)
class Tower:
    """Channels of a kind, residual ``blocks``, ``hidden`` channels of the whole, and the heads."""

    width: int = 0
    blocks: int = 0
    hidden: int = 0
    kinds: Heads = ()
    whole: Heads = ()

    @property
    def sizes(self) -> kernel.Sizes:
        """As the kernel takes them."""
        return (
            self.width, self.blocks, self.hidden,
            sum(n for _, n in self.kinds), sum(n for _, n in self.whole),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """The towers of a network; an ``opponent`` tower of width 0 is none."""

    decision: Tower
    opponent: Tower = Tower()

    @property
    def parts(self) -> list[tuple[str, int, int]]:
        """(name, rows, columns) of every weight, in the order of the flat array."""
        return kernel.parts(self.decision.sizes, self.opponent.sizes)

    @property
    def size(self) -> int:
        """The number of weights."""
        return sum(rows * columns for _, rows, columns in self.parts)

    @property
    def digest(self) -> str:
        """A hash of the parts, the heads and the inputs: weights of another layout have another."""
        inputs = kernel.KIND, kernel.CONTEXT, kernel.OPPONENT_KIND, kernel.OPPONENT_CONTEXT
        return hashlib.sha256(repr((self, self.parts, inputs)).encode()).hexdigest()[:16]


def policy_shape(width: int, blocks: int, hidden: int, state: bool = False) -> Shape:
    """The shape of a network for the policy, with ``state`` for how the hand ends too."""
    whole = POLICY_WHOLE + (STATE_WHOLE if state else ())
    return Shape(Tower(width, blocks, hidden, POLICY_KINDS, whole))
