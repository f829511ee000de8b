"""Speed of reading hidden hands, on one thread.

    python bench/reading.py [--json OUT] [--rounds N]

Positions are those of the game that comes with haiyomi. *Marginals*: from the record of a
position to P(n_h = k) of all three opponents, one position a call, as a review asks. *Kernel*:
the exact sums alone, a row a hand. *Samples*: one whole hand more. Times are of the processor,
the median and the best of the rounds.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import platform
import statistics
import time
from collections.abc import Callable

from haiyomi.engines.threads import hold_to_one_thread


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    hold_to_one_thread()  # before numpy is loaded: its BLAS asks once
    import numpy as np

    from haiyomi.kernels.count_chain import chain_marginals, chain_samples
    from haiyomi.play.demo import demo_game
    from haiyomi.reading.chain import shipped
    from haiyomi.training.reading_rows import game_rows

    model, rows = shipped(), game_rows("demo", demo_game())
    opponent = np.array([1, 2, 3])
    threes = [np.repeat(rows.observations[i : i + 1], 3) for i in range(0, len(rows), 5)]
    weighed = model.rows(np.repeat(rows.observations, 3), np.tile(opponent, len(rows)))
    n = 3 * len(rows)
    rng = np.random.default_rng(1)

    def marginals() -> float:
        for observations in threes:
            model.marginals(observations, opponent)
        return len(threes)

    def kernel() -> float:
        chain_marginals(*weighed, model.tables)
        return n

    def samples() -> float:
        chain_samples(*weighed, model.tables, 20, rng)
        return 20 * n

    out: dict[str, object] = {"python": platform.python_version(), "machine": platform.machine()}
    tasks: tuple[tuple[str, Callable[[], float]], ...] = (
        ("marginals of three opponents", marginals),
        ("exact sums of one hand", kernel),
        ("one sampled hand", samples),
    )
    for name, task in tasks:
        spent = []
        for _ in range(given.rounds):
            started = time.process_time()
            done = task()
            spent.append(1000 * (time.process_time() - started) / done)
        out[name] = {"median ms": statistics.median(spent), "best ms": min(spent)}
        print(f"{name:<30} median {statistics.median(spent):8.4f} ms   best {min(spent):8.4f} ms")
    if given.json is not None:
        given.json.write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
