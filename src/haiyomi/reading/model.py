"""The interface of a model of hidden hands: the network's counts and the paper's CRF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haiyomi.game.position import Position
    from haiyomi.networks.opponents import Seen

DEFAULT: Final = "counts"
NAMES: Final = (DEFAULT, "nemoto-none", "nemoto-0", "nemoto-d")
"""The shipped models."""


class HandAnswers(Protocol):
    """A model's answers for n opponents, ``marginals`` (n, 34, 5): P(holds k of kind h)."""

    @property
    def marginals(self) -> NDArray[np.float64]: ...

    def likeliest(self) -> NDArray[np.uint8] | None:
        """(n, 34) the most probable hands; None where the model's are no whole hands."""
        ...

    def draw(self, rows: slice, samples: int, seed: int) -> list[NDArray[np.uint8]]:
        """``samples`` hands (m, 34) of each of some rows, at most so many."""
        ...


class Asked(Protocol):
    """What a network has said of the three opponents of a position, for another model."""

    @property
    def seen(self) -> Seen | None: ...


class HandModel(Protocol):
    """A model of hidden hands. ``samples_tenpai``: hands of an opponent in riichi are drawn given
    tenpai."""

    @property
    def name(self) -> str: ...

    @property
    def samples_tenpai(self) -> bool: ...

    def answers(self, positions: Sequence[Position], asked: Sequence[Asked] = ()) -> HandAnswers:
        """The answers for the three opponents of n positions, next to act first: 3n rows, the same
        for a position whatever is asked beside it. ``asked``: of each position, if at hand, what
        the model may take from others."""
        ...


def is_published(name: str) -> bool:
    """Whether a model of that name is the CRF of Nemoto, Komiya and Kotani."""
    return name.startswith("nemoto")


def load_hand_model(name: str) -> HandModel:
    """The model of one of NAMES, or of a model file's path. Raises ModelError."""
    from haiyomi.reading import counts, nemoto

    if name == DEFAULT:
        return counts.shipped()
    if name in NAMES:
        return nemoto.shipped(name.removeprefix("nemoto-"))
    path = Path(name)
    if path.suffix == ".safetensors":
        return counts.CountModel.load(path)
    if path.suffix != ".json":
        listed = ", ".join(NAMES)
        raise ModelError(f"no model of hands {name!r}: choose from {listed} or give a model file")
    return nemoto.NemotoModel.load(path)
