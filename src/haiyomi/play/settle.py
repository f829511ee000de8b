"""Scores and payments of a hand in play: wins, noten payments, nagashi mangan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from haiyomi.events import FourScores, Win
from haiyomi.kernels.scoring import MeldType, score_one
from haiyomi.play.live import LiveHand
from haiyomi.play.side import MeldShape, Side
from haiyomi.tiles import RED_IDS, Kind, Seat, TileId, dora_of

HONBA = 300
DEPOSIT = 1000
DAISANGEN, DAISUUSHII = 39, 49
ORPHANS = frozenset((47, 48))
NOTEN_TOTAL = 3000
LIMIT_DEALER, LIMIT_OTHER = 48000, 32000
_MELDS: dict[MeldShape, MeldType] = {
    "chi": MeldType.CHI,
    "pon": MeldType.PON,
    "daiminkan": MeldType.DAIMINKAN,
    "kakan": MeldType.KAKAN,
    "ankan": MeldType.ANKAN,
}
NAGASHI_DEALER, NAGASHI_OTHER = 4000, 2000


@dataclass(frozen=True, slots=True)
class Worth:
    """A winning hand's yaku (id, han), fu, and payments in points without honba."""

    yaku: tuple[tuple[int, int], ...]
    fu: int
    ron: int
    tsumo_dealer: int
    tsumo_other: int


def judge(
    live: LiveHand,
    side: Side,
    target: Seat,
    tile: TileId,
    *,
    rinshan: bool = False,
    chankan: bool = False,
) -> Worth | None:
    """What a win on ``tile`` would be worth; None if the hand has no yaku.

    By tsumo (``target`` the own seat) the tile is in the hand already, by ron it is not.
    """
    tsumo = target == side.seat
    concealed = side.hand if tsumo else [*side.hand, tile]
    tiles = [*concealed, *(t for meld in side.melds for t in meld.ids)]
    ura = [live.wall.ura(i) for i in range(live.revealed)] if side.riichi else []
    rules = live.rules
    score = score_one(
        [t // 4 for t in concealed],
        tile // 4,
        melds=[(_MELDS[meld.shape], meld.kind) for meld in side.melds],
        tsumo=tsumo,
        round_wind=Kind(27 + live.kyoku // 4),
        seat_wind=Kind(27 + (side.seat - live.dealer) % 4),
        riichi=side.riichi,
        ippatsu=side.ippatsu,
        rinshan=rinshan,
        chankan=chankan,
        last_tile=live.wall.left == 0 and not rinshan and not chankan,
        first_turn=tsumo and live.first_turn(side),
        dora=_matches(tiles, live.dora_kinds()),
        ura=_matches(tiles, [dora_of(t // 4) for t in ura]),
        reds=sum(t in RED_IDS for t in tiles) if rules.red_fives else 0,
        rules=rules,
    )
    if not score.has_yaku:
        return None
    yaku = tuple((yaku.id, han) for yaku, han in score.yaku)
    return Worth(yaku, score.fu, score.ron, score.tsumo_dealer, score.tsumo_other)


def _matches(tiles: Sequence[TileId], kinds: Sequence[Kind]) -> int:
    return sum(t // 4 == k for k in kinds for t in tiles)


def win_event(
    live: LiveHand, side: Side, target: Seat, tile: TileId, worth: Worth, first: bool
) -> Win:
    """The win with its payments; ``first`` of several winners takes honba and deposits.

    A liable player pays all of a tsumo and half of a ron, and the honba; of the whole hand
    or only of the limit hand that was fed, as the rules have it.
    """
    seat = side.seat
    honba = live.honba if first else 0
    had = dict(worth.yaku)
    fed = next((yaku for yaku in side.liable if yaku in had), 0)
    liable = side.liable.get(fed)
    deltas = [0, 0, 0, 0]
    if target != seat:
        points = worth.ron
        if liable is None or liable == target:
            deltas[target] -= points + HONBA * honba
        else:
            half = _liable_part(live, side, had.get(fed, 0), points) // 2
            deltas[target] -= points - half
            deltas[liable] -= half + HONBA * honba
    else:
        shares = {
            s: worth.tsumo_dealer if s == live.dealer else worth.tsumo_other
            for s in live.others(seat)
        }
        points = sum(shares.values())
        part = 0
        if liable is not None:
            part = _liable_part(live, side, had.get(fed, 0), points)
            deltas[liable] -= part + HONBA * honba
            honba = 0
        for s, share in shares.items():
            deltas[s] -= share * (points - part) // points + HONBA // 3 * honba
    deltas[seat] -= sum(deltas)
    if first:
        deltas[seat] += DEPOSIT * live.sticks
    return Win(
        seat,
        target,
        live.tile(tile),
        four(deltas),
        tuple(live.tile(t) for t in live.ura_indicators()) if side.riichi else (),
        worth.yaku,
        worth.fu,
        points,
        liable,
    )


def _liable_part(live: LiveHand, side: Side, han: int, points: int) -> int:
    """The part of a hand's points that is due to the liable limit hand of ``han`` (13 each)."""
    if live.rules.pao_whole:
        return points
    limit = LIMIT_DEALER if side.seat == live.dealer else LIMIT_OTHER
    return min(points, limit * (han // 13))


def noten_payments(tenpai: Sequence[bool]) -> FourScores:
    """3000 points from those without to those with a tenpai hand; nothing if all or none."""
    n = sum(tenpai)
    if n in (0, 4):
        return (0, 0, 0, 0)
    return four([NOTEN_TOTAL // n if t else -(NOTEN_TOTAL // (4 - n)) for t in tenpai])


def nagashi_payments(seats: Sequence[Seat], dealer: Seat) -> FourScores:
    """A mangan by tsumo for each of the seats, without honba and deposits."""
    deltas = [0, 0, 0, 0]
    for seat in seats:
        for other in range(4):
            if other != seat:
                share = NAGASHI_DEALER if dealer in (seat, other) else NAGASHI_OTHER
                deltas[other] -= share
                deltas[seat] += share
    return four(deltas)


def four(values: Sequence[int]) -> FourScores:
    """Four numbers as a tuple."""
    a, b, c, d = values
    return (a, b, c, d)
