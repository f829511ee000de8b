"""`haiyomi fit policy` from records to a file that plays; class vectors by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from haiyomi.logs.load import write
from haiyomi.play.simulate import simulate
from haiyomi.play.style import STYLES
from haiyomi.styles.classes import shipped_classes
from haiyomi.styles.policy import Policy, shipped_policy
from haiyomi.styles.policy_network import STYLE
from haiyomi.styles.tallies import tally, vectors
from haiyomi.training.make_policy import LEAST_PLAYERS, class_vectors

FOUR = [STYLES[n] for n in ("balanced", "caller", "bold", "timid")]


def test_a_class_has_the_mean_of_its_players_by_games() -> None:
    games = []
    for i in range(6):
        # Twelve names, so that some class has three players.
        a, b, c, d = (f"p{(4 * (i % 3)) + s}" for s in range(4))
        games.append((str(i), simulate(9, i, styles=FOUR, names=(a, b, c, d))))
    tallies = tally(games)
    found = vectors(tallies)
    classes = shipped_classes()
    players = tuple(sorted(found.players))
    rng = np.random.default_rng(1)
    each = rng.normal(size=(len(players), STYLE)).astype(np.float32)
    styles, behind = class_vectors(classes, tallies, players, each)
    belongs = classes.assign(found.values, found.occasions)
    result = 0
    for number, name in enumerate(classes.names):
        mine = [i for i in range(len(found.players)) if belongs[i] == number]
        if len(mine) < LEAST_PLAYERS:
            assert name not in styles
            continue
        result += 1
        total, weight = np.zeros(STYLE), 0.0
        for i in mine:
            total += float(found.games[i]) * each[players.index(found.players[i])]
            weight += float(found.games[i])
        assert np.allclose(styles[name], total / weight, atol=1e-5)
        assert behind[name] == len(mine)
    assert result >= 1
    # Fewer players than a class needs: nobody's own vector is written.
    assert class_vectors(classes, tallies, players[:2], each[:2]) == ({}, {})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    for split, number in (("train", 0), ("valid", 1), ("test", 2)):
        (folder / split).mkdir(parents=True)
        text = write(simulate(9, number, styles=FOUR), "mjlog")
        (folder / split / f"{split}.mjlog").write_text(text, encoding="utf-8")
    more = write(simulate(9, 3, styles=FOUR), "mjlog")
    (folder / "train" / "more.mjlog").write_text(more, encoding="utf-8")
    return folder


def test_the_command_makes_a_file_and_goes_on(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "policy.safetensors"

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "haiyomi", "fit", "policy", "--rows", str(tmp_path / "rows"),
             "--out", str(out), "--jobs", "1", *options],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    done = run("--corpus", str(corpus), "--steps", "1")
    assert done.returncode == 0, done.stderr
    first = Policy.load(out)
    assert first.manifest["data"]["games"] == 2
    assert first.manifest["steps_done"] == 1
    assert not first.styles  # nobody has ten games
    again = run("--corpus", str(corpus), "--steps", "1")
    assert again.returncode == 0, again.stderr
    assert np.array_equal(Policy.load(out).network.weights, first.network.weights)
    (corpus / "train" / "more.mjlog").unlink()
    few = run("--corpus", str(corpus), "--rows", str(tmp_path / "other"))
    assert few.returncode == 2
    assert "no segment has the 512 rows of a batch" in few.stderr
    wrong = run("--corpus", str(tmp_path / "none"))
    assert wrong.returncode == 2
    assert "no folder with train.zip" in wrong.stderr


def test_the_shipped_policy_tells_of_itself() -> None:
    policy = shipped_policy()
    m = policy.manifest
    assert m["data"]["split"] == "train"
    assert m["steps_done"] > 1000
    assert set(policy.styles) == set(m["players_behind_styles"]) == set(shipped_classes().names)
    assert min(m["players_behind_styles"].values()) >= LEAST_PLAYERS
    assert "limits" in m
