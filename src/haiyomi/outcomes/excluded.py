"""What the rules exclude after an option: joint endings and deposits that certainly cannot follow.

Only certain things stand here. Everything is given that nobody wins at once on the option's tile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Ints
from haiyomi.game.observation import NONE
from haiyomi.kernels.waits import KIND_BITS, waits
from haiyomi.outcomes.joint import ABORTED, PAYER, TENPAI, WINNER
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.rules import DEPOSIT, RIICHI_DRAWS

_WIND_KINDS = range(27, 31)
_ANOTHER_WINS = (WINNER > 0) & (PAYER != WINNER)
_OWN_WIN = WINNER == 0
_OWN_RON = _OWN_WIN & (PAYER != 0)


def possible_endings(block: OptionBlock) -> Bools:
    """(b, 33) the joint endings that the rules leave open after each option.

    A seat in riichi is tenpai at an exhaustive draw. After the last discard nobody wins any more,
    and the own hand is tenpai or it is not. A riichi that is furiten never wins by ron; one
    whose winning tiles are all seen never wins. The fourth riichi aborts the hand, and so does the
    fourth discard of one wind in the first go-around.
    """
    row = block.row
    riichi = np.array([[p.riichi for p in d.position.players] for d in block.decisions])
    out: Bools = ~(riichi[:, None] & (TENPAI == 0)).any(axis=2)[row]
    out[_aborts(block)] = np.arange(len(WINNER)) == ABORTED
    declared = riichi[row, 0] | block.does("riichi")
    last = block.draws_left == 0
    some = np.flatnonzero((declared | last) & block.does("discard", "riichi", "pass", "ankan"))
    if not len(some):
        return out
    waited = waits_after(block, some)
    furiten = furiten_after(block, some, waited)
    here = declared[some, None]
    out[some] &= ~here | (TENPAI[:, 0] != 0)
    out[some] &= ~(here & furiten[:, None] & _OWN_RON)
    unseen = ((block.records["observation"]["unseen"] > 0) * KIND_BITS).sum(axis=1, dtype=np.uint64)
    dead = waited & unseen[row[some]] == 0
    out[some] &= ~(here & dead[:, None] & _OWN_WIN)
    tenpai = (TENPAI[:, 0] == -1) | (TENPAI[:, 0] == (waited != 0)[:, None])
    # Another may still win on the last discard that this seat passes on.
    offered = block.records["from"][row[some]]
    ronned = _ANOTHER_WINS & (offered[:, None] == PAYER)
    out[some] &= ~last[some, None] | (tenpai & ((WINNER < 0) | ronned))
    return out


def _aborts(block: OptionBlock) -> Bools:
    """(b,) whether the option aborts the hand where nobody wins on its tile: the fourth riichi, or
    the fourth discard of one wind in a go-around without a call."""
    wind, riichi = np.full(len(block), NONE), np.zeros(len(block), np.bool_)
    for number, decision in enumerate(block.decisions):
        own, *others = decision.position.players
        riichi[number] = all(player.riichi for player in others)
        if own.river or own.melds:
            continue
        discards = [tile.tile.kind for player in others for tile in player.river]
        called = any(player.melds for player in others)
        if len(discards) == 3 and not called and len({*discards}) == 1:
            wind[number] = discards[0] if discards[0] in _WIND_KINDS else NONE
    out: Bools = block.does("riichi") & riichi[block.row]
    fourth = wind[block.row]
    out |= (fourth != NONE) & (block.actions.kind == fourth) & block.does("discard", "riichi")
    return out


def possible_deposits(block: OptionBlock) -> Bools:
    """(b, 4) whether a seat may still pay a deposit, the option's own riichi left out."""
    positions = [decision.position for decision in block.decisions]
    # After this moment a seat draws before it declares.
    may = np.array(
        [
            [
                p.draws_left - 1 >= RIICHI_DRAWS
                and not player.riichi
                and player.open_melds == 0
                and player.score >= DEPOSIT
                for player in p.players
            ]
            for p in positions
        ]
    )
    out: Bools = may[block.row]
    out[:, 0] &= ~block.does("chi", "pon", "daiminkan", "riichi")
    out &= ~_aborts(block)[:, None]
    return out


def waits_after(block: OptionBlock, some: Ints) -> NDArray[np.uint64]:
    """(k,) the kinds that complete the own hand after some discards, own kans and passes, as
    bits."""
    row, kind = block.row[some], block.actions.kind[some].astype(np.int64)
    counts = block.records["hand"][row]
    discards = np.flatnonzero(block.records["from"][row] == NONE)
    counts[discards, kind[discards]] -= 1
    melded = block.melded[row]
    kans = np.flatnonzero(block.does("ankan", "kakan")[some])
    counts[kans, kind[kans]], melded[kans, kind[kans]] = 0, 4
    return waits(counts, melded)


def furiten_after(block: OptionBlock, some: Ints, waited: NDArray[np.uint64]) -> Bools:
    """(k,) whether the hand waits on a kind of the own river after some discards, own kans and
    passes, the tile discarded among it, or in riichi on one that was let pass, the tile on offer
    among it.
    ``waited`` (k,): the kinds that complete the hands."""
    row, kind = block.row[some], block.actions.kind[some]
    own = [decision.position.players[0] for decision in block.decisions]
    mask = np.array([player.river_mask | player.riichi_mask for player in own], np.uint64)[row]
    riichi = np.array([player.riichi for player in own])[row]
    shown = np.where(block.does("pass")[some], riichi, ~block.does("ankan", "kakan")[some])
    mask |= np.where(shown, KIND_BITS[kind], np.uint64(0))
    out: Bools = (waited & mask) != 0
    return out
