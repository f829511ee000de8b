"""What the paper's regressions look at (Table 1), each a named number of a player's river.

All are small integers and depend on public discards alone. ``tenpai_features`` gives them as
one row of 20, named by ``FEATURE_NAMES``; the constant 1.0 of each type is not stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.game.player_view import Meld, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.tiles import YAOCHU

SUITS = "mps"
FEATURE_NAMES: tuple[str, ...] = (
    *(
        f"{name}_{suit}"
        for suit in SUITS
        for name in (
            "longest_run_off_colour",
            "last_tedashi_on_colour",
            "honour_before_run",
            "colour_before_run",
        )
    ),
    "honour_kinds",
    *(f"kinds_{suit}" for suit in SUITS),
    "tedashi",
    "tedashi_facing_riichi",
    "yaochu_kinds",
    "simple_kinds",
)
MANY = 3
"""Index of the fourth colour class, several colours, after m, p, s."""


def tenpai_features(river: Sequence[RiverTile]) -> list[int]:
    """The 20 numbers of FEATURE_NAMES for a river (called tiles included).

    They stand in for the whole view in the approximation (4).
    """
    suits: list[int] = []
    seen = 0
    last_tedashi = -1
    tedashi = facing = 0
    for discard in river:
        kind = discard.tile.kind
        suits.append(kind // 9)
        seen |= 1 << kind
        if not discard.tsumogiri:
            last_tedashi = kind // 9
            tedashi += 1
            facing += discard.facing_riichi
    row: list[int] = []
    for suit in (0, 1, 2):
        run = best = start = 0
        for i, s in enumerate(suits):
            if s == suit or s == 3:
                run = 0
            else:
                run += 1
                if run > best:
                    best, start = run, i - run + 1
        before = suits[:start]
        row += (best, last_tedashi in (suit, 3), 3 in before, suit in before)
    yaochu = (seen & _YAOCHU_MASK).bit_count()
    row += (
        (seen >> 27).bit_count(),
        (seen & 0x1FF).bit_count(),
        (seen >> 9 & 0x1FF).bit_count(),
        (seen >> 18 & 0x1FF).bit_count(),
        tedashi,
        facing,
        yaochu,
        seen.bit_count() - yaochu,
    )
    return row


_YAOCHU_MASK = sum(1 << k for k in YAOCHU)


def meld_suits(melds: Sequence[Meld]) -> int:
    """Bits m p s of the suits that the melds show; honours set none."""
    mask = 0
    for meld in melds:
        suit = meld.base // 9
        if suit < 3:
            mask |= 1 << suit
    return mask


def possible_colours(suits: int) -> tuple[bool, bool, bool, bool]:
    """S_color: whether the hand may yet be all of m, p, s (with honours), or several colours.

    ``suits`` as ``meld_suits`` gives it. Melds of two suits leave only several colours.
    """
    if suits == 0:
        return True, True, True, True
    if suits in (1, 2, 4):
        return suits == 1, suits == 2, suits == 4, True
    return False, False, False, True


def passed_since_tedashi(position: Position, seat: int) -> int:
    """Kinds that others discarded since relative ``seat`` last discarded from the hand.

    Its hand has not changed since, so a wait on one of them would have won, had it had a
    yaku and wished to: a strong hint, not a proof.
    """
    last = -1
    for discard in position.players[seat].river:
        if not discard.tsumogiri:
            last = discard.order
    mask = 0
    for r in range(4):
        if r == seat:
            continue
        for discard in reversed(position.players[r].river):
            if discard.order <= last:
                break
            mask |= 1 << discard.tile.kind
    return mask


def melds_for_fit(player: PlayerView) -> int:
    """f of the regressions: melds shown, 0-4; a hand with closed kans alone is closed, 0."""
    return len(player.melds) if player.open_melds else 0
