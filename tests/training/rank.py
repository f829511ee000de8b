"""One process of a short training run: python rank.py FOLDER, alone or under torchrun."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent))
from test_trainer import SETTINGS, Games, silent

from haiyomi.training.ranks import ranks
from haiyomi.training.trainer import Trainer

if __name__ == "__main__":
    torch.set_num_threads(1)
    folder = Path(sys.argv[1])
    valid = Games().segment(0, 1).take(np.arange(100))
    settings = replace(SETTINGS, bfloat16=False, steps=8, check=4)
    players = np.array([100, 50, 50], np.float32)
    with ranks() as team:
        trainer = Trainer(
            settings, Games(), valid, folder / "checkpoint.npz", players, silent, team
        )
        trainer.run()
        if team.number == 0:
            (folder / "history.json").write_text(json.dumps(trainer.history))
