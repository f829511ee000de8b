"""``haiyomi fit all``: from corpora to the files of all networks, in phases that resume.

::

    WORK/packed/              the games (``training.packed_corpus``)
    WORK/NAME.checkpoint.npz  the state of a phase
    WORK/NAME.safetensors     what it made

A phase whose file states the same games and settings is left alone; the same command
goes on with the first that has no file.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import haiyomi
from haiyomi.arrays import Singles
from haiyomi.corpus.splits import corpus_files
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.networks.network import Network
from haiyomi.networks.shape import OPPONENT_KINDS, OPPONENT_WHOLE, Shape, Tower, policy_shape
from haiyomi.networks.suits import suits_alike
from haiyomi.storage.folder_lock import only_writer
from haiyomi.storage.resume import Bar, no_bar
from haiyomi.storage.whole_file import make_folder
from haiyomi.styles.classes import shipped_classes
from haiyomi.styles.count_records import count_styles
from haiyomi.styles.policy import Policy
from haiyomi.training.class_styles import class_vectors
from haiyomi.training.decision_stream import DecisionStream
from haiyomi.training.finished_files import is_made
from haiyomi.training.fit_combination import with_combination
from haiyomi.training.losses import OPPONENTS, POLICY, STATE
from haiyomi.training.packed_corpus import is_packed, pack_corpora
from haiyomi.training.packed_reader import digest_of, shards_of
from haiyomi.training.packed_source import (
    VECTOR_GAMES,
    PackedSource,
    Players,
    games_by_table,
    valid_rows,
)
from haiyomi.training.ranks import Ranks, ranks
from haiyomi.training.trainer import (
    MAY_CHANGE,
    RATE,
    Line,
    Log,
    Trainer,
    TrainSettings,
    progress_of,
)

PACKED: Final = "packed"


@dataclass(frozen=True, slots=True)
class Phase:
    """One network: ``discards``: it learns from every discard that no own riichi forces, instead of
    every choice; ``style_games``: players with so many games have a style vector, 0 for none."""

    name: str
    settings: TrainSettings
    discards: bool = False
    style_games: int = 0
    valid_rows: int = 16_000
    shards: int = 2


OPPONENT_SHAPE: Final = Shape(Tower(64, 2), Tower(64, 6, 64, OPPONENT_KINDS, OPPONENT_WHOLE))
PHASES: Final = (
    Phase(
        "policy",
        TrainSettings(
            policy_shape(96, 6, 160, state=True),
            {**POLICY, **STATE},
            steps=10_803,
            batch=4096,
            rate=2.5e-3,
            cool=0.6,
            decay=0.05,
            seed=26,
        ),
        style_games=VECTOR_GAMES,
        shards=14,
    ),
    Phase(
        "rollout",
        TrainSettings(policy_shape(48, 4, 96), steps=12_000, rate=2.5e-3, style_drop=1.0),
    ),
    Phase(
        "opponents",
        TrainSettings(OPPONENT_SHAPE, dict(OPPONENTS), steps=37_000, style_drop=1.0),
        discards=True,
    ),
)
"""The shipped networks: 44.2 million decisions for the policy, 18.9 for the opponents, and 6.1 for
the rollout network, a policy that is small enough to play hands on by the thousand."""


@dataclass(frozen=True, slots=True)
class PhaseState:
    """How far a phase is: steps done, and the rate of its last lines in decisions a second."""

    phase: Phase
    done: int
    rate: float | None
    finished: bool

    @property
    def hours_left(self) -> float | None:
        """At the last rate; None before there is one."""
        if self.rate is None:
            return None
        left = self.phase.settings.steps - self.done
        return left * self.phase.settings.batch / self.rate / 3600


def states(work: Path, phases: Sequence[Phase]) -> list[PhaseState]:
    """The plan: each phase and how far it is."""
    out = []
    for phase in phases:
        done, history = progress_of(_checkpoint(work, phase))
        rate = history[-1][RATE] if history else None
        out.append(PhaseState(phase, done, rate, _network_file(work, phase).exists()))
    return out


def fit_all(
    corpora: Sequence[Path],
    work: Path,
    phases: Sequence[Phase] = PHASES,
    minutes: float | None = None,
    jobs: Jobs = None,
    log: Log = print,
    bar: Bar = no_bar,
    named: Mapping[str, str] | None = None,
) -> bool:
    """Pack the games and train each network, or go on with that, for so many minutes; True once
    all are done. ``named``: names of players by the names under which the policy's file keeps
    their style vectors, too. Under torchrun every process calls this.

    Raises DatasetError, also where ``work`` holds other games, and HaiyomiError where a network's
    file there is of other games, settings or styles.
    """
    if not corpora:
        raise DatasetError("no corpus: give --corpus")
    began = time.monotonic()
    make_folder(work)
    with ranks() as team, only_writer(work) if team.number == 0 else nullcontext():
        if team.number == 0 and not is_packed(corpora, work / PACKED):
            with bar("packing", "games") as progress:
                pack_corpora(corpora, work / PACKED, jobs, progress)
        team.wait()
        missing = [phase for phase in phases if not _is_made(work, phase, named or {})]
        for phase in missing:
            left = None if minutes is None else minutes - (time.monotonic() - began) / 60
            if left is not None and left <= 0:
                return False
            if not run_phase(corpora, work, phase, left, log, team, jobs, named, bar):
                return False
    return True


def run_phase(
    corpora: Sequence[Path],
    work: Path,
    phase: Phase,
    minutes: float | None,
    log: Log,
    team: Ranks,
    jobs: Jobs,
    named: Mapping[str, str] | None = None,
    bar: Bar = no_bar,
) -> bool:
    """Train one network or go on with it; True once its file is written."""
    began = time.monotonic()
    packed, settings = work / PACKED, phase.settings
    players = Players.of(packed, phase.style_games) if phase.style_games else Players()
    named = (named or {}) if phase.style_games else {}
    unknown = sorted(set(named.values()) - set(players.names))
    if unknown:
        raise DatasetError(
            f"no style of {unknown[0]!r}: not a player of {phase.style_games} games in train"
        )
    stream = DecisionStream(
        packed, "train", settings.seed, discards=phase.discards, shards=phase.shards
    )
    valid = valid_rows(packed, phase.discards, phase.valid_rows, settings.seed)
    log(f"{phase.name}: {settings.steps:,} steps of {settings.batch}, {len(players.names)} styles")
    trainer = Trainer(
        settings, PackedSource(stream, players), valid, _checkpoint(work, phase),
        players.rows(ROWS_A_SEAT), log, team,
    )  # fmt: skip
    try:
        with bar(phase.name, "steps") if team.number == 0 else no_bar() as progress:
            finished = trainer.run(minutes, progress)
    except KeyboardInterrupt:
        log(f"{phase.name}: stopped; run again, it goes on from the last checkpoint")
        raise
    if team.number == 0:
        spent = (time.monotonic() - began) / 60
        log(f"{phase.name}: step {trainer.done:,}, {spent:.1f} minutes, {peak_memory():.2f} GB")
        if finished:
            styles = (
                styles_to_keep(corpora, players, trainer.styles(), named, jobs)
                if players.names
                else None
            )
            _write(_network_file(work, phase), packed, phase, trainer, styles)
    return finished


MOST_SHARE: Final = 100.0
ROWS_A_SEAT: Final = 105.0
"""Decisions that a seat has in a game, about; the prior of the styles is divided among them."""


@dataclass(frozen=True, slots=True, eq=False)
class Styles:
    """The style vectors of a policy's file by name, and the players ``behind`` each; ``fitted``:
    the players who had one in the fit; ``named``: ``_digest`` of those whose styles were named."""

    vectors: dict[str, Singles]
    behind: dict[str, int]
    fitted: int
    named: str | None


def _write(file: Path, packed: Path, phase: Phase, trainer: Trainer, styles: Styles | None) -> None:
    """Write a network's file, with the suits alike to it: a policy's with its styles, that of the
    opponents with the weights that join its answers."""
    manifest = manifest_of(packed, phase, trainer.history[-1] if trainer.history else {})
    network = suits_alike(Network(phase.settings.shape, trainer.weights(), {}, manifest))
    if phase.discards:
        network = with_combination(packed, network)
    if styles is None:
        network.save(file)
        return
    manifest |= {"players_with_a_vector": styles.fitted, "players_behind_styles": styles.behind}
    if styles.named:
        manifest["style_of_sha256"] = styles.named
    Policy(replace(network, manifest=manifest), styles.vectors).save(file)


def styles_to_keep(
    corpora: Sequence[Path],
    players: Players,
    of_player: Singles,
    named: Mapping[str, str],
    jobs: Jobs,
) -> Styles:
    """The styles of the shipped classes of players, and those of the ``named`` players, from the
    vectors ``of_player`` (players, STYLE)."""
    sources = [path for corpus in corpora for path in corpus_files(corpus).get("train", [])]
    tallies = count_styles(sources, jobs).tallies()
    vectors, behind = class_vectors(shipped_classes(), tallies, players.names, of_player)
    for name, player in named.items():
        vectors[name], behind[name] = of_player[players.names.index(player)], 1
    return Styles(vectors, behind, len(players.names), _digest(named))


def manifest_of(packed: Path, phase: Phase, valid: Line) -> dict[str, Any]:
    """How a network was fitted: the games by table and year, the settings, and what the last line
    measured on valid rows: no times, and no losses since a stop, so that the same fit gives the
    same bytes."""
    return {
        "haiyomi": haiyomi.__version__,
        "command": "haiyomi fit all",
        "phase": phase.name,
        "data": {
            "split": "train",
            "games": games_by_table(packed, "train"),
            "games_sha256": digest_of(shards_of(packed, "train")),
        },
        "settings": {k: v for k, v in asdict(phase.settings).items() if k != "shape"},
        "valid": {k: v for k, v in valid.items() if k != RATE and k not in phase.settings.losses},
        "limits": "says what the players of these games would do, not what is best",
    }


def _is_made(work: Path, phase: Phase, named: Mapping[str, str]) -> bool:
    """Whether the file of a phase is there. Raises as ``is_made``."""
    settings = asdict(phase.settings)
    asked = {name: value for name, value in settings.items() if name not in MAY_CHANGE}
    asked["games"] = digest_of(shards_of(work / PACKED, "train"))
    if named and phase.style_games:
        asked["--style-of"] = _digest(named)

    def stated(file: Path) -> dict[str, Any]:
        made = Network.load(file).manifest
        rest = {"games": made["data"]["games_sha256"], "--style-of": made.get("style_of_sha256")}
        return {**made["settings"], "shape": made["shape"], **rest}

    return is_made(_network_file(work, phase), stated, asked)


def _digest(named: Mapping[str, str]) -> str | None:
    """A hash of the players named for styles, None for none: no file holds the name of a person."""
    return hashlib.sha256(repr(sorted(named.items())).encode()).hexdigest() if named else None


def peak_memory() -> float:
    """The most memory that this process had, in GB; nan on Windows."""
    if sys.platform == "win32":
        return float("nan")
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def scaled(phases: Sequence[Phase], share: float) -> tuple[Phase, ...]:
    """The same phases with a share of their steps: below 1 to try settings, above for a longer
    fit."""
    if not 0 < share <= MOST_SHARE:
        raise DatasetError(
            f"a share of {share:g} of the steps: expected more than 0, at most {MOST_SHARE:g}"
        )
    return tuple(
        replace(p, settings=replace(p.settings, steps=max(1, round(p.settings.steps * share))))
        for p in phases
    )


def chosen(phases: Sequence[Phase], only: str | None) -> tuple[Phase, ...]:
    """All phases, or the one of a name. Raises DatasetError."""
    found = tuple(phase for phase in phases if only in (None, phase.name))
    if not found:
        names = ", ".join(phase.name for phase in phases)
        raise DatasetError(f"no network {only!r}: there are {names}")
    return found


def _network_file(work: Path, phase: Phase) -> Path:
    return work / f"{phase.name}.safetensors"


def _checkpoint(work: Path, phase: Phase) -> Path:
    return work / f"{phase.name}.checkpoint.npz"
