"""The policy's fit by processes of torchrun over gloo: the same bytes, also after kills.

Skipped where torch is not installed (``pip install '.[torch]'``).
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scale.work import runs

from haiyomi.errors import HaiyomiError
from haiyomi.shards import Engine, map_shards

has_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)
LONG = 1500
"""Steps of a fit that is to be killed: seconds."""


def torchrun(*given: object, processes: int = 2, options: Sequence[str] = ()) -> list[str]:
    """The command line of so many processes."""
    start = ["-m", "torch.distributed.run", "--nproc-per-node", str(processes), *options]
    return [sys.executable, *start, *map(str, given)]


def run(command: Sequence[object], root: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(root / "tests"), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [*map(str, command)], env=environment, capture_output=True, text=True, timeout=300
    )


def wait_for(place: Path, seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not place.exists():
        assert time.monotonic() < limit, f"no {place.name}"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def script(root: Path) -> Path:
    return root / "tests" / "scale" / "small_policy.py"


@pytest.fixture(scope="module")
def long_fit(script: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one process that nobody stops makes of the long fit."""
    folder = tmp_path_factory.mktemp("long")
    run([sys.executable, script, folder, LONG, "single"], root).check_returncode()
    return (folder / "fitted.npz").read_bytes()


@pytest.mark.slow
@has_torch
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_a_fit_is_the_same_to_the_bit(
    processes: int, script: Path, root: Path, tmp_path: Path
) -> None:
    one = run([sys.executable, script, tmp_path / "one", 40, "single"], root)
    some = run(torchrun(script, tmp_path / "some", 40, "torchrun", processes=processes), root)
    assert some.returncode == 0, some.stderr
    # The losses of every check, printed once.
    assert some.stdout == one.stdout
    assert len(some.stdout.splitlines()) == 4
    assert len(list((tmp_path / "some").glob(".process-0-*"))) == processes
    fitted = [(tmp_path / name / "fitted.npz").read_bytes() for name in ("one", "some")]
    assert fitted[0] == fitted[1]


@pytest.mark.slow
@has_torch
def test_distributed_data_parallel_comes_to_the_same_losses(
    script: Path, root: Path, tmp_path: Path
) -> None:
    """The oracle: torch's own averaging of gradients, over as many ranks."""
    ours = run(torchrun(script, tmp_path / "ours", 300, "torchrun"), root)
    ddp = run(torchrun(script, tmp_path / "ddp", 300, "ddp"), root)
    assert (ours.returncode, ddp.returncode) == (0, 0), ours.stderr + ddp.stderr
    fitted = [np.load(tmp_path / name / "fitted.npz") for name in ("ours", "ddp")]
    lines = [json.loads(str(found["history"])) for found in fitted]
    assert len(lines[0]) == len(lines[1]) == 30
    for mine, theirs in zip(*lines, strict=True):
        assert mine.keys() == theirs.keys()
        for name, value in mine.items():
            # The fourth digit, the last that is printed, may be rounded the other way.
            assert value == pytest.approx(theirs[name], abs=0.00011), name
    assert lines[0][-1]["train"] < lines[0][0]["train"] - 1
    for name in ("net", "of_player"):
        assert np.abs(fitted[0][name] - fitted[1][name]).max() < 0.005
        assert np.abs(fitted[0][name]).max() > 0.2


@pytest.mark.slow
@has_torch
def test_a_killed_rank_is_started_again_and_the_fit_goes_on(
    script: Path, root: Path, tmp_path: Path, long_fit: bytes
) -> None:
    command = torchrun(script, tmp_path, LONG, "torchrun", options=["--max-restarts", "2"])
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    # First the one that works for the leader, then, when all are back, the leader.
    for start, rank in ((0, 1), (1, 0)):
        wait_for(tmp_path / f".process-{start}-{rank}")
        walk = tmp_path / "walk.npz"
        wait_for(walk)
        before = walk.stat().st_mtime_ns
        while walk.stat().st_mtime_ns == before:
            assert process.poll() is None, "the fit was done before it could be killed"
            time.sleep(0.01)
        os.kill(int((tmp_path / f".process-{start}-{rank}").read_text()), signal.SIGKILL)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert output.count("going on from step") == 2
    assert (tmp_path / "fitted.npz").read_bytes() == long_fit


@pytest.mark.slow
@has_torch
def test_a_killed_torchrun_takes_its_ranks_along_and_runs_again(
    script: Path, root: Path, tmp_path: Path, long_fit: bytes
) -> None:
    command = torchrun(script, tmp_path, LONG, "torchrun")
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    wait_for(tmp_path / "walk.npz")
    ranks = [int((tmp_path / f".process-0-{rank}").read_text()) for rank in range(2)]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    # torchrun gives each process a session of its own: they see for themselves that it is gone.
    limit = time.monotonic() + 20
    while any(map(runs, ranks)) and time.monotonic() < limit:
        time.sleep(0.05)
    assert not [rank for rank in ranks if runs(rank)]
    assert not (tmp_path / "fitted.npz").exists()
    again = run(command, root)
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("going on from step")
    assert (tmp_path / "fitted.npz").read_bytes() == long_fit


