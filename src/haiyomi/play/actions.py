"""The action space: every choice of the rules as a number with a fixed meaning and a name.

=========  ===========================  ======================================================
number     name                         choice
=========  ===========================  ======================================================
0-36       ``discard 5p``               a tile of the hand, by code (``0p`` is the red five)
37-73      ``tsumogiri 5p``             the tile just drawn, by code
74-107     ``kan 5p``                   a concealed or added kan, or the open kan of a discard
108-144    ``pon 5p``, ``pon 0p``       by code: two plain tiles, or the red five and a plain one
145-201    ``chi 46p``, ``chi 40p``     the two tiles that the hand gives
202        ``riichi``                   declared; the discard is the seat's next action
203        ``tsumo``                    a win on the tile just drawn
204        ``ron``                      a win on another's tile
205        ``nine terminals``           the hand is dealt again (kyuushu kyuuhai)
206        ``pass``                     no claim on another's tile
=========  ===========================  ======================================================

No two choices of one decision have the same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from haiyomi.arrays import Bools
from haiyomi.errors import HaiyomiError
from haiyomi.events import AbortiveDraw, Ankan, Chi, Daiminkan, Discard, Kakan, Pon, Riichi
from haiyomi.play.player import Choice, Claim
from haiyomi.tiles import N_CODES, N_KINDS, RED_KINDS, TILES, Tile, code_name

DISCARD: Final = 0
TSUMOGIRI: Final = DISCARD + N_CODES
KAN: Final = TSUMOGIRI + N_CODES
PON: Final = KAN + N_KINDS
CHI: Final = PON + N_CODES


def _chi_pairs() -> tuple[tuple[Tile, Tile], ...]:
    """The pairs that a chi takes from the hand: by suit and by the kinds, plain before red."""
    pairs = []
    for low in range(27):
        for high in (low + 1, low + 2):
            if high // 9 == low // 9:
                pairs += [(a, b) for a in _copies(low) for b in _copies(high)]
    return tuple(pairs)


def _copies(kind: int) -> tuple[Tile, ...]:
    """The plain tile of a kind, and the red one if there is one."""
    reds = (TILES[N_KINDS + RED_KINDS.index(k)] for k in RED_KINDS if k == kind)
    return TILES[kind], *reds


CHI_PAIRS: Final = _chi_pairs()
"""``CHI_PAIRS[action - CHI]``: the two tiles, the lower kind first."""
RIICHI: Final = CHI + len(CHI_PAIRS)
TSUMO: Final = RIICHI + 1
RON: Final = RIICHI + 2
NINE_TERMINALS: Final = RIICHI + 3
PASS: Final = RIICHI + 4
N_ACTIONS: Final = PASS + 1
"""207: actions are 0 to 206."""


def _names() -> tuple[str, ...]:
    names = [f"discard {code_name(code)}" for code in range(N_CODES)]
    names += [f"tsumogiri {code_name(code)}" for code in range(N_CODES)]
    names += [f"kan {code_name(kind)}" for kind in range(N_KINDS)]
    names += [f"pon {code_name(code)}" for code in range(N_CODES)]
    names += [f"chi {str(a)[0]}{b}" for a, b in CHI_PAIRS]
    return (*names, "riichi", "tsumo", "ron", "nine terminals", "pass")


ACTION_NAMES: Final = _names()
"""The name of each action."""
_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}
_CHI_NUMBERS: Final = {pair: CHI + i for i, pair in enumerate(CHI_PAIRS)}


def parse_action(name: str) -> int:
    """The action of a name, such as ``discard 5p``. Inverse of ``ACTION_NAMES[action]``.

    Raises HaiyomiError for a text that names none.
    """
    number = _NUMBERS.get(name)
    if number is None:
        raise HaiyomiError(
            f"no action {name!r}: expected a name such as 'discard 5p', 'riichi' or 'chi 46p'"
        )
    return number


def action_of(choice: Choice) -> int:
    """The action that a choice is."""
    match choice:
        case Discard(_, tile, tsumogiri):
            return (TSUMOGIRI if tsumogiri else DISCARD) + tile.code
        case Ankan(_, tiles):
            return KAN + tiles[0].kind
        case Kakan(_, tile) | Daiminkan(_, _, tile):
            return KAN + tile.kind
        case Pon(_, _, _, consumed):
            return PON + max(tile.code for tile in consumed)
        case Chi(_, _, _, (one, other)):
            return _CHI_NUMBERS[(one, other) if one.kind < other.kind else (other, one)]
        case Riichi():
            return RIICHI
        case Claim(seat, target):
            return TSUMO if seat == target else RON
        case AbortiveDraw():
            return NINE_TERMINALS
    return PASS


def choice_of_action(action: int, choices: Sequence[Choice]) -> Choice:
    """The choice that an action is. Raises HaiyomiError where it is none of the choices."""
    for choice in choices:
        if action_of(choice) == action:
            return choice
    named = ACTION_NAMES[action] if 0 <= action < N_ACTIONS else f"number {action}"
    raise HaiyomiError(f"action {named} is none of the {len(choices)} legal ones")


def legal_mask(choices: Iterable[Choice]) -> Bools:
    """(N_ACTIONS,) which actions the choices are."""
    mask = np.zeros(N_ACTIONS, np.bool_)
    mask[[action_of(choice) for choice in choices]] = True
    return mask
