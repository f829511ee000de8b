"""``haiyomi fit all`` on made games: packs, trains every network, stops and goes on."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from apps.in_process import haiyomi
from training.made_corpus import made_corpus

from haiyomi.errors import DatasetError, HaiyomiError
from haiyomi.networks.network import Network
from haiyomi.networks.shape import (
    OPPONENT_KINDS,
    OPPONENT_WHOLE,
    Shape,
    Tower,
    policy_shape,
)
from haiyomi.outcomes import placement
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.storage.resume import no_bar
from haiyomi.styles.policy import Policy
from haiyomi.training.branches import BranchSettings
from haiyomi.training.fit_networks import PHASES, chosen, fit_all, run_phase, scaled, states
from haiyomi.training.fit_options import OptionSettings
from haiyomi.training.fit_values import fit_values
from haiyomi.training.packed_source import Players, valid_rows
from haiyomi.training.ranks import Ranks

SMALL = {
    "policy": policy_shape(16, 1, 16, state=True),
    "rollout": policy_shape(16, 1, 16),
    "opponents": Shape(Tower(16, 1), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE)),
}
PHASES_OF_SECONDS = tuple(
    replace(
        phase,
        settings=replace(phase.settings, shape=SMALL[phase.name], steps=4, batch=32, check=2),
        style_games=1 if phase.style_games else 0,
        valid_rows=60,
    )
    for phase in PHASES
)


MADE = ("worth.json", "placement.json", "options.safetensors")


def silent(text: str) -> None:
    pass


def test_it_stops_and_goes_on_to_the_same_files(tmp_path: Path) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(2), range(2, 3), range(3, 4))
    works = [tmp_path / name for name in ("whole", "parts")]
    whole, parts = works
    assert fit_all([corpus], whole, PHASES_OF_SECONDS, jobs=1, log=silent)
    assert not fit_all([corpus], parts, PHASES_OF_SECONDS, 1e-9, 1, silent)
    assert not run_phase([corpus], parts, PHASES_OF_SECONDS[0], 0, silent, Ranks(), jobs=1)
    stopped = [(state.done, state.finished) for state in states(parts, PHASES_OF_SECONDS)]
    assert stopped == [(1, False), (0, False), (0, False)]
    weights = Network.load(whole / "opponents.safetensors").tables["ron weights"]
    assert weights.shape == (5, 7)
    assert (weights[0] != weights[4]).any()
    player = Players.of(parts / "packed", 1).names[0]
    named = {"single": player}
    assert fit_all([corpus], parts, PHASES_OF_SECONDS, jobs=1, log=silent, named=named)
    assert Policy.load(parts / "policy.safetensors").style("single").any()
    for phase in PHASES_OF_SECONDS:
        one, two = (Network.load(work / f"{phase.name}.safetensors") for work in works)
        assert one.shape == phase.settings.shape
        assert np.array_equal(one.weights, two.weights)
        assert one.manifest["data"] == two.manifest["data"]
    (parts / "policy.safetensors").unlink()  # its checkpoint is still there
    assert fit_all([corpus], parts, PHASES_OF_SECONDS, jobs=1, log=silent)
    for phase in PHASES_OF_SECONDS:
        one_file, two_file = (work / f"{phase.name}.safetensors" for work in works)
        assert one_file.read_bytes() == two_file.read_bytes()
        assert "Tenhou" not in Network.load(one_file).manifest["limits"]
    assert [(s.done, s.finished) for s in states(whole, PHASES_OF_SECONDS)] == [(4, True)] * 3
    held_out = made_corpus(tmp_path / "held-out", (), range(4, 5), ())
    with pytest.raises(HaiyomiError, match="2 games are too few to fit placements"):
        fit_values([corpus, held_out], whole, no_bar, 1, 1, silent)
    # That file is there already.
    shutil.copy(Path(placement.__file__).with_name("placement.json"), whole)
    few = OptionSettings(epochs=1, batch=4)
    branched = {
        "branches": BranchSettings(fraction=0.2),
        "rare branches": BranchSettings(fraction=1, rare=True),
    }
    fit_values([corpus], whole, no_bar, 1, 1, silent, branched, few)
    options = OptionModel.load(
        whole / "options.safetensors",
        Policy.load(whole / "policy.safetensors"),
        Network.load(whole / "opponents.safetensors"),
    )
    assert options.manifest["settings"]["epochs"] == 1
    drawn = [options.manifest[f"branches {number}"]["settings"] for number in (1, 2)]
    assert [(of["fraction"], of["rare"]) for of in drawn] == [(0.2, False), (1, True)]
    made = {name: (whole / name).stat().st_mtime_ns for name in MADE}
    fit_values([corpus], whole, no_bar, 1, 1, silent)
    assert made == {name: (whole / name).stat().st_mtime_ns for name in MADE}
    rows = valid_rows(whole / "packed", True, 50, 1)
    assert len(rows) == 50
    answers = Network.load(whole / "opponents.safetensors").answers(rows.records)
    assert answers["ron"].shape == (50, 3, 34, 1)
    players = Players.of(whole / "packed", 2)
    assert set(players.games) == {2}


def test_a_corpus_that_is_not_there_is_named_before_any_output(tmp_path: Path) -> None:
    """The plan was printed and an empty folder made first."""
    work = tmp_path / "work"
    done = haiyomi("fit", "all", "--corpus", str(tmp_path / "missing"), "--work", str(work))
    assert done.returncode == 2
    assert done.stdout == ""
    assert "missing: no folder with train.zip" in done.stderr
    assert not work.exists()


def test_wrong_calls_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="give --corpus"):
        fit_all([], tmp_path / "none", PHASES)
    corpus = made_corpus(tmp_path / "corpus", range(2), range(2, 3), range(3, 4))
    with pytest.raises(DatasetError, match="no style of 'nobody': not a player of 1 games"):
        fit_all([corpus], tmp_path / "few", PHASES_OF_SECONDS, named={"x": "nobody"}, jobs=1)
    with pytest.raises(
        DatasetError, match="no network 'pol': there are policy, rollout, opponents"
    ):
        chosen(PHASES, "pol")
    with pytest.raises(DatasetError, match="a share of 200 of the steps"):
        scaled(PHASES, 200)
    assert [p.settings.steps for p in scaled(PHASES, 0.001)] == [11, 12, 37]
