"""The networks over decision records as torch modules, for training.

Parameters have the names and shapes of ``networks.shape.Shape.parts``, so that weights go from and
to the core's flat array. The core's forward pass agrees with this one (``tests/training``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from haiyomi.arrays import Singles
from haiyomi.kernels.network import LANE, STYLE, STYLE_AT
from haiyomi.networks.shape import Heads, Shape, Tower

Outputs: TypeAlias = dict[str, Tensor]
_BLOCK = ("neighbours", "suit", "hand", "bias", "project", "honours", "hand honours",
          "bias honours", "project honours")  # fmt: skip


class TowerModule(nn.Module):
    """One tower: residual blocks over the kinds, weights shared by the suits.

    It computes in ``dtype``, that of the inputs; the weights stay float32. Autocast would convert
    the channels anew for each product, which took longer than the products.
    """

    def __init__(self, tower: Tower, parts: Mapping[str, tuple[int, int]]) -> None:
        super().__init__()
        self.tower = tower
        self.dtype = torch.float32
        self.weights = nn.ParameterDict(
            {_key(name): nn.Parameter(torch.zeros(shape)) for name, shape in parts.items()}
        )

    def weight(self, name: str) -> Tensor:
        """A weight by its name in ``Shape.parts``, without the tower's prefix."""
        found: Tensor = self.weights[_key(name)]
        return found

    def part(self, name: str) -> Tensor:
        """The same as the tower computes with it."""
        return self.weight(name).to(self.dtype)

    def enter(self, x: Tensor, context: Tensor, rows: slice = slice(None)) -> tuple[Tensor, Tensor]:
        """(n, 27, width) and (n, 7, width) of inputs (n, 34, features), before the ReLU; ``rows``
        are those of the input weights that x stands for."""
        suits = x[:, :27] @ self.part("in")[rows]
        honours = x[:, 27:] @ self.part("in honours")[rows]
        by_context = context @ self.part("in context") + self.part("in bias")
        by_honours = context @ self.part("in context honours") + self.part("in bias honours")
        return suits + by_context[:, None], honours + by_honours[:, None]

    def forward(self, suits: Tensor, honours: Tensor) -> tuple[Tensor, Tensor]:
        """Channels (n, 3, 9, width) and (n, 7, width) after the blocks."""
        x = functional.relu(suits).reshape(-1, 3, 9, self.tower.width)
        h = functional.relu(honours)
        for number in range(self.tower.blocks):
            x, h = self.block(number, x, h)
        return x, h

    def block(self, number: int, x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        """One residual block."""
        (neighbours, suit, hand, bias, project, honours, hand_honours, bias_honours,
         project_honours) = (self.part(f"{number} {name}") for name in _BLOCK)  # fmt: skip
        suit_sum = x.sum(2)
        mean = (suit_sum.sum(1) + h.sum(1)) / 34
        shift = (suit_sum / 9) @ suit + (mean @ hand + bias)[:, None]
        below, own, above = neighbours.chunk(3)
        # Three products and shifts cost less than one product of copied windows.
        up = x @ own + shift[:, :, None]
        up = up + functional.pad(x[:, :, :-1] @ below, (0, 0, 1, 0))
        up = up + functional.pad(x[:, :, 1:] @ above, (0, 0, 0, 1))
        up_honours = h @ honours + (mean @ hand_honours + bias_honours)[:, None]
        return (
            x + functional.relu(up) @ project,
            h + functional.relu(up_honours) @ project_honours,
        )

    def heads(self, x: Tensor, h: Tensor, context: Tensor, focus: Tensor | None) -> Outputs:
        """The outputs by head, (n, 34, size) and (n, size), float32; ``focus`` (n,) kinds, 34
        without."""
        channels = torch.cat([x.flatten(1, 2), h], 1)
        out: Outputs = {}
        if self.tower.kinds:
            found = torch.cat([x.flatten(1, 2) @ self.part("out"), h @ self.part("out honours")], 1)
            out |= columns(found.float() + self.weight("out bias"), self.tower.kinds)
        if self.tower.whole:
            pooled = (x.sum((1, 2)) + h.sum(1)) / 34 @ self.part("pooled mean")
            if focus is not None:
                padded = functional.pad(channels, (0, 0, 0, 1))
                at = padded[torch.arange(len(focus), device=focus.device), focus]
                pooled = pooled + at @ self.part("pooled focus")
            pooled = pooled + context @ self.part("pooled context") + self.part("pooled bias")
            found = functional.relu(pooled) @ self.part("whole")
            out |= columns(found.float() + self.weight("whole bias"), self.tower.whole)
        return out


class NetworkModule(nn.Module):
    """The towers of a network, and a table of style vectors by player, the first of them zeros."""

    def __init__(self, shape: Shape, players: int = 0) -> None:
        super().__init__()
        self.shape = shape
        parts = {name: (rows, wide) for name, rows, wide in shape.parts}
        ours = {n: s for n, s in parts.items() if not n.startswith("opponent ")}
        self.decision = TowerModule(shape.decision, ours)
        self.opponent: TowerModule | None = None
        if shape.opponent.width:
            others = {n.removeprefix("opponent "): s for n, s in parts.items() if n not in ours}
            self.opponent = TowerModule(shape.opponent, others)
        self.styles = nn.Embedding(players + 1, STYLE, padding_idx=0)
        nn.init.zeros_(self.styles.weight)

    def forward(
        self,
        x: Tensor,
        context: Tensor,
        focus: Tensor,
        player: Tensor,
        opponent_x: Tensor | None = None,
        opponent_context: Tensor | None = None,
    ) -> Outputs:
        """The outputs by head, in the mirrored frame of the inputs (``networks.features``).

        x (n, 34, KIND), context (n, CONTEXT), focus (n,) kinds, 34 without, player (n,) rows of
        the style table; opponents' (n, 3, 34, OPPONENT_KIND) and (n, 3, OPPONENT_CONTEXT). All
        is computed in the type of the inputs, float32 or bfloat16.
        """
        self.decision.dtype = x.dtype
        style = self.styles(player).to(context.dtype)
        context = torch.cat([context[:, :STYLE_AT], style, context[:, STYLE_AT + STYLE :]], 1)
        suits, honours = self.decision(*self.decision.enter(x, context))
        out: Outputs = self.decision.heads(suits, honours, context, focus)
        if self.opponent is not None:
            assert opponent_x is not None
            assert opponent_context is not None
            self.opponent.dtype = x.dtype
            channels = torch.cat([suits.flatten(1, 2), honours], 1)
            out |= self._opponents(self.opponent, channels, opponent_x, opponent_context)
        return out

    def _opponents(
        self, tower: TowerModule, channels: Tensor, x: Tensor, context: Tensor
    ) -> Outputs:
        n, wide = len(channels), channels.shape[2]
        flat = context.flatten(0, 1)
        own, own_honours = tower.enter(x.flatten(0, 1), flat, slice(wide, None))
        # The decision's channels are the same for the three opponents.
        shared = channels[:, :27] @ tower.part("in")[:wide]
        shared_honours = channels[:, 27:] @ tower.part("in honours")[:wide]
        suits, honours = tower(
            own + shared.repeat_interleave(3, 0),
            own_honours + shared_honours.repeat_interleave(3, 0),
        )
        found = tower.heads(suits, honours, flat, None)
        return {name: part.reshape(n, 3, *part.shape[1:]) for name, part in found.items()}

    def set_flat(self, weights: Singles) -> None:
        """Take the weights of the core's flat array."""
        at = 0
        with torch.no_grad():
            for name, rows, wide in self.shape.parts:
                part = weights[at : at + rows * wide].reshape(rows, wide)
                self._part(name).copy_(torch.from_numpy(np.array(part)))
                at += rows * wide

    def flat(self) -> Singles:
        """The weights as the core's flat array."""
        parts = [self._part(name).detach().cpu().float().reshape(-1) for name, _, _ in
                 self.shape.parts]  # fmt: skip
        out: Singles = torch.cat(parts).numpy()
        return out

    def _part(self, name: str) -> Tensor:
        if name.startswith("opponent "):
            assert self.opponent is not None
            return self.opponent.weight(name.removeprefix("opponent "))
        return self.decision.weight(name)


def columns(values: Tensor, heads: Heads) -> Outputs:
    """The last axis cut into heads; what pads it is left out."""
    sizes = [size for _, size in heads]
    pad = -sum(sizes) % LANE
    parts = torch.split(values, [*sizes, pad] if pad else sizes, -1)
    return {name: part for (name, _), part in zip(heads, parts, strict=False)}


def _key(name: str) -> str:
    """A name that torch takes for a parameter."""
    return name.replace(" ", "_")
