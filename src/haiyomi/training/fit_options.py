"""The fit of the options' network: to the differences of paired branches, by PyTorch.

Of a decision's branches each has a residual: what the model predicts less what came, of the 33
endings, of the class of the own win, and of the own points. The loss is the sum of squares of the
residuals about their mean over the branches: it is that of the pairs' differences, in which the
luck that the branches share cancels. Branches whose tile is won on at once do not count.

What came is mixed with what the policy's network said at the next own turn of the branch: the luck
of what follows is not in it, and the difference that the option makes mostly is.

Each member of the ensemble is fitted to the decisions of its own part of the games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from haiyomi.arrays import Ints, Singles
from haiyomi.errors import HaiyomiError
from haiyomi.networks.network import Network
from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.outcomes.joint import OWN_WINS
from haiyomi.outcomes.option_inputs import NAMES
from haiyomi.outcomes.option_model import OUTPUTS, OptionModel
from haiyomi.seeds import generator
from haiyomi.styles.policy import Policy
from haiyomi.training.option_rows import CHUNK, OptionRows

POINTS: Final = 4000.0
"""The unit of points in the loss."""
NO_SOURCE: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class OptionSettings:
    """How the networks are fitted: two layers of ``width``; ``epochs`` passes in batches of
    ``batch`` decisions; ``points``: the weight of the squared points beside the squared
    probabilities; ``turn``: the share in the target of what was said at the next own turn;
    ``members``: how many, each on its part of the games."""

    members: int = 2
    width: int = 96
    epochs: int = 8
    batch: int = 256
    rate: float = 2e-3
    decay: float = 0.5
    drop: float = 0.2
    points: float = 0.3
    turn: float = 0.5
    held: float = 0.1
    seed: int = 23


def fit_options(
    rows: OptionRows,
    policy: Policy,
    opponents: Network,
    settings: OptionSettings,
    log: Callable[[str], None] = print,
    source: Mapping[str, Any] = NO_SOURCE,
) -> OptionModel:
    """The networks fitted to some rows; a share ``held`` of each one's decisions, the last ones,
    says which epoch is the best. ``source``: what the manifest says of the rows. Raises
    HaiyomiError for too few rows."""
    fitted = [_Member.fit(rows, settings, number, log) for number in range(settings.members)]
    layers = {name: np.stack([each.layers[name] for each in fitted]) for name in fitted[0].layers}
    manifest = {
        **source,
        "settings": asdict(settings),
        "decisions": [each.decisions for each in fitted],
        "branches": [each.branches for each in fitted],
        "held": [
            {"decisions": each.held, "explained": round(each.explained, 5)} for each in fitted
        ],
    }
    return OptionModel(policy, opponents, layers, manifest)


def of_member(rows: OptionRows, number: int, members: int) -> Ints:
    """The decisions of the games of one member, by the high bits of ``number``; those of a game
    side by side."""
    _, game = np.unique(rows.number >> np.uint64(48), return_inverse=True)
    order = np.argsort(game, kind="stable")
    out: Ints = order[game[order] % members == number]
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Member:
    """One fitted network: its ``layers``, how many ``decisions`` and ``branches`` it was fitted to,
    and how much of the squared differences it explains on the decisions that were ``held``."""

    layers: dict[str, Singles]
    decisions: int
    branches: int
    held: int
    explained: float

    @classmethod
    def fit(
        cls, rows: OptionRows, settings: OptionSettings, number: int, log: Callable[[str], None]
    ) -> _Member:
        mine = of_member(rows, number, settings.members)
        n_fit = int(len(mine) * (1 - settings.held))
        if n_fit < settings.batch:
            raise HaiyomiError(f"{len(mine)} branched decisions are too few to fit options")
        torch.manual_seed(settings.seed + number)
        net = OptionModule.of(rows, settings)
        steps = settings.epochs * (n_fit // settings.batch)
        optimizer = torch.optim.AdamW(net.parameters(), settings.rate, weight_decay=settings.decay)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, settings.rate, total_steps=steps + 1
        )
        rng = generator(settings.seed, "options", number)
        held = mine[n_fit:]
        best, layers = np.inf, net.layers()
        for epoch in range(settings.epochs):
            net.train()
            shuffled = rng.permutation(mine[:n_fit])
            total = np.zeros(2)
            for at in range(0, n_fit - settings.batch + 1, settings.batch):
                loss, zero = net.loss(rows, shuffled[at : at + settings.batch])
                optimizer.zero_grad()
                torch.autograd.backward(loss)
                optimizer.step()
                schedule.step()
                total += [float(loss.detach()), float(zero)]
            net.eval()
            with torch.no_grad():
                parts = [net.loss(rows, held[at : at + CHUNK]) for at in range(0, len(held), CHUNK)]
            left = sum(float(loss) for loss, _ in parts) / max(
                sum(float(p) for _, p in parts), 1e-9
            )
            log(f"member {number + 1}, epoch {epoch + 1}: {1 - total[0] / total[1]:.5f} of the "
                f"squared differences explained, held {1 - left:.5f}")  # fmt: skip
            if left < best:
                best, layers = left, net.layers()
        branches = int(np.isin(rows.row, mine[:n_fit]).sum())
        return cls(layers, n_fit, branches, len(held), 1 - float(best))


class Batch:
    """Tensors of some decisions: of all their options, and of their branches."""

    def __init__(self, rows: OptionRows, which: Ints, turn: float) -> None:
        which = np.sort(which)
        option, counts = _ranges(rows.begins[which], rows.begins[which + 1])
        begin = np.searchsorted(rows.row, which)
        branch, _ = _ranges(begin, np.searchsorted(rows.row, which, "right"))
        branch = branch[rows.later[branch]]
        tensor = torch.from_numpy
        self.own = tensor(rows.own[option].astype(np.float32))
        self.pooled = tensor(rows.pooled[which].astype(np.float32))
        self.share = tensor(rows.share[option])
        self.row = tensor(np.repeat(np.arange(len(which)), counts))
        self.state = tensor(rows.state[which])
        self.pay, self.win = tensor(rows.pay[which]), tensor(rows.win[which])
        self.fixed = tensor(rows.fixed[rows.option[branch]])
        self.taken = tensor(np.searchsorted(option, rows.option[branch]))
        self.of = tensor(np.searchsorted(which, rows.row[branch]))
        share = turn * rows.turn[branch].astype(np.float32)[:, None]
        ending = rows.ending[branch][:, None] == np.arange(JOINT_ENDINGS)
        own = rows.own_worth[branch][:, None] == np.arange(WORTH_CLASSES)
        self.ending = tensor((1 - share) * ending + share * rows.turn_ending[branch])
        self.own_win = tensor((1 - share) * own + share * rows.turn_own[branch])
        self.points = tensor(
            (1 - share[:, 0]) * rows.points[branch] + share[:, 0] * rows.turn_points[branch]
        )


def _ranges(begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """The numbers of some ranges one after another, and the length of each."""
    counts = ends - begins
    return np.repeat(begins - np.cumsum(counts) + counts, counts) + np.arange(counts.sum()), counts


class OptionModule(nn.Module):
    """The network of ``OptionModel`` in torch, whose inputs it brings to one scale first."""

    def __init__(
        self, mean: Tensor, scale: Tensor, channels: int, settings: OptionSettings
    ) -> None:
        super().__init__()
        self.settings, self.channels = settings, channels
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)
        self.enter = nn.Linear(len(mean), settings.width)
        self.hidden = nn.Linear(settings.width, settings.width)
        self.out = nn.Linear(settings.width, OUTPUTS, bias=False)
        nn.init.zeros_(self.out.weight)

    @classmethod
    def of(cls, rows: OptionRows, settings: OptionSettings) -> OptionModule:
        """With zeros for the last layer: at first an option adds nothing."""
        some = slice(0, 100_000)
        parts = [rows.own[some].astype(np.float32), rows.pooled[some].astype(np.float32)]
        mean = np.concatenate([part.mean(axis=0) for part in parts])
        scale = np.concatenate([part.std(axis=0) for part in parts]) + np.float32(0.05)
        channels = rows.own.shape[1] - len(NAMES)
        return cls(torch.from_numpy(mean), torch.from_numpy(scale), channels, settings)

    def forward(self, batch: Batch) -> Tensor:
        """(m, OUTPUTS) what each option adds, centred by the policy's shares."""
        mean, scale = self.get_buffer("mean"), self.get_buffer("scale")
        own = batch.own.shape[1]
        x = functional.dropout((batch.own - mean[:own]) / scale[:own], self.settings.drop,
                               self.training)  # fmt: skip
        pooled = functional.dropout((batch.pooled - mean[own:]) / scale[own:], self.settings.drop,
                                    self.training)  # fmt: skip
        weight = self.enter.weight
        hidden = x @ weight[:, :own].T + (pooled @ weight[:, own:].T)[batch.row] + self.enter.bias
        found: Tensor = self.out(functional.relu(self.hidden(functional.relu(hidden))))
        shared = torch.zeros(len(batch.state), OUTPUTS).index_add(
            0, batch.row, found * batch.share[:, None]
        )
        return found - shared[batch.row]

    def loss(self, rows: OptionRows, which: Ints) -> tuple[Tensor, Tensor]:
        """The sum of squares of some decisions, and that of a model without options."""
        batch = Batch(rows, which, self.settings.turn)
        added = self(batch)[batch.taken]
        return self._squares(batch, added), self._squares(batch, torch.zeros_like(added))

    def _squares(self, batch: Batch, added: Tensor) -> Tensor:
        logits = batch.state[batch.of] + added
        p = functional.softmax(logits[:, :JOINT_ENDINGS], 1)
        worth = functional.softmax(logits[:, JOINT_ENDINGS:], 1)
        won = p[:, OWN_WINS].sum(1)
        points = (p * batch.pay[batch.of]).sum(1) + won * (worth * batch.win[batch.of]).sum(1)
        points = points + batch.fixed * (1 - won)
        residual = torch.cat(
            [
                p - batch.ending,
                won[:, None] * worth - batch.own_win,
                self.settings.points**0.5 * (points - batch.points)[:, None] / POINTS,
            ],
            1,
        )
        n = len(batch.state)
        count = torch.zeros(n).index_add(0, batch.of, torch.ones(len(batch.of)))
        mean = torch.zeros(n, residual.shape[1]).index_add(0, batch.of, residual)
        mean = mean / count.clamp(min=1)[:, None]
        return (residual - mean[batch.of]).square().sum() / n

    def layers(self) -> dict[str, Singles]:
        """The weights of ``OptionModel``, on inputs as they are."""
        mean, scale = self.get_buffer("mean"), self.get_buffer("scale")
        weight = self.enter.weight.detach() / scale
        bias = self.enter.bias.detach() - weight @ mean
        own = self.channels + len(NAMES)
        parts = {
            "channels": weight[:, : self.channels].T,
            "exact": weight[:, self.channels : own].T,
            "pooled": weight[:, own:].T,
            "bias": bias[None],
            "hidden": self.hidden.weight.detach().T,
            "hidden bias": self.hidden.bias.detach()[None],
            "out": self.out.weight.detach().T,
        }
        return {name: part.contiguous().numpy().copy() for name, part in parts.items()}
