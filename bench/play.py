"""Speed of play on one core: the compiled table beside riichienv, and the policy at it.

    python -m bench.play [--json OUT]

Random legal players choose among the legal actions that each program lists, from Python; an answer
of one seat is a step. Time is the processor's, and rounds alternate. ``bench.throughput`` reports
the same rows.
"""

from __future__ import annotations

import argparse
import pathlib
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.speed import Speed, alternate

TABLES = 256
RANDOM_STEPS = 200_000
THEIR_GAMES = 15
POLICY_GAMES = 128
TURN = 8
MEMORY_TABLES = 4096


def random_steps() -> int:
    """Steps of random legal players at many tables; how many were taken."""
    from haiyomi.play.tables import Tables

    rng = np.random.default_rng(1)
    tables = Tables(TABLES, seed=1)
    pending, steps = tables.reset(), 0
    while steps < RANDOM_STEPS:
        legal = pending.legal
        actions = (rng.random(legal.shape, np.float32) * legal).argmax(axis=1)
        steps += len(pending)
        pending = tables.step(actions).pending
    return steps


def their_random_steps() -> int:
    """The same at riichienv's table, one game after another."""
    from riichienv import GameRule, RiichiEnv

    rng = random.Random(1)
    steps = 0
    for game in range(THEIR_GAMES):
        env = RiichiEnv(
            game_mode="4p-red-half",
            rule=GameRule.default_tenhou(),
            seed=game,
            skip_mjai_logging=True,
        )
        observations = env.reset()
        while not env.done():
            actions = {}
            for player, observation in observations.items():
                legal = observation.legal_actions()
                actions[player] = legal[int(rng.random() * len(legal))]
            steps += len(actions)
            observations = env.step(actions)
    return steps


def random_play() -> list[Speed]:
    """Random legal steps a second, beside riichienv."""
    steps = random_steps()
    try:
        theirs: Callable[[], int] | None = their_random_steps
        their_steps = their_random_steps()
    except ImportError:
        theirs, their_steps = None, 0
    rate, other = alternate(random_steps, steps, theirs, their_steps)
    return [Speed("random legal players", "steps/s", rate, "riichienv 0.4.11", other)]


class _Clocked:
    """A policy, with the processor time of its forward passes; ``again``: that of making their
    features once more, alone, which is not a part of the play."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.spent = self.features = self.again = 0.0

    def actions(self, records: Any, legal: Any, rng: np.random.Generator) -> Any:
        from haiyomi.styles.policy_actions import policy_actions

        return policy_actions(self, records, legal, None, 1.0, rng)  # type: ignore[arg-type]

    def logits(self, records: Any, style: Any = None, both: bool = True) -> Any:
        from haiyomi.game.decision_record import as_bytes
        from haiyomi.kernels.network import decision_features

        began = time.process_time()
        found = self.policy.logits(records, style, both)
        done = time.process_time()
        decision_features(as_bytes(records), np.zeros(len(records), np.uint8))
        again = time.process_time() - done
        self.spent += done - began
        self.features += again * (1 + both)
        self.again += again
        return found

    def shares(self, took: float) -> dict[str, float]:
        """The shares of ``took`` seconds in the forward passes, and in their products alone."""
        return {
            "network_share": round(self.spent / took, 3),
            "product_share": round((self.spent - self.features) / took, 3),
        }


def policy_play() -> list[Speed]:
    """Whole games of the policy against itself, and hands played on from a turn by it and by the
    rollout network."""
    from haiyomi.kernels.tables import new_games
    from haiyomi.rules import TENHOU
    from haiyomi.styles.policy import rollout_policy, shipped_policy
    from haiyomi.styles.self_play import play_out

    out = []
    for both, task in (
        (True, "policy against itself"),
        (False, "policy against itself, one pass a decision"),
    ):
        policy = _Clocked(shipped_policy())
        games = new_games(TENHOU, [2] * POLICY_GAMES, range(POLICY_GAMES))
        began = time.process_time()
        decisions = play_out(games, policy, both=both)  # type: ignore[arg-type]
        took = time.process_time() - began - policy.again
        more = {
            "games": POLICY_GAMES,
            "views": 1 + both,
            "decisions_a_game": round(decisions / POLICY_GAMES),
            **policy.shares(took),
        }
        rate = POLICY_GAMES / took
        out.append(Speed(task, "games/s", rate, more=more))
    starts = middle_of_hands(_Clocked(shipped_policy()), np.random.default_rng(2))
    out.append(played_on("policy", shipped_policy(), starts, both=True))
    return [*out, played_on("rollout network", rollout_policy(), starts, both=False)]


def played_on(name: str, network: Any, starts: list[tuple[Any, Any]], both: bool) -> Speed:
    """Hands played to their end, with the share of valid discards that are the network's first."""
    from haiyomi.events import Hand
    from haiyomi.kernels.replay import encode
    from haiyomi.kernels.tables import resumed_games
    from haiyomi.rules import TENHOU
    from haiyomi.styles.self_play import play_out

    policy = _Clocked(network)
    words = [encode(Hand(events)).tolist() for events, _ in starts]
    walls = np.array([wall for _, wall in starts], np.uint8)
    games = resumed_games(TENHOU, words, walls, 3, range(len(starts)))
    began = time.process_time()
    play_out(games, policy, both=both)  # type: ignore[arg-type]
    took = time.process_time() - began - policy.again
    more = {"hands": len(starts), "views": 1 + both, **policy.shares(took)}
    if "top1" in network.manifest["valid"]:
        more["top1_of_valid_one_view"] = network.manifest["valid"]["top1"]
    return Speed(f"{name} plays on from turn {TURN}", "hands/s", len(starts) / took, more=more)


