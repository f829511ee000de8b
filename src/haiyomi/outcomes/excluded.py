"""What the rules exclude after an option: joint endings and deposits that certainly cannot follow.

Only certain things stand here. Everything is given that nobody wins at once on the option's tile.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.game_end import DEPOSIT
from haiyomi.game.position import Position
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.ends import PAYER, TENPAI, WINNER
from haiyomi.outcomes.joint import JOINT
from haiyomi.outcomes.option import Option
from haiyomi.play.decision import Decision
from haiyomi.play.riichi_rule import RIICHI_DRAWS
from haiyomi.tiles import Tile, kind_counts

Bools = NDArray[np.bool_]
_ANOTHER_WINS = (WINNER > 0) & (PAYER != WINNER)
_OWN_RON = (WINNER == 0) & (PAYER != 0)
_DISCARDS = ("discard", "riichi")
_OPENS = ("chi", "pon", "daiminkan")


def possible_endings(decision: Decision, options: Sequence[Option]) -> Bools:
    """(m, 33) the joint endings that the rules leave open after each option.

    A seat in riichi is tenpai at an exhaustive draw. After the last discard nobody wins any more,
    and the own hand is tenpai or it is not. A riichi that is furiten never wins by ron.
    """
    position = decision.position
    out = np.ones((len(options), len(JOINT)), np.bool_)
    for seat, player in enumerate(position.players):
        if player.riichi:
            out &= TENPAI[:, seat] != 0
    own = position.players[0]
    last = position.draws_left == 0
    for row, option in zip(out, options, strict=True):
        riichi = own.riichi or option.act == "riichi"
        if option.act not in (*_DISCARDS, "pass") or not (riichi or last):
            continue
        waited = _waits_after(position, option)
        if riichi:
            row &= TENPAI[:, 0] != 0
            if waited & _furiten(decision, option):
                row &= ~_OWN_RON
        if last:
            row &= (TENPAI[:, 0] == -1) | (TENPAI[:, 0] == int(waited != 0))
            # Another may still win on the last discard that this seat passes on.
            row &= (WINNER < 0) | _still_ronned(decision, option)
    return out


def possible_deposits(decision: Decision, options: Sequence[Option]) -> Bools:
    """(m, 4) whether a seat may still pay a deposit, the option's own riichi left out."""
    position = decision.position
    # After this moment a seat draws before it declares.
    drawn = position.draws_left - 1 >= RIICHI_DRAWS
    may = [
        drawn and not player.riichi and player.open_melds == 0 and player.score >= DEPOSIT
        for player in position.players
    ]
    out = np.tile(np.array(may), (len(options), 1))
    for row, option in zip(out, options, strict=True):
        row[0] &= option.act not in (*_OPENS, "riichi")
    return out


def _waits_after(position: Position, option: Option) -> int:
    """The kinds that complete the own hand after a discard or a pass, as bits."""
    counts = np.array([kind_counts(position.hand)], np.uint8)
    if option.act in _DISCARDS:
        counts[0, option.tiles[0].kind] -= 1
    held = counts[0].astype(np.int64)
    for meld in position.players[0].melds:
        for tile in meld.tiles:
            held[tile.kind] += 1
    full = sum(1 << kind for kind in np.flatnonzero(held >= 4).tolist())
    return int(waits(counts)[0]) & ~full


def _furiten(decision: Decision, option: Option) -> int:
    """The kinds that a hand in riichi may not wait on to win by ron, as bits."""
    own = decision.position.players[0]
    tile: Tile
    if option.act in _DISCARDS:
        tile = option.tiles[0]
    else:
        assert decision.offer is not None  # or there would be nothing to pass on
        tile = decision.offer.tile
    return own.river_mask | own.riichi_mask | 1 << tile.kind


def _still_ronned(decision: Decision, option: Option) -> Bools:
    """(33,) wins of others on the last discard, which this seat lets pass; none after its own."""
    if option.act != "pass" or decision.offer is None:
        return np.zeros(len(JOINT), np.bool_)
    payer = (decision.offer.seat - decision.seat) % 4
    out: Bools = _ANOTHER_WINS & (payer == PAYER)
    return out
