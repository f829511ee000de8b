"""``haiyomi fit all`` on made games: packs, trains every network, stops and goes on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

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
from haiyomi.outcomes import worth
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.storage.resume import no_bar
from haiyomi.styles.policy import Policy
from haiyomi.training.branches import BranchSettings
from haiyomi.training.fit_networks import PHASES, Phase, chosen, fit_all, run_phase, scaled, states
from haiyomi.training.fit_options import OptionSettings
from haiyomi.training.fit_placement import PlacementSettings, check_enough
from haiyomi.training.fit_values import fit_values
from haiyomi.training.packed_source import Players, valid_rows
from haiyomi.training.placement_rows import placement_rows
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


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A corpus, and the folder of a whole fit to it."""
    folder = tmp_path_factory.mktemp("fit")
    corpus = made_corpus(folder / "corpus", range(2), range(2, 3), range(3, 4))
    assert fit_all([corpus], folder / "whole", PHASES_OF_SECONDS, jobs=1, log=silent)
    return corpus, folder / "whole"


@pytest.fixture
def copied(tmp_path: Path, fitted: tuple[Path, Path]) -> Path:
    """A copy of that folder, to spoil."""
    return Path(shutil.copytree(fitted[1], tmp_path / "copied"))


def test_it_stops_and_goes_on_to_the_same_files(tmp_path: Path, fitted: tuple[Path, Path]) -> None:
    corpus, whole = fitted
    parts = tmp_path / "parts"
    assert not fit_all([corpus], parts, PHASES_OF_SECONDS, 1e-9, 1, silent)
    assert not run_phase([corpus], parts, PHASES_OF_SECONDS[0], 0, silent, Ranks(), jobs=1)
    stopped = [(state.done, state.finished) for state in states(parts, PHASES_OF_SECONDS)]
    assert stopped == [(1, False), (0, False), (0, False)]
    weights = Network.load(whole / "opponents.safetensors").tables["ron weights"]
    assert weights.shape == (5, 7)
    assert (weights[0] != weights[4]).any()
    one_name, other, *_ = Players.of(parts / "packed", 1).names
    named = {"single": one_name}
    assert fit_all([corpus], parts, PHASES_OF_SECONDS, jobs=1, log=silent, named=named)
    policy = Policy.load(parts / "policy.safetensors")
    assert policy.style("single").any()
    assert one_name not in str(policy.manifest)
    assert fit_all([corpus], parts, PHASES_OF_SECONDS, jobs=1, log=silent, named=named)
    for wrong in ({"single": other}, {"other": one_name}, {"single": "Nobody"}):
        with pytest.raises(HaiyomiError, match=r"policy\.safetensors .* \(--style-of\): take"):
            fit_all([corpus], parts, PHASES_OF_SECONDS, jobs=1, log=silent, named=wrong)
    (parts / "policy.safetensors").unlink()  # its checkpoint is still there
    assert fit_all([corpus], parts, PHASES_OF_SECONDS, jobs=1, log=silent)
    for phase in PHASES_OF_SECONDS:
        one, two = (work / f"{phase.name}.safetensors" for work in (whole, parts))
        assert one.read_bytes() == two.read_bytes()
        network = Network.load(one)
        assert network.shape == phase.settings.shape
        assert "Tenhou" not in network.manifest["limits"]
    assert [(s.done, s.finished) for s in states(whole, PHASES_OF_SECONDS)] == [(4, True)] * 3
    rows = valid_rows(whole / "packed", True, 50, 1)
    assert len(rows) == 50
    answers = Network.load(whole / "opponents.safetensors").answers(rows.records)
    assert answers["ron"].shape == (50, 3, 34, 1)
    players = Players.of(whole / "packed", 2)
    assert set(players.games) == {2}


