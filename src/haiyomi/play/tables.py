"""Many tables at once, for research: open decisions as arrays, actions in, rewards out.

::

    tables = Tables(64, seed=1)
    pending = tables.reset()
    while True:
        actions = choose(tables.records(), pending.legal)   # (m,) one for each open decision
        step = tables.step(actions)
        pending = step.pending

A row of a batch is one open decision: of a seat at a table. Moments with a single choice are
played by the table itself. Actions are numbered as in ``play.actions``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError
from haiyomi.events import Discard, Event, Game, Kakan, Start, visible_to
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.play.actions import N_ACTIONS, choice_of_action, legal_mask
from haiyomi.play.decision import Decision
from haiyomi.play.match import game_steps
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.play.player import Options
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Seat

Reward: TypeAlias = Literal["hand", "game"]
Actions: TypeAlias = NDArray[np.integer]
_SEATS: Final = tuple(Seat(s) for s in range(4))


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """The open decisions: row i is that of the absolute seat ``seat[i]`` at table ``table[i]``.

    ``table`` and ``seat`` (m,) int32; ``legal`` (m, N_ACTIONS) bool, at least two in each row.
    """

    table: NDArray[np.int32]
    seat: NDArray[np.int32]
    legal: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.table)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What followed from the actions.

    ``rewards`` (n, 4) float32 points by absolute seat: of the hand if one ended, or of the game.
    ``hand_ended`` and ``game_ended`` (n,) bool. ``places`` (n, 4) int32: 1 to 4 where a game ended,
    else 0.
    """

    pending: Pending
    rewards: NDArray[np.float32]
    hand_ended: NDArray[np.bool_]
    game_ended: NDArray[np.bool_]
    places: NDArray[np.int32]


class Tables:
    """``n`` tables that play on together.

    ``reward``: "hand" pays each hand's change of points when it ends, "game" that of the game.
    ``auto_reset``: a table whose game ended begins the next one at once; without it, it has no
    more decisions. Table i plays the games ``first + i``, ``first + i + n``, ... of the seed: the
    walls are those of ``haiyomi play``. Raises HaiyomiError for fewer than one table.
    """

    def __init__(
        self,
        n: int,
        *,
        seed: int = 0,
        first: int = 0,
        rules: Ruleset = TENHOU,
        reward: Reward = "hand",
        auto_reset: bool = True,
    ) -> None:
        if n < 1:
            raise HaiyomiError(f"{n} tables: expected 1 or more")
        if reward not in ("hand", "game"):
            raise HaiyomiError(f"reward {reward!r}: expected 'hand' or 'game'")
        self.n = n
        self.seed = seed
        self.first = first
        self.rules = rules
        self.reward: Reward = reward
        self.auto_reset = auto_reset
        self._tables: list[_Table] = []
        self._open: list[_Table] = []
        self._pending: Pending | None = None

    @property
    def pending(self) -> Pending:
        """The open decisions. Raises HaiyomiError before ``reset``."""
        if self._pending is None:
            raise HaiyomiError("the tables have not begun: call reset first")
        return self._pending

    def reset(self, seed: int | None = None) -> Pending:
        """Begin the first game at every table; a ``seed`` replaces the tables' own."""
        self.seed = self.seed if seed is None else seed
        self._tables = [_Table(self.rules, self.seed, self.first + i) for i in range(self.n)]
        return self._collect()

    def step(self, actions: Actions | Sequence[int]) -> Step:
        """Take one action for each open decision, in their order.

        Raises HaiyomiError for another number of actions, and naming the first row whose action is
        not legal; nothing is played then.
        """
        pending = self.pending
        taken = np.asarray(actions)
        _check(taken, pending)
        rewards = np.zeros((self.n, 4), np.float32)
        hands, games = np.zeros(self.n, np.bool_), np.zeros(self.n, np.bool_)
        places = np.zeros((self.n, 4), np.int32)
        for table, action in zip(self._open, taken.tolist(), strict=True):
            i = (table.number - self.first) % self.n
            change = table.act(action)
            hands[i], games[i] = change is not None, table.game is not None
            if change is not None and self.reward == "hand":
                rewards[i] = change
            if table.game is not None:
                final = table.game.header.final
                assert final is not None
                places[i] = _places(final)
                if self.reward == "game":
                    rewards[i] = np.array(final) - self.rules.start_points
                if self.auto_reset:
                    self._tables[i] = _Table(self.rules, self.seed, table.number + self.n)
        return Step(self._collect(), rewards, hands, games, places)

    def records(self) -> Decisions:
        """(m,) of DECISION: what the seat of each open decision sees and may do."""
        if not self._open:
            return np.zeros(0, DECISION)
        return unpack_decisions(b"".join(pack_decision(table.decision()) for table in self._open))

    def decision(self, row: int) -> Decision:
        """An open decision as the value that bots get."""
        self.pending  # noqa: B018 raises before reset
        return self._open[row].decision()

    def game(self, table: int) -> Game | None:
        """A table's game, if it has ended and no other has begun; else None."""
        self.pending  # noqa: B018
        return self._tables[table].game

    def _collect(self) -> Pending:
        self._open = [table for table in self._tables if table.options is not None]
        m = len(self._open)
        legal = np.zeros((m, N_ACTIONS), np.bool_)
        seats = np.zeros(m, np.int32)
        for i, table in enumerate(self._open):
            assert table.options is not None
            legal[i] = legal_mask(table.options.choices)
            seats[i] = table.options.seat
        numbers = np.array([table.number for table in self._open], np.int64)
        where = ((numbers - self.first) % self.n).astype(np.int32)
        self._pending = Pending(where, seats, legal)
        return self._pending


