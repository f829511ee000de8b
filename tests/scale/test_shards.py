"""``map_shards``: every shard's result, whatever dies; one sentence when too much does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scale.work import always_dies, dies_once, raises, runs, square

from haiyomi.engines.processes import default_jobs
from haiyomi.engines.shards import Engine, map_shards
from haiyomi.errors import DatasetError, HaiyomiError


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.glob("*.json")}


@pytest.mark.parametrize("engine", [1, 2, None, Engine("processes", 3)])
def test_every_result_once(tmp_path: Path, engine: Engine | int | None) -> None:
    shards = [(str(tmp_path), n) for n in range(20)]
    got = list(map_shards(square, shards, engine))
    assert sorted(got) == [(n, n * n) for n in range(20)]
    assert len(contents(tmp_path)) == 20
    assert not list(map_shards(square, [], engine))


def test_a_lost_worker_s_shard_runs_again(tmp_path: Path) -> None:
    (tmp_path / "lost").mkdir()
    (tmp_path / "whole").mkdir()
    got = dict(map_shards(dies_once, [(str(tmp_path / "lost"), n) for n in range(20)], 2))
    assert (tmp_path / "lost" / ".died").exists()
    plain = dict(map_shards(square, [(str(tmp_path / "whole"), n) for n in range(20)], 1))
    assert got == plain
    assert contents(tmp_path / "lost") == contents(tmp_path / "whole")


def test_a_shard_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    with pytest.raises(HaiyomiError, match=r"lost 3 times in a row .* of 6 shards to do"):
        list(map_shards(always_dies, [(str(tmp_path), n) for n in range(6)], 2))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_shard_s_own_error_comes_through(tmp_path: Path, jobs: int) -> None:
    with pytest.raises(DatasetError, match="shard 5 is damaged"):
        list(map_shards(raises, [(str(tmp_path), n) for n in range(8)], jobs))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path, root: Path) -> None:
    code = (
        "from haiyomi.engines.shards import map_shards\nfrom scale.work import slow\n"
        f"list(map_shards(slow, [({str(tmp_path)!r}, n) for n in range(200)], 2))\n"
    )
    paths = [str(root / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    script = tmp_path / "run.py"
    script.write_text(f"if __name__ == '__main__':\n    {code.replace(chr(10), chr(10) + '    ')}")
    process = subprocess.Popen([sys.executable, str(script)], env=environment)
    try:
        limit = time.monotonic() + 60
        while len(list(tmp_path.glob(".pid-*"))) < 2 and time.monotonic() < limit:
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    workers = [int(p.name.removeprefix(".pid-")) for p in tmp_path.glob(".pid-*")]
    assert len(workers) == 2
    limit = time.monotonic() + 30
    while any(map(runs, workers)) and time.monotonic() < limit:
        time.sleep(0.05)
    assert not [w for w in workers if runs(w)]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_in_a_worker_s_first_moments_is_no_traceback(tmp_path: Path) -> None:
    """A named case: it met the imports of a process that had just begun."""
    script = tmp_path / "run.py"
    script.write_text(
        "import os, signal\n"
        "from haiyomi.engines.processes import new_pool\n"
        "if __name__ == '__main__':\n"
        "    pool = new_pool(2)\n"
        "    workers = list(pool._processes.values())\n"
        "    for worker in workers:\n"
        "        os.kill(worker.pid, signal.SIGINT)\n"
        "    for worker in workers:\n"
        "        worker.join(30)\n"
        "    # The pool may have read their exit statuses before.\n"
        "    for worker in workers:\n"
        "        try:\n"
        "            os.kill(worker.pid, 0)\n"
        "            print('runs')\n"
        "        except ProcessLookupError:\n"
        "            print('gone')\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split() == ["gone", "gone"]
    assert "Traceback" not in done.stderr, done.stderr


def test_engines_by_name() -> None:
    assert Engine.parse("processes", 4) == Engine("processes", 4)
    assert Engine.parse("ray") == Engine("ray")
    assert Engine.parse("ray://10.0.0.1:10001") == Engine("ray", None, "ray://10.0.0.1:10001")
    assert Engine.parse("ray:auto", 8) == Engine("ray", 8, "auto")
    for text in ("processes", "ray", "ray:auto", "ray:host:6379", "ray://host:10001"):
        assert str(Engine.parse(text)) == text
    for text in ("", "rays", "ray:", "ray://", "dask", "processes:2", "torchrun"):
        with pytest.raises(HaiyomiError, match="expected processes, ray"):
            Engine.parse(text)
    assert default_jobs() >= 1


@pytest.mark.parametrize("jobs", [0, -3])
def test_a_number_of_processes_below_one_is_refused(jobs: int) -> None:
    with pytest.raises(HaiyomiError, match=f"^{jobs} processes: expected 1 or more$"):
        list(map_shards(len, ["a"], jobs))


def test_a_function_that_workers_cannot_import_is_refused_before_any_work() -> None:
    done: list[str] = []

    def keep(text: str) -> None:
        done.append(text)

    for engine in (2, None, Engine("ray")):
        with pytest.raises(HaiyomiError, match=r"^the function must be importable by name: .*keep"):
            list(map_shards(keep, ["a"], engine))
    assert done == []
    list(map_shards(keep, ["a"], 1))  # one process works in this one
    assert done == ["a"]


def test_ray_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(HaiyomiError, match=r"this needs ray, .* pip install '\.\[ray\]'"):
        list(map_shards(square, [(str(tmp_path), 1)], Engine("ray")))


def test_a_cluster_that_is_not_there_is_named_at_once(tmp_path: Path) -> None:
    """A named case: Ray's client tried for minutes, and warned on the way."""
    pytest.importorskip("ray")
    began = time.monotonic()
    for address in ("ray://127.0.0.1:1", "ray:127.0.0.1:1", "ray://nowhere:x"):
        with pytest.raises(HaiyomiError, match="no Ray cluster at"):
            list(map_shards(square, [(str(tmp_path), 1)], Engine.parse(address)))
    assert time.monotonic() - began < 60
