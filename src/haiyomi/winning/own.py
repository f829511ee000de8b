"""Win probability and points by own draws of each discard, at the current turn, as a batch.

The values are those of ``win_table`` at the question's turn under the default convention;
positions become the kernel's arrays directly, without a WinQuestion each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.winning import GraphRules, WinHands, win_values
from haiyomi.rules import Ruleset
from haiyomi.tiles import RED_KINDS, Tile, kind_counts, tile_order
from haiyomi.winning.convention import DEFAULT
from haiyomi.winning.question import TURNS, turn_of
from haiyomi.winning.table import melds_array

if TYPE_CHECKING:
    from haiyomi.kernels.counts import Counts

Values = dict[int, tuple[float, float | None, float | None]]
"""By tile code: P(win by own draws), P(tenpai by the end) and the points of those wins, None where
they were not computed."""


@dataclass(frozen=True, slots=True)
class Own:
    """One discard by the program: P(win by own draws), P(tenpai by the end), expected points of
    those wins (both None where not computed). ``followed``: False where the program does not look
    at a step back from tenpai, which is then as good as no win of its own."""

    tile: Tile
    win: float
    tenpai: float | None
    points: float | None
    followed: bool = True


def own_values_of(
    positions: Sequence[Position], tenpai: bool = True, points: bool = True
) -> list[tuple[Own, ...]]:
    """The values of each discard of some positions, all under one rule set, likeliest to win first.

    Empty where it is not the viewer's free turn or the graph is too large. ``tenpai``: with
    P(tenpai), ``points``: with the points; each costs an eighth more.
    """
    out: list[tuple[Own, ...]] = [()] * len(positions)
    free = [i for i, p in enumerate(positions) if len(p.hand) % 3 == 2 and len(p.discards) > 1]
    free_positions = [positions[i] for i in free]
    if not free_positions:
        return out
    counts = np.array([kind_counts(p.hand) for p in free_positions], np.uint8)
    tiles = [sorted(set(p.hand), key=tile_order) for p in free_positions]
    nothing = (0.0, 0.0 if tenpai else None, None)
    found = _values_of(free_positions, counts, tenpai, points)
    for i, each, values in zip(free, tiles, found, strict=True):
        if values is None:
            continue
        owns = [Own(t, *values.get(t.code, nothing), t.code in values) for t in each]
        out[i] = tuple(sorted(owns, key=lambda own: (-own.win, tile_order(own.tile))))
    return out


def _values_of(
    positions: Sequence[Position], counts: Counts, tenpai: bool, points: bool
) -> list[Values | None]:
    """The values of each position by code; None where there are none."""
    groups: dict[tuple[int, int], list[int]] = {}
    turns = [turn_of(position) for position in positions]
    for i, (position, distance) in enumerate(zip(positions, shanten(counts).tolist(), strict=True)):
        if len(position.players[0].melds) == 4 - len(position.hand) // 3:
            groups.setdefault((distance, turns[i]), []).append(i)
    hands = _hands(positions, counts, turns)
    rules = positions[0].rules
    out: list[Values | None] = [None] * len(positions)
    for (distance, turn), members in groups.items():
        graph = replace(DEFAULT.graph(distance), tenpai=tenpai, worth=points)
        for i, values in zip(members, _solve(hands, members, graph, turn, rules), strict=True):
            out[i] = values
    return out


def _solve(
    hands: WinHands, members: list[int], graph: GraphRules, turn: int, rules: Ruleset
) -> list[Values | None]:
    try:
        found = win_values(hands.part(members), graph, first=turn, rules=rules)
    except ValueError:
        if len(members) == 1:
            return [None]
        # One graph is too large: solve the hands one by one, so that only that one has no values.
        return [each for i in members for each in _solve(hands, [i], graph, turn, rules)]
    out: list[Values | None] = []
    paid = graph.points and graph.worth
    now: NDArray[Any] = found.values[:, :, :, turn - 1]
    for codes, rows in zip(found.codes.tolist(), now.tolist(), strict=True):
        out.append({
            code: (win, ready if graph.tenpai else None, points if paid else None)
            for code, (win, ready, points) in zip(codes, rows, strict=True)
            if code >= 0
        })  # fmt: skip
    return out


def _hands(positions: Sequence[Position], counts: Counts, turns: Sequence[int]) -> WinHands:
    """The kernel's arrays of positions, each at its turn."""
    live = np.array([p.unseen for p in positions], np.uint8)
    mine = [p.players[0].melds for p in positions]
    # The next draw is one of the unseen tiles; each turn takes one more.
    unseen = live.sum(axis=1, dtype=np.float64) + turns
    return WinHands(
        counts,
        live,
        np.array([_reds(p) for p in positions]),
        np.maximum(unseen[:, None] - np.arange(1, TURNS + 1), 0.0),
        melds_array(mine),
        np.array([(p.round_wind, p.seat_wind(0)) for p in positions], np.uint8),
        np.array([sum(t.red for m in melds for t in m.tiles) for melds in mine], np.uint8),
        tuple(tuple(int(t.kind) for t in p.indicators) for p in positions),
    )


def _reds(position: Position) -> list[bool]:
    """Which red fives the viewer holds, and which are unseen."""
    if not position.rules.red_fives:
        return [False] * 6
    codes = {tile.code for tile in position.hand}
    return [code in codes for code in (34, 35, 36)] + [
        not position.reds_seen >> suit & 1 and position.seen[kind] < 4
        for suit, kind in enumerate(RED_KINDS)
    ]
