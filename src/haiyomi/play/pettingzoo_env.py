"""One table as a PettingZoo AEC environment (extra ``[rl]``).

The agents are ``seat_0`` to ``seat_3`` (0 is the first dealer). An observation is a dictionary:
``observation`` holds one decision record, ``action_mask`` (N_ACTIONS,) int8 the legal actions
(``haiyomi.play.actions``). An agent with nothing to decide sees its last record, zeros before the
first, and no action is legal for it.
"""

from __future__ import annotations

from operator import index
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Singles
from haiyomi.errors import ArgumentError, HaiyomiError
from haiyomi.extras import missing_extra
from haiyomi.game.decision_record import DECISION, as_bytes
from haiyomi.kernels.network import CONTEXT, KIND
from haiyomi.play.actions import ACTION_NAMES, N_ACTIONS
from haiyomi.play.tables import Reward, Tables
from haiyomi.rules import TENHOU, Ruleset, rules_of
from haiyomi.tiles import N_KINDS

try:
    import gymnasium
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise (missing_extra(error) or error) from None

AGENTS: Final = ("seat_0", "seat_1", "seat_2", "seat_3")
Observation: TypeAlias = dict[str, NDArray[Any]]
Observed: TypeAlias = Literal["record", "features"]
_BOXES: Final[dict[Observed, tuple[Any, ...]]] = {
    "record": (0, 255, (DECISION.itemsize,), np.uint8),
    "features": (-6, 13, (N_KINDS * KIND + CONTEXT,), np.float32),
}
"""Least and greatest value, shape and type."""


class MahjongEnv(AECEnv):  # type: ignore[misc]
    """A game of riichi mahjong by four agents who act in turn.

    ``observation``: "record", the bytes of a record (792,) uint8, a
    ``haiyomi.game.decision_record.DECISION``; or "features", its ``Tables.features`` as one array
    (3228,) float32, -6 to 13: the (34, 90) numbers of the kinds row by row, then the 168 of the
    whole. ``rules`` and ``reward``: as of ``Tables``. ``reset(seed)`` begins game number 0 of the
    seed; without a seed the next game of the last seed. ``options`` are ignored.
    ``render_mode``: "ansi" or None. ``copy.deepcopy`` copies a game that is played, to try actions
    on. Raises HaiyomiError for another observation, reward, mode or name of rules.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 as PettingZoo declares it
        "name": "haiyomi_riichi_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        rules: Ruleset | str = TENHOU,
        reward: Reward = "hand",
        observation: Observed = "record",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if observation not in _BOXES:
            raise HaiyomiError(f"observation {observation!r}: expected 'record' or 'features'")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise HaiyomiError(f"render_mode {render_mode!r}: expected None or 'ansi'")
        self.rules = rules_of(rules)
        self.reward: Reward = reward
        self.observation: Observed = observation
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.agent_selection: str = AGENTS[0]
        self.infos: dict[str, dict[str, int]] = {}
        self._box = gymnasium.spaces.Box(*_BOXES[observation])
        mask = gymnasium.spaces.Box(0, 1, (N_ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": self._box, "action_mask": mask})
            for agent in AGENTS
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self._seed = 0
        self._number = -1
        self._tables = self._table(0, 0)
        self._waiting: list[str] = []
        self._taken: list[int] = []

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Raises HaiyomiError for a seed out of range; nothing changes then."""
        number = self._number + 1 if seed is None else 0
        begun = self._seed if seed is None else seed
        self._tables = self._table(begun, number)
        self._tables.reset()
        self._seed, self._number = begun, number
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._seen = {agent: np.zeros(self._box.shape, self._box.dtype) for agent in AGENTS}
        self._show_open()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is zero unless it has a decision that it has not answered.

        Raises HaiyomiError before ``reset``.
        """
        pending = self._tables.pending
        mask = np.zeros(N_ACTIONS, np.int8)
        for row in range(len(self._taken), len(self._waiting)):
            if self._waiting[row] == agent:
                mask[:] = pending.legal[row]
        return {"observation": self._seen[agent].copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The action of the selected agent; None of an agent whose game has ended.

        Raises HaiyomiError before ``reset``, where all agents have taken their last step, and for
        an action that is not legal or no integer; nothing changes then.
        """
        if not self.agents:
            raise HaiyomiError("no game is open: call reset first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ArgumentError(f"{agent}: its game has ended, and its action is None")
            self._was_dead_step(None)
            return
        try:
            chosen = index(action)  # type: ignore[arg-type]
        except TypeError:
            given = type(action).__name__
            raise ArgumentError(f"{agent}: action of type {given}: expected one integer") from None
        if not self._is_legal(len(self._taken), chosen):
            raise HaiyomiError(f"{agent}: action {chosen} is not legal")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._taken.append(chosen)
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

    def _table(self, seed: int, number: int) -> Tables:
        return Tables(
            1, seed=seed, first=number, rules=self.rules, reward=self.reward, auto_reset=False
        )

    def _is_legal(self, row: int, action: int) -> bool:
        return 0 <= action < N_ACTIONS and bool(self._tables.pending.legal[row, action])

    def _play_on(self) -> None:
        step = self._tables.step(self._taken)
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
        self._waiting = [AGENTS[seat] for seat in self._tables.pending.seat]
        self._taken = []
        for agent, seen in zip(self._waiting, self._observed(), strict=True):
            self._seen[agent] = seen
        self.agent_selection = self._waiting[0]

    def _observed(self) -> Bytes | Singles:
        """The observations of the open decisions, one a row."""
        if self.observation == "record":
            return as_bytes(self._tables.records())
        kinds, whole = self._tables.features()
        return np.concatenate([kinds.reshape(len(kinds), -1), whole], axis=1)
