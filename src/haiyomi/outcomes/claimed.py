"""A win that is claimed now: what all four seats gain and lose, by the rules.

The hand's score comes from the core. Ura dora are not known yet: each indicator's is one of the
tiles that the seat does not see. Other winners on the same tile are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.events import FourScores, Kakan
from haiyomi.game.observation import is_double_riichi
from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, Score, score_one
from haiyomi.play.decision import Decision
from haiyomi.rules import DEPOSIT
from haiyomi.tiles import N_KINDS, Tile, dora_of

_DAISANGEN, _DAISUUSHII = 39, 49
_MOST_URA = 12


@dataclass(frozen=True, slots=True)
class Claimed:
    """One way in which a claimed win may pay: its probability, and the changes of score by
    relative seat, honba and deposits included."""

    probability: float
    changes: FourScores


def claimed(decision: Decision) -> tuple[Claimed, ...]:
    """The payments of the win that a decision offers, by ura dora; probabilities sum to one."""
    position, offer = decision.position, decision.offer
    tile = position.drawn if offer is None else offer.tile
    assert tile is not None  # a win has a tile
    payer = 0 if offer is None else (offer.seat - position.seat) % 4
    tiles = [*position.hand, *([] if offer is None else [tile])]
    kinds = [t.kind for t in (*tiles, *(t for m in position.players[0].melds for t in m.tiles))]
    shares = ura_shares(position, kinds) if position.players[0].riichi else np.ones(1)
    found: dict[FourScores, float] = {}
    for ura, share in enumerate(shares.tolist()):
        if share > 0:
            paid = payments(position, _score(decision, tiles, tile, ura), payer)
            found[paid] = found.get(paid, 0.0) + share
    return tuple(Claimed(p, changes) for changes, p in found.items())


def _score(decision: Decision, tiles: list[Tile], tile: Tile, ura: int) -> Score:
    position, offer = decision.position, decision.offer
    own = position.players[0]
    whole = [*tiles, *(t for meld in own.melds for t in meld.tiles)]
    dora = position.dora
    chankan = isinstance(offer, Kakan)
    rinshan = offer is None and position.after_kan
    nobody_called = not any(player.melds for player in position.players)
    return score_one(
        [t.kind for t in tiles],
        tile.kind,
        melds=[(MeldType[meld.kind.upper()], meld.base) for meld in own.melds],
        round_wind=position.round_wind,
        seat_wind=position.seat_wind(0),
        riichi=own.riichi + is_double_riichi(position, own),
        tsumo=offer is None,
        ippatsu=own.ippatsu,
        rinshan=rinshan,
        chankan=chankan,
        last_tile=position.draws_left == 0 and not rinshan and not chankan,
        first_turn=offer is None and not own.river and nobody_called,
        dora=sum(dora[t.kind] for t in whole),
        ura=ura,
        reds=sum(t.red for t in whole),
        rules=position.rules,
    )


def ura_shares(position: Position, kinds: Sequence[int]) -> Floats:
    """(13,) P(so many han of ura dora) of a hand with tiles of these kinds, melds included: each
    indicator is any unseen tile."""
    held = np.bincount(kinds, minlength=N_KINDS)
    unseen = np.array(position.unseen, np.float64)
    han = held[[dora_of(kind) for kind in range(N_KINDS)]]
    one = np.bincount(han, unseen, _MOST_URA + 1) / unseen.sum()
    out = np.zeros(_MOST_URA + 1)
    out[0] = 1.0
    for _ in position.indicators:
        both = np.convolve(out, one)
        out = both[: _MOST_URA + 1]
        out[-1] += both[_MOST_URA + 1 :].sum()
    return out


def payments(position: Position, score: Score, payer: int) -> FourScores:
    """The changes of score of a win of seat 0: ``payer`` 0 for an own draw."""
    dealer, honba = position.dealer, position.honba
    changes = [0, 0, 0, 0]
    liable, part = _liable(position, score)
    if payer:
        rest = score.ron
        if liable not in (0, payer):
            changes[liable] -= part // 2 + 300 * honba
            rest -= part // 2
        else:
            rest += 300 * honba
        changes[payer] -= rest
    else:
        shares = [
            0 if seat == 0 else score.tsumo_dealer if seat == dealer else score.tsumo_other
            for seat in range(4)
        ]
        total = sum(shares)
        if liable:
            changes[liable] -= part + 300 * honba
        for seat in (1, 2, 3):
            changes[seat] -= shares[seat] * (total - part) // total + 100 * honba * (not liable)
    changes[0] = DEPOSIT * position.sticks - sum(changes)
    a, b, c, d = changes
    return (a, b, c, d)


def _liable(position: Position, score: Score) -> tuple[int, int]:
    """Who must pay because they fed the last dragon or wind triplet (pao), 0 for nobody, and for
    how much of the hand."""
    if not score.yakuman:
        return 0, 0
    han = {yaku.id: han for yaku, han in score.yaku}
    units = seat = 0
    for yaku, kinds, due in ((_DAISANGEN, range(31, 34), 3), (_DAISUUSHII, range(27, 31), 4)):
        fed = [m for m in position.players[0].melds if m.kind != "chi" and m.base in kinds]
        if han.get(yaku) and len(fed) == due and fed[-1].target is not None:
            seat = fed[-1].target
            units += han[yaku] // 13
    if not seat:
        return 0, 0
    unit = 48000 if position.dealer == 0 else 32000
    whole = unit * (score.yakuman if position.rules.multiple_yakuman else 1)
    return seat, whole if position.rules.pao_whole else min(whole, unit * units)
