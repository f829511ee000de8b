"""The interface of a model of hidden hands: the chain and the paper's CRF answer alike."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import ModelError
from haiyomi.storage.model_file import model_name

if TYPE_CHECKING:
    from haiyomi.game.observation import Observations

Features = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The features of n rows (``reading.features``)."""
NAMES: Final = ("chain", "nemoto-none", "nemoto-0", "nemoto-d")
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


class HandModel(Protocol):
    """A model of hidden hands. ``samples_tenpai``: hands of an opponent in riichi are drawn given
    tenpai."""

    @property
    def name(self) -> str: ...

    @property
    def samples_tenpai(self) -> bool: ...

    def answers(
        self, observations: Observations, opponent: NDArray[np.int64], given: Features | None = None
    ) -> HandAnswers:
        """The answers for n rows, each looking at a relative seat 1-3, the same for a row whatever
        is asked beside it. ``given``: features, if already computed, for a model that takes them.
        """
        ...


def load_hand_model(name: str) -> HandModel:
    """The model of one of NAMES, or of a model file's path. Raises ModelError."""
    from haiyomi.reading import chain, nemoto

    if name == "chain":
        return chain.shipped()
    if name in NAMES:
        return nemoto.shipped(name.removeprefix("nemoto-"))
    path = Path(name)
    if path.suffix != ".json":
        listed = ", ".join(NAMES)
        raise ModelError(f"no model of hands {name!r}: choose from {listed} or give a .json file")
    if path.is_file() and model_name(path) == nemoto.NAME:
        return nemoto.NemotoModel.load(path)
    return chain.ChainModel.load(path)
