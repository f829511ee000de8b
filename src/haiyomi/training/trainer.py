"""One Trainer for every network: batches, losses by head, AdamW, weight averaging, checkpoints.

It runs in one process, on a GPU where there is one, or in the processes of torchrun: there each has
its part of every batch, and DistributedDataParallel averages the gradients, so that the losses are
those of one process up to rounding. The same seed, rows and settings give the same weights in one
process, however often the run was stopped. Threads prepare the next batches meanwhile.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel
from torch.optim.swa_utils import AveragedModel

from haiyomi.arrays import Ints, Singles
from haiyomi.engines.processes import default_jobs
from haiyomi.errors import DatasetError
from haiyomi.game.decision_record import without_tedashi
from haiyomi.networks.features import inputs_of
from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.shape import Shape
from haiyomi.seeds import generator
from haiyomi.storage.arrays_file import load_arrays, save_arrays
from haiyomi.storage.resume import Progress
from haiyomi.training.batches import Place, Source, TrainingRows, batches
from haiyomi.training.losses import LOSSES, OPPONENTS, POLICY, STATE, Loss
from haiyomi.training.network_module import NetworkModule, Outputs
from haiyomi.training.ranks import Ranks
from haiyomi.training.targets import opponent_targets, policy_targets, state_targets

Line: TypeAlias = dict[str, float]
"""A line of a run's history: nats a label by loss, valid ones with their name, rows a second."""
RATE: Final = "rows/s"
History: TypeAlias = list[Line]
Log: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """How a network is trained: ``steps`` of ``batch`` rows.

    AdamW with learning rate ``rate``: a linear warm-up over ``warm`` steps, at most a tenth of
    them, a constant, and a linear decay to zero over the share ``cool`` of the steps at the end, so
    that a longer run repeats a shorter one up to where that cools. ``style_rate``: that of the
    style table, without weight decay. ``average``: what of the running mean of the weights stays at
    a step. ``style_drop``: the share of rows in which the player's style is left out;
    ``style_prior``: the precision of the styles' normal prior. ``forget``: the share of rows whose
    viewer does not remember tedashi. ``bfloat16``: the type of the channels on a GPU and on
    processors with instructions for it; weights are float32. ``losses``: the weight of each loss in
    the objective. ``check``: steps between two looks at valid rows, each with a checkpoint.
    """

    shape: Shape
    losses: Mapping[str, float] = field(default_factory=lambda: dict(POLICY))
    steps: int = 18_000
    batch: int = 512
    rate: float = 1.5e-3
    warm: int = 500
    cool: float = 0.2
    decay: float = 0.01
    average: float = 0.999
    style_rate: float = 0.01
    style_drop: float = 0.3
    style_prior: float = 4.0
    forget: float = 0.1
    bfloat16: bool = True
    seed: int = 5
    check: int = 500


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a step reads, on the processor: the ``inputs`` of the network, the ``targets`` by name,
    the rows' ``player`` (n,), 0 where the style is left out, how many ``rows`` all processes have,
    and the ``place`` after the batch."""

    inputs: tuple[Tensor, ...]
    targets: dict[str, Tensor]
    player: Ints
    rows: int
    place: Place


MAY_CHANGE = ("check",)
"""Settings that may differ when a run resumes."""
BATCH_OF_VALID = 512
SAVE_SECONDS = 60.0
"""The time after which a checkpoint is written between two looks at valid rows."""


class Trainer:
    """Trains one network on the rows of a source; ``checkpoint`` is the file that a run resumes
    from, ``rows_of_player`` (players + 1,) how many rows each style has in a pass."""

    def __init__(
        self,
        settings: TrainSettings,
        source: Source,
        valid: TrainingRows,
        checkpoint: Path,
        rows_of_player: Singles | None = None,
        log: Log = print,
        ranks: Ranks | None = None,
    ) -> None:
        self.settings, self.source, self.valid = settings, source, valid
        self.checkpoint, self.log = checkpoint, log
        self.ranks = ranks or Ranks()
        players = np.zeros(1) if rows_of_player is None else rows_of_player
        self._of_player = torch.from_numpy(np.maximum(players, 1).astype(np.float32))
        self.device = self.ranks.device
        self._bfloat16 = settings.bfloat16 and (self.device.type == "cuda" or _has_bfloat16())
        self.module = NetworkModule(settings.shape, len(players) - 1)
        self.module.set_flat(
            first_weights(settings.shape, generator(settings.seed, "network", "weights"))
        )
        self.module.to(self.device)
        self.average = AveragedModel(self.module, multi_avg_fn=self._running_mean)
        self.optimizer = _optimizer(self.module, settings)
        self.done = 0
        self.place = Place()
        self.history: History = []

    def run(self, minutes: float | None = None, progress: Progress | None = None) -> bool:
        """Train to the last step, or for so many minutes and one step at least; True after the
        last step. One that is stopped otherwise loses the steps of at most SAVE_SECONDS.

        Raises DatasetError for a checkpoint of other rows or settings.
        """
        self._resume()
        if self.done == self.settings.steps:
            return True
        began, last_check = time.monotonic(), time.monotonic()
        self.module.train()
        model: torch.nn.Module = self.module
        if self.ranks.size > 1:
            model = DistributedDataParallel(self.module, find_unused_parameters=True)
        sums: dict[str, Loss] = {}
        done_before, saved = self.done, began
        settings = self.settings
        for batch in self._batches():
            self._step(model, batch, sums)
            self.done += 1
            self.place = batch.place
            if self.done % settings.check == 0 or self.done == settings.steps:
                seconds = time.monotonic() - last_check
                speed = (self.done - done_before) * settings.batch / max(seconds, 1e-9)
                self._check(sums, speed)
                sums, done_before, last_check = {}, self.done, time.monotonic()
                saved = last_check
            elif time.monotonic() - saved > SAVE_SECONDS:
                self._save()
                saved = time.monotonic()
            if progress is not None:
                progress(self.done, settings.steps)
            late = minutes is not None and time.monotonic() - began > 60 * minutes
            if self.done == settings.steps or self.ranks.any(late):
                break
        if (self.history and self.history[-1]["step"] != self.done) or not self.history:
            self._save()
        return self.done == settings.steps

    def weights(self) -> Singles:
        """The averaged weights, as the core takes them."""
        averaged: Any = self.average.module
        found: Singles = averaged.flat()
        return found

    def styles(self) -> Singles:
        """(players, STYLE) of the averaged weights."""
        averaged: Any = self.average.module
        out: Singles = averaged.styles.weight[1:].detach().cpu().numpy()
        return out

    def _batches(self) -> Iterator[Batch]:
        """Those of the steps from ``done`` on, prepared by threads before they are needed."""
        workers = max(1, default_jobs() // self.ranks.size) if self.device.type == "cuda" else 1
        waiting: deque[Future[Batch]] = deque()
        rows = batches(self.source, self.settings.batch, self.settings.seed, self.place)
        with ThreadPoolExecutor(workers) as pool:
            try:
                for number, (after, part) in enumerate(rows, self.done):
                    waiting.append(pool.submit(self._prepared, number, part, after))
                    if len(waiting) > workers:
                        yield waiting.popleft().result()
            finally:
                for left in waiting:
                    left.cancel()

    def _prepared(self, step: int, rows: TrainingRows, after: Place) -> Batch:
        """This process's part of the batch of a step."""
        settings = self.settings
        rng = generator(settings.seed, "network", "batch", step)
        mirror = (rng.random(len(rows)) < 0.5).astype(np.uint8)
        dropped = rng.random(len(rows)) < settings.style_drop
        forgotten = rng.random(len(rows)) < settings.forget
        mine = np.arange(len(rows))[self.ranks.number :: self.ranks.size]
        part = rows.take(mine)
        player = np.where(dropped[mine], 0, part.player)
        return self._batch(part, mirror[mine], player, len(rows), after, forgotten[mine])

    def _step(self, model: torch.nn.Module, batch: Batch, sums: dict[str, Loss]) -> None:
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = group["top"] * self._schedule()
        found, y = self._forward(model, batch)
        objective = torch.zeros((), device=self.device)
        for name, weight in settings.losses.items():
            loss = LOSSES[name](found, y)
            objective = objective + weight * loss.total
            sums[name] = loss.detach().plus(sums.get(name))
        self.optimizer.zero_grad(set_to_none=True)
        objective = objective + self._prior(batch.player)
        # A rank's sum over its rows; the mean over ranks is the mean over the batch.
        (objective * (self.ranks.size / batch.rows)).backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.optimizer.step()
        self.average.update_parameters(self.module)

    def _running_mean(
        self, mean: Sequence[Tensor], now: Sequence[Tensor], updates: Tensor | int
    ) -> None:
        """An exponential moving average; at first the last weights count more."""
        n = float(updates)
        keep = min(self.settings.average, n / (n + 10))
        with torch.no_grad():
            for a, b in zip(mean, now, strict=True):
                a.lerp_(b, 1 - keep)

    def _prior(self, player: NDArray[Any]) -> Tensor:
        """The styles' share of the prior: each row brings a part of its player's."""
        if len(self._of_player) == 1:
            return torch.zeros((), device=self.device)
        index = torch.from_numpy(player)
        share = (self.settings.style_prior / 2 / self._of_player[index]).to(self.device)
        style = self.module.styles(index.to(self.device))
        out: Tensor = (share[:, None] * style.square()).sum()
        return out

    def _batch(
        self, rows: TrainingRows, mirror: NDArray[Any], player: Ints, whole: int,
        after: Place, forgotten: NDArray[Any] | None = None,
    ) -> Batch:  # fmt: skip
        """The inputs and targets of rows, of a batch with ``whole`` rows."""
        records = rows.records
        if forgotten is not None and forgotten.any():
            records = records.copy()
            records[forgotten] = without_tedashi(records[forgotten])
        opponents = bool(self.settings.shape.opponent.width)
        x = inputs_of(records, mirror, opponents)
        given: list[NDArray[Any]] = [x.x, x.context, x.focus, player]
        if x.opponent_x is not None and x.opponent_context is not None:
            given += [x.opponent_x, x.opponent_context]
        y: dict[str, NDArray[Any]] = {}
        if any(name in POLICY for name in self.settings.losses):
            y |= policy_targets(rows.records, rows.labels["choice"], mirror)
        if any(name in STATE for name in self.settings.losses):
            y |= state_targets(rows.records, rows.labels)
        if any(name in OPPONENTS for name in self.settings.losses):
            y |= opponent_targets(rows.records, rows.labels, mirror)
        targets = {
            name: self._ready(torch.from_numpy(np.ascontiguousarray(v))) for name, v in y.items()
        }
        return Batch(tuple(map(self._input, given)), targets, player, whole, after)

    def _forward(self, model: torch.nn.Module, batch: Batch) -> tuple[Outputs, dict[str, Tensor]]:
        """The outputs for a batch and its targets, on the device."""
        y = {name: part.to(self.device, non_blocking=True) for name, part in batch.targets.items()}
        given = (part.to(self.device, non_blocking=True) for part in batch.inputs)
        found: Outputs = model(*given)
        return found, y

    def _input(self, array: NDArray[Any]) -> Tensor:
        """An input, floats in the type in which the network computes."""
        out = torch.from_numpy(array)
        wide = self._bfloat16 and out.is_floating_point()
        return self._ready(out.bfloat16() if wide else out)

    def _ready(self, tensor: Tensor) -> Tensor:
        """Where a GPU copies it from while it computes."""
        return tensor.pin_memory() if self.device.type == "cuda" else tensor

    def _schedule(self) -> float:
        s, left = self.settings, self.settings.steps - self.done
        warm = max(1, min(s.warm, s.steps // 10))
        return min(1.0, (self.done + 1) / warm, left / (s.cool * s.steps))

    @torch.no_grad()
    def _valid(self) -> Line:
        """Nats a label of the averaged weights on the valid rows, by loss."""
        sums: dict[str, Loss] = {}
        top: list[float] = [0.0, 0.0, 0.0]
        self.average.eval()
        for at in range(0, len(self.valid), BATCH_OF_VALID):
            rows = self.valid.take(np.arange(at, min(at + BATCH_OF_VALID, len(self.valid))))
            nothing = np.zeros(len(rows), np.uint8)
            player = np.zeros(len(rows), np.int64)
            batch = self._batch(rows, nothing, player, len(rows), self.place)
            found, y = self._forward(self.average, batch)
            for name in self.settings.losses:
                sums[name] = LOSSES[name](found, y).plus(sums.get(name))
            if "discard" in self.settings.losses:
                top = [a + b for a, b in zip(top, _places(found, y), strict=True)]
        out = {f"valid {name}": round(loss.mean, 5) for name, loss in sums.items()}
        if top[2]:
            out |= {"top1": round(top[0] / top[2], 4), "top3": round(top[1] / top[2], 4)}
        return out

    def _check(self, sums: Mapping[str, Loss], speed: float) -> None:
        if self.ranks.number == 0:
            line: Line = {"step": self.done, "passes": self.place.epoch}
            line |= {name: round(loss.mean, 5) for name, loss in sums.items()}
            line |= self._valid()
            line[RATE] = round(speed)
            self.history.append(line)
            self.log("  ".join(f"{name} {value}" for name, value in line.items()))
        else:
            self.history.append({"step": self.done})
        self._save()

    def _mark(self) -> str:
        settings = {k: v for k, v in asdict(self.settings).items() if k not in MAY_CHANGE}
        return json.dumps([settings, self.source.digest, len(self._of_player)], sort_keys=True)

    def _save(self) -> None:
        if self.ranks.number != 0:
            return
        arrays = {f"weight {k}": v.detach().cpu().numpy() for k, v in
                  self.module.state_dict().items()}  # fmt: skip
        arrays |= {f"average {k}": v.detach().cpu().numpy() for k, v in
                   self.average.state_dict().items()}  # fmt: skip
        for number, state in self.optimizer.state_dict()["state"].items():
            arrays |= {f"adam {number} {k}": v.detach().cpu().numpy() for k, v in state.items()}
        at = json.dumps([self.done, *asdict(self.place).values(), self.history])
        save_arrays(self.checkpoint, arrays | {"mark": np.array(self._mark()), "at": np.array(at)})

    def _resume(self) -> None:
        data = load_arrays(self.checkpoint)
        if data is None:
            return
        if str(data["mark"]) != self._mark():
            raise DatasetError(
                f"{self.checkpoint} is the checkpoint of other rows or settings: go on with those, "
                "name another folder, or delete it"
            )
        tensors = {k: torch.from_numpy(v) for k, v in data.items() if k not in ("mark", "at")}
        self.module.load_state_dict(_named(tensors, "weight "))
        self.average.load_state_dict(_named(tensors, "average "))
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in _named(tensors, "adam ").items():
            number, key = name.split(" ")
            state.setdefault(int(number), {})[key] = value
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})
        self.done, epoch, segment, batch, self.history = json.loads(str(data["at"]))
        self.place = Place(epoch, segment, batch)
        if self.done:
            self.log(f"resumed at step {self.done}")