def test_files_of_another_fit_are_refused(
    tmp_path: Path, fitted: tuple[Path, Path], copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``done`` was printed for another corpus and other steps, and for a file of nothing."""
    corpus, _ = fitted

    def again(*phases: Phase, of: Path = corpus) -> bool:
        return fit_all([of], copied, phases or PHASES_OF_SECONDS, jobs=1, log=silent)

    before = {file: file.stat().st_mtime_ns for file in copied.rglob("*.safetensors")}
    assert again()
    with monkeypatch.context() as later:
        later.setattr("haiyomi.__version__", "9.9")
        assert again()
    more = [replace(p, settings=replace(p.settings, steps=5, check=1)) for p in PHASES_OF_SECONDS]
    with pytest.raises(
        HaiyomiError,
        match=r"copied.policy\.safetensors was made with other settings or games "
        r"\(steps: 4, not 5\): take another --work folder or delete the file$",
    ):
        again(*more)
    wider = replace(more[0].settings, shape=policy_shape(16, 2, 16, state=True), steps=4)
    with pytest.raises(HaiyomiError, match=r"\(shape\)"):
        again(replace(more[0], settings=wider))
    second = made_corpus(tmp_path / "second", range(4, 6), range(2, 3), range(3, 4))
    with pytest.raises(DatasetError, match="packed holds packed games of other records"):
        again(of=second)
    assert before == {file: file.stat().st_mtime_ns for file in copied.rglob("*.safetensors")}
    file = copied / "opponents.safetensors"
    network = Network.load(file)
    data = {**network.manifest["data"], "games_sha256": "0"}
    replace(network, manifest={**network.manifest, "data": data}).save(file)
    with pytest.raises(HaiyomiError, match=r"opponents\.safetensors .* \(games\)"):
        again()
    replace(network, manifest={}).save(file)
    with pytest.raises(HaiyomiError, match="it does not say what it was made with"):
        again()
    file.write_bytes(b"junk")
    with pytest.raises(HaiyomiError, match=r"opponents\.safetensors is no file of this fit \("):
        again()


def test_the_files_that_value_options_are_made_once(
    tmp_path: Path, fitted: tuple[Path, Path], copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, _ = fitted
    held_out = made_corpus(tmp_path / "held-out", (), range(4, 5), ())
    with pytest.raises(HaiyomiError, match="hands of games with final scores are too few to fit"):
        fit_values([corpus, held_out], copied, no_bar, 1, 1, silent)
    few = OptionSettings(epochs=1, batch=4)
    places = PlacementSettings(epochs=1, batch=4)
    branched = {
        "branches": BranchSettings(fraction=0.2),
        "rare branches": BranchSettings(fraction=1, rare=True),
    }

    def fit(
        settings: OptionSettings = few,
        drawn: Mapping[str, BranchSettings] = branched,
        ends: PlacementSettings = places,
    ) -> None:
        fit_values([corpus], copied, no_bar, 1, 1, silent, drawn, settings, ends)

    fit()
    options = OptionModel.load(
        copied / "options.safetensors",
        Policy.load(copied / "policy.safetensors"),
        Network.load(copied / "opponents.safetensors"),
    )
    assert options.manifest["settings"]["epochs"] == 1
    drawn = [options.manifest[f"branches {number}"]["settings"] for number in (1, 2)]
    assert [(of["fraction"], of["rare"]) for of in drawn] == [(0.2, False), (1, True)]
    made = {name: (copied / name).stat().st_mtime_ns for name in MADE}
    shutil.rmtree(copied / "branches")  # it is large, and not needed any more
    fit()
    network = Network.load(copied / "policy.safetensors")  # as with another style that it names
    replace(network, manifest={**network.manifest, "style_of_sha256": "0"}).save(
        copied / "policy.safetensors"
    )
    with monkeypatch.context() as later:
        later.setattr("haiyomi.__version__", "9.9")
        fit()
    with pytest.raises(HaiyomiError, match=r"options\.safetensors .* \(epochs: 1, not 2\)"):
        fit(replace(few, epochs=2))
    with pytest.raises(HaiyomiError, match=r"options\.safetensors .* \(branches\)"):
        fit(drawn={**branched, "branches": BranchSettings(fraction=0.1)})
    with pytest.raises(HaiyomiError, match=r"placement\.json .* \(batch: 4, not 8\)"):
        fit(ends=replace(places, batch=8))
    assert made == {name: (copied / name).stat().st_mtime_ns for name in MADE}
    shutil.copy(Path(worth.__file__).with_name("worth.json"), copied)
    with pytest.raises(HaiyomiError, match=r"worth\.json is no file of this fit"):
        fit()


def test_too_few_games_are_told_before_any_network_is_trained(
    tmp_path: Path, fitted: tuple[Path, Path]
) -> None:
    """They were after hours of training, in games, of which the rule counts the hands."""
    corpus, _ = fitted
    train = [corpus / "train.zip"]
    hands = len(placement_rows(train)[0])
    check_enough(train, PlacementSettings(batch=hands))
    said = f"{hands} hands of games with final scores are too few to fit placements: "
    with pytest.raises(HaiyomiError, match=f"{said}{hands + 1} are needed"):
        check_enough(train, PlacementSettings(batch=hands + 1))
    work = tmp_path / "work"
    done = haiyomi("fit", "all", "--corpus", str(corpus), "--work", str(work), "--jobs", "1")
    assert done.returncode == 2
    assert f"{said}1,024 are needed" in done.stderr
    assert not work.exists()


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
