"""Where the rules forbid a ron: the only zeros that a prediction may have.

A zero elsewhere would be a claim of the model that one counterexample refutes.
"""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.dealin.answer import ZeroReason
from haiyomi.game.player_view import PlayerView
from haiyomi.tiles import YAOCHU

FLOOR = 1e-6
"""The least probability of a prediction where the rules do not forbid the ron."""


def may_wait(kind: int, unseen: Sequence[int], closed: bool) -> bool:
    """Whether any wait on ``kind`` can be built from the unseen tiles.

    Four visible copies exclude pair and single waits; a sequence wait goes when its own
    tiles are gone; thirteen orphans (``closed`` hands) need the twelve others and a pair.
    The rest of the hand is not checked: a True may still be impossible, a False never wrong.
    """
    if unseen[kind] > 0:
        return True
    if kind < 27:
        rank = kind % 9
        if rank >= 2 and unseen[kind - 1] and unseen[kind - 2]:
            return True
        if 1 <= rank <= 7 and unseen[kind - 1] and unseen[kind + 1]:
            return True
        if rank <= 6 and unseen[kind + 1] and unseen[kind + 2]:
            return True
    if closed and kind in YAOCHU:
        others = [unseen[k] for k in YAOCHU if k != kind]
        return min(others) > 0 and max(others) > 1
    return False


def furiten_reason(kind: int, player: PlayerView) -> ZeroReason | None:
    """Which rule of furiten forbids a ron on ``kind``, None where none does."""
    bit = 1 << kind
    if player.river_mask & bit:
        return "river"
    if player.riichi_mask & bit:
        return "passed-riichi"
    return "passed-turn" if player.passed_mask & bit else None


def zero_reason(
    kind: int, player: PlayerView, unseen: Sequence[int], possible: int | None
) -> ZeroReason | None:
    """Why the opponent cannot win on ``kind``, None if it might.

    ``possible``: the kinds that an exact enumeration left open, None where there is none.
    """
    barred = furiten_reason(kind, player)
    if barred is not None:
        return barred
    if possible is not None:
        return None if possible & 1 << kind else "no-hand"
    return None if may_wait(kind, unseen, not player.open_melds) else "no-hand"
