"""The last part of ``haiyomi fit all``: the files that value options, from what the networks gave.

::

    WORK/worth.json            what a win pays, by its class
    WORK/placement.json        the places at the end of the game
    WORK/branches/             options of one decision, played to the end of the hand
    WORK/rare branches/        the same of decisions that offer riichi or a kan
    WORK/options.safetensors   what each option adds to the expected end of the hand

A file that is there is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from haiyomi.corpus.splits import corpus_files
from haiyomi.engines.shards import Jobs
from haiyomi.networks.network import Network
from haiyomi.storage.resume import Bar
from haiyomi.styles.policy import Policy
from haiyomi.training.branch_folder import (
    described,
    load_branches,
    make_branches,
    recorded_sources,
)
from haiyomi.training.branches import BranchSettings
from haiyomi.training.fit_networks import PACKED
from haiyomi.training.fit_options import OptionSettings, fit_options
from haiyomi.training.fit_placement import fit_placement
from haiyomi.training.fit_worth import fit_worth
from haiyomi.training.option_rows import option_rows
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
) -> None:
    """Make the files, or those that are missing; the networks' files stand in ``work``. ``share``:
    of the packed shards whose decisions are branched, at most 1.

    Raises DatasetError, HaiyomiError for too few games, ModelError.
    """
    packed = work / PACKED
    worth, placement, options = (
        work / name for name in ("worth.json", "placement.json", "options.safetensors")
    )
    if not worth.exists():
        fit_worth(packed, worth)
        log(f"wrote {worth}")
    if not placement.exists():
        train = [file for corpus in corpora for file in corpus_files(corpus).get("train", [])]
        with bar("placement", "records") as progress:
            fit_placement(train, placement, progress=progress)
        log(f"wrote {placement}")
    if not options.exists():
        rollout, named = work / "rollout.safetensors", work / "policy.safetensors"
        sources = recorded_sources(packed, "train")
        sources = sources[: max(2, round(len(sources) * min(share, 1)))]
        for name, drawn in branched.items():
            with bar(name, "shards") as progress:
                state = None if drawn.rare else named
                make_branches(sources, rollout, work / name, drawn, jobs, progress, state)
        folders = [work / name for name in branched]
        played = load_branches(*folders)
        policy = Policy.load(named)
        opponents = Network.load(work / "opponents.safetensors")
        with bar("branches", "decisions") as progress:
            rows = option_rows(played, policy, opponents, progress)
        model = fit_options(
            rows, policy, opponents, settings or OptionSettings(), log, described(*folders)
        )
        model.save(options)
        log(f"wrote {options}")
