"""The compiled table: many games in lockstep, from seeds or from the middle of hands.

``Tables`` of the core lists every open decision of all games; the caller answers all of them, and
every game plays on to its next decision. ``cpp/core/tables.hpp`` describes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bytes, Ints32
from haiyomi.events import Event, Hand, HiddenDraw, OwnDeal
from haiyomi.kernels.decode import decode
from haiyomi.kernels.replay import encode, rule_numbers
from haiyomi.rules import Ruleset

_HIDDEN_CODE: Final = 63
Games: TypeAlias = _core.Tables
"""Games of the core in lockstep."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Ways in which the hidden tiles of hands may lie.

    ``view`` (n,) int32: the index of the view that a world belongs to. ``hands`` (n, 4, 14) uint8:
    tile codes of the concealed tiles now by absolute seat, 255 after the last; the viewer's are not
    read. ``rest`` (n, m) uint8: codes of the tiles still in the wall, 255 after the last: the draws
    in their order, the replacements, the dora indicators not shown, the five ura indicators. With
    no column (m = 0) they are shuffled.
    """

    view: Ints32
    hands: Bytes
    rest: Bytes


def games_of_worlds(
    rules: Ruleset,
    views: Sequence[Sequence[int]],
    worlds: Worlds,
    seeds: npt.ArrayLike,
    numbers: npt.ArrayLike = 0,
    *,
    keep: bool = False,
    threads: int = 1,
) -> _core.Tables:
    """Hands that go on from what a seat has seen, one for each of the ``worlds``.

    ``views``: the words of ``view_words``. ``seeds`` and ``numbers`` (n,) name what is random
    after it. Raises ValueError, with the number of the world, where its tiles contradict the view.
    """
    n = len(worlds.view)
    return _core.Tables.from_views(
        rule_numbers(rules),
        game_numbers(rules),
        np.ascontiguousarray(np.broadcast_to(np.asarray(seeds, np.uint64), n)),
        np.ascontiguousarray(np.broadcast_to(np.asarray(numbers, np.uint64), n)),
        1,
        keep,
        np.concatenate([np.asarray(part, np.int32) for part in views]),
        np.cumsum([0, *map(len, views)], dtype=np.uint64),
        worlds.view,
        worlds.hands,
        worlds.rest,
        threads,
    )


def view_words(events: Sequence[Event]) -> list[int]:
    """The words of a hand so far as one seat sees it; ``events`` as ``visible_to`` gives them.

    Raises IllegalError for an event that has no words.
    """
    words: list[int] = []
    for event in events:
        if isinstance(event, HiddenDraw):
            words.append(2 | _HIDDEN_CODE << 4 | event.rinshan << 10 | event.seat << 12)
        elif isinstance(event, OwnDeal):
            hands = [[-1] * 13 for _ in range(4)]
            hands[event.seat] = [tile.code for tile in event.tiles]
            words += [1, 13, 13, 13, 13, *(code for hand in hands for code in hand)]
        else:
            words += encode(Hand((event,)))
    return words


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
