"""The legal choices of a seat at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from haiyomi.events import (
    DISCARDS,
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Kakan,
    Pon,
    Riichi,
)
from haiyomi.game.kuikae import swap_kinds
from haiyomi.game.rounds import round_wind
from haiyomi.kernels.scoring import MeldType, score_one
from haiyomi.kernels.waits import waits as waits_of
from haiyomi.play.live_hand import LiveHand
from haiyomi.play.player import Choice, Claim
from haiyomi.play.side import Side, wait_mask
from haiyomi.rules import DEPOSIT, RIICHI_DRAWS
from haiyomi.tiles import YAOCHU, Kind, Seat, Tile, TileId

NINE = 9
"""Different terminals and honours with which a first hand may be aborted (kyuushu kyuuhai)."""


def turn_choices(live: LiveHand, side: Side, rinshan: bool) -> list[Choice]:
    """The choices of a seat that has drawn."""
    assert side.drawn is not None
    kind = side.drawn // 4
    found: list[Choice] = []
    if side.waits >> kind & 1 and _has_yaku(live, side, kind, tsumo=True, rinshan=rinshan):
        found.append(Claim(side.seat, side.seat))
    if live.may_kan:
        found.extend(_own_kans(live, side, kind))
    if side.riichi:
        code = live.tile(side.drawn).code
        return [*found, DISCARDS[side.seat][code][True]]
    if live.first_turn(side) and sum(side.counts[k] > 0 for k in YAOCHU) >= NINE:
        found.append(AbortiveDraw("nine-terminals", side.seat))
    if _may_riichi(live, side) and riichi_kinds(side):
        found.append(Riichi(side.seat))
    return found + list(discard_choices(live, side))


def discard_choices(
    live: LiveHand, side: Side, banned: Iterable[int] = (), only: Iterable[int] | None = None
) -> list[Discard]:
    """The discards, one for each different tile; none of the ``banned`` kinds."""
    barred = frozenset(banned)
    wanted = None if only is None else frozenset(only)
    keys = {
        (live.tile(t).code, t == side.drawn)
        for t in side.hand
        if t // 4 not in barred and (wanted is None or t // 4 in wanted)
    }
    return [DISCARDS[side.seat][code][own] for code, own in sorted(keys)]


def _may_riichi(live: LiveHand, side: Side) -> bool:
    return not side.open and live.draws_left >= RIICHI_DRAWS and live.scores[side.seat] >= DEPOSIT


def riichi_kinds(side: Side) -> list[Kind]:
    """The kinds with whose discard a seat may declare riichi."""
    melded = [0] * 34
    for meld in side.melds:
        for tile in meld.ids:
            melded[tile // 4] += 1
    return ready_discards(side.counts, melded)


def ready_discards(counts: Sequence[int], melded: Sequence[int]) -> list[Kind]:
    """The kinds whose discard leaves a hand tenpai with a wait that it does not hold four times.

    ``counts`` (34) of the concealed tiles, 14 less those of ``melded`` (34) kans as triplets.
    """
    kinds = [Kind(k) for k, n in enumerate(counts) if n]
    rows = np.array([counts] * len(kinds), dtype=np.uint8)
    rows[np.arange(len(kinds)), kinds] -= 1
    masks = waits_of(rows, np.array(melded, dtype=np.uint8))
    return [kind for kind, mask in zip(kinds, masks, strict=True) if mask]


def _own_kans(live: LiveHand, side: Side, drawn: int) -> list[Choice]:
    found: list[Choice] = []
    for kind, n in enumerate(side.counts):
        if n == 4 and (not side.riichi or (kind == drawn and keeps_waits(side, kind))):
            found.append(Ankan(side.seat, _tiles(live, [t for t in side.hand if t // 4 == kind])))
    found.extend(
        Kakan(side.seat, live.tile(t))
        for meld in side.melds
        if meld.shape == "pon"
        for t in side.hand
        if t // 4 == meld.kind
    )
    return found


def keeps_waits(side: Side, kind: int) -> bool:
    """Whether a concealed kan after riichi leaves the waits as they were.

    What becomes of the hand's readings and yaku does not matter: https://tenhou.net/man, riichi.
    """
    rest = list(side.counts)
    rest[kind] = 0
    return wait_mask(rest, side.melds) & ~(1 << kind) == side.waits


def ron_choices(
    live: LiveHand,
    side: Side,
    target: Seat,
    tile: TileId,
    *,
    chankan: bool = False,
) -> list[Choice]:
    """A win on another's tile, if the hand, a yaku and no furiten allow it; ``chankan``: the tile
    is added to a pon."""
    kind = tile // 4
    if not side.waits >> kind & 1 or side.furiten:
        return []
    won = _has_yaku(live, side, kind, tsumo=False, chankan=chankan)
    return [Claim(side.seat, target)] if won else []


def _has_yaku(
    live: LiveHand,
    side: Side,
    kind: int,
    *,
    tsumo: bool,
    rinshan: bool = False,
    chankan: bool = False,
) -> bool:
    """Whether a win on a tile of ``kind`` has a yaku; by tsumo the tile is in the hand already."""
    concealed = [tile // 4 for tile in side.hand]
    return score_one(
        concealed if tsumo else [*concealed, kind],
        kind,
        melds=[(MeldType[meld.shape.upper()], meld.kind) for meld in side.melds],
        tsumo=tsumo,
        round_wind=round_wind(live.kyoku),
        seat_wind=27 + (side.seat - live.dealer) % 4,
        riichi=side.riichi,
        ippatsu=side.ippatsu,
        rinshan=rinshan,
        chankan=chankan,
        last_tile=live.draws_left == 0 and not rinshan and not chankan,
        first_turn=tsumo and live.first_turn(side),
        rules=live.rules,
    ).has_yaku


def call_choices(live: LiveHand, side: Side, target: Seat, tile: TileId) -> list[Choice]:
    """The calls of another's discard; none on the last tile, none after riichi."""
    kind = tile // 4
    if side.riichi or live.draws_left == 0:
        return []
    found: list[Choice] = []
    named = live.tile(tile)
    held = side.counts[kind]
    if held >= 2:
        own = _tiles(live, [t for t in side.hand if t // 4 == kind])
        pairs = {(own[i], own[j]) for i in range(held) for j in range(i + 1, held)}
        found.extend(Pon(side.seat, target, named, pair) for pair in sorted(pairs))
        if held == 3 and live.may_kan:
            found.append(Daiminkan(side.seat, target, named, own))
    if kind < 27 and side.seat == (target + 1) % 4:
        found.extend(_chis(live, side, target, tile))
    return found


def _chis(live: LiveHand, side: Side, target: Seat, tile: TileId) -> list[Choice]:
    kind = tile // 4
    rank = kind % 9
    found: list[Choice] = []
    for a, b in ((-2, -1), (-1, 1), (1, 2)):
        if rank + a < 0 or rank + b > 8:
            continue
        low, high = kind + a, kind + b
        if not (side.counts[low] and side.counts[high]):
            continue
        left = list(side.counts)
        left[low] -= 1
        left[high] -= 1
        for k in swap_kinds(kind, (low, high)):
            left[k] = 0
        if not any(left):
            continue  # every discard left would be kuikae
        lows = sorted({live.tile(t) for t in side.hand if t // 4 == low})
        highs = sorted({live.tile(t) for t in side.hand if t // 4 == high})
        found.extend(Chi(side.seat, target, live.tile(tile), pair) for pair in product(lows, highs))
    return found


def _tiles(live: LiveHand, ids: Iterable[TileId]) -> tuple[Tile, ...]:
    return tuple(sorted(live.tile(t) for t in ids))
