"""A network: its shape and weights, its answers to decision records, and its file.

The core does the arithmetic, without torch (``cpp/core/network.hpp``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Singles
from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels import network as kernel
from haiyomi.kernels.network import STYLE
from haiyomi.networks.shape import Heads, Shape, Tower
from haiyomi.storage.tensors_file import read_tensors, write_tensors

NAME: Final = "network"
VERSION: Final = 1
Forward: TypeAlias = Callable[..., tuple[Singles, Singles, Singles, Singles]]
"""A method of ``kernels.network.ForwardPass``."""
Answers: TypeAlias = dict[str, Singles]
"""The outputs of a head by its name: (n, 34, size) or (n, size); of opponents (n, 3, ...)."""
MOST_SIZE: Final = 4096
"""Of a tower's width, blocks and hidden units."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """``weights`` (shape.size,) in the order of ``shape.parts``; ``tables`` beside them, such as
    the style vectors of classes of players. ``rounded``: slower answers with the same bits on every
    processor (``kernels.network.ForwardPass``). ``file``: what errors call it."""

    shape: Shape
    weights: Singles
    tables: Mapping[str, Singles] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict)
    rounded: bool = False
    file: str = "the network"
    _pass: kernel.ForwardPass = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sizes = self.shape.decision.sizes, self.shape.opponent.sizes
        made = kernel.ForwardPass(*sizes, self.weights, self.rounded)
        object.__setattr__(self, "_pass", made)

    def answers(self, rows: Decisions, style: Singles | None = None, both: bool = True) -> Answers:
        """The outputs of every head; ``style`` (n, STYLE) or (STYLE,), by default zeros.

        ``both``: the mean over the decision and its mirror image (ranks 1-9 of every suit
        reversed), two equivalent views except for the order of dora.
        """
        if not both:
            n = len(rows)
            return self.outputs(as_bytes(rows), np.zeros(n, np.uint8), _vectors(style, n))
        return self._heads(self._both(as_bytes(rows), style))

    def opponents(self, records: Bytes) -> Answers:
        """The outputs of the opponents' heads alone, with ``style`` zero and ``both``: (3n, 34,
        size) or (3n, size), the three of a record in turn, record after record."""
        _, _, kinds, whole = self._both(records, None)
        m, tower = 3 * len(records), self.shape.opponent
        out = columns(kinds.reshape(m, *kinds.shape[2:]), tower.kinds)
        return out | columns(whole.reshape(m, whole.shape[2]), tower.whole)

    def _both(
        self, records: Bytes, style: Singles | None
    ) -> tuple[Singles, Singles, Singles, Singles]:
        return self._run(self._pass.both, records, _vectors(style, len(records)))

    def channels(self, records: Bytes, mirror: Bytes, style: Singles) -> Answers:
        """The outputs of the decision tower's heads, each record seen once, and what they are made
        from: ``channels`` (n, 34, width) and ``pooled`` (n, hidden)."""
        shape = self.shape
        kinds, whole, channels, pooled = self._run(self._pass.channels, records, mirror, style)
        out = columns(kinds, shape.decision.kinds) | columns(whole, shape.decision.whole)
        return out | {"channels": channels, "pooled": pooled}

    def outputs(self, records: Bytes, mirror: Bytes, style: Singles) -> Answers:
        """The outputs of every head, each record seen once (``kernels.network.ForwardPass``)."""
        return self._heads(self._run(self._pass.outputs, records, mirror, style))

    def _run(
        self, forward: Forward, *rows: NDArray[Any]
    ) -> tuple[Singles, Singles, Singles, Singles]:
        """What a forward pass of the kernel finds. Raises ModelError for outputs that no sound
        network has."""
        try:
            return forward(*rows)
        except OverflowError:
            error = f"{self.file} answers with no number, or beyond all probabilities"
            raise ModelError(error) from None

    def _heads(self, found: Sequence[Singles]) -> Answers:
        """The outputs of each tower, whose heads lie side by side, by head."""
        shape = self.shape
        heads = (
            shape.decision.kinds, shape.decision.whole, shape.opponent.kinds, shape.opponent.whole
        )  # fmt: skip
        out: Answers = {}
        for values, named in zip(found, heads, strict=True):
            out |= columns(values, named)
        return out

    def save(self, path: Path) -> None:
        """Write a safetensors file, with float16 weights. Raises ModelError."""
        tensors: dict[str, Singles] = {}
        at = 0
        for name, rows, wide in self.shape.parts:
            tensors[name] = self.weights[at : at + rows * wide].reshape(rows, wide)
            at += rows * wide
        tensors |= {f"table {name}": values for name, values in self.tables.items()}
        head = {"shape": asdict(self.shape), "layout": self.shape.digest}
        write_tensors(path, NAME, VERSION, tensors, {**self.manifest, **head})

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a file. Raises ModelError."""
        tensors, manifest = read_tensors(path, NAME, VERSION)
        try:
            shape = _shape(manifest["shape"])
            parts = shape.parts
            digest = shape.digest
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path.name}: the shape cannot be read ({error})") from None
        if manifest.get("layout") != digest:
            raise ModelError(f"{path.name}: weights of another layout than this haiyomi's")
        for name, rows, wide in parts:
            if name not in tensors or tensors[name].shape != (rows, wide):
                raise ModelError(f"{path.name}: {name} is missing or has another shape")
        flat = np.concatenate([tensors.pop(name).reshape(-1) for name, _, _ in parts])
        tables = {k.removeprefix("table "): v for k, v in tensors.items()}
        return cls(shape, flat, tables, manifest, file=path.name)


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What is found in n decisions as they are, and in their mirror images."""

    plain: Answers
    mirrored: Answers

    def first(self, n: int) -> Views:
        """Of the first n decisions."""
        return Views(*({k: v[:n] for k, v in each.items()} for each in (self.plain, self.mirrored)))

    def mean(self) -> Answers:
        """The mean of both."""
        found = {name: part + self.mirrored[name] for name, part in self.plain.items()}
        for part in found.values():
            part *= np.float32(0.5)
        return found


Method: TypeAlias = Callable[[Bytes, Bytes, Singles], Answers]
"""A method of a network that sees each record once."""


def views_of(see: Method, rows: Decisions) -> Views:
    """What a method of a network finds in n decisions, without a style."""
    n = len(rows)
    twice = np.concatenate([as_bytes(rows)] * 2)
    mirror = np.repeat(np.array([0, 1], np.uint8), n)
    found = see(twice, mirror, _vectors(None, 2 * n))
    return Views(
        {name: part[:n] for name, part in found.items()},
        {name: part[n:] for name, part in found.items()},
    )


def _vectors(style: Singles | None, n: int) -> Singles:
    """(n, STYLE) of one style, or of those of some rows again and again; zeros without."""
    if style is None:
        return np.zeros((n, STYLE), np.float32)
    return np.resize(style, (n, STYLE)).astype(np.float32)


def columns(values: Singles, heads: Heads) -> Answers:
    """The last axis cut into heads."""
    out: Answers = {}
    at = 0
    for name, size in heads:
        out[name] = values[..., at : at + size]
        at += size
    return out


def _shape(value: Any) -> Shape:
    def tower(part: Any) -> Tower:
        heads = [tuple((str(n), int(size)) for n, size in part[k]) for k in ("kinds", "whole")]
        sizes = [int(part[name]) for name in ("width", "blocks", "hidden")]
        if not max(sizes) <= MOST_SIZE:
            raise ValueError(f"a size is above {MOST_SIZE}")
        width, blocks, hidden = sizes
        return Tower(width, blocks, hidden, *heads)

    return Shape(tower(value["decision"]), tower(value["opponent"]))
