"""The PettingZoo environment passes PettingZoo's own tests."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from haiyomi.errors import HaiyomiError
from haiyomi.game.decision_record import DECISION
from haiyomi.play.actions import parse_action
from haiyomi.play.pettingzoo_env import AGENTS, MahjongEnv
from haiyomi.rules import TENHOU_EAST


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reward", ["hand", "game"])
def test_pettingzoos_api_test_passes(reward: str) -> None:
    api_test(MahjongEnv(rules=TENHOU_EAST, reward=reward), num_cycles=300)  # type: ignore[arg-type]


def test_pettingzoos_seed_test_passes() -> None:
    seed_test(lambda: MahjongEnv(rules=TENHOU_EAST), num_cycles=100)


def test_a_whole_game_pays_what_the_seats_gained() -> None:
    env = MahjongEnv(rules=TENHOU_EAST, render_mode="ansi")
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    paid = dict.fromkeys(AGENTS, 0.0)
    assert (env.render() or "").startswith("seat_0: discard")
    for agent in env.agent_iter():
        observation, reward, ended, _, info = env.last()
        paid[agent] += reward
        if ended:
            assert info["place"] in (1, 2, 3, 4)
            env.step(None)
            continue
        assert observation is not None
        record = observation["observation"].view(DECISION)[0]
        assert AGENTS[record["observation"]["seat"]] == agent
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert not env.agents
    assert sum(paid.values()) == 0
    assert any(paid.values())


def test_an_action_that_is_not_legal_is_refused() -> None:
    env = MahjongEnv()
    with pytest.raises(HaiyomiError, match="call reset first"):
        env.observe("seat_0")
    env.reset(seed=1)
    with pytest.raises(HaiyomiError, match="seat_0: action 206 is not legal"):
        env.step(parse_action("pass"))
