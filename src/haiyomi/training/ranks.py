"""The processes of a training run: one, or those of torchrun."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
import torch.distributed

from haiyomi.engines.processes import default_jobs


def _device() -> torch.device:
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))


@dataclass(frozen=True, slots=True)
class Ranks:
    """Process ``number`` of ``size``, and its device."""

    number: int = 0
    size: int = 1
    device: torch.device = field(default_factory=_device)

    def wait(self) -> None:
        """Until all processes are here."""
        if self.size > 1:
            torch.distributed.barrier()

    def any(self, here: bool) -> bool:
        """Whether it holds in any process: all stop at the same step."""
        if self.size == 1:
            return here
        found = torch.tensor(float(here), device=self.device)
        torch.distributed.all_reduce(found)
        return bool(found > 0)


@contextmanager
def ranks() -> Iterator[Ranks]:
    """This process among those that torchrun started, or alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Ranks()
        return
    device = _device()
    torch.distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Ranks(torch.distributed.get_rank(), size, device)
    finally:
        torch.distributed.destroy_process_group()


def use_threads(threads: int | None) -> None:
    """So many threads for torch in this process; None: one for each processor, under torchrun one.

    Commands begin with one (``engines.threads``).
    """
    alone = os.environ.get("WORLD_SIZE", "1") == "1"
    torch.set_num_threads(threads or (default_jobs() if alone else 1))
