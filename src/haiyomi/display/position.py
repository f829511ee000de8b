"""A Position as a table: each player's river and melds, the viewer's hand below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haiyomi.display.page import Html, heading, page, table, tiles
from haiyomi.display.tile_row import BACK, Placed, upright
from haiyomi.game.rounds import WINDS, round_name

if TYPE_CHECKING:
    from haiyomi.game.player_view import Meld, PlayerView
    from haiyomi.game.position import Position
    from haiyomi.tiles import Tile

SEATS = ("you", "right", "across", "left")
"""The names of relative seats."""


def position_html(position: Position) -> str:
    """The position as one self-contained piece of HTML."""
    return page(*position_parts(position))


def position_parts(position: Position) -> tuple[Html, ...]:
    """The same in parts, for a page that shows more beside it."""
    rows = [_player(position, seat) for seat in range(4)]
    return (
        heading(round_name(position.kyoku), _situation(position)),
        Html(f"<div>dora indicators {tiles(upright(position.indicators))}</div>"),
        table(("", "points", "river", "melds"), rows),
        Html(f"<div>{tiles(hand_row(position.hand, position.drawn), 44)}</div>"),
        Html(
            '<div class="small">River: faint tiles were discarded as drawn, a tile on its side '
            "declared riichi.</div>"
        ),
    )


def hand_row(hand: tuple[Tile, ...], drawn: Tile | None) -> list[Placed]:
    """A hand, the drawn tile behind a space."""
    rest = list(hand)
    if drawn is None or drawn not in rest:
        return upright(rest)
    rest.remove(drawn)
    return [*upright(rest), Placed(str(drawn), apart=True)]


def _situation(position: Position) -> str:
    turn = "to discard" if position.to_act else "waiting"
    return (
        f"honba {position.honba}, riichi deposits {position.sticks}, "
        f"draws left {position.draws_left}, {turn}"
    )


def _player(position: Position, seat: int) -> tuple[object, ...]:
    player = position.players[seat]
    wind = WINDS[(seat - position.dealer) % 4]
    name = f"{SEATS[seat]} ({wind}{', riichi' if player.riichi else ''})"
    melds = [placed for meld in player.melds for placed in meld_row(meld, seat)]
    return name, player.score, tiles(_river(player)), tiles(melds) if melds else ""


def _river(player: PlayerView) -> list[Placed]:
    """The tiles that lie in the river: a called one lies in the meld of the caller."""
    return [Placed(str(t.tile), t.riichi, t.tsumogiri) for t in player.river if t.called_by is None]


def meld_row(meld: Meld, owner: int) -> list[Placed]:
    """A meld, its called tile on its side at the place of the player it came from."""
    if meld.called is None or meld.target is None:
        shown = [BACK, *(str(t) for t in meld.tiles[1:-1]), BACK]
        return [Placed(name, apart=i == 0) for i, name in enumerate(shown)]
    own = list(meld.tiles)
    own.remove(meld.called)
    placed = upright(own)
    # From the left it lies first, from across second, from the right last.
    at = {3: 0, 2: 1}.get((meld.target - owner) % 4, len(placed))
    placed.insert(at, Placed(str(meld.called), rotated=True))
    first = placed[0]
    return [Placed(first.name, first.rotated, apart=True), *placed[1:]]
