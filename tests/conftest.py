"""What every test may ask for: the shared folder of data that is not in the repository, a folder of
records, a small policy, the decisions of the demo game.

A test that takes ``shared`` (or ``corpus``) is skipped where that folder is absent, so the suite
runs whole on any machine.
"""

from __future__ import annotations

import os
import pathlib
import zipfile
from typing import TYPE_CHECKING

import pytest

from haiyomi.engines.threads import hold_to_one_thread

if TYPE_CHECKING:
    from haiyomi.styles.policy import Policy
    from haiyomi.training.reading_rows import ReadingRows

hold_to_one_thread()  # as every command does
DEFAULT_MARKS = "not slow"  # as in pyproject.toml
_ROOT = pathlib.Path(__file__).resolve().parent.parent


def _shared_folder() -> pathlib.Path | None:
    """``HAIYOMI_SHARED`` if set (even to a folder that is absent), else ``../shared``."""
    named = os.environ.get("HAIYOMI_SHARED")
    folder = pathlib.Path(named) if named else _ROOT.parent / "shared"
    return folder if folder.is_dir() else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """The whole default run takes every processor, up to four; tests that are named on the command
    line, by path, by -k or by -m, run in one process, which starts sooner.
    """
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    named = config.option.keyword or config.option.markexpr != DEFAULT_MARKS
    return min(os.cpu_count() or 1, 4) if everything and not named else 0


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The checkout."""
    return _ROOT


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    """The folder that holds ``corpus/`` and ``oracles/``; skips where there is none."""
    folder = _shared_folder()
    if folder is None:
        pytest.skip("the shared data folder is absent (HAIYOMI_SHARED or ../shared)")
    return folder


@pytest.fixture(scope="session")
def corpus(shared: pathlib.Path) -> pathlib.Path:
    """The folder of the real records' zip files; skips where there is none."""
    folder = shared / "corpus"
    if not (folder / "test.zip").is_file():
        pytest.skip("the corpus is absent from the shared data folder")
    return folder


@pytest.fixture(scope="session")
def oracles(shared: pathlib.Path) -> pathlib.Path:
    """The folder of outside truths; skips where there is none."""
    folder = shared / "oracles"
    if not folder.is_dir():
        pytest.skip("the oracles are absent from the shared data folder")
    return folder


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """One record a format under names that lie, a zip, and something else."""
    from logs.made_games import made_game

    from haiyomi.logs.load import write

    games = [made_game(seed, hands=2) for seed in range(3)]
    place = tmp_path / "records"
    place.mkdir()
    for game, format, name in zip(
        games, ("mjlog", "tenhou6", "mjai"), ("a.json", "b.mjlog", "c"), strict=True
    ):
        (place / name).write_text(write(game, format), encoding="utf-8")
    (place / "d.txt").write_text("hello", encoding="utf-8")
    (place / ".hidden").write_text("hello", encoding="utf-8")
    with zipfile.ZipFile(place / "e.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/one.mjlog", write(games[0], "mjlog"))
        archive.writestr("two", b"\x1f\x8bjunk")
    return place


@pytest.fixture(scope="session")
def policy() -> Policy:
    """A small network with random weights, whose choices are all but uniform."""
    from haiyomi.networks.first_weights import first_weights
    from haiyomi.networks.network import Network
    from haiyomi.networks.shape import policy_shape
    from haiyomi.seeds import generator
    from haiyomi.styles.policy import Policy

    shape = policy_shape(16, 1, 16)
    return Policy(Network(shape, first_weights(shape, generator(1, "policy"))))


@pytest.fixture(scope="session")
def demo_rows() -> ReadingRows:
    """The decisions of the game that comes with haiyomi, with the hidden hands."""
    from haiyomi.play.demo import demo_game
    from haiyomi.training.reading_rows import game_rows

    return game_rows("demo", demo_game())
