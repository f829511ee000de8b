"""A real Ray cluster of two nodes on this machine: the same bytes, also when a worker is killed.

Skipped where Ray is not installed (``pip install '.[ray]'``).
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scale.campaign import contents
from scale.kill import small_tournament
from scale.work import always_dies, blas_threads, dies_once, raises, square

from haiyomi.engines.shards import Engine, map_shards
from haiyomi.errors import DatasetError, HaiyomiError
from haiyomi.evaluation.tournaments.tournament import play_tournament
from haiyomi.evaluation.tournaments.tournament_report import tournament_reports
from haiyomi.training.dataset import build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed"),
]


@pytest.fixture(scope="module")
def cluster(root: Path) -> Iterator[Any]:
    """Two nodes of one processor each, started and stopped here."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    before = os.environ.get("PYTHONPATH")
    # The workers import the shards' functions by name, as they do the package itself.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(root / "tests"), before)))
    from ray.cluster_utils import Cluster

    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": 80_000_000},
    )
    made.add_node(num_cpus=1, object_store_memory=80_000_000)
    yield made
    made.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def engine(cluster: Any) -> Engine:
    return Engine.parse(f"ray:{cluster.address}")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    folder = tmp_path_factory.mktemp("records")
    samples = sorted(p for p in (root / "tests" / "samples").iterdir() if p.suffix != ".md")
    for i in range(100):
        source = samples[i % len(samples)]
        shutil.copy(source, folder / f"game-{i:03d}{source.suffix}")
    return folder


def test_a_cluster_of_two_nodes(engine: Engine, tmp_path: Path) -> None:
    import ray

    ray.init(address=engine.address, log_to_driver=False)
    assert sum(node["Alive"] for node in ray.nodes()) == 2
    ray.shutdown()
    got = dict(map_shards(square, [(str(tmp_path), n) for n in range(30)], engine))
    assert got == {n: n * n for n in range(30)}


def test_its_workers_have_one_thread(engine: Engine) -> None:
    pytest.importorskip("threadpoolctl")
    assert [n for _, n in map_shards(blas_threads, range(4), engine)] == [1] * 4


def test_a_worker_killed_in_the_middle(engine: Engine, tmp_path: Path) -> None:
    got = dict(map_shards(dies_once, [(str(tmp_path), n) for n in range(30)], engine))
    assert (tmp_path / ".died").exists()
    assert got == {n: n * n for n in range(30)}


def test_what_goes_wrong_is_told(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="shard 5 is damaged"):
        list(map_shards(raises, [(str(tmp_path), n) for n in range(8)], engine))
    with pytest.raises(HaiyomiError, match="lost 3 times on one shard"):
        list(map_shards(always_dies, [(str(tmp_path), n) for n in range(2, 5)], engine))


def test_a_dataset_is_the_same_byte_for_byte(engine: Engine, records: Path, tmp_path: Path) -> None:
    build(records, tmp_path / "one", jobs=1)
    build(records, tmp_path / "ray", jobs=engine)
    assert contents(tmp_path / "one") == contents(tmp_path / "ray")


def test_a_tournament_has_the_same_games_and_files(engine: Engine, tmp_path: Path) -> None:
    made = small_tournament(4)
    games = play_tournament(made, tmp_path / "one", 1)
    assert play_tournament(made, tmp_path / "ray", engine) == games
    assert contents(tmp_path / "one") == contents(tmp_path / "ray")
    report = [table.text() for table in tournament_reports(made, games)]
    again = play_tournament(made, tmp_path / "ray", 2)
    assert [table.text() for table in tournament_reports(made, again)] == report


def test_a_node_lost_in_the_middle(
    cluster: Any, engine: Engine, records: Path, tmp_path: Path
) -> None:
    """The last test: a whole machine goes while a dataset is built."""
    build(records, tmp_path / "one", jobs=1)
    gone: list[int] = []

    def progress(done: int, total: int) -> None:
        import ray

        if done and not gone:
            gone.append(done)
            mine = ray.get_runtime_context().get_node_id()
            other = next(n for n in cluster.list_all_nodes() if n.node_id != mine)
            cluster.remove_node(other, allow_graceful=False)

    build(records, tmp_path / "ray", jobs=engine, progress=progress)
    assert gone
    assert contents(tmp_path / "one") == contents(tmp_path / "ray")
