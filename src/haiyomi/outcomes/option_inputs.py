"""What the options' network reads: the trunk's channels, and numbers of each option.

The policy's network has read the decision already. Of an option the network takes the channels of
its tile, the hidden channels of the whole, and the numbers of ``NAMES``, most of which other
packages know exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Singles
from haiyomi.game.decision_record import Decisions
from haiyomi.networks.network import Answers, Network, Views, views_of
from haiyomi.networks.opponents import AlreadySeen
from haiyomi.networks.shape import WORTH_CLASSES
from haiyomi.outcomes.option_actions import SORTS, OptionActions, core_options
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Logits

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
    "dora",  # how often the tile is dora
    "draws left",  # over 70
    "own riichi",
    "own melds",  # over 4
    "dealer",
)
"""The numbers of an option."""


@dataclass(frozen=True, slots=True, eq=False)
class NetworkOutputs:
    """What networks say of n decisions.

    ``channels`` (n, 34, width) and ``pooled`` (n, hidden): what the policy's tower ends in;
    ``logits`` of the policy; ``ending`` (n, 33), ``worth`` (n, 4, 9) and ``deposit`` (n, 4) logits
    of its heads about the end of the hand; ``ron`` (n, 3, 34), ``tenpai`` (n, 3) log odds and
    ``han`` (n, 3, 34, 8) logits of the opponents' network.
    """

    channels: Singles
    pooled: Singles
    logits: Logits
    ending: Singles
    worth: Singles
    deposit: Singles
    ron: Singles
    tenpai: Singles
    han: Singles


def see(
    records: Decisions,
    policy: Policy,
    opponents: Network,
    read: AlreadySeen | None = None,
    trunk: Answers | None = None,
) -> NetworkOutputs:
    """The answers of both networks. ``read``: what a network has said of the opponents of each
    record, used where it is the same one. ``trunk``: what the policy's has said, the mean of
    ``trunk_of``.
    """
    found = trunk_of(records, policy).mean() if trunk is None else trunk
    return NetworkOutputs(
        found["channels"],
        found["pooled"],
        Logits.of(found),
        found["ending"],
        found["worth"].reshape(len(records), 4, WORTH_CLASSES),
        found["deposit"],
        *_rons(records, opponents, () if read is None else read),
    )


def trunk_of(records: Decisions, policy: Policy) -> Views:
    """The answers of the policy's network with the channels that they are made from, by head."""
    return views_of(policy.network.channels, records)


def _rons(
    records: Decisions, opponents: Network, read: AlreadySeen
) -> tuple[Singles, Singles, Singles]:
    """``ron``, ``tenpai`` and ``han``: as ``read``, or as the network answers now."""
    known = {
        i: each for i, each in enumerate(read) if each is not None and each.source is opponents
    }
    rest = [i for i in range(len(records)) if i not in known]
    parts = [(each.ron[None], each.tenpai[None], each.han[None]) for each in known.values()]
    if rest or not parts:
        found = opponents.answers(records[rest])
        parts.insert(0, (found["ron"][:, :, :, 0], found["tenpai"][:, :, 0], found["han"]))
    order = np.argsort([*rest, *known])
    ron, tenpai, han = (np.concatenate(column)[order] for column in zip(*parts, strict=True))
    return ron, tenpai, han


def exact_inputs(
    records: Decisions, seen: NetworkOutputs, options: OptionActions
) -> tuple[Singles, Floats, Floats]:
    """(b, len(NAMES)) the numbers of the options, (b,) the policy's shares, and (b, 3) the
    probabilities that opponents 1, 2, 3 win on the option's tile at once."""
    rows = core_options(records, options)
    logits = seen.logits
    share = rows.shares(logits.discards, logits.kans, logits.acts)
    exact, risk = rows.inputs(share, seen.ron, seen.tenpai, seen.han)
    return exact, share, risk
