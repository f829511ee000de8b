"""The likelihood of true tenpai hands under the exact posterior, as a torch function.

The core sums over every tenpai hand and gives the gradient by every log factor
(``kernels.posterior.likelihood_gradients``); torch carries it back into the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from haiyomi.arrays import Floats
from haiyomi.kernels.posterior import likelihood_gradients, split_marginals, ways

LIMIT = 20.0
"""No log factor is larger."""
MOST = 192
"""Tenpai opponents of a batch that are summed over; the others' share falls on these. A closed
hand takes the core half a millisecond."""


class _Likelihood(torch.autograd.Function):
    """(m,) log P(true hand) of log factors; nan where the factors forbid it."""

    @staticmethod
    def forward(
        ctx: Any, factors: Tensor, tiles: Tensor, shape: Tensor, irregular: Tensor,
        hidden: Tensor, unseen: Tensor,
    ) -> Tensor:  # fmt: skip
        """factors (m, 34, 8), tiles (m, 28), shape (m, 15), irregular (m, 2), hidden and unseen
        (m, 34)."""
        log = factors.detach().double().clamp(-LIMIT, LIMIT).cpu().numpy()
        truth = np.ascontiguousarray(hidden.cpu().numpy().astype(np.uint8))
        count = ways(unseen.cpu().numpy().astype(np.int64))
        count[:, :, 1:] *= np.exp(log[:, :, :4])
        by_suit, by_honours = _exp(tiles)[:, None, :14], _exp(tiles)[:, None, 14:]
        totals, gradient = likelihood_gradients(
            truth.sum(axis=1).astype(np.uint8), count,
            np.concatenate([np.repeat(by_suit, 3, axis=1), by_honours], axis=1),
            np.ascontiguousarray(np.exp(log[:, :, 4:])), _exp(shape), _exp(irregular), truth,
        )  # fmt: skip
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.log(totals[:, 1]) - np.log(totals[:, 0])
        found[~np.isfinite(found)] = np.nan
        gradient[np.isnan(found)] = 0.0
        ctx.save_for_backward(torch.from_numpy(gradient))
        ctx.device = factors.device
        return torch.from_numpy(found.astype(np.float32)).to(factors.device)

    @staticmethod
    def backward(ctx: Any, *given: Any) -> Any:
        (rows,) = ctx.saved_tensors
        by_hand = given[0].nan_to_num().double().cpu().numpy()[:, None]
        count, tiles, wait, shape, irregular = split_marginals(rows.numpy() * by_hand)
        factors = np.concatenate([count[:, :, 1:], wait], axis=2)
        of_tiles = np.concatenate([tiles[:, :3].sum(axis=1), tiles[:, 3]], axis=1)
        found = (factors, of_tiles, shape, irregular)
        return (*(torch.from_numpy(np.array(g, np.float32)).to(ctx.device) for g in found),
                None, None)  # fmt: skip


def _exp(log: Tensor) -> Floats:
    out: Floats = np.exp(log.detach().double().clamp(-LIMIT, LIMIT).cpu().numpy())
    return out


def log_likelihood(out: Mapping[str, Tensor], y: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
    """(summed log P(true hand), their number) of the tenpai opponents of a batch, at most MOST of
    them, the first ones; their sum is scaled up to all."""
    row, seat = torch.nonzero(y["tenpai"], as_tuple=True)
    total = len(row)
    row, seat = row[:MOST], seat[:MOST]
    if total == 0:
        return out["factors"].sum() * 0, torch.tensor(0)
    found = _Likelihood.apply(
        out["factors"][row, seat], out["tiles"][row, seat], out["shape"][row, seat],
        out["irregular"][row, seat], y["hidden"][row, seat], y["unseen"][row],
    )  # fmt: skip
    good = ~found.isnan()
    scale = total / max(1, int(good.sum()))
    return torch.where(good, found, 0).sum() * scale, torch.tensor(total)
