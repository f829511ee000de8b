"""What a network should answer: targets from labels, in the mirrored frame of its inputs."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes, Ints
from haiyomi.game.decision_labels import NOT_DECIDED, Labels
from haiyomi.game.decision_record import CHI_HIGH, CHI_LOW, NINE, Decisions
from haiyomi.game.observation import furiten_kinds
from haiyomi.networks.features import MIRROR
from haiyomi.networks.shape import HAN_CLASSES
from haiyomi.outcomes.joint import worth_class
from haiyomi.playouts.ends import joint_endings
from haiyomi.styles.choice_loss import bits

Targets: TypeAlias = dict[str, NDArray[Any]]
"""Arrays by name; their first axis is the decision."""
_ACTS = np.arange(9)
_TURNED_ACTS = np.array([0, 1, 2, CHI_HIGH, CHI_LOW + 1, CHI_LOW, 6, 7, 8])


def policy_targets(rows: Decisions, choice: NDArray[Any], mirror: Bytes) -> Targets:
    """Of the heads discard, kan and acts; ``choice`` (n,) of CHOICE.

    ``legal`` (n, 34), ``discard`` (n,) or -1; ``kan_asked`` and ``kan`` (n, 34); ``turn_asked`` and
    ``turn`` (n, 9) riichi, tsumo and nine terminals; ``offer_asked`` (n, 9) and ``offer`` (n,), 9
    for passing, -1 where nothing was on offer.
    """
    place = _places(mirror)
    acts = np.where(mirror[:, None] != 0, _TURNED_ACTS, _ACTS)
    discard = choice["discard"].astype(np.int64)
    kan = choice["kan"].astype(np.int64)
    decided = np.take_along_axis(bits(choice["decided"], 9), acts, 1)
    chosen = np.take_along_axis(bits(choice["chosen"], 9), acts, 1)
    own = _ACTS <= NINE
    offered = decided & ~own
    taken = np.where((chosen & ~own).any(axis=1), (chosen & ~own).argmax(axis=1), 9)
    kinds = np.where(mirror[:, None] != 0, MIRROR[:34], np.arange(34))
    return {
        "legal": np.take_along_axis(bits(rows["discards"]), place, 1),
        "discard": _mirrored(discard, mirror, discard < 34),
        "kan_asked": np.take_along_axis(bits(rows["kans"]), place, 1)
        & (kan != NOT_DECIDED)[:, None],
        "kan": kinds == kan[:, None],
        "turn_asked": decided & own,
        "turn": chosen & own,
        "offer_asked": offered,
        "offer": np.where(offered.any(axis=1), taken, -1),
    }


def opponent_targets(rows: Decisions, labels: Labels, mirror: Bytes) -> Targets:
    """Of the opponents' heads; ``labels`` (n,) of LABELS.

    ``ron`` (n, 3, 34) and its weights ``ron_weight``, zero where the rules forbid it and half where
    the seat does not hold the kind; ``tenpai`` (n, 3) and ``tenpai_weight``, zero in riichi;
    ``hidden`` (n, 3, 34) tiles held and ``unseen`` (n, 34); ``han`` (n, 3) class of the ron on the
    tile discarded, -1 without, and ``discard`` (n,).
    """
    place = _places(mirror)

    def turned(values: NDArray[Any]) -> NDArray[Any]:
        out: NDArray[Any] = np.take_along_axis(
            values, place[:, None] if values.ndim == 3 else place, values.ndim - 1
        )
        return out

    observation = rows["observation"]
    players, seats = observation["players"][:, 1:], labels["opponents"]
    held = turned(rows["hand"]) > 0
    forbidden = turned(bits(furiten_kinds(players)))
    weight = np.where(held[:, None], np.float32(1), np.float32(0.5))
    discard = labels["choice"]["discard"].astype(np.int64)
    han = seats["han"].astype(np.int64)
    ronned = (han > 0) & (discard < 34)[:, None]
    return {
        "ron": turned(bits(seats["ron"])),
        "ron_weight": np.where(forbidden, np.float32(0), weight),
        "tenpai": seats["waits"] != 0,
        "tenpai_weight": (players["riichi"] < 0).astype(np.float32),
        "hidden": turned(seats["concealed"]),
        "unseen": turned(observation["unseen"]),
        "han": np.where(ronned, np.minimum(han, HAN_CLASSES) - 1, -1),
        "discard": _mirrored(discard, mirror, discard < 34),
    }


def state_targets(rows: Decisions, labels: Labels) -> Targets:
    """Of the heads about the end of the hand; the same in a mirror.

    ``ending`` (n,) of ``outcomes.joint.JOINT``; ``winner`` (n,) the first in turn, -1 without, and
    ``worth`` (n,) the class of its hand; ``deposit`` (n, 4) which seats pay a deposit after the
    decision, and ``deposit_weight`` (n, 4), zero for seats in riichi and for winners.
    """
    seats = np.arange(4)
    wins = labels["winners"][:, None] >> seats & 1 != 0
    ending, winner = joint_endings(labels)
    dealer = rows["observation"]["dealer"]
    riichi = rows["observation"]["players"]["riichi"] >= 0
    return {
        "ending": ending,
        "winner": winner,
        "worth": worth_class(labels["worth"], dealer == winner),
        "deposit": labels["deposits"][:, None] >> seats & 1 != 0,
        "deposit_weight": (~riichi & ~(wins & (winner >= 0)[:, None])).astype(np.float32),
    }


def _places(mirror: Bytes) -> Ints:
    """(n, 34) which kind stands at each place."""
    out: Ints = np.where(mirror[:, None] != 0, MIRROR[:34], np.arange(34))
    return out


def _mirrored(kind: Ints, mirror: Bytes, there: Bools) -> Ints:
    """(n,) the places of kinds, -1 where none is there."""
    seen = np.where(there, kind, 34)
    return np.where(there, np.where(mirror != 0, MIRROR[seen], seen), -1)