def middle_of_hands(policy: _Clocked, rng: np.random.Generator) -> list[tuple[Any, Any]]:
    """(events, wall) of hands of the policy at the first seat's ``TURN``-th discard."""
    from haiyomi.play.tables import Tables

    tables = Tables(400, seed=4, hands=1, auto_reset=False, record=True)
    pending = tables.reset()
    found: dict[int, tuple[Any, Any]] = {}
    while len(pending):
        records = tables.records()
        dealer = records["observation"]["dealer"] == 0
        turn = records["observation"]["players"]["n"][:, 0] == TURN - 1
        own = (records["from"] == 255) & dealer & turn
        for row in np.flatnonzero(own).tolist():
            table = int(pending.table[row])
            found.setdefault(table, tables.recorded(table)[-1])
        actions = policy.actions(records, pending.legal, rng)
        pending = tables.step(actions).pending
    return list(found.values())


_MEMORY = """
import sys
from pathlib import Path
def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(x.split()[1] for x in lines if x.startswith("VmRSS")))
import numpy as np
from haiyomi.play.tables import Tables
warm = Tables(1, seed=1)
warm.reset()
before = resident()
tables = Tables(int(sys.argv[1]), seed=1)
pending = tables.reset()
rng = np.random.default_rng(1)
for _ in range(60):
    legal = pending.legal
    pending = tables.step((rng.random(legal.shape, np.float32) * legal).argmax(axis=1)).pending
records = tables.records()
del legal
print((resident() - before) / 1024)
"""


def memory() -> float:
    """Megabytes of many tables in play, with their records and legal actions."""
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY, str(MEMORY_TABLES)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def playing() -> list[Speed]:
    """Every row of play."""
    rows = random_play() + policy_play()
    rows[0] = Speed(
        **{name: getattr(rows[0], name) for name in ("task", "unit", "rate", "rival")},
        rival_rate=rows[0].rival_rate,
        more={"tables": TABLES, "megabytes_of_4096_tables": round(memory(), 1)},
    )
    return rows


def main() -> None:
    from bench.machine import protocol, store

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    before, rows = protocol(), playing()
    for row in rows:
        other = "" if row.ratio is None else f"{row.rival} {row.rival_rate:,.0f}, "
        ratio = "" if row.ratio is None else f"ratio {row.ratio:.1f}"
        print(f"{row.task:28} {row.rate:>12,.1f} {row.unit}  {other}{ratio}  {row.more}")
    if given.json:
        names = ("task", "unit", "rate", "rival", "rival_rate", "ratio", "more")
        speeds = [{name: getattr(row, name) for name in names} for row in rows]
        answer = before | {"clock": "processor time", "speeds": speeds}
        store(given.json, answer)


if __name__ == "__main__":
    main()
