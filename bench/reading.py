"""Speed of reading hidden hands, on one thread.

    python -m bench.reading [--json OUT] [--rounds N]

Positions are those of the game that comes with haiyomi. *Marginals*: from a position to
P(n_h = k) of all three opponents, one position a call, as a bot asks. *Kernel*: the exact sums
alone, a row a hand. *Samples*: one whole hand more. Times are of the processor, the median and the
best of the rounds.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import time
from collections.abc import Callable

from bench.machine import protocol, store
from haiyomi.engines.threads import hold_to_one_thread


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    hold_to_one_thread()  # before numpy is loaded: its BLAS asks once
    import numpy as np

    from haiyomi.game.position_fold import positions
    from haiyomi.kernels.hand_counts import hand_marginals, hand_samples
    from haiyomi.play.demo import demo_game
    from haiyomi.reading.counts import shipped
    from haiyomi.tiles import Seat

    model, game = shipped(), demo_game()
    some = [
        position
        for hand in game.hands
        for _, _, position in positions(hand.events, Seat(0), game.header.rules)
        if position.to_act
    ][::5]
    answers = model.answers(some)
    n = len(answers.logs)
    rng = np.random.default_rng(1)

    def marginals() -> float:
        for position in some:
            model.answers([position])
        return len(some)

    def kernel() -> float:
        hand_marginals(answers.logs, answers.totals)
        return n

    def samples() -> float:
        hand_samples(answers.logs, answers.totals, 20, rng)
        return 20 * n

    out = protocol()
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
        store(given.json, out)


if __name__ == "__main__":
    main()
