"""What a win of a tenpai hand is worth by the rules: closed, after riichi and without it, and open.

After riichi the hand can change no more. Each wait counts by the tiles of it that the seat does not
see, a red five among them; ura dora are unseen tiles, as for a win that is claimed. Damaten may
declare later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, Score, score_one
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.claimed import ura_shares
from haiyomi.outcomes.corrections.deposits import riichi_share
from haiyomi.outcomes.corrections.held_yakuman import holds_yakuman
from haiyomi.outcomes.corrections.tenpai_wins import TenpaiOptions
from haiyomi.outcomes.ends import CLASSES
from haiyomi.outcomes.joint import worth_class
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.tiles import N_KINDS, Tile

IPPATSU: Final = 0.18
"""Of wins after riichi, those within the first turn: 1,399 of 7,528 in 2,404 games of train, .186
[.177, .195]; by ron and by own draw alike."""
LATER_RON: Final = (6.7e-5, 0.0)
LATER_TSUMO: Final = (1.0e-4, 3.2e-4)
LATER_NO_YAKU: Final = (1.1e-4, 1.2e-4)
LATER_MOST: Final = 0.5
"""Of wins of damaten, the share that comes after a later riichi: the first number and, times the
share of players who declare, the second, times the square of the draws left, at most a half. Of
rons and own draws of hands with a yaku, and of own draws of hands without one: by likelihood on
10,552, 4,704 and 1,709 wins of 5,000 games of train. On valid the log loss of the class of 1,122
own draws with a yaku is .879, and .890 without the second number, of 331 without a yaku 1.160 and
1.185. Rons without a yaku come after riichi, or after a change of the hand that is taken to be
worth as much."""
HAND_CHANGES: Final = 0.15
NO_YAKU_CHANGES: Final = 0.5
"""A hand in silence may change, which the networks know: this part of its worth is theirs, the rest
by the rules; the second of closed hands without a yaku. The likeliest part on train was .18 by ron
and .12 by own draw of closed hands (15,256 wins), .10 and .15 of open hands, and without a yaku .88
and .53 (2,783 wins), where a part above .5 makes rons worth less than came."""
_LEAST: Final = 1e-3
"""The least probability of so many ura dora that is worked out."""


class PossibleWin(NamedTuple):
    """One way in which a hand may win: by its own draw or not, its score, and its probability among
    those by draw, or by ron."""

    tsumo: bool
    score: Score
    p: float


@dataclass(frozen=True, slots=True, eq=False)
class ExactWorth:
    """What a ``part`` of an option's own wins pays by the rules: ``classes`` (2, 9) P of the class
    by ron, and by tsumo, and the ``wins`` themselves."""

    part: float
    classes: Floats
    wins: list[PossibleWin]


def wins_of(
    position: Position, tile: Tile | None, declares: bool = False, often: float = 0.0
) -> list[PossibleWin]:
    """How the own tenpai hand may win that a tile leaves (None: the hand as it is), after riichi
    with it if it ``declares``; none where by ron or by own draw it wins on no tile that is left.

    A closed hand in silence may declare riichi later; ``often``: the share of players who would
    declare now.
    """
    found = _waits_of(position, tile)
    own = position.players[0]
    if found is None:
        return []
    if declares:
        wins = _wins(position, *found, riichi=True)
    elif own.riichi or own.open_melds:
        wins = _wins(position, *found, own.riichi, ippatsu=False)
    else:
        silent, declared = (_wins(position, *found, riichi) for riichi in (False, True))
        later = _later_riichi(position, any(not win.tsumo for win in silent), often)
        wins = [win._replace(p=win.p * (1 - later[win.tsumo])) for win in silent]
        wins += [win._replace(p=win.p * later[win.tsumo]) for win in declared]
    return wins if len({win.tsumo for win in wins}) == 2 else []


def own_worth(
    block: OptionBlock, tenpai: TenpaiOptions, own: Floats, share: Floats | None
) -> tuple[Floats, dict[int, ExactWorth]]:
    """(2, e, b, 9) P of the class of the own hand, and the ``exact`` of a ``BlockForecast``. Of
    tenpai hands it is by the rules; in silence a part is the networks', unless every win is a
    yakuman. Hands that hold the sets of one win nothing less."""
    out, row, flat = own.copy(), block.row.tolist(), block.flat
    exact = {}
    often = riichi_share(block, share)
    out[:, :, holds_yakuman(block)] = np.arange(CLASSES) == CLASSES - 1
    no_yaku = set(tenpai.some[tenpai.no_yaku].tolist())
    riichi = np.flatnonzero(block.does("riichi")).tolist()
    ready = {(row[i], flat[i].tiles) for i in riichi}
    silent = [i for i in np.flatnonzero(block.does("discard")) if (row[i], flat[i].tiles) in ready]
    for i in sorted({*riichi, *silent, *tenpai.some.tolist()}):
        position, option = block.decisions[row[i]].position, flat[i]
        declares = option.act == "riichi"
        wins = wins_of(position, option.tiles[0] if option.tiles else None, declares, often[row[i]])
        if not wins:
            continue
        worth = classes_of(position, wins)
        part = NO_YAKU_CHANGES if i in no_yaku else HAND_CHANGES
        part *= not (declares or position.players[0].riichi)
        part *= not all(win.score.yakuman for win in wins)
        out[:, :, i] = part * out[:, :, i] + (1 - part) * worth[:, None]
        if position.kyoku >= 4 * position.rules.rounds - 1:
            exact[i] = ExactWorth(1 - part, worth, wins)
    return out, exact


def classes_of(position: Position, wins: Sequence[PossibleWin]) -> Floats:
    """(2, 9) P of the class of the own hand that wins by ron, and by tsumo."""
    out = np.zeros((2, CLASSES))
    points = np.array([win.score.ron for win in wins], np.int32)
    number = worth_class(points, np.array([position.dealer == 0]))
    tsumo = np.array([win.tsumo for win in wins], np.int64)
    np.add.at(out, (tsumo, number), np.array([win.p for win in wins]))
    return out


def _later_riichi(position: Position, has_yaku: bool, often: float) -> tuple[float, float]:
    """Of the wins of damaten by ron, and by own draw, the share after a later riichi."""

    def share(least: float, more: float) -> float:
        return min((least + more * often) * position.draws_left**2, LATER_MOST)

    if has_yaku:
        return share(*LATER_RON), share(*LATER_TSUMO)
    return 1.0, share(*LATER_NO_YAKU)


def wins_without_riichi(position: Position, tile: Tile) -> bool:
    """Whether the hand that a discard leaves wins by ron without riichi on some tile that is
    left."""
    found = _waits_of(position, tile)
    return found is not None and any(not win.tsumo for win in _wins(position, *found, riichi=False))


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


def _wins(
    position: Position, hand: list[Tile], left: list[int], riichi: bool, ippatsu: bool = True
) -> list[PossibleWin]:
    """The wins on the tiles that are left; damaten without a yaku has none by ron."""
    paid = _paid(position, hand, left, riichi, ippatsu)
    whole = [sum(weight for tsumo, _, weight in paid if tsumo == row) for row in (False, True)]
    return [PossibleWin(tsumo, score, weight / whole[tsumo]) for tsumo, score, weight in paid]


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
                    last_tile=position.draws_left == 1,
                    dora=shown,
                    ura=han,
                    reds=reds + red,
                    rules=position.rules,
                )
                if found.has_yaku:
                    yield tsumo, found, weight * share
