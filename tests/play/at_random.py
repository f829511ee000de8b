"""Games of the compiled table that are played at random."""

from __future__ import annotations

import numpy as np

from haiyomi._core import Tables
from haiyomi.seeds import generator


def play_at_random(tables: Tables, seed: int = 0, first: int = 0, threads: int = 1) -> None:
    """Play on to the end; each seat takes each action with the same probability, in the order of
    their numbers, with its own generator. ``first``: the number of the first game."""
    rng = [[generator(seed, "random", first + i, s) for s in range(4)] for i in range(len(tables))]
    while len((at := tables.pending())[0]):
        actions = [
            (choices := np.flatnonzero(legal))[int(rng[table][seat].random() * len(choices))]
            for table, seat, legal in zip(*at, tables.legal(), strict=True)
        ]
        tables.answer(np.array(actions, np.uint8), threads)
