"""The PettingZoo environment passes PettingZoo's own tests."""

from __future__ import annotations

import copy

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


def _state(env: MahjongEnv) -> object:
    seen = {agent: env.observe(agent) for agent in AGENTS}
    masks = {agent: one["action_mask"].tolist() for agent, one in seen.items()}
    return env.agent_selection, masks, dict(env.rewards), dict(env._cumulative_rewards)


def test_a_refused_action_changes_nothing() -> None:
    """A named case: the reward that was due was lost, and 1.7 was taken as 1."""
    env = MahjongEnv(rules=TENHOU_EAST)
    env.reset(seed=3)
    while not env._cumulative_rewards[env.agent_selection]:
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
    before = _state(env)
    legal = int(np.flatnonzero(env.last()[0]["action_mask"])[0])
    for wrong in (legal + 0.5, float("nan"), np.array([legal]), None, [legal], 10**30):
        with pytest.raises(HaiyomiError, match=r"expected one integer|is not legal"):
            env.step(wrong)  # type: ignore[arg-type]
        assert _state(env) == before
    env.step(np.array(legal))  # type: ignore[arg-type]
    assert _state(env) != before
    while not env.terminations[env.agent_selection]:
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
    with pytest.raises(HaiyomiError, match="its game has ended"):
        env.step(0)


def test_who_has_answered_a_tile_has_no_action_left() -> None:
    env = MahjongEnv(rules=TENHOU_EAST)
    env.reset(seed=3)
    while len(env._waiting) < 2:
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
    first, second = env._waiting[:2]
    assert all(env.observe(agent)["action_mask"].any() for agent in (first, second))
    env.step(parse_action("pass"))
    assert not env.observe(first)["action_mask"].any()
    assert env.observe(second)["action_mask"].any()


def test_a_deep_copy_plays_on_as_the_game_would_and_apart_from_it() -> None:
    env = MahjongEnv(rules=TENHOU_EAST)
    copy.deepcopy(env).reset(seed=1)
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(60):
        env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    copies, stands = [copy.deepcopy(env) for _ in range(2)], _state(env)
    while not copies[0].terminations[copies[0].agent_selection]:
        action = rng.choice(np.flatnonzero(copies[0].last()[0]["action_mask"]))
        for one in copies:
            one.step(action)
        assert _state(copies[0]) == _state(copies[1])
    assert _state(env) == stands


def test_a_wrong_argument_is_refused_at_once() -> None:
    with pytest.raises(HaiyomiError, match="render_mode 'human': expected None or 'ansi'"):
        MahjongEnv(render_mode="human")
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
