"""The compiled table: many games in lockstep, from seeds or from the middle of hands.

``Tables`` of the core lists every open decision of all games; the caller answers all of them, and
every game plays on to its next decision. ``cpp/core/tables.hpp`` describes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.events import Event
from haiyomi.kernels.decode import decode
from haiyomi.kernels.replay import rule_numbers
from haiyomi.rules import Ruleset

RecordedHand = tuple[tuple[Event, ...], tuple[int, ...]]
"""The events of a hand, and its wall as tile ids."""


def new_games(
    rules: Ruleset, seeds: npt.ArrayLike, numbers: npt.ArrayLike, hands: int = 0, keep: bool = False
) -> _core.Tables:
    """Games from their first deal, one for each of the ``seeds`` and ``numbers`` (n,).

    ``hands`` stops a game after so many, 0 at its end. ``keep`` records events and walls.
    """
    return _core.Tables(
        rule_numbers(rules),
        game_numbers(rules),
        np.asarray(seeds, np.uint64),
        np.asarray(numbers, np.uint64),
        hands,
        keep,
    )


def resumed_games(
    rules: Ruleset,
    words: Sequence[Sequence[int]],
    walls: npt.ArrayLike,
    seeds: npt.ArrayLike,
    numbers: npt.ArrayLike = 0,
    *,
    hands: int = 1,
    keep: bool = False,
) -> _core.Tables:
    """Games from the middle of a hand: one for each of its ``words`` so far (see
    ``kernels.replay.encode``), at least Start and Deal, and of ``walls`` (n, 136) in the order of
    ``play.wall``. ``seeds`` and ``numbers`` name what is random after it, as in ``new_games``.

    Raises ValueError, with the number of the hand, for words that break a rule and for a wall
    that does not agree with them.
    """
    joined = np.concatenate([np.asarray(part, np.int32) for part in words])
    n = len(words)
    return _core.Tables.resume(
        rule_numbers(rules),
        game_numbers(rules),
        np.ascontiguousarray(np.broadcast_to(np.asarray(seeds, np.uint64), n)),
        np.ascontiguousarray(np.broadcast_to(np.asarray(numbers, np.uint64), n)),
        hands,
        keep,
        joined,
        np.cumsum([0, *map(len, words)], dtype=np.uint64),
        np.ascontiguousarray(walls, np.uint8),
    )


def game_numbers(rules: Ruleset) -> tuple[int, int, int, int]:
    """The rules of a game's course in the order that the core takes them."""
    return rules.rounds, rules.start_points, rules.target_points, int(rules.tobi)


def recorded_hands(tables: _core.Tables, table: int) -> list[RecordedHand]:
    """The recorded hands of a game, the one in play included."""
    words, begins, walls = tables.recorded(table)
    listed = words.tolist()
    ends = [*begins.tolist()[1:], len(listed)]
    return [
        (decode(listed[begin:end]), tuple(wall))
        for begin, end, wall in zip(begins.tolist(), ends, walls.tolist(), strict=True)
    ]
