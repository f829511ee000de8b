"""A policy's fit of seconds, as one process and torchrun's processes make it.

    python tests/scale/small_policy.py FOLDER STEPS single
    torchrun --nproc-per-node 2 tests/scale/small_policy.py FOLDER STEPS torchrun
    torchrun --nproc-per-node 2 tests/scale/small_policy.py FOLDER STEPS ddp

Writes what was fitted to FOLDER/fitted.npz, its checkpoints beside it, and the number of each
process that took part. ``ddp`` has torch's own DistributedDataParallel sum the gradients, which
haiyomi has no part in.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.engines.engine import Engine
from haiyomi.kernels.policy import learn
from haiyomi.play.simulate import simulate
from haiyomi.shards import team
from haiyomi.storage.whole_file import whole_file
from haiyomi.styles.policy_network import STYLE, Shape
from haiyomi.training.data_parallel import Learner, learner
from haiyomi.training.fit_policy import PolicySettings, fit_policy
from haiyomi.training.policy_rows import PolicyRows, game_rows

SETTINGS = PolicySettings(
    shape=Shape(16, 1, 16), batch=64, warm=20, check=10, style_games=1, valid_rows=200
)


@contextmanager
def by_torchrun() -> Iterator[Learner]:
    """As ``haiyomi fit policy --engine torchrun`` does it."""
    with team(Engine("torchrun")) as workers:
        yield learner(workers)


@contextmanager
def by_ddp() -> Iterator[Learner]:
    """Each rank has its part of every batch; DistributedDataParallel averages the gradients."""
    import torch
    import torch.distributed as dist

    class Gradients(torch.autograd.Function):
        """A batch's loss as torch sees it: its gradients come of the core."""

        @staticmethod
        def forward(ctx: Any, net: Any, style: Any, result: Any, sizes: Any, lot: Any) -> Any:
            mine, rows, mirror, labels = lot
            gradient = np.zeros(net.shape, np.float32)
            by_style = np.zeros(tuple(style.shape), np.float32)
            part = np.zeros_like(by_style[mine])
            losses = learn(
                sizes, net.numpy(), rows[mine], mirror[mine], style.numpy()[mine], labels[mine],
                gradient, part,
            )  # fmt: skip
            by_style[mine] = part
            ctx.gradients = torch.from_numpy(gradient), torch.from_numpy(by_style)
            result[:] = torch.tensor(losses, dtype=torch.float64)
            return torch.tensor(sum(losses[:4]))

        @staticmethod
        def backward(ctx: Any, *by_loss: Any) -> Any:
            return *(by_loss[0] * gradient for gradient in ctx.gradients), None, None, None

    class Batch(torch.nn.Module):
        """The network's weights and the styles of a batch's rows."""

        def __init__(self) -> None:
            super().__init__()
            self.net = torch.nn.Parameter(torch.zeros(SETTINGS.shape.size))
            self.style = torch.nn.Parameter(torch.zeros(SETTINGS.batch, STYLE))

        def forward(self, result: Any, sizes: Any, lot: Any) -> Any:
            return Gradients.apply(self.net, self.style, result, sizes, lot)

    dist.init_process_group("gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    batch = torch.nn.parallel.DistributedDataParallel(Batch())

    def by(
        sizes: Any, weights: Any, rows: Any, mirror: Any, style: Any, labels: Any, gradient: Any,
        style_gradient: Any,
    ) -> Any:  # fmt: skip
        each = -(-len(rows) // ranks)
        mine = slice(rank * each, (rank + 1) * each)
        with torch.no_grad():
            batch.module.net.copy_(torch.from_numpy(weights))
            batch.module.style.copy_(torch.from_numpy(style))
        batch.zero_grad()
        result = torch.zeros(8, dtype=torch.float64)
        batch(result, sizes, (mine, rows, mirror, labels)).backward()
        gradient += ranks * batch.module.net.grad.numpy()
        style_gradient += ranks * batch.module.style.grad.numpy()
        dist.all_reduce(result)
        return tuple(result.tolist())

    yield by
    dist.destroy_process_group()


@contextmanager
def single() -> Iterator[None]:
    """The core, in this process."""
    yield None


def tell(line: str) -> None:
    """Print at once: whoever waits for the line kills this process."""
    print(line, flush=True)


def main(folder: Path, steps: int, how: str) -> None:
    """Fit, or go on with it."""
    folder.mkdir(exist_ok=True)
    rank, start = os.environ.get("RANK", "0"), os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    (folder / f".process-{start}-{rank}").write_text(str(os.getpid()))
    rows = PolicyRows.concat([game_rows(f"{i}", simulate(1, i)) for i in range(2)])
    with {"single": single, "torchrun": by_torchrun, "ddp": by_ddp}[how]() as by:
        # Of DistributedDataParallel's processes each has the whole state; one keeps it.
        keeps = rank == "0" or how != "ddp"
        checkpoint = folder / ("walk.npz" if keeps else f"walk-{rank}.npz")
        net, of_player, _, history = fit_policy(
            rows, rows, checkpoint, replace(SETTINGS, steps=steps), tell, by=by
        )
    if keeps:
        with (
            whole_file(folder / "fitted.npz", single_writer=True) as part,
            part.open("wb") as stream,
        ):
            np.savez(stream, net=net, of_player=of_player, history=json.dumps(history))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
