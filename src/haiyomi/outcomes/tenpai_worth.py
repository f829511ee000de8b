"""What a win of a tenpai hand is worth by the rules: closed, after riichi and without it, and open.

After riichi the hand can change no more. Each wait counts by the tiles of it that the seat does not
see, a red five among them; ura dora are unseen tiles, as for a win that is claimed. Damaten may
declare later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, Score, score_one
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.claimed import ura_shares
from haiyomi.outcomes.ends import CLASSES
from haiyomi.outcomes.joint import worth_class
from haiyomi.tiles import N_KINDS, Tile

Floats = NDArray[np.float64]
IPPATSU: Final = 0.18
"""Of wins after riichi, those within the first turn: 1,399 of 7,528 in 2,404 games of train, .186
[.177, .195]; by ron and by own draw alike."""
LATER_RON: Final = 6.7e-5
LATER_TSUMO: Final = 1.2e-4
LATER_NO_YAKU: Final = 2.5e-4
LATER_MOST: Final = 0.5
"""Of wins of damaten, the share that comes after a later riichi is one of these times the square of
the draws left, at most a half: of rons and own draws of hands with a yaku (8,769 and 3,927 wins of
train), and of own draws of hands without one (1,419). Rons without a yaku come after riichi, or
after a change of the hand that is taken to be worth as much."""
_LEAST: Final = 1e-3
"""The least probability of so many ura dora that is worked out."""


def closed_worth(position: Position, tile: Tile | None) -> tuple[Floats, Floats] | None:
    """(2, 9) P of the class of the own closed hand that wins by ron, and by tsumo, after riichi
    with a tile (None: the hand as it is) and after damaten; None where no tile that completes the
    hand is left."""
    found = _waits_of(position, tile)
    if found is None:
        return None
    hand, left = found
    declared, silent = (_classes(position, hand, left, riichi) for riichi in (True, False))
    later = _later_riichi(position, bool(silent[0].any()))
    whole = np.maximum(silent.sum(axis=1, keepdims=True), 1e-300)
    return declared, silent / whole * (1 - later[:, None]) + declared * later[:, None]


def fixed_worth(position: Position, tile: Tile | None) -> Floats | None:
    """(2, 9) P of the class of the own hand that wins by ron, and by tsumo, after a tile (None: the
    hand as it is), of a seat that is in riichi already or has an open hand; None where it wins by
    ron on no tile that is left."""
    found = _waits_of(position, tile)
    if found is None:
        return None
    out = _classes(position, *found, position.players[0].riichi, ippatsu=False)
    return out if out.any(axis=1).all() else None


class Win(NamedTuple):
    """One way in which a hand may win: by its own draw or not, its score, and its probability among
    those by draw, or by ron."""

    tsumo: bool
    score: Score
    p: float


def exact_wins(position: Position, tile: Tile | None, declares: bool) -> list[Win]:
    """The wins that ``closed_worth`` or ``fixed_worth`` counts by class, after riichi with a tile
    if it ``declares``; none where either by ron or by own draw there is none."""
    found = _waits_of(position, tile)
    own = position.players[0]
    if found is None:
        return []
    if own.open_melds or (own.riichi and not declares):
        wins = _wins(position, *found, own.riichi, ippatsu=False)
    elif declares:
        wins = _wins(position, *found, riichi=True)
    else:
        silent, declared = (_wins(position, *found, riichi) for riichi in (False, True))
        later = _later_riichi(position, any(not win.tsumo for win in silent))
        wins = [win._replace(p=win.p * (1 - later[int(win.tsumo)])) for win in silent]
        wins += [win._replace(p=win.p * later[int(win.tsumo)]) for win in declared]
    return wins if len({win.tsumo for win in wins}) == 2 else []


def _later_riichi(position: Position, has_yaku: bool) -> Floats:
    """(2,) of the wins of damaten by ron, and by own draw, the share after a later riichi."""
    rates = np.array([LATER_RON, LATER_TSUMO if has_yaku else LATER_NO_YAKU])
    later: Floats = np.minimum(rates * position.draws_left**2, LATER_MOST)
    if not has_yaku:
        later[0] = 1
    return later


def wins_without_riichi(position: Position, tile: Tile) -> bool:
    """Whether the hand that a discard leaves wins by ron without riichi on some tile that is
    left."""
    found = _waits_of(position, tile)
    return found is not None and bool(_classes(position, *found, riichi=False)[0].any())


def _waits_of(position: Position, tile: Tile | None) -> tuple[list[Tile], list[int]] | None:
    """The hand after a discard, and (34,) the unseen tiles of each kind that completes it; None
    where there is none."""
    hand = list(position.hand)
    if tile is not None:
        hand.remove(tile)
    counts = np.bincount([t.kind for t in hand], minlength=N_KINDS).astype(np.uint8)
    mask = int(waits(counts[None])[0])
    left = [position.unseen[kind] if mask >> kind & 1 else 0 for kind in range(N_KINDS)]
    return (hand, left) if any(left) else None


def _classes(
    position: Position, hand: list[Tile], left: list[int], riichi: bool, ippatsu: bool = True
) -> Floats:
    """(2, 9) P of the class by ron and by tsumo; damaten without a yaku has none by ron."""
    paid = _paid(position, hand, left, riichi, ippatsu)
    out = np.zeros((2, CLASSES))
    if paid:
        rows, scores, weights = zip(*paid, strict=True)
        points = np.array([score.ron for score in scores], np.int32)
        number = worth_class(points, np.array([position.dealer == 0]))
        np.add.at(out, (np.array(rows).astype(np.int64), number), weights)
    whole: Floats = np.maximum(out.sum(axis=1, keepdims=True), 1e-300)
    out /= whole
    return out


def _wins(
    position: Position, hand: list[Tile], left: list[int], riichi: bool, ippatsu: bool = True
) -> list[Win]:
    """The wins that ``_classes`` counts."""
    paid = _paid(position, hand, left, riichi, ippatsu)
    whole = [sum(weight for tsumo, _, weight in paid if tsumo == row) for row in (False, True)]
    return [Win(tsumo, score, weight / whole[tsumo]) for tsumo, score, weight in paid]


def _copies(position: Position, kind: int, left: int) -> Iterator[tuple[bool, int]]:
    """Red or not, and how many of such tiles of a kind are unseen."""
    five = kind < 27 and kind % 9 == 4
    red = int(five and left > 0 and not position.reds_seen >> kind // 9 & 1)
    if red:
        yield True, red
    if left > red:
        yield False, left - red


def _paid(
    position: Position, hand: list[Tile], left: list[int], riichi: bool, ippatsu: bool
) -> list[tuple[bool, Score, float]]:
    """Wins by own draw or ron, their scores, and their weights: how many such tiles there are,
    times the share by ura dora and ippatsu. Nothing without a yaku."""
    return [
        win
        for kind in np.flatnonzero(left).tolist()
        for win in _paid_on(position, hand, kind, left[kind], riichi, ippatsu)
    ]


def _paid_on(
    position: Position, hand: list[Tile], kind: int, left: int, riichi: bool, ippatsu: bool
) -> Iterator[tuple[bool, Score, float]]:
    """``_paid`` on one kind of which tiles are left."""
    own, dora = position.players[0], position.dora
    melded = [t for meld in own.melds for t in meld.tiles]
    kinds = [*[t.kind for t in hand], kind]
    every = [*kinds, *[t.kind for t in melded]]
    shown = sum([dora[k] for k in every])
    reds = sum([t.red for t in (*hand, *melded)])
    melds = [(MeldType[meld.kind.upper()], meld.base) for meld in own.melds]
    more = np.ones(1)
    if riichi:
        more = ura_shares(position, every)
        if ippatsu:
            more = np.convolve(more, [1 - IPPATSU, IPPATSU])
    shares = [(han, share) for han, share in enumerate(more.tolist()) if share > _LEAST]
    first = not own.river and not any(player.melds for player in position.players)
    for red, weight in _copies(position, kind, left):
        for tsumo in (False, True):
            for han, share in shares:
                found = score_one(
                    kinds,
                    kind,
                    melds=melds,
                    round_wind=position.round_wind,
                    seat_wind=position.seat_wind(0),
                    riichi=riichi * (1 + first),
                    tsumo=tsumo,
                    dora=shown,
                    ura=han,
                    reds=reds + red,
                    rules=position.rules,
                )
                if found.has_yaku:
                    yield tsumo, found, weight * share