@pytest.mark.slow
@has_torch
def test_two_machines_one_of_which_loses_its_process(
    script: Path, tmp_path: Path, long_fit: bytes
) -> None:
    """A torchrun for each, as on machines of their own; both start anew and go on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    options = ["--nnodes", "2", "--max-restarts", "3", "--rdzv-backend", "c10d", "--rdzv-id", "a"]
    options += ["--rdzv-endpoint", place]
    command = torchrun(script, tmp_path, LONG, "torchrun", processes=1, options=options)
    machines = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    wait_for(tmp_path / "walk.npz")
    os.kill(int((tmp_path / ".process-0-1").read_text()), signal.SIGKILL)
    outputs = [machine.communicate(timeout=300)[0] for machine in machines]
    assert [machine.returncode for machine in machines] == [0, 0]
    assert "".join(outputs).count("going on from step") == 1
    assert (tmp_path / "fitted.npz").read_bytes() == long_fit


@pytest.mark.slow
@has_torch
def test_the_command(root: Path, tmp_path: Path) -> None:
    """Rows and fit by torchrun's processes; one of them prints and writes."""
    samples = sorted(p for p in (root / "tests" / "samples").iterdir() if p.suffix != ".md")
    for split in ("train", "valid", "test"):
        (tmp_path / split).mkdir()
        for sample in samples:
            shutil.copy(sample, tmp_path / split)
    fit = ["fit", "policy", "--corpus", tmp_path, "--steps", 2, "--out"]
    rows = [tmp_path / "rows-1", tmp_path / "rows-2"]
    made = [tmp_path / "one.json", tmp_path / "two.json"]
    one = run([sys.executable, "-m", "haiyomi", *fit, made[0], "--rows", rows[0]], root)
    options = ["--rows", rows[1], "--engine", "torchrun"]
    two = run(torchrun("-m", "haiyomi", *fit, made[1], *options), root)
    assert (one.returncode, two.returncode) == (0, 0), one.stderr + two.stderr
    assert two.stdout == one.stdout.replace("one.json", "two.json")
    assert made[0].read_bytes() == made[1].read_bytes()
    for file in rows[0].rglob("*"):
        if file.is_file():
            assert file.read_bytes() == (rows[1] / file.relative_to(rows[0])).read_bytes()


@pytest.mark.slow
@has_torch
@pytest.mark.parametrize("shard", [5, 4])
def test_a_shard_s_own_error_comes_through(shard: int, root: Path, tmp_path: Path) -> None:
    """Whether it was the leader's or another's."""
    script = tmp_path / "work.py"
    script.write_text(
        "from haiyomi.errors import DatasetError\n"
        "from haiyomi.shards import Engine, map_shards, team\n"
        "from scale.work import raises, square, who\n"
        "torchrun = Engine('torchrun')\n"
        "some = [(str(n), n) for n in range(6)]\n"
        "by = {process for _, process in map_shards(who, some, torchrun)}\n"
        "with team(torchrun) as ask:\n"
        "    print(len(by), len(set(ask(who, some))))\n"
        f"shards = [({str(tmp_path)!r}, n) for n in range({5 - shard}, 9)]\n"
        "print(sorted(map_shards(square, shards, torchrun)))\n"
        "try:\n"
        "    list(map_shards(raises, shards, torchrun))\n"
        "except DatasetError as error:\n"
        "    print(error)\n"
        "print(list(map_shards(square, shards[:3], torchrun)))\n"
    )
    ran = run(torchrun(script), root)
    assert ran.returncode == 0, ran.stderr
    squares = [(i, n * n) for i, n in enumerate(range(5 - shard, 9))]
    # Every rank works, in shards and in rounds.
    assert ran.stdout.splitlines()[0] == "2 2"
    assert ran.stdout.splitlines()[1:] == [str(squares), "shard 5 is damaged", str(squares[:3])]


@pytest.mark.slow
@has_torch
def test_a_wrong_call_is_told_once(root: Path, tmp_path: Path) -> None:
    options = ["--engine", "torchrun", "--rows", tmp_path / "rows", "--out", tmp_path / "out.json"]
    fit = ["-m", "haiyomi", "fit", "policy", *options]
    for wrong, why in (
        (["--corpus", tmp_path / "nowhere"], "no folder with train.zip"),
        (["--corpus", tmp_path, "--jobs", 2], "leave --jobs out"),
        (["--corpus", tmp_path, "--threads", 2], "--threads"),
    ):
        ran = run(torchrun(*fit, *wrong), root)
        assert ran.returncode == 1
        mine = [line for line in ran.stderr.splitlines() if line.startswith("haiyomi: ")]
        assert len(mine) == 1
        assert why in mine[0]
    assert not list(tmp_path.iterdir())


def test_a_process_that_torchrun_did_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(HaiyomiError, match="torchrun did not start this process"):
        list(map_shards(len, ["a", "b"], Engine("torchrun")))


def test_torch_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.setenv(name, "0")
    monkeypatch.setitem(sys.modules, "torch.distributed", None)
    with pytest.raises(HaiyomiError, match=r"this needs torch, .* pip install '\.\[torch\]'"):
        list(map_shards(len, ["a", "b"], Engine("torchrun")))
