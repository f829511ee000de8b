"""The fit of the placement model: a small network on the starts of hands, by PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from haiyomi.arrays import Floats, Ints, Singles
from haiyomi.corpus import Corpus, Skipped
from haiyomi.counted import counted
from haiyomi.errors import HaiyomiError
from haiyomi.outcomes.placement import (
    AHEAD_MARKS,
    NAME,
    ORDERS,
    PLACE_MARKS,
    POINTS,
    VERSION,
    WIDTH_IN,
    PlacementModel,
    inputs,
)
from haiyomi.outcomes.starts import Starts
from haiyomi.seeds import generator
from haiyomi.storage.model_file import float16_text, write_model
from haiyomi.storage.resume import Progress
from haiyomi.training.placement_rows import PlacementRows, count_hands, placement_rows

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import ModuleDict

CLIP = 1e-6


@dataclass(frozen=True, slots=True)
class PlacementSettings:
    """How the network is fitted: vectors of ``pair`` and ``seat`` numbers, ``epochs`` passes in
    batches of ``batch`` rows, a learning rate that rises to ``rate`` and falls to zero. ``points``:
    the weight of the squared error of the final scores beside the cross-entropy of the order;
    ``decay``: the weight decay of AdamW; ``seed``: of the first weights and the batches."""

    pair: int = 32
    seat: int = 48
    epochs: int = 16
    batch: int = 1024
    rate: float = 4e-3
    decay: float = 0.05
    points: float = 0.1
    seed: int = 23


def order_numbers(rows: PlacementRows) -> Ints:
    """(n,) the number in ``ORDERS`` of the final order of the seats."""
    digits = 4 ** np.arange(4)
    by_code = np.zeros(256, np.int64)
    by_code[ORDERS @ digits] = np.arange(len(ORDERS))
    out: Ints = by_code[np.argsort(rows.place, axis=1) @ digits]
    return out


def place_loss(places: Floats, place: Ints) -> Floats:
    """(n,) the mean over the four seats of -log P(final place); ``places`` (n, 4, 4)."""
    p = np.take_along_axis(places, place[:, :, None], axis=2)[:, :, 0]
    out: Floats = -np.log(np.clip(p, CLIP, 1)).mean(axis=1)
    return out


def fit_network(
    rows: PlacementRows,
    settings: PlacementSettings,
    see: Callable[[Starts], Singles] = inputs,
) -> PlacementModel:
    """The network fitted to some rows; ``see`` makes the inputs."""
    import torch

    torch.manual_seed(settings.seed)
    net = _network(settings)
    gain = (rows.final - rows.starts.scores) / POINTS
    x = torch.from_numpy(see(rows.starts))
    orders = torch.from_numpy(order_numbers(rows))
    gains = torch.from_numpy(gain.astype(np.float32))
    batches = len(rows) // settings.batch
    steps = settings.epochs * batches
    optimizer = torch.optim.AdamW(net.parameters(), settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.rate, total_steps=steps + 1)
    rng = generator(settings.seed, "placement")
    for _ in range(settings.epochs):
        shuffled = torch.from_numpy(rng.permutation(len(rows)))
        for number in range(batches):
            at = shuffled[number * settings.batch : (number + 1) * settings.batch]
            logits, gained = _forward(net, x[at])
            loss = torch.nn.functional.cross_entropy(logits, orders[at])
            error = torch.nn.functional.mse_loss(gained, gains[at])
            optimizer.zero_grad()
            torch.autograd.backward(loss + settings.points * error)
            optimizer.step()
            schedule.step()
    return PlacementModel(
        {
            name: (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
            for name, layer in net.items()
            if isinstance(layer, torch.nn.Linear)
        }
    )


def _network(settings: PlacementSettings) -> ModuleDict:
    from torch import nn

    pair, seat = settings.pair, settings.seat
    return nn.ModuleDict(
        {
            "pair": nn.Linear(WIDTH_IN, pair),
            "seat": nn.Linear(2 * pair, seat),
            "place": nn.Linear(seat, 5),
            "ahead": nn.Linear(pair, 1),
        }
    )


def _forward(net: ModuleDict, x: Tensor) -> tuple[Tensor, Tensor]:
    """Logits (n, 24) and changes of score (n, 4): ``PlacementModel.orders`` with gradients."""
    import torch
    from torch.nn.functional import silu

    hidden = silu(net["pair"](x))
    seats = hidden.view(len(x), 4, 3, -1).mean(dim=2)
    table = seats.mean(dim=1, keepdim=True).expand_as(seats)
    out = net["place"](silu(net["seat"](torch.cat([seats, table], dim=2))))
    ahead = net["ahead"](hidden)[:, :, 0] @ torch.from_numpy(AHEAD_MARKS)
    logits = out[:, :, :4].reshape(len(x), 16) @ torch.from_numpy(PLACE_MARKS) + ahead
    return logits, out[:, :, 4]


def check_enough(sources: Sequence[Path], settings: PlacementSettings | None = None) -> None:
    """Raises HaiyomiError where the records have too few hands for ``fit_placement``; no more
    records are read than are needed. DatasetError where a source cannot be read."""
    settings = settings or PlacementSettings()
    _check_number(count_hands(sources, settings.batch), settings)


def _check_number(hands: int, settings: PlacementSettings) -> None:
    if hands < settings.batch:
        raise HaiyomiError(
            f"{counted(hands, 'hand')} of games with final scores are too few to fit placements: "
            f"{settings.batch:,} are needed"
        )


def fit_placement(
    sources: Sequence[Path],
    out: Path,
    settings: PlacementSettings | None = None,
    valid: Sequence[Path] = (),
    skipped: list[Skipped] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Fit on every whole game of some records and write the model file; returns its manifest.

    ``valid``: records on which the log loss of a seat's place is measured for the manifest. Raises
    DatasetError where a source cannot be read, HaiyomiError for too few hands.
    """
    settings = settings or PlacementSettings()
    rows, left_out = placement_rows(sources, progress)
    if skipped is not None:
        skipped += left_out
    games = int(rows.game.max(initial=-1)) + 1
    _check_number(len(rows), settings)
    model = fit_network(rows, settings)
    manifest: dict[str, Any] = {
        "command": "haiyomi fit placement TRAIN...",
        "fitted_on": [
            {"records": f"{path.parent.name}/{path.name}", "sha256": Corpus(path).sha256()}
            for path in sources
        ],
        "games": games,
        "rows": len(rows),
        "settings": asdict(settings),
    }
    if valid:
        held, _ = placement_rows(valid)
        loss = place_loss(model.starts(held.starts).places, held.place)
        manifest["valid"] = {
            "games": int(held.game.max(initial=-1)) + 1,
            "rows": len(held),
            "log_loss": round(float(loss.mean()), 5),
        }
    payload = {
        name: [float16_text(weight), float16_text(bias)]
        for name, (weight, bias) in model.layers.items()
    }
    write_model(out, NAME, VERSION, payload, manifest)
    return manifest
