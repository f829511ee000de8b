"""The losses of a network by head: sums over a batch of negative log likelihoods, in nats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import torch
import torch.nn.functional as functional
from torch import Tensor

from haiyomi.networks.shape import WORTH_CLASSES
from haiyomi.training.network_module import Outputs
from haiyomi.training.tenpai_likelihood import log_likelihood

Targets: TypeAlias = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Loss:
    """``total`` nats over ``n`` labels; the gradient's share is total / rows of the batch."""

    total: Tensor
    n: Tensor

    def detach(self) -> Loss:
        """Without a gradient."""
        return Loss(self.total.detach(), self.n.detach())

    def plus(self, other: Loss | None) -> Loss:
        """The sum of both, on their device: to read a number would wait for it."""
        if other is None:
            return self
        return Loss(self.total + other.total, self.n + other.n)

    @property
    def mean(self) -> float:
        """Nats a label."""
        return float(self.total) / max(float(self.n), 1)


def discard_loss(out: Outputs, y: Targets) -> Loss:
    """The discard chosen, among those allowed."""
    some = y["discard"] >= 0
    z = out["discard"][some, :, 0].masked_fill(~y["legal"][some], -torch.inf)
    return Loss(functional.cross_entropy(z, y["discard"][some], reduction="sum"), some.sum())


def kan_loss(out: Outputs, y: Targets) -> Loss:
    """Each closed or added kan on offer."""
    return _binary(out["kan"][:, :, 0], y["kan"], y["kan_asked"].float())


def turn_loss(out: Outputs, y: Targets) -> Loss:
    """Riichi, tsumo and nine terminals."""
    return _binary(out["acts"], y["turn"], y["turn_asked"].float())


def offer_loss(out: Outputs, y: Targets) -> Loss:
    """The answer to another's tile; passing has logit 0."""
    some = y["offer"] >= 0
    z = out["acts"][some].masked_fill(~y["offer_asked"][some], -torch.inf)
    z = functional.pad(z, (0, 1))
    return Loss(functional.cross_entropy(z, y["offer"][some], reduction="sum"), some.sum())


def ron_loss(out: Outputs, y: Targets) -> Loss:
    """Each kind that an opponent could ron, of those that the rules leave open."""
    return _binary(out["ron"][..., 0], y["ron"], y["ron_weight"])


def tenpai_loss(out: Outputs, y: Targets) -> Loss:
    """Each opponent not in riichi."""
    return _binary(out["tenpai"][..., 0], y["tenpai"], y["tenpai_weight"])


def han_loss(out: Outputs, y: Targets) -> Loss:
    """The han class of a ron on the tile discarded."""
    row, seat = torch.nonzero(y["han"] >= 0, as_tuple=True)
    z = out["han"][row, seat, y["discard"][row]]
    n = torch.tensor(len(row), device=z.device)
    return Loss(functional.cross_entropy(z, y["han"][row, seat], reduction="sum"), n)


def count_loss(out: Outputs, y: Targets) -> Loss:
    """Each opponent's hidden hand, given the number of its tiles: exact over all hands."""
    held = y["hidden"].flatten(0, 1).long()
    log_ways = _LOG_WAYS.to(held.device)[y["unseen"].long()].repeat_interleave(3, 0)
    z = functional.pad(out["count"].flatten(0, 1), (1, 0)) + log_ways
    log_p = z.log_softmax(-1)
    own = log_p.gather(2, held[..., None])[..., 0].sum(1)
    total = held.sum(1)
    sums = product_of_polynomials(log_p.exp(), int(total.max()) + 1)
    given = sums.gather(1, total[:, None])[:, 0].clamp_min(1e-30).log()
    good = torch.isfinite(own)
    return Loss(torch.where(good, given - own, 0).sum(), good.sum())


def factors_loss(out: Outputs, y: Targets) -> Loss:
    """The true hand of each tenpai opponent under the exact posterior."""
    nats, n = log_likelihood(out, y)
    return Loss(-nats, n)


def ending_loss(out: Outputs, y: Targets) -> Loss:
    """How the hand ends, for all four seats at once."""
    nats = functional.cross_entropy(out["ending"], y["ending"], reduction="sum")
    return Loss(nats, torch.tensor(len(y["ending"]), device=nats.device))


def worth_loss(out: Outputs, y: Targets) -> Loss:
    """The class of worth of the winner's hand."""
    row = torch.nonzero(y["winner"] >= 0)[:, 0]
    z = out["worth"].unflatten(1, (4, WORTH_CLASSES))[row, y["winner"][row]]
    nats = functional.cross_entropy(z, y["worth"][row], reduction="sum")
    return Loss(nats, torch.tensor(len(row), device=nats.device))


def deposit_loss(out: Outputs, y: Targets) -> Loss:
    """Each seat without a riichi that does not win: whether it pays a deposit later."""
    return _binary(out["deposit"], y["deposit"], y["deposit_weight"])


LOSSES: Final[Mapping[str, Callable[[Outputs, Targets], Loss]]] = {
    "discard": discard_loss,
    "kan": kan_loss,
    "turn": turn_loss,
    "offer": offer_loss,
    "ron": ron_loss,
    "tenpai": tenpai_loss,
    "han": han_loss,
    "count": count_loss,
    "factors": factors_loss,
    "ending": ending_loss,
    "worth": worth_loss,
    "deposit": deposit_loss,
}
POLICY: Final = {"discard": 1.0, "kan": 1.0, "turn": 1.0, "offer": 1.0}
"""The weights of the policy's losses in the objective."""
STATE: Final = {"ending": 0.25, "worth": 0.1, "deposit": 0.1}
"""Those of the losses about the end of the hand, which is mostly chance."""
OPPONENTS: Final = {"ron": 1.0, "tenpai": 1.0, "han": 1.0, "count": 0.05, "factors": 0.3}
"""Those of the opponents' losses: a hidden hand has about 20 nats, a tenpai hand 10."""
_LOG_WAYS: Final = torch.tensor(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]]
).log()


def product_of_polynomials(p: Tensor, size: int) -> Tensor:
    """(n, size) the lowest coefficients of the product of (n, k) polynomials p (n, k, degree + 1).

    Of probabilities of counts by kind this is the distribution of their sum.
    """
    while p.shape[1] > 1:
        if p.shape[1] % 2:
            one = functional.pad(p.new_ones(len(p), 1, 1), (0, p.shape[2] - 1))
            p = torch.cat([p, one], 1)
        a, b = p[:, ::2], p[:, 1::2]
        degree, wide = p.shape[2], min(2 * p.shape[2] - 1, size)
        # Row t of the windows is b[t], b[t - 1], ..., with zeros beyond its ends.
        padded = functional.pad(b, (degree - 1, max(0, wide - degree)))[..., : degree - 1 + wide]
        p = (padded.unfold(-1, degree, 1).flip(-1) @ a[..., None])[..., 0]
    return p[:, 0]


def _binary(z: Tensor, y: Tensor, weight: Tensor) -> Loss:
    nats = functional.binary_cross_entropy_with_logits(z, y.float(), weight, reduction="sum")
    return Loss(nats, weight.sum())
