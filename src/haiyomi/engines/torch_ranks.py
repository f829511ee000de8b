"""Shards by the processes that torchrun started (``pip install '.[torch]'``).

    torchrun --nproc-per-node 2 -m haiyomi fit policy --engine torchrun

torchrun runs the same command in each process and gives it a rank. Rank 0 leads: only it reads
options, prints and writes results. The others reach the same place of the program and work for
the leader until it ends. They communicate through gloo, torch.distributed's CPU backend, and only
by collectives: rank r gets every ``size``-th item of a round, and the leader gathers the answers in
the items' order. So a sum over them does not depend on the number of ranks, which an all-reduce
of gradients (DistributedDataParallel) cannot guarantee.

A lost process ends the others. torchrun restarts them all up to ``--max-restarts`` times; commands
then resume from their checkpoints.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from importlib import import_module
from typing import Any, Final, TypeVar

from haiyomi.engines.engine import Engine, Team
from haiyomi.errors import HaiyomiError
from haiyomi.extras import require

S = TypeVar("S")
R = TypeVar("R")

_PATIENCE: Final = timedelta(days=7)
"""How long a rank waits while the leader works alone. A lost rank is noticed when its connection
closes; a machine that stops responding without closing it is not."""


_JOINED_WITHIN: Final = 1800
"""Seconds within which all ranks must have joined."""


class Ranks:
    """The leader's handle on the ranks of one torchrun, ``size`` with itself."""

    def __init__(self, dist: Any) -> None:
        self._dist = dist
        self.size: int = dist.get_world_size()
        self._between_rounds = True

    def ask(self, function: Callable[[S], R], items: Sequence[S]) -> list[R]:
        """The answers in the items' order. Raises HaiyomiError where a rank was lost."""
        if self.size == 1 or len(items) <= 1:
            return [function(item) for item in items]
        # Another round after one that was broken off would find the ranks elsewhere.
        if not self._between_rounds:
            raise HaiyomiError("torchrun's processes are out of step: a round was broken off")
        self._between_rounds = False
        parts = [(function, items[rank :: self.size]) for rank in range(self.size)]
        gathered: list[Any] = [None] * self.size
        try:
            self._dist.scatter_object_list([None], [None, *parts[1:]], src=0)
            own = _answers(*parts[0])
            self._dist.gather_object(None, gathered, dst=0)
        except RuntimeError:
            raise HaiyomiError("a process of torchrun's was lost") from None
        self._between_rounds = True
        found: list[Any] = [None] * len(items)
        for rank, (answers, wrong) in enumerate([own, *gathered[1:]]):
            if wrong is not None:
                raise wrong
            found[rank :: self.size] = answers
        return found

    def dismiss(self) -> None:
        """Tell the other ranks to end; otherwise they would treat the leader as lost."""
        if self._between_rounds and self._dist.is_initialized():
            self._between_rounds = False
            # A lost rank needs no message.
            with suppress(RuntimeError):
                self._dist.scatter_object_list([None], [None] * self.size, src=0)
            self._dist.destroy_process_group()


_ranks: Ranks | None = None


def join() -> Ranks:
    """In rank 0, return the ranks that it leads. In others, work for the leader, then SystemExit.

    Raises HaiyomiError where torchrun did not start this process, or torch is not installed.
    """
    global _ranks
    if _ranks is None:
        dist = _connected()
        _follow_torchrun()
        if dist.get_rank() != 0:
            _serve(dist)
        _ranks = Ranks(dist)
        atexit.register(_ranks.dismiss)
    return _ranks


def done(
    function: Callable[[S], R], shards: Sequence[S], engine: Engine
) -> Iterator[tuple[int, R]]:
    """See ``map_shards``: by rounds, a shard for each rank."""
    ranks = join()
    size = ranks.size
    for start in range(0, len(shards), size):
        yield from enumerate(ranks.ask(function, shards[start : start + size]), start)


@contextmanager
def team(engine: Engine) -> Iterator[Team]:
    """See ``shards.team``."""
    yield join().ask


def _connected() -> Any:
    if not {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"} <= os.environ.keys():
        raise HaiyomiError(
            "torchrun did not start this process: torchrun --nproc-per-node 2 -m haiyomi ... "
            "--engine torchrun"
        )
    require("torch")
    # By name: a type checker then sees the same whether it is installed or not.
    dist = import_module("torch.distributed")
    try:
        store, rank, size = next(dist.rendezvous("env://"))
        store = dist.PrefixStore(_agreed(store, rank, size), store)
        dist.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=_PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise HaiyomiError(
            f"torchrun's processes do not find each other ({str(error).splitlines()[0]})"
        ) from None
    return dist


def _follow_torchrun() -> None:
    """End with torchrun: ranks that outlive it (kill -9) would write beside those that are started
    when the command is run again."""
    parent = os.getppid()

    def follow() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=follow, daemon=True).start()


def _agreed(store: Any, rank: int, size: int) -> str:
    """A word that the ranks of this start agree on, and no earlier one's used.

    torchrun (2.13) keeps one store through all its starts: under the same keys this start's ranks
    would find the addresses of those that are gone. By then none of those is alive, so the only
    stale answers are kept ones: the leader follows each rank's last greeting until it is answered.
    """
    own = os.urandom(8).hex()
    if rank:
        store.set(f"haiyomi-rank-{rank}", own)
        word: str = store.get(f"haiyomi-word-{own}").decode()
        store.set(f"haiyomi-heard-{word}-{own}", "")
        return word
    left = set(range(1, size))
    limit = time.monotonic() + _JOINED_WITHIN
    while left:
        if time.monotonic() > limit:
            raise RuntimeError(f"ranks {sorted(left)} did not come")
        for other in sorted(left):
            if not store.check([f"haiyomi-rank-{other}"]):
                continue
            greeting = store.get(f"haiyomi-rank-{other}").decode()
            store.set(f"haiyomi-word-{greeting}", own)
            if store.check([f"haiyomi-heard-{own}-{greeting}"]):
                left.discard(other)
        time.sleep(0.02)
    return own


def _serve(dist: Any) -> None:
    """Work for the leader until it is done (SystemExit 0) or lost (SystemExit 1)."""
    try:
        while True:
            task: list[Any] = [None]
            dist.scatter_object_list(task, src=0)
            if task[0] is None:
                break
            dist.gather_object(_answers(*task[0]), dst=0)
    except RuntimeError:
        # The connection to the leader, whose own last words say more; a shard's errors are
        # answers.
        raise SystemExit(1) from None
    dist.destroy_process_group()
    raise SystemExit(0)


def _answers(function: Callable[[S], R], items: Sequence[S]) -> tuple[list[R], Exception | None]:
    """What came of the items, or what went wrong with the first that did."""
    try:
        return [function(item) for item in items], None
    except Exception as error:
        return [], error
