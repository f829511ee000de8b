"""The PettingZoo environment passes PettingZoo's own tests."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from haiyomi.errors import HaiyomiError
from haiyomi.game.decision_record import DECISION
from haiyomi.play.actions import parse_action
from haiyomi.play.packed_decision import features
from haiyomi.play.pettingzoo_env import AGENTS, MahjongEnv, Observed
from haiyomi.play.tables import Reward
from haiyomi.rules import TENHOU_EAST


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("observation", ["record", "features"])
@pytest.mark.parametrize("reward", ["hand", "game"])
def test_pettingzoos_api_test_passes(reward: Reward, observation: Observed) -> None:
    env = MahjongEnv(rules=TENHOU_EAST, reward=reward, observation=observation)
    api_test(env, num_cycles=300)


@pytest.mark.parametrize("observation", ["record", "features"])
def test_pettingzoos_seed_test_passes(observation: Observed) -> None:
    seed_test(lambda: MahjongEnv(rules=TENHOU_EAST, observation=observation), num_cycles=100)


def test_the_features_are_those_of_the_record_within_the_box() -> None:
    envs = MahjongEnv(), MahjongEnv(observation="features")
    for env in envs:
        env.reset(seed=3)
    rng = np.random.default_rng(0)
    for agent in envs[0].agent_iter():
        record, seen = (env.last()[0] for env in envs)
        if envs[0].terminations[agent]:
            action = None
        else:
            kinds, whole = features(record["observation"].view(DECISION))
            assert np.array_equal(seen["observation"][: 34 * 90].reshape(1, 34, 90), kinds)
            assert np.array_equal(seen["observation"][34 * 90 :], whole[0])
            assert np.array_equal(seen["action_mask"], record["action_mask"])
            assert envs[1].observation_space(agent).contains(seen)
            action = int(rng.choice(np.flatnonzero(record["action_mask"])))
        for env in envs:
            env.step(action)
    assert not envs[1].agents


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
    for early in (env.last, lambda: env.observe("seat_0"), lambda: env.step(0)):
        with pytest.raises(HaiyomiError, match="call reset first"):
            early()
    env.reset(seed=1)
    with pytest.raises(HaiyomiError, match="seat_0: action 206 is not legal"):
        env.step(parse_action("pass"))


def test_a_wrong_argument_is_refused_at_once() -> None:
    with pytest.raises(HaiyomiError, match="reward 'x': expected 'hand' or 'game'"):
        MahjongEnv(reward="x")  # type: ignore[arg-type]
    with pytest.raises(HaiyomiError, match="observation 'x': expected 'record' or 'features'"):
        MahjongEnv(observation="x")  # type: ignore[arg-type]


def test_a_refused_seed_changes_nothing() -> None:
    env, other = MahjongEnv(), MahjongEnv()
    for one in (env, other):
        one.reset(seed=5)
    with pytest.raises(HaiyomiError, match="seed is -1"):
        env.reset(seed=-1)
    before = env.observe("seat_0")
    assert before["action_mask"].any()
    for one in (env, other):
        one.reset()
    assert np.array_equal(env.last()[0]["observation"], other.last()[0]["observation"])
    assert not np.array_equal(env.last()[0]["observation"], before["observation"])
