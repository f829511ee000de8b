"""Changes of a position after which a right value of its options is known to be the same or higher.

``exchanged`` renames the suits: no rule tells them apart, so nothing may change. ``richer`` puts
more deposits, honba or dora indicators on the table: no win is worth less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from haiyomi.evaluation.known_answers.suite import Valuer
from haiyomi.game.player_view import Meld, PlayerView
from haiyomi.game.position import Position
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.stated_decision import decision_at
from haiyomi.tiles import TILES, Tile, tile_order

Suits = tuple[int, int, int]
"""Where the suits m, p and s go: (1, 0, 2) exchanges m and p."""


def exchanged(position: Position, suits: Suits) -> Position:
    """The position with its suits renamed."""
    a, b, c, d = (_player(player, suits) for player in position.players)
    seen = [0] * 34
    for kind, n in enumerate(position.seen):
        seen[_kind(kind, suits)] = n
    reds = sum(1 << suits[s] for s in range(3) if position.reds_seen >> s & 1)
    return replace(
        position,
        indicators=tuple(_tile(tile, suits) for tile in position.indicators),
        hand=_sorted(position.hand, suits),
        drawn=None if position.drawn is None else _tile(position.drawn, suits),
        players=(a, b, c, d),
        seen=tuple(seen),
        reds_seen=reds,
    )


def exchanged_option(option: Option, suits: Suits) -> Option:
    """The same option of the position with its suits renamed."""
    return Option(option.act, tuple(_tile(tile, suits) for tile in option.tiles))


def suit_differences(
    valuer: Valuer, position: Position, payoff: Payoff, suits: Suits
) -> tuple[float, float]:
    """The largest differences of value and of P(win) that renaming the suits makes in a position of
    the own turn. A right valuer has none."""
    here = valuer(decision_at(position), payoff)
    there = valuer(decision_at(exchanged(position, suits)), payoff)
    value = win = 0.0
    for option, judged in here.items():
        moved = there[exchanged_option(option, suits)]
        value = max(value, abs(moved.value - judged.value))
        if judged.win is not None and moved.win is not None:
            win = max(win, abs(moved.win - judged.win))
    return value, win


def richer(
    position: Position, *, sticks: int = 0, honba: int = 0, indicator: Tile | None = None
) -> Position:
    """The position with more deposits and honba on the table, and one more dora indicator; the
    scores stay. Raises ValueError where all four of that indicator's kind are seen."""
    seen = list(position.seen)
    shown = position.indicators
    if indicator is not None:
        if seen[indicator.kind] == 4:
            raise ValueError(f"all four {indicator} are seen")
        seen[indicator.kind] += 1
        shown = (*shown, indicator)
    return replace(
        position,
        sticks=position.sticks + sticks,
        honba=position.honba + honba,
        indicators=shown,
        seen=tuple(seen),
    )


def _kind(kind: int, suits: Suits) -> int:
    return kind if kind >= 27 else 9 * suits[kind // 9] + kind % 9


def _tile(tile: Tile, suits: Suits) -> Tile:
    code = 34 + suits[tile.code - 34] if tile.red else _kind(tile.kind, suits)
    return TILES[code]


def _sorted(tiles: Sequence[Tile], suits: Suits) -> tuple[Tile, ...]:
    return tuple(sorted((_tile(tile, suits) for tile in tiles), key=tile_order))


def _mask(mask: int, suits: Suits) -> int:
    return sum(1 << _kind(kind, suits) for kind in range(34) if mask >> kind & 1)


def _meld(meld: Meld, suits: Suits) -> Meld:
    called = None if meld.called is None else _tile(meld.called, suits)
    return replace(meld, tiles=_sorted(meld.tiles, suits), called=called)


def _player(player: PlayerView, suits: Suits) -> PlayerView:
    return replace(
        player,
        river=tuple(replace(tile, tile=_tile(tile.tile, suits)) for tile in player.river),
        melds=tuple(_meld(meld, suits) for meld in player.melds),
        river_mask=_mask(player.river_mask, suits),
        passed_mask=_mask(player.passed_mask, suits),
        riichi_mask=_mask(player.riichi_mask, suits),
    )
