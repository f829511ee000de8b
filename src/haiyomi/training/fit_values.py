"""The last part of ``haiyomi fit all``: the files that value options, from what the networks gave.

::

    WORK/worth.json            what a win pays, by its class
    WORK/placement.json        the places at the end of the game
    WORK/branches/             options of one decision, played to the end of the hand
    WORK/rare branches/        the same of decisions that offer riichi or a kan
    WORK/options.safetensors   what each option adds to the expected end of the hand

A file that states the same games and settings is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import corpus_files
from haiyomi.engines.shards import Jobs
from haiyomi.networks.network import Network
from haiyomi.outcomes import placement, worth
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.storage.model_file import read_model
from haiyomi.storage.resume import Bar
from haiyomi.styles.policy import Policy
from haiyomi.training.branch_folder import (
    described,
    load_branches,
    make_branches,
    plan_of,
    recorded_sources,
)
from haiyomi.training.branches import BranchSettings
from haiyomi.training.finished_files import is_made
from haiyomi.training.fit_networks import PACKED
from haiyomi.training.fit_options import OptionSettings, fit_options
from haiyomi.training.fit_placement import PlacementSettings, check_enough, fit_placement
from haiyomi.training.fit_worth import fit_worth
from haiyomi.training.option_rows import option_rows
from haiyomi.training.packed_reader import digest_of, shards_of
from haiyomi.training.trainer import Log

BRANCHED: Final[Mapping[str, BranchSettings]] = MappingProxyType({
    "branches": BranchSettings(),
    "rare branches": BranchSettings(fraction=0.2, rare=True),
})  # fmt: skip
"""The folders of branches. Riichi and kans are 3 of 100 decisions, and decide much. At rare ones no
network says what comes at the next own turn: after a riichi there is none."""


def fit_values(
    corpora: Sequence[Path],
    work: Path,
    bar: Bar,
    share: float,
    jobs: Jobs,
    log: Log = print,
    branched: Mapping[str, BranchSettings] = BRANCHED,
    settings: OptionSettings | None = None,
    places: PlacementSettings | None = None,
) -> None:
    """Make the files, or those that are missing; the networks' files stand in ``work``. ``share``:
    of the packed shards whose decisions are branched, at most 1.

    Raises DatasetError, HaiyomiError for too few games and for a file of other games or settings,
    ModelError.
    """
    settings, places = settings or OptionSettings(), places or PlacementSettings()
    packed, train = work / PACKED, _train(corpora)
    pay, ends, options = (
        work / name for name in ("worth.json", "placement.json", "options.safetensors")
    )
    if not is_made(pay, _of_worth, {"games": digest_of(shards_of(packed, "train"))}):
        fit_worth(packed, pay)
        log(f"wrote {pay}")
    hashes = [Corpus(path).sha256() for path in train]
    if not is_made(ends, _of_placement, {**asdict(places), "games": hashes}):
        with bar("placement", "records") as progress:
            fit_placement(train, ends, places, progress=progress)
        log(f"wrote {ends}")
    rollout, named = work / "rollout.safetensors", work / "policy.safetensors"
    policy, opponents = Policy.load(named), Network.load(work / "opponents.safetensors")
    sources = recorded_sources(packed, "train")
    sources = sources[: max(2, round(len(sources) * min(share, 1)))]
    states = {name: None if drawn.rare else named for name, drawn in branched.items()}
    plans = {n: plan_of(sources, rollout, drawn, states[n]) for n, drawn in branched.items()}

    def of_options(file: Path) -> dict[str, Any]:
        made = OptionModel.load(file, policy, opponents).manifest
        numbered = {name: made[f"branches {n}"] for n, name in enumerate(branched, 1)}
        return {**made["settings"], **{name: _games_of(plan) for name, plan in numbered.items()}}

    games = {name: _games_of(plan) for name, plan in plans.items()}
    if not is_made(options, of_options, {**asdict(settings), **games}):
        for name, drawn in branched.items():
            with bar(name, "shards") as progress:
                make_branches(sources, rollout, work / name, drawn, jobs, progress, states[name])
        folders = [work / name for name in branched]
        played = load_branches(*folders)
        with bar("branches", "decisions") as progress:
            rows = option_rows(played, policy, opponents, progress)
        model = fit_options(rows, policy, opponents, settings, log, described(*folders))
        model.save(options)
        log(f"wrote {options}")


def check_games(corpora: Sequence[Path]) -> None:
    """Raises HaiyomiError, before the networks are trained, where the games are too few for
    ``fit_values``."""
    check_enough(_train(corpora))


def _train(corpora: Sequence[Path]) -> list[Path]:
    return [file for corpus in corpora for file in corpus_files(corpus).get("train", [])]


def _games_of(plan: Mapping[str, Any]) -> dict[str, Any]:
    """What of the plan of branches says which decisions were played on. The policy's file is left
    out: it changes with the styles that it names, and ``fit_all`` has compared it."""
    return {key: plan[key] for key in ("policy_sha256", "records_sha256", "settings")}


def _of_worth(file: Path) -> dict[str, Any]:
    _, made = read_model(file, worth.NAME, worth.VERSION)
    return {"games": made["games_sha256"]}


def _of_placement(file: Path) -> dict[str, Any]:
    _, made = read_model(file, placement.NAME, placement.VERSION)
    return {**made["settings"], "games": [records["sha256"] for records in made["fitted_on"]]}
