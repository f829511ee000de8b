"""The bundled demo record: a hanchan of rule-based players, made anew from its seed.

``python -m haiyomi.play.demo FILE`` writes it; ``--find`` searches for the first game of the
seed that shows all of ``WANTED``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

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
from haiyomi.play.simulate import simulate
from haiyomi.play.style import STYLES

NAME = "demo.mjlog"
SEED = 2
NUMBER = 93
PLAYERS = ("balanced", "caller", "bold", "timid")
"""The styles of the four seats."""


def make_demo(number: int = NUMBER) -> Game:
    """Play the demo game: the ``number``-th of its seed."""
    names = ("haiyomi balanced", "haiyomi caller", "haiyomi bold", "haiyomi timid")
    return simulate(SEED, number, styles=[STYLES[name] for name in PLAYERS], names=names)


def demo_bytes() -> bytes:
    """The bundled record as it is shipped, mjlog XML."""
    return (resources.files("haiyomi") / "data" / NAME).read_bytes()


def demo_game() -> Game:
    """The bundled record, read."""
    from haiyomi.logs.load import parse

    return parse(demo_bytes(), NAME)


def _has(*types: type) -> Callable[[Hand], bool]:
    return lambda hand: any(isinstance(e, types) for e in hand.events)


def _riichi_seats(hand: Hand) -> set[int]:
    return {e.seat for e in hand.events if isinstance(e, RiichiAccepted)}


def _wins(hand: Hand) -> list[Win]:
    return [e for e in hand.events if isinstance(e, Win)]


WANTED: dict[str, Callable[[Hand], bool]] = {
    "a chi": _has(Chi),
    "a pon": _has(Pon),
    "a concealed kan": _has(Ankan),
    "an open or added kan": _has(Daiminkan, Kakan),
    "an exhaustive draw": _has(ExhaustiveDraw),
    "a tsumo": lambda hand: any(w.tsumo for w in _wins(hand)),
    "a discard won on by a riichi": lambda hand: any(
        not w.tsumo and w.seat in _riichi_seats(hand) for w in _wins(hand)
    ),
    "a riichi that deals in": lambda hand: any(
        not w.tsumo and w.target in _riichi_seats(hand) for w in _wins(hand)
    ),
    "two riichi in a hand": lambda hand: len(_riichi_seats(hand)) >= 2,
    "an open hand's win": lambda hand: any(
        w.seat == e.seat for w in _wins(hand) for e in hand.events if isinstance(e, Chi | Pon)
    ),
    "a riichi that wins on the first seat's discard": lambda hand: any(
        w.target == 0 and w.seat != 0 and w.seat in _riichi_seats(hand) for w in _wins(hand)
    ),
    "a win of the first seat": lambda hand: any(w.seat == 0 for w in _wins(hand)),
    "a red five dealt": lambda hand: any(
        t.red for e in hand.events if isinstance(e, Deal) for tiles in e.hands for t in tiles
    ),
}
"""What the demo shows, each in some hand of it."""


def missing(game: Game) -> list[str]:
    """What of ``WANTED`` a game does not show, and what else keeps it from being the demo."""
    lacks = [name for name, shows in WANTED.items() if not any(map(shows, game.hands))]
    if not any(hand.start.kyoku == 7 for hand in game.hands) or len(game.hands) > 14:
        lacks.append("eight rounds in at most fourteen hands")
    return lacks


def main(arguments: list[str]) -> None:
    """Write the demo to the file named, or ``--find`` a game that shows everything."""
    from haiyomi.logs.load import write

    if arguments == ["--find"]:
        number = next(n for n in range(10_000) if not missing(make_demo(n)))
        print(f"game {number} of seed {SEED} shows everything wanted")
    else:
        (path,) = arguments
        Path(path).write_text(write(make_demo(), "mjlog"), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
