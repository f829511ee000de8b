"""The fit of the placement model: a small network on the starts of hands, by PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus, Skipped
from haiyomi.errors import HaiyomiError
from haiyomi.outcomes.placement import (
    NAME,
    ORDERS,
    POINTS,
    VERSION,
    WIDTH_OUT,
    PlacementModel,
    inputs,
    seats_of,
)
from haiyomi.outcomes.starts import Starts
from haiyomi.seeds import generator
from haiyomi.storage.model_file import float16_text, write_model
from haiyomi.storage.resume import Progress
from haiyomi.training.placement_rows import PlacementRows, placement_rows

Floats = NDArray[np.float32]
Seats = NDArray[np.int64]
Layers = list[tuple[Floats, Floats]]
CLIP = 1e-6


@dataclass(frozen=True, slots=True)
class PlacementSettings:
    """How the network is fitted: ``hidden`` layers of some width, ``epochs`` passes in batches of
    ``batch`` rows, a learning rate that rises to ``rate`` and falls to zero. ``points``: the weight
    of the squared error of the final scores beside the cross entropy of the order."""

    hidden: tuple[int, ...] = (64, 64)
    epochs: int = 24
    batch: int = 2048
    rate: float = 3e-3
    decay: float = 0.1
    points: float = 0.1
    seed: int = 23


def order_numbers(rows: PlacementRows, seats: Seats) -> NDArray[np.int64]:
    """(n,) the number in ``ORDERS`` of the final order of the players ``seats`` (n, 4)."""
    places = np.take_along_axis(rows.place, seats, axis=1)
    digits = 4 ** np.arange(4)
    by_code = np.zeros(256, np.int64)
    by_code[ORDERS @ digits] = np.arange(len(ORDERS))
    out: NDArray[np.int64] = by_code[np.argsort(places, axis=1) @ digits]
    return out


def place_loss(places: NDArray[np.float64], place: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) the mean over the four seats of -log P(final place); ``places`` (n, 4, 4)."""
    p = np.take_along_axis(places, place[:, :, None], axis=2)[:, :, 0]
    out: NDArray[np.float64] = -np.log(np.clip(p, CLIP, 1)).mean(axis=1)
    return out


def fit_network(
    x: Floats,
    order: NDArray[np.int64],
    gain: Floats,
    settings: PlacementSettings,
) -> Layers:
    """The layers fitted to inputs (n, f), numbers of orders (n,) and gains (n, 4) of score in
    ``POINTS`` from the start of the hand to the end of the game, in the order of the inputs."""
    import torch
    from torch import nn

    torch.manual_seed(settings.seed)
    widths = (x.shape[1], *settings.hidden)
    layers: list[nn.Module] = []
    for inner, outer in pairwise(widths):
        layers += [nn.Linear(inner, outer), nn.SiLU()]
    net = nn.Sequential(*layers, nn.Linear(widths[-1], WIDTH_OUT))
    batches = len(x) // settings.batch
    steps = settings.epochs * batches
    optimizer = torch.optim.AdamW(net.parameters(), settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.rate, total_steps=steps + 1)
    rng = generator(settings.seed, "placement")
    inputs_, orders, gains = map(torch.from_numpy, (x, order, gain))
    for _ in range(settings.epochs):
        shuffled = torch.from_numpy(rng.permutation(len(x)))
        for number in range(batches):
            rows = shuffled[number * settings.batch : (number + 1) * settings.batch]
            out = net(inputs_[rows])
            loss = nn.functional.cross_entropy(out[:, : len(ORDERS)], orders[rows])
            error = nn.functional.mse_loss(out[:, len(ORDERS) :], gains[rows])
            optimizer.zero_grad()
            torch.autograd.backward(loss + settings.points * error)
            optimizer.step()
            schedule.step()
    return [
        (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
        for layer in net
        if isinstance(layer, nn.Linear)
    ]


def network_rows(
    rows: PlacementRows,
    see: Callable[[Starts], Floats] = inputs,
    seats: Callable[[Starts], Seats] = seats_of,
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Inputs, orders and gains of ``fit_network`` of some rows."""
    players = seats(rows.starts)
    gain = np.take_along_axis(rows.final - rows.starts.scores, players, axis=1) / POINTS
    return see(rows.starts), order_numbers(rows, players), gain.astype(np.float32)


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
    DatasetError where a source cannot be read, HaiyomiError for too few games.
    """
    settings = settings or PlacementSettings()
    rows, left_out = placement_rows(sources, progress)
    if skipped is not None:
        skipped += left_out
    games = int(rows.game.max(initial=-1)) + 1
    if len(rows) < settings.batch:
        raise HaiyomiError(f"{games} games are too few to fit placements")
    layers = fit_network(*network_rows(rows), settings)
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
        loss = place_loss(PlacementModel(layers).starts(held.starts).places, held.place)
        manifest["valid"] = {
            "games": int(held.game.max(initial=-1)) + 1,
            "rows": len(held),
            "log_loss": round(float(loss.mean()), 5),
        }
    stored = [[float16_text(weight), float16_text(bias)] for weight, bias in layers]
    write_model(out, NAME, VERSION, {"layers": stored}, manifest)
    return manifest
