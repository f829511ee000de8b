"""The networks over decision records: input features and the forward pass, in the core.

Records come as rows of bytes (``game.decision_record.DECISION``); ``cpp/core/network.hpp`` explains
the family. ``networks.shape`` names what the numbers mean.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from haiyomi import _core
from haiyomi.arrays import Bytes, Singles

Sizes: TypeAlias = tuple[int, int, int, int, int]
"""Of a tower: width, blocks, hidden channels, outputs of a kind, outputs of the whole."""

KIND, CONTEXT, OPPONENT_KIND, OPPONENT_CONTEXT, STYLE_AT, STYLE = _core.NETWORK_INPUTS
"""Numbers of a kind and of the whole that the towers read; where the style's are."""
LANE: Final = 16
"""Outputs are padded to a multiple of this in the weights."""
NO_TOWER: Final[Sizes] = (0, 0, 0, 0, 0)


def parts(decision: Sizes, opponent: Sizes = NO_TOWER) -> list[tuple[str, int, int]]:
    """(name, rows, columns) of every weight in the order of the flat array.

    Raises ValueError for a size that the core does not take.
    """
    return _core.network_parts(decision, opponent)


class ForwardPass:
    """A network: its ``weights`` in the order of ``parts``.

    Batch-invariant: a row's bits do not depend on the other rows. ``rounded``: every product is
    rounded before it is added, which takes more time and gives the same bits on every processor.
    Raises ValueError for sizes that do not fit.

    Records come as rows of bytes; ``mirror`` (n,): 1 to reverse the ranks of every suit, after
    which the outputs still stand for the kinds of the record; ``style`` (n, STYLE). The methods
    raise ValueError for sizes that do not fit and for a damaged record, OverflowError for an output
    that is NaN or 100 or more in absolute value: those of a sound network are below 30.
    """

    def __init__(
        self, decision: Sizes, opponent: Sizes, weights: Singles, rounded: bool = False
    ) -> None:
        self._given = decision, opponent, weights, rounded
        self._core = _core.Network(decision, opponent, weights, rounded)

    def __reduce__(self) -> tuple[type[ForwardPass], tuple[Sizes, Sizes, Singles, bool]]:
        return ForwardPass, self._given

    def outputs(
        self, records: Bytes, mirror: Bytes, style: Singles
    ) -> tuple[Singles, Singles, Singles, Singles]:
        """Of n records: (n, 34, kinds) and (n, whole) of the decision tower, (n, 3, 34, kinds)
        and (n, 3, whole) of the opponents 1, 2, 3 (without that tower (n, 0, ...))."""
        return self._core.forward(records, mirror, style)

    def both(self, records: Bytes, style: Singles) -> tuple[Singles, Singles, Singles, Singles]:
        """As ``outputs``, but of each record the mean over it and its mirror image."""
        return self._core.both(records, style)

    def channels(
        self, records: Bytes, mirror: Bytes, style: Singles
    ) -> tuple[Singles, Singles, Singles, Singles]:
        """As ``outputs``, but with what the decision tower ends in instead of the opponents'
        outputs: the channels of each kind (n, 34, width), and the hidden ones of the whole
        (n, hidden)."""
        return self._core.channels(records, mirror, style)


def decision_features(records: Bytes, mirror: Bytes, threads: int = 1) -> tuple[Singles, Singles]:
    """(n, 34, KIND) and (n, CONTEXT) that the decision tower reads, the style's numbers zero; rows
    with ``mirror`` (n,) 1 have the ranks of every suit reversed. Raises ValueError as a
    ``ForwardPass``.
    """
    return _core.decision_features(records, mirror, threads)


def opponent_features(records: Bytes, mirror: Bytes) -> tuple[Singles, Singles]:
    """(n, 3, 34, OPPONENT_KIND) and (n, 3, OPPONENT_CONTEXT) of opponents 1, 2, 3, which the
    opponent tower reads besides channels. Raises ValueError as a
    ``ForwardPass``."""
    return _core.opponent_features(records, mirror)