def _check(actions: Actions, pending: Pending) -> None:
    if actions.shape != (len(pending),) or not np.issubdtype(actions.dtype, np.integer):
        raise HaiyomiError(
            f"actions of shape {actions.shape} and type {actions.dtype}: expected one integer for "
            f"each of {len(pending)} open decisions"
        )
    known = (actions >= 0) & (actions < N_ACTIONS)
    legal = known & pending.legal[np.arange(len(actions)), np.where(known, actions, 0)]
    if not legal.all():
        row = int(np.argmin(legal))
        raise HaiyomiError(
            f"row {row} (table {pending.table[row]}, seat {pending.seat[row]}): action "
            f"{actions[row]} is not legal"
        )


def _places(points: Sequence[int]) -> list[int]:
    ranked = sorted(range(4), key=lambda s: (-points[s], s))
    return [ranked.index(s) + 1 for s in range(4)]


def _change(before: Sequence[int], after: Sequence[int]) -> list[int]:
    return [b - a for a, b in zip(before, after, strict=True)]


class _Table:
    """One game in progress: who decides now, and what each seat has seen."""

    def __init__(self, rules: Ruleset, seed: int, number: int) -> None:
        self.number = number
        self.rules = rules
        self.game: Game | None = None
        self.options: Options | None = None
        self._states = [SeatState(seat, rules) for seat in _SEATS]
        self._last: Event | None = None
        self._starts: list[Start] = []
        self._paid = 0
        self._steps = game_steps(self._watch, seed, number, rules=rules)
        self.options = next(self._steps)

    def _watch(self, event: Event) -> None:
        self._last = event
        if isinstance(event, Start):
            self._starts.append(event)
        for seat, state in enumerate(self._states):
            state.apply(visible_to(event, Seat(seat)))

    def act(self, action: int) -> list[int] | None:
        """Play on; the change of points by seat if a hand ended with it, None if not."""
        assert self.options is not None
        try:
            self.options = self._steps.send(choice_of_action(action, self.options.choices))
        except StopIteration as end:
            self.options, self.game = None, end.value
        before = self._starts[self._paid]
        if self.game is not None:
            assert self.game.header.final is not None
            self._paid = len(self._starts)
            return _change(before.scores, self.game.header.final)
        if len(self._starts) == self._paid + 1:
            return None
        self._paid = len(self._starts) - 1
        return _change(before.scores, self._starts[-1].scores)

    def decision(self) -> Decision:
        assert self.options is not None
        seat = self.options.seat
        offer = self._last if isinstance(self._last, Discard | Kakan) else None
        return Decision(self._states[seat].position(), self.options.choices, offer)
