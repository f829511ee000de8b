"""From a corpus to the policy's file: rows, the fit, and the style vectors of classes.

A class's vector is the mean over its players' (at least ``LEAST_PLAYERS``), by their games:
no player's own is written. A player's class follows from their hanchan in the train split
(``styles.classes``).
"""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

import haiyomi
from haiyomi.corpus.splits import corpus_files
from haiyomi.errors import DatasetError
from haiyomi.kernels.network import Floats
from haiyomi.networks.network import Network
from haiyomi.networks.shape import policy_shape
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.folder_lock import only_writer
from haiyomi.styles.classes import StyleClasses, shipped_classes
from haiyomi.styles.counting import count_styles
from haiyomi.styles.policy import Policy
from haiyomi.styles.tallies import Tallies, vectors
from haiyomi.training.policy_rows import PolicyRows, load_rows
from haiyomi.training.ranks import ranks
from haiyomi.training.rows_source import Rows
from haiyomi.training.style_players import player_codes, players_of
from haiyomi.training.trainer import History, Log, Trainer, TrainSettings

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


class RowsInMemory:
    """The policy's rows as a source of one segment."""

    segments = 1

    def __init__(self, rows: PolicyRows, players: tuple[str, ...]) -> None:
        labels = np.zeros(len(rows), [("choice", rows.labels.dtype)])
        labels["choice"] = rows.labels
        self.rows = Rows(rows.decisions, labels, player_codes(rows, players))
        names = hashlib.sha256("\n".join(rows.games).encode()).hexdigest()
        self.digest = f"{len(rows)} rows of {names}"

    def segment(self, turn: int, index: int) -> Rows:
        """All rows."""
        return self.rows


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """How the policy is fitted: ``style_games``: a player needs so many games for a vector of
    their own; ``valid_rows`` to look at while fitting."""

    train: TrainSettings = field(default_factory=lambda: TrainSettings(policy_shape(96, 6, 96)))
    style_games: int = 10
    valid_rows: int = 24_000


def make_policy(
    corpus: Path,
    cache: Path,
    out: Path,
    settings: PolicySettings,
    jobs: Jobs = None,
    minutes: float | None = None,
    log: Log = print,
) -> dict[str, Any] | None:
    """Fit (or go on with) the policy to the rows in ``cache``; after the last step, write its file
    and return the manifest, before that None.

    The cache, which has the fit's checkpoint, is locked meanwhile. Under torchrun every process
    calls this; the first one writes. Raises DatasetError.
    """
    train, valid = load_rows(cache, "train"), load_rows(cache, "valid")
    players = players_of(train, settings.style_games)
    source = RowsInMemory(train, players)
    of_player = np.bincount(source.rows.player, minlength=len(players) + 1).astype(np.float32)
    seed = settings.train.seed
    chosen = generator(seed, "policy", "valid").permutation(len(valid))[: settings.valid_rows]
    judged = RowsInMemory(valid.take(np.sort(chosen)), players).rows
    with ranks() as team, only_writer(cache) if team.number == 0 else nullcontext():
        trainer = Trainer(settings.train, source, judged, cache / CHECKPOINT, of_player, log, team)
        if not trainer.run(minutes) or team.number != 0:
            return None
    shape = settings.train.shape
    policy = finished(
        corpus, train, Network(shape, trainer.weights()), trainer.styles(), players,
        trainer.history, settings, jobs,
    )  # fmt: skip
    policy.save(out)
    return dict(policy.manifest)


def finished(
    corpus: Path,
    train: PolicyRows,
    network: Network,
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
        "steps_done": settings.train.steps,
        "passes": round(settings.train.steps * settings.train.batch / len(train), 3),
        "valid": history[-1] if history else {},
        "players_with_a_vector": len(players),
        "players_behind_styles": behind,
        "limits": (
            "fitted on games of Tenhou's highest table, most of them of 2009, 2020 and 2022; says "
            "what those players would do, not what is best; its styles are means of classes of "
            "players, each nearer to the middle than its players are"
        ),
    }
    return Policy(replace(network, manifest=manifest), styles)