def progress_of(checkpoint: Path) -> tuple[int, History]:
    """The steps done in a run up to its last checkpoint, and its lines; (0, []) before the
    first."""
    data = load_arrays(checkpoint)
    if data is None:
        return 0, []
    done, *_, history = json.loads(str(data["at"]))
    return done, history


def _named(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}


def _optimizer(module: NetworkModule, settings: TrainSettings) -> torch.optim.AdamW:
    styles = list(module.styles.parameters())
    others = [p for name, p in module.named_parameters() if not name.startswith("styles")]
    groups = [
        {"params": others, "top": settings.rate, "weight_decay": settings.decay},
        {"params": styles, "top": settings.style_rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, fused=True)


def _places(found: Outputs, y: Mapping[str, Tensor]) -> list[float]:
    """How often the discard chosen is likeliest, among the three likeliest, and of how many."""
    some = y["discard"] >= 0
    z = found["discard"][some, :, 0].masked_fill(~y["legal"][some], -torch.inf)
    own = z.gather(1, y["discard"][some][:, None])
    better = (z > own).sum(1)
    return [float((better < n).sum()) for n in (1, 3)] + [float(len(better))]


def _has_bfloat16() -> bool:
    """Whether the processor has instructions for bfloat16, without which its products take ten
    times as long as those of float32. oneDNN knows; some builds are without it."""
    if not torch.backends.mkldnn.is_available():
        return False
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
