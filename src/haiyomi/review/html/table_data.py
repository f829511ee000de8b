"""What lies on the table as the page draws it; the format stands in ``data``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from haiyomi.game.player_view import Meld, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.json_types import Json
from haiyomi.tiles import kind_name


def table_data(position: Position) -> Json:
    """What lies on the table, and the viewer's hand."""
    hand = list(position.hand)
    if position.drawn is not None:
        hand.remove(position.drawn)
    return {
        "k": position.kyoku,
        "h": position.honba,
        "s": position.sticks,
        "d": int(position.dealer),
        "i": [str(t) for t in position.indicators],
        "hand": [str(t) for t in hand],
        "drawn": None if position.drawn is None else str(position.drawn),
        "left": position.draws_left,
        "p": [_player(p) for p in position.players],
        "seen": "".join(map(str, position.seen)),
    }


def _player(player: PlayerView) -> Json:
    out: Json = {"sc": player.score, "n": player.concealed}
    if player.river:
        out["v"] = " ".join(_river_tile(t) for t in player.river)
    if player.melds:
        out["m"] = [_meld(m) for m in player.melds]
    if player.riichi:
        out["r"] = 1
    # The rivers do not show all tiles that a player let pass, and the models use them.
    out["f"] = _kinds(player.passed_mask)
    if player.riichi:
        out["fr"] = _kinds(player.riichi_mask)
    return out


@lru_cache(maxsize=4096)
def _kinds(mask: int) -> str:
    return "".join(kind_name(k) for k in range(34) if mask >> k & 1)


def _river_tile(tile: RiverTile) -> str:
    """``5m``, then ``*`` tsumogiri, ``!`` riichi, ``^2`` called by relative seat 2."""
    called = "" if tile.called_by is None else f"^{tile.called_by}"
    return f"{tile.tile}{'*' * tile.tsumogiri}{'!' * tile.riichi}{called}"


def _meld(meld: Meld) -> list[Any]:
    """[kind, tiles, the called tile or None, from which relative seat or None]."""
    return [
        meld.kind,
        [str(t) for t in meld.tiles],
        None if meld.called is None else str(meld.called),
        None if meld.target is None else int(meld.target),
    ]
