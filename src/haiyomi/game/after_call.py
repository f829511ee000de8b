"""The position just after the viewer's own chi or pon, as ``position_fold`` would give it."""

from __future__ import annotations

from dataclasses import replace

from haiyomi.events import Chi, Pon
from haiyomi.game.player_view import Meld, MeldKind
from haiyomi.game.position import Position
from haiyomi.rules import DEPOSIT
from haiyomi.tiles import Seat


def after_call(position: Position, call: Chi | Pon) -> Position:
    """``position`` answers another's discard, which ``call`` takes; seats in it are absolute.

    Nobody has won on the tile, so that a riichi declared with it is paid for.
    """
    views = [replace(player, ippatsu=False) for player in position.players]
    t = (call.target - position.seat) % 4
    own, target = views[0], views[t]
    last = target.river[-1]
    paid = DEPOSIT * last.riichi
    views[t] = replace(
        target,
        river=(*target.river[:-1], replace(last, called_by=Seat(0))),
        score=target.score - paid,
    )
    tiles = tuple(sorted((call.tile, *call.consumed)))
    kind: MeldKind = "pon" if isinstance(call, Pon) else "chi"
    meld = Meld(kind, tiles, call.tile, Seat(t), position.discards_made)
    views[0] = replace(own, melds=(*own.melds, meld), concealed=own.concealed - len(call.consumed))
    hand = list(position.hand)
    for tile in call.consumed:
        hand.remove(tile)
    return replace(
        position,
        hand=tuple(hand),
        drawn=None,
        players=(views[0], views[1], views[2], views[3]),
        sticks=position.sticks + (paid > 0),
        to_act=True,
    )
