"""The sums behind players' statistics, added up by the core from the words of hands."""

from __future__ import annotations

from array import array
from typing import Final, TypeAlias

from haiyomi import _core
from haiyomi.errors import IllegalError

Numbers: TypeAlias = "array[int] | memoryview"
_SEATS: Final = 4
_FIFTH, _NO_HAND = 2, 4


def tally(words: Numbers, hands: Numbers, absent: Numbers) -> list[list[float]]:
    """The sums (4 seats, ``len(styles.statistics.SUMS)``) of a game, of arrays as
    ``kernels.mjlog.MjlogWords`` has them; a seat that is dealt no tiles is hidden.

    Raises IllegalError, with the hand, for a tile that cannot be there; ValueError for words that
    are none.
    """
    fault, hand, detail, sums = _core.tally(words, hands, absent)
    if fault:
        raise _error(fault, hand, detail)
    flat = list(sums)
    width = len(flat) // _SEATS
    return [flat[width * seat : width * (seat + 1)] for seat in range(_SEATS)]


def _error(fault: int, hand: int, detail: int) -> IllegalError:
    if fault == _NO_HAND:
        what = "a seat holds a number of tiles that no hand has"
        return IllegalError(what, hand=hand, value=detail)
    from haiyomi.tiles import TILES

    if fault == _FIFTH:
        what = "a seat gets a fifth copy of a tile"
    else:
        what = "a seat parts with a tile that it does not hold"
    return IllegalError(what, hand=hand, value=TILES[detail])
