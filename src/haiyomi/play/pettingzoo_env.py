"""One table as a PettingZoo AEC environment (extra ``[rl]``).

The agents are ``seat_0`` to ``seat_3`` (0 is the first dealer). An observation is a dictionary:
``observation`` holds the bytes of one decision record (``haiyomi.game.decision_record.DECISION``),
``action_mask`` the legal actions (``haiyomi.play.actions``). An agent with nothing to decide sees
its last record, and no action is legal for it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError
from haiyomi.extras import missing_extra
from haiyomi.game.decision_record import DECISION, as_bytes
from haiyomi.play.actions import ACTION_NAMES, N_ACTIONS
from haiyomi.play.tables import Reward, Tables
from haiyomi.rules import TENHOU, Ruleset

try:
    import gymnasium
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise (missing_extra(error) or error) from None

AGENTS: Final = ("seat_0", "seat_1", "seat_2", "seat_3")
Observation: TypeAlias = dict[str, NDArray[np.uint8] | NDArray[np.int8]]


class MahjongEnv(AECEnv):  # type: ignore[misc]
    """A game of riichi mahjong by four agents who act in turn.

    ``reward``: as of ``Tables``. ``reset(seed)`` begins game number 0 of the seed; without a seed
    the next game of the last seed. ``options`` are ignored.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 as PettingZoo declares it
        "name": "haiyomi_riichi_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        rules: Ruleset = TENHOU,
        reward: Reward = "hand",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules = rules
        self.reward: Reward = reward
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.agent_selection: str = AGENTS[0]
        self.infos: dict[str, dict[str, int]] = {}
        record = gymnasium.spaces.Box(0, 255, (DECISION.itemsize,), np.uint8)
        mask = gymnasium.spaces.Box(0, 1, (N_ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": record, "action_mask": mask})
            for agent in AGENTS
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self._seed = 0
        self._number = -1
        self._tables: Tables | None = None
        self._waiting: list[str] = []
        self._taken: list[int] = []

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        self._number = self._number + 1 if seed is None else 0
        self._seed = self._seed if seed is None else seed
        self._tables = Tables(
            1,
            seed=self._seed,
            first=self._number,
            rules=self.rules,
            reward=self.reward,
            auto_reset=False,
        )
        self._tables.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._seen = {agent: np.zeros(DECISION.itemsize, np.uint8) for agent in AGENTS}
        self._show_open()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is zero unless it decides now."""
        pending = self._open.pending
        mask = np.zeros(N_ACTIONS, np.int8)
        for row, waiting in enumerate(self._waiting):
            if waiting == agent:
                mask[:] = pending.legal[row]
        return {"observation": self._seen[agent].copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The action of the selected agent; None of an agent whose game has ended.

        Raises HaiyomiError for an action that is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        row = len(self._taken)
        if action is None or not self._is_legal(row, int(action)):
            raise HaiyomiError(f"{agent}: action {action} is not legal")
        self._taken.append(int(action))
        if len(self._taken) == len(self._waiting):
            self._play_on()
        else:
            # Answers to one tile are given together: nobody sees another's.
            self.agent_selection = self._waiting[len(self._taken)]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The selected agent and its legal actions by name, in the mode "ansi"."""
        if self.render_mode != "ansi" or not self.agents:
            return None
        agent = self.agent_selection
        legal = np.flatnonzero(self.observe(agent)["action_mask"])
        return f"{agent}: {', '.join(ACTION_NAMES[action] for action in legal)}"

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def _open(self) -> Tables:
        if self._tables is None:
            raise HaiyomiError("the environment has not begun: call reset first")
        return self._tables

    def _is_legal(self, row: int, action: int) -> bool:
        return 0 <= action < N_ACTIONS and bool(self._open.pending.legal[row, action])

    def _play_on(self) -> None:
        step = self._open.step(self._taken)
        for seat, agent in enumerate(AGENTS):
            self.rewards[agent] = float(step.rewards[0, seat])
        if step.game_ended[0]:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {
                agent: {"place": int(step.places[0, s])} for s, agent in enumerate(AGENTS)
            }
            self._waiting = []
            self.agent_selection = self.agents[0]
        else:
            self._show_open()

    def _show_open(self) -> None:
        """Let the seats with a decision see it; the first of them is selected."""
        records = as_bytes(self._open.records())
        self._waiting = [AGENTS[seat] for seat in self._open.pending.seat]
        self._taken = []
        for agent, record in zip(self._waiting, records, strict=True):
            self._seen[agent] = record
        self.agent_selection = self._waiting[0]
