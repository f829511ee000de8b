"""What the options' network reads: the trunk's channels, and numbers of each option.

The policy's network has read the decision already. Of an option the network takes the channels of
its tile, the hidden channels of the whole, and the numbers of ``NAMES``, most of which other rooms
know exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import Decisions
from haiyomi.game.observation import NONE, furiten_kinds, lasting_furiten
from haiyomi.kernels.network import Floats
from haiyomi.kernels.waits import waits
from haiyomi.networks.network import Network, mean_of_views
from haiyomi.networks.opponents import Seen as Read
from haiyomi.networks.shape import WORTH_CLASSES
from haiyomi.outcomes.option_actions import (
    CHI_HIGHS,
    CHI_LOWS,
    DISCARDS,
    KANS,
    PASSES,
    PONS,
    RIICHIS,
    SORTS,
    OptionActions,
    option_shares,
)
from haiyomi.styles.choice_loss import bits
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Logits

Doubles = NDArray[np.float64]

_EACH: Final = ("right", "across", "left")
NAMES: Final = (
    *(f"sort {i}" for i in range(SORTS)),
    "red five",
    "log share",  # of the policy, over 4
    "share",
    "likeliest",
    "shanten",  # after it, over 3
    "tenpai",
    "one away",
    "shanten lost",  # against the decision's best option
    "useful tiles",  # over 20
    "useful after",  # of the tiles after the next, over 80
    "useful lost",  # against the best option of the same shanten, over 20
    "waits",  # unseen tiles that complete the hand, over 8
    "furiten",  # a kind that completes it may not be won on, also after the next discard
    *(f"ron {seat}" for seat in _EACH),  # P that the seat could win on the tile now
    *(f"log odds {seat}" for seat in _EACH),  # over 5
    *(f"loss {seat}" for seat in _EACH),  # times the mean points, over 8000
    *(f"tenpai {seat}" for seat in _EACH),
    *(f"riichi {seat}" for seat in _EACH),
    "dora",
    "draws left",  # over 70
    "own riichi",
    "own melds",  # over 4
    "dealer",
)
"""The numbers of an option."""
RON_POINTS: Final = np.array([1300, 2600, 5000, 7900, 8000, 12000, 14000, 18000], np.float64)
"""About the points of a ron of each class of han (``networks.shape.HAN_CLASSES``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What networks say of n decisions.

    ``channels`` (n, 34, width) and ``pooled`` (n, hidden): what the policy's tower ends in;
    ``logits`` of the policy; ``ending`` (n, 33), ``worth`` (n, 4, 9) and ``deposit`` (n, 4) logits
    of its heads about the end of the hand; ``ron`` (n, 3, 34), ``tenpai`` (n, 3) log odds and
    ``han`` (n, 3, 34, 8) logits of the opponents' network.
    """

    channels: Floats
    pooled: Floats
    logits: Logits
    ending: Floats
    worth: Floats
    deposit: Floats
    ron: Floats
    tenpai: Floats
    han: Floats


def see(
    records: Decisions,
    policy: Policy,
    opponents: Network,
    both: bool = True,
    read: Read | None = None,
) -> Seen:
    """The answers of both networks; ``both``: the mean of a decision and its mirror image.
    ``read``: what a network has said of the opponents, used where it is the same one.
    """
    found = mean_of_views(policy.network.channels, records, None, both)
    ron, tenpai, han = _opponents(records, opponents, both, read)
    return Seen(
        found["channels"],
        found["pooled"],
        Logits.of(found),
        found["ending"],
        found["worth"].reshape(len(records), 4, WORTH_CLASSES),
        found["deposit"],
        ron,
        tenpai,
        han,
    )


def _opponents(
    records: Decisions, opponents: Network, both: bool, read: Read | None
) -> tuple[Floats, Floats, Floats]:
    """(n, 3, 34) and (n, 3) log odds of rons and tenpai, (n, 3, 34, 8) logits of the han."""
    if read is not None and read.source is opponents and both:
        n = len(records)
        return read.ron.reshape(n, 3, 34), read.tenpai.reshape(n, 3), read.han.reshape(n, 3, 34, -1)
    found = opponents.answers(records, None, both)
    return found["ron"][:, :, :, 0], found["tenpai"][:, :, 0], found["han"]


def exact_inputs(
    records: Decisions, seen: Seen, options: OptionActions
) -> tuple[Floats, Doubles, Doubles]:
    """(b, len(NAMES)) the numbers of the options, (b,) the policy's shares, and (b, 3) the
    probabilities that opponents 1, 2, 3 win on the option's tile at once."""
    row, sort = options.row, options.sort.astype(np.int64)
    share = option_shares(records, seen.logits, options)
    efficiency = _efficiency(records, options)
    risk, loss, odds = _risks(records, seen, options)
    players = records["observation"]["players"]
    columns: list[NDArray[np.generic]] = [
        sort[:, None] == np.arange(SORTS),
        options.red,
        np.log(np.maximum(share, 6e-6)) / 4,
        share,
        share == _best(share, row, np.maximum)[row],
        *efficiency,
        risk,
        odds / 5,
        risk * loss / 8000,
        _sigmoid(seen.tenpai)[row],
        (players["riichi"][:, 1:] >= 0)[row],
        _dora(records)[row, np.where(options.kind == NONE, 34, options.kind)],
        records["observation"]["draws_left"][row] / 70,
        players["riichi"][row, 0] >= 0,
        (players["melds"][row, 0, :, 0] != NONE).sum(axis=1) / 4,
        records["observation"]["dealer"][row] == 0,
    ]
    wide = [c if c.ndim == 2 else c[:, None] for c in columns]
    out = np.concatenate([c.astype(np.float32) for c in wide], axis=1)
    assert out.shape[1] == len(NAMES)
    return out, share, risk


def _efficiency(records: Decisions, options: OptionActions) -> list[NDArray[np.generic]]:
    """The numbers of tile efficiency, from "shanten" to "furiten"."""
    row, sort = options.row, options.sort.astype(np.int64)
    kind = np.where(options.kind == NONE, 0, options.kind).astype(np.int64)
    of_kind = records["efficiency"][row, kind][:, [0, 1, 3]].astype(np.float64)
    # Of a kan: as the best discard leaves the hand.
    every = records["efficiency"].astype(np.float64)
    best = every[:, :, 0].argmin(axis=1)
    of_best = every[np.arange(len(records)), best][row][:, [0, 1, 3]]
    place = np.where(sort == PONS, 4, np.where((sort >= CHI_LOWS) & (sort <= CHI_HIGHS),
                                               sort - CHI_LOWS + 1, 0))  # fmt: skip
    of_call = records["calls"][row, place].astype(np.float64)
    discards = (sort == DISCARDS) | (sort == RIICHIS)
    claims = (sort >= CHI_LOWS) & (sort <= PASSES) & (sort != KANS)
    left = np.where(discards[:, None], of_kind, np.where(claims[:, None], of_call, of_best))
    shanten = np.minimum(left[:, 0], 6)
    least = _best(shanten, row, np.minimum)
    most = _best(np.where(shanten == least[row], left[:, 1], 0), row, np.maximum)
    tenpai = shanten == 0
    alive, furiten = _waits(records, options, tenpai & discards, tenpai & (sort == PASSES))
    return [
        shanten / 3,
        tenpai,
        shanten == 1,
        shanten - least[row],
        left[:, 1] / 20,
        left[:, 2] / 80,
        (most[row] - left[:, 1]) * (shanten == least[row]) / 20,
        alive / 8,
        furiten,
    ]


def _waits(
    records: Decisions,
    options: OptionActions,
    discards: NDArray[np.bool_],
    passes: NDArray[np.bool_],
) -> tuple[Doubles, NDArray[np.bool_]]:
    """(b,) unseen tiles that complete the hand of options that leave it tenpai, and whether one of
    these kinds may not be won on by ron, also after the seat's next discard."""
    row = options.row
    found = np.where(passes, records["waits"][row], np.uint64(0))
    at = np.flatnonzero(discards)
    kind = options.kind[at].astype(np.int64)
    hands = records["hand"][row[at]].copy()
    hands[np.arange(len(at)), kind] -= 1
    found[at] = waits(hands)
    own = records["observation"]["players"][:, 0]
    barred = lasting_furiten(own)[row]
    barred[at] |= np.uint64(1) << kind.astype(np.uint64)
    offered = np.uint64(1) << np.minimum(records["offered"][row], 34).astype(np.uint64)
    barred |= np.where(passes & (own["riichi"] >= 0)[row], offered, np.uint64(0))
    unseen = records["observation"]["unseen"][row]
    alive: Doubles = (bits(found) * unseen).sum(axis=1).astype(np.float64)
    return alive, (found & barred) != 0


def _risks(
    records: Decisions, seen: Seen, options: OptionActions
) -> tuple[Doubles, Doubles, Doubles]:
    """(b, 3) of each opponent: P of a ron on the option's tile at once, its mean points, and the
    log odds; zeros for options that give no tile and where the rules forbid the ron."""
    row, sort = options.row, options.sort
    kind = np.where(options.kind == NONE, 0, options.kind).astype(np.int64)
    seats = np.arange(3)
    log_odds = np.clip(seen.ron[row[:, None], seats, kind[:, None]].astype(np.float64), -12, 12)
    barred = bits(furiten_kinds(records["observation"]["players"][:, 1:]))
    gives = (sort == DISCARDS) | (sort == RIICHIS)
    may = gives[:, None] & ~barred[row[:, None], seats, kind[:, None]]
    p = np.where(may, _sigmoid(log_odds), 0)
    han = seen.han[row[:, None], seats, kind[:, None]].astype(np.float64)
    han = np.exp(han - han.max(axis=2, keepdims=True))
    points = han @ RON_POINTS / han.sum(axis=2)
    return p, np.where(may, points, 0), np.where(may, log_odds, -12)


def _dora(records: Decisions) -> NDArray[np.int64]:
    """(n, 35) how often each kind is dora; no kind is none."""
    out = np.zeros((len(records), 35), np.int64)
    for column in records["observation"]["indicators"].T:
        there = np.flatnonzero(column != NONE)
        np.add.at(out, (there, _NEXT[column[there]]), 1)
    return out


def _next(kind: int) -> int:
    if kind < 27:
        return kind // 9 * 9 + (kind % 9 + 1) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


_NEXT: Final = np.array([_next(kind) for kind in range(34)])


def _best(
    value: NDArray[np.floating], row: NDArray[np.int64], keep: np.ufunc
) -> NDArray[np.float64]:
    """The greatest or least of each decision's options."""
    n = int(row.max(initial=-1)) + 1
    out = np.full(n, -np.inf if keep is np.maximum else np.inf)
    keep.at(out, row, value)
    return out


def _sigmoid(x: NDArray[np.floating]) -> Doubles:
    out: Doubles = 1 / (1 + np.exp(-x.astype(np.float64)))
    return out
