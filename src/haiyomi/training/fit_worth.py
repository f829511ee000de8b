"""The mean points of each class of worth, measured on records: ``outcomes/worth.json``.

A class holds hands of several han and fu. What they pay on average differs for a ron and a tsumo,
and for a dealer's win.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games
from haiyomi.outcomes.joint import JOINT, WORTH_BASES
from haiyomi.outcomes.worth import NAME, VERSION
from haiyomi.rules import DEPOSIT
from haiyomi.storage.model_file import write_model
from haiyomi.training.packed_reader import digest_of, read_shard, shards_of
from haiyomi.training.targets import state_targets

SHARE = 0.05
"""Of the decisions: nearly every hand keeps one, from which its end is read."""


def fit_worth(packed: Path, out: Path, games: int = 8000) -> dict[str, Any]:
    """Measure on some games of the train split of packed games, at least ``games`` where there are
    so many; write the file, and return its manifest.

    Raises DatasetError where the games cannot be read.
    """
    sums = np.zeros((2, len(WORTH_BASES), 3))
    hands = np.zeros((2, len(WORTH_BASES), 2), np.int64)
    read = 0
    for shard in shards_of(packed, "train"):
        if read >= games:
            break
        read += shard.games
        add_payments(*decode_games(read_shard(shard).words, fraction=SHARE), sums, hands)
    seen = np.maximum(hands[:, :, [0, 1, 1]], 1)
    manifest = {
        "games": read,
        "games_sha256": digest_of(shards_of(packed, "train")),
        "hands": hands.tolist(),
        "of": "the train split: hands won by ron and by tsumo, of others and of dealers",
    }
    payload = {
        "points": np.round(sums / seen, 1).tolist(),
        "won": hands.sum(axis=0).T.tolist(),
    }
    write_model(out, NAME, VERSION, payload, manifest)
    return manifest


def add_payments(rows: Decisions, labels: Labels, sums: Floats, hands: Ints) -> None:
    """Add what each won hand paid: ``sums`` (dealer, class, column of ``Worth.points``) and
    ``hands`` (dealer, class, tsumo). Honba and deposits are left out."""
    _, first = np.unique(labels["game"].astype(np.int64) << 16 | labels["hand"], return_index=True)
    rows, labels = rows[first], labels[first]
    targets = state_targets(rows, labels)
    winner = targets["winner"]
    payer = np.array([-1 if joint.payer is None else joint.payer for joint in JOINT])
    from_ = payer[targets["ending"]]
    won = (winner >= 0) & (np.bitwise_count(labels["winners"]) == 1)
    dealer = rows["observation"]["dealer"].astype(np.int64)
    deals = (dealer == winner).astype(np.int64)
    deposits = (labels["deposits"][:, None] >> np.arange(4) & 1) * DEPOSIT
    honba = 100 * rows["observation"]["honba"].astype(np.int64)
    paid = -(labels["deltas"] + deposits) - honba[:, None]
    tsumo = won & (from_ == winner)
    ron = won & ~tsumo
    at = deals, targets["worth"]
    np.add.at(sums, (*(a[ron] for a in at), 0), labels["worth"][ron])
    np.add.at(hands, (*(a[ron] for a in at), 0), 1)
    np.add.at(hands, (*(a[tsumo] for a in at), 1), 1)
    of_dealer = tsumo & (deals == 0)
    by_dealer = np.take_along_axis(paid, dealer[:, None], axis=1)[:, 0]
    np.add.at(sums, (*(a[of_dealer] for a in at), 1), by_dealer[of_dealer])
    pays = (np.arange(4) != winner[:, None]) & (np.arange(4) != dealer[:, None])
    mean = (paid * pays).sum(axis=1) / np.maximum(pays.sum(axis=1), 1)
    np.add.at(sums, (*(a[tsumo] for a in at), 2), mean[tsumo])
