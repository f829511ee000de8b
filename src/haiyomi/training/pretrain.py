"""``haiyomi fit start``: pretraining of the default model, on self-play only.

It fits a network of rons and the weights of the posterior. Both start from the layers of a
network of the shipped chain, trained on hidden hands; neither sees a real record's waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import haiyomi
from haiyomi.dealin.posterior_model import network_of, weights_of
from haiyomi.errors import ModelError
from haiyomi.reading.chain import shipped as shipped_chain
from haiyomi.shards import Jobs
from haiyomi.storage.model_file import float16_text, read_model, write_model
from haiyomi.storage.resume import PlannedFolder
from haiyomi.storage.whole_file import remove_folder
from haiyomi.styles.policy import policy_hash
from haiyomi.training.adam import Arrays, step_progress
from haiyomi.training.dataset import read_manifest
from haiyomi.training.fit_posterior import Settings, fit, start
from haiyomi.training.fit_ron import RonSettings, fit_ron, trunk_of
from haiyomi.training.fit_ron import start as start_ron
from haiyomi.training.model_average import to_float16, weights_payload
from haiyomi.training.self_play import SETS, self_play

Bar = Callable[[str, str], Any]
NAME = "start"
VERSION = 2


@dataclass(frozen=True, slots=True)
class PretrainSettings:
    """``games`` of self-play, and the settings of both fits."""

    games: int
    ron: RonSettings
    weights: Settings


SHIPPED = PretrainSettings(
    games=15_000,
    ron=RonSettings(steps=32_000, rate=1.5e-3, drop=0.05, every=500),
    weights=Settings(
        width=64, layers=4, rows=1_920_000, batch=96, rate=2e-3, drop=0.02, mirror=True, every=200
    ),
)
"""The settings of the shipped file."""


def pretrained_file() -> Path:
    """The shipped file of pretrained weights."""
    return Path(__file__).with_name("start.json")


def pretrained_weights(path: Path | None = None) -> tuple[Arrays, Arrays]:
    """(network of rons, weights of tenpai hands) of a file, by default the shipped one.

    Raises ModelError.
    """
    file = path or pretrained_file()
    payload, _ = read_model(file, NAME, VERSION)
    try:
        return network_of(payload["rons"]), weights_of(payload["weights"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(f"{file.name}: a table is missing or misshapen ({error})") from None


def pretrained_manifest() -> dict[str, Any]:
    """How the shipped file was made. Raises ModelError."""
    return read_model(pretrained_file(), NAME, VERSION)[1]


def chain_layers(width: int) -> Arrays:
    """The network of this width in the shipped chain. Raises ModelError if there is none."""
    for network in shipped_chain().networks:
        if network.weights["in"].shape[1] == width:
            return {k: np.array(v, dtype=np.float32) for k, v in network.weights.items()}
    raise ModelError(f"the chain that comes along has no network of width {width}")


def pretrain(
    folder: Path, out: Path, settings: PretrainSettings, bar: Bar, jobs: Jobs = None
) -> dict[str, Any]:
    """Play the games, fit both and write the file; the report.

    ``folder`` holds games and rows, the folder ``OUT.checkpoint`` the state of the fits, so that
    a killed run can resume. Raises DatasetError.
    """
    rows, labels = self_play(folder, settings.games, bar, jobs)
    checkpoints = out.with_name(out.name + ".checkpoint")
    manifest = {
        "command": f"haiyomi fit start --games {settings.games}",
        "haiyomi": haiyomi.__version__,
        "sets": [list(each) for each in SETS],
        "policy_sha256": policy_hash(),
        "records_sha256": read_manifest(folder / "dataset")["records_sha256"],
        "settings": asdict(settings),
    }
    with PlannedFolder(checkpoints, manifest, "a fit").claimed():
        layers = chain_layers(settings.weights.width)
        with bar("network of rons", "steps") as progress:
            rons, ron_history = fit_ron(
                rows, labels, np.ones(len(rows), bool), start_ron(trunk_of(layers)), settings.ron,
                checkpoints / "rons.npz", step_progress(progress),
            )  # fmt: skip
        with bar("weights of tenpai hands", "steps") as progress:
            weights, history = fit(
                rows, None, settings.weights, checkpoints / "weights.npz",
                step_progress(progress),
                begin=start(settings.weights, layers),
            )  # fmt: skip
        networks, weights = to_float16(rons), to_float16(weights)
        report = {"rons": ron_history[-1], "weights": history[-1]}
        payload = {
            "rons": {k: float16_text(v) for k, v in networks.items()},
            "weights": weights_payload(weights),
        }
        write_model(out, NAME, VERSION, payload, {**manifest, "report": report})
        remove_folder(checkpoints)
        return report
