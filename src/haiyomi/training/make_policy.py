"""From a corpus to the policy's file: rows, the fit, and the style vectors of classes.

A class's vector is the mean over its players' (at least ``LEAST_PLAYERS``), by their games:
no player's own is written. A player's class follows from their hanchan in the train split
(``styles.classes``).
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

import haiyomi
from haiyomi.corpus.splits import corpus_files
from haiyomi.errors import DatasetError
from haiyomi.shards import Jobs, team
from haiyomi.storage.folder_lock import only_writer
from haiyomi.styles.classes import StyleClasses, shipped_classes
from haiyomi.styles.counting import count_styles
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Floats
from haiyomi.styles.tallies import Tallies, vectors
from haiyomi.training.adam import History
from haiyomi.training.data_parallel import learner
from haiyomi.training.fit_policy import PolicySettings, fit_policy
from haiyomi.training.policy_rows import PolicyRows, load_rows

LEAST_PLAYERS: Final = 3
CHECKPOINT: Final = "policy.npz"


def class_vectors(
    classes: StyleClasses, tallies: Tallies, players: tuple[str, ...], of_player: Floats
) -> tuple[dict[str, Floats], dict[str, int]]:
    """(vector by class, players behind it) of players' vectors (players, STYLE)."""
    place = {name: i for i, name in enumerate(players)}
    found = vectors(tallies)
    belongs = classes.assign(found.values, found.occasions)
    out: dict[str, Floats] = {}
    behind: dict[str, int] = {}
    for number, name in enumerate(classes.names):
        mine = [
            i for i, player in enumerate(found.players) if player in place and belongs[i] == number
        ]
        if len(mine) < LEAST_PLAYERS:
            continue
        weight = found.games[mine].astype(np.float64)
        each = of_player[[place[found.players[i]] for i in mine]].astype(np.float64)
        out[name] = ((each * weight[:, None]).sum(axis=0) / weight.sum()).astype(np.float32)
        behind[name] = len(mine)
    return out, behind


def make_policy(
    corpus: Path,
    cache: Path,
    out: Path,
    settings: PolicySettings,
    jobs: Jobs = None,
    threads: int = 1,
    stop_at: int | None = None,
    spread: bool = False,
) -> dict[str, Any]:
    """Fit (or go on with) the policy to the rows in ``cache``, write its file.

    The cache, which has the fit's checkpoints, is locked meanwhile. With ``spread`` the fit, too,
    is the work of ``jobs``: each sums shares of a batch. Returns the manifest. Raises DatasetError.
    """
    train, valid = load_rows(cache, "train"), load_rows(cache, "valid")
    with only_writer(cache), team(jobs if spread else 1) as workers:
        weights, of_player, players, history = fit_policy(
            train, valid, cache / CHECKPOINT, settings, print, stop_at, threads,
            learner(workers) if spread else None,
        )  # fmt: skip
    policy = finished(corpus, train, weights, of_player, players, history, settings, jobs)
    policy.save(out)
    return policy.manifest


def finished(
    corpus: Path,
    train: PolicyRows,
    weights: Floats,
    of_player: Floats,
    players: tuple[str, ...],
    history: History,
    settings: PolicySettings,
    jobs: Jobs = None,
) -> Policy:
    """The policy of a fit, with its classes' vectors and its manifest."""
    sources = (corpus_files(corpus) or {}).get("train")
    if not sources:
        raise DatasetError(f"{corpus} has no train split")
    classes = shipped_classes()
    tallies = count_styles(sources, jobs).tallies
    styles, behind = class_vectors(classes, tallies, players, of_player)
    names = hashlib.sha256("\n".join(train.games).encode()).hexdigest()
    manifest = {
        "haiyomi": haiyomi.__version__,
        "command": "haiyomi fit policy",
        "data": {
            "split": "train",
            "games": len(train.games),
            "decisions": len(train),
            "discards": int((train.labels["discard"] < 34).sum()),
            "left_out_while_the_line_was_down": train.absent,
            "games_sha256": names,
        },
        "settings": asdict(settings),
        "steps_done": history[-1]["step"] if history else 0,
        "passes": history[-1]["passes"] if history else 0,
        "valid": history[-1] if history else {},
        "players_with_a_vector": len(players),
        "players_behind_styles": behind,
        "limits": (
            "fitted on games of Tenhou's highest table, most of them of 2009, 2020 and 2022; says "
            "what those players would do, not what is best; its styles are means of classes of "
            "players, each nearer to the middle than its players are"
        ),
    }
    return Policy(settings.shape, weights, styles, manifest)
