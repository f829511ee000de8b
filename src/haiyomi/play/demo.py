"""The bundled demo record: a hanchan of the imitation's players at this package's table.

The first policy that was shipped played it, by ``COMMAND``; it was the first game of the seed that
shows all of ``WANTED``. Later policies play other games at the same walls.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources

from haiyomi.errors import HaiyomiError
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    ExhaustiveDraw,
    Game,
    Hand,
    Kakan,
    Pon,
    RiichiAccepted,
    Win,
)

NAME = "demo.mjlog"
SEED = 5
NUMBER = 155
DEAR = 5200
"""Points of a hand that is expensive to deal into."""
COMMAND = (
    f"haiyomi play --seed {SEED} --first {NUMBER} "
    "--styles policy:pooled,policy:open-riichi,policy:closed,policy:even-damaten"
)
"""The command that played the demo, with the first policy."""


def demo_bytes() -> bytes:
    """The bytes of the bundled record, mjlog XML. Raises HaiyomiError if it is missing."""
    try:
        return (resources.files("haiyomi") / "data" / NAME).read_bytes()
    except OSError:
        raise HaiyomiError("this installation lacks its demo record: reinstall haiyomi") from None


def demo_game() -> Game:
    """The bundled record as a Game."""
    from haiyomi.logs.load import parse

    return parse(demo_bytes(), NAME)


def _has(*types: type) -> Callable[[Hand], bool]:
    return lambda hand: any(isinstance(e, types) for e in hand.events)


def _riichi_seats(hand: Hand) -> set[int]:
    return {e.seat for e in hand.events if isinstance(e, RiichiAccepted)}


def _wins(hand: Hand) -> list[Win]:
    return [e for e in hand.events if isinstance(e, Win)]


def _opened(hand: Hand) -> set[int]:
    return {e.seat for e in hand.events if isinstance(e, Chi | Pon | Daiminkan)}


WANTED: dict[str, Callable[[Hand], bool]] = {
    "a chi": _has(Chi),
    "a pon": _has(Pon),
    "a concealed kan": _has(Ankan),
    "an open or added kan": _has(Daiminkan, Kakan),
    "an exhaustive draw": _has(ExhaustiveDraw),
    "a tsumo of a riichi": lambda hand: any(
        w.tsumo and w.seat in _riichi_seats(hand) for w in _wins(hand)
    ),
    "a tsumo of an open hand": lambda hand: any(
        w.tsumo and w.seat in _opened(hand) for w in _wins(hand)
    ),
    "a discard won on by a riichi": lambda hand: any(
        not w.tsumo and w.seat in _riichi_seats(hand) for w in _wins(hand)
    ),
    "a riichi that deals in": lambda hand: any(
        not w.tsumo and w.target in _riichi_seats(hand) for w in _wins(hand)
    ),
    "two riichi in a hand": lambda hand: len(_riichi_seats(hand)) >= 2,
    "a discard won on by an open hand": lambda hand: any(
        not w.tsumo and w.seat in _opened(hand) for w in _wins(hand)
    ),
    "a riichi that wins dearly on the first seat's discard": lambda hand: any(
        w.target == 0 and w.seat in _riichi_seats(hand) - {0} and (w.points or 0) >= DEAR
        for w in _wins(hand)
    ),
    "a win of the first seat": lambda hand: any(w.seat == 0 for w in _wins(hand)),
    "a red five dealt": lambda hand: any(
        t.red for e in hand.events if isinstance(e, Deal) for tiles in e.hands for t in tiles
    ),
}
"""What the demo shows, each in some hand of it."""


def missing(game: Game) -> list[str]:
    """The names in ``WANTED`` that a game does not show, and other reasons against it."""
    lacks = [name for name, shows in WANTED.items() if not any(map(shows, game.hands))]
    if not any(hand.start.kyoku == 7 for hand in game.hands) or len(game.hands) > 14:
        lacks.append("eight rounds in at most fourteen hands")
    return lacks
