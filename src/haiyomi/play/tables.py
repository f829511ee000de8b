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

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes, Floats, Ints32, Singles
from haiyomi.errors import ArgumentError, HaiyomiError, IllegalError
from haiyomi.events import Event, Game, Hand, Header, visible_to
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.game_end import places_of
from haiyomi.kernels.policy_choice import QUESTIONS
from haiyomi.kernels.replay import encode
from haiyomi.kernels.tables import Games, RecordedHand, new_games, recorded_hands, resumed_games
from haiyomi.play.actions import DISCARD, KAN, N_ACTIONS, TSUMOGIRI
from haiyomi.play.copies import copies_of
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import features
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import TENHOU, Ruleset, rules_of
from haiyomi.seeds import check_core_seed, check_index, check_whole
from haiyomi.tiles import N_KINDS, RED_KINDS, Seat

Reward: TypeAlias = Literal["hand", "game"]
Actions: TypeAlias = NDArray[np.integer]
MOST: Final = 1_000_000
"""Tables that may play at once: some 3 KB each."""
_OVER, _HANDS = 0, 2
"""Columns of the core's standings."""


@dataclass(frozen=True, slots=True)
class HandStart:
    """A hand so far, with what is hidden: its ``events`` from Start and Deal on, and the tile ids
    of its ``wall`` (136,) in the order of ``play.wall``."""

    events: tuple[Event, ...]
    wall: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """The open decisions: row i is that of the absolute seat ``seat[i]`` at table ``table[i]``.

    ``table`` and ``seat`` (m,) int32; ``legal`` (m, N_ACTIONS) bool, at least two in each row.
    """

    table: Ints32
    seat: Ints32
    legal: Bools

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
    rewards: Singles
    hand_ended: Bools
    game_ended: Bools
    places: Ints32


class Tables:
    """``n`` tables that play at once and take a batch of actions a step.

    ``rules``: a ``Ruleset``, or "tenhou", "tenhou-east", "mahjong-soul" or "mahjong-soul-east".
    ``reward``: "hand" pays each hand's change of points when it ends, "game" that of the game.
    ``hands``: a game ends after this number of hands; 0: as the rules say. ``auto_reset``: a table
    whose game ended begins the next one at once; without it, it has no more decisions. Table i
    plays the games ``first + i``, ``first + i + n``, ... of the seed: the walls are those of
    ``haiyomi play``. ``record``: keep the games, for ``game`` and ``decision``. ``threads`` work on
    a step; they change nothing but the time. Raises HaiyomiError for numbers out of range and
    another name of rules.
    """

    def __init__(
        self,
        n: int,
        *,
        seed: int = 0,
        first: int = 0,
        rules: Ruleset | str = TENHOU,
        reward: Reward = "hand",
        hands: int = 0,
        auto_reset: bool = True,
        record: bool = False,
        threads: int = 1,
    ) -> None:
        for name, value, least in (
            ("n", n, 1), ("first", first, 0), ("hands", hands, 0), ("threads", threads, 1)
        ):  # fmt: skip
            check_whole(value, f"tables: {name}")
            if value < least:
                raise HaiyomiError(f"tables: {name} is {value}, expected {least} or more")
        for name, value, most in (("n", n, MOST), ("first", first, 2**62), ("hands", hands, 10**9)):
            if value > most:
                raise HaiyomiError(f"tables: {name} is {value}, expected at most {most:,}")
        check_core_seed(seed)
        if reward not in ("hand", "game"):
            raise HaiyomiError(f"reward {reward!r}: expected 'hand' or 'game'")
        self.n = n
        self.seed = seed
        self.first = first
        self.rules: Ruleset = rules_of(rules)
        self.reward: Reward = reward
        self.hands = hands
        self.auto_reset = auto_reset
        self.record = record
        self.threads = threads
        self._core: Games | None = None
        self._numbers = np.zeros(n, np.uint64)
        self._pending: Pending | None = None

    def __copy__(self) -> Tables:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Tables that stand as these do and go on as they would, apart from them."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._numbers = self._numbers.copy()
        if self._core is not None:
            made._core = self._core.copy(np.arange(self.n, dtype=np.int32))
            made._list(made._core)
        return made

    @classmethod
    def from_hands(
        cls,
        starts: Sequence[HandStart],
        *,
        seed: int = 0,
        rules: Ruleset | str = TENHOU,
        reward: Reward = "hand",
        hands: int = 1,
        record: bool = False,
        threads: int = 1,
    ) -> Tables:
        """One table for each of some hands, which play on from where their events end.

        Without ``auto_reset``; further hands have walls of the seed. Raises HaiyomiError, with the
        number of the hand, for events that break a rule or that the wall does not give.
        """
        tables = cls(
            len(starts), seed=seed, rules=rules, reward=reward, hands=hands, auto_reset=False,
            record=record, threads=threads,
        )  # fmt: skip
        words = [_words_of(start, number) for number, start in enumerate(starts)]
        try:
            tables._core = resumed_games(
                tables.rules,
                words,
                np.array([start.wall for start in starts], np.uint8),
                seed,
                np.arange(len(starts)),
                hands=hands,
                keep=record,
            )
        except ValueError as error:
            raise HaiyomiError(str(error)) from None
        tables._begin(tables._core)
        return tables

    def copy(self, at: Sequence[int] | NDArray[np.integer] | None = None) -> Tables:
        """Tables that stand as some of these do and go on apart from them, to try actions on.

        ``at`` (k,): the number of the table that each copies, which may come more than once; None:
        one of each. What is hidden is copied too: the same walls follow. Without ``auto_reset``.
        Raises HaiyomiError for a table that does not exist, for other numbers than integers, and
        before ``reset``.
        """
        core = self._begun()
        where = np.arange(self.n) if at is None else _as_array(at, "at").reshape(-1)
        if where.size and not np.issubdtype(where.dtype, np.integer):
            raise HaiyomiError(f"at is of type {where.dtype}: expected the numbers of tables")
        for number in where[(where < 0) | (where >= self.n)].tolist():
            check_index(number, "table", self.n)
        copies = Tables(
            len(where), seed=self.seed, first=self.first, rules=self.rules, reward=self.reward,
            hands=self.hands, auto_reset=False, record=self.record, threads=self.threads,
        )  # fmt: skip
        copies._begin(core.copy(where.astype(np.int32)))
        copies._begins = self._begins[where]
        return copies

    @property
    def pending(self) -> Pending:
        """The open decisions. Raises HaiyomiError before ``reset``."""
        if self._pending is None:
            raise HaiyomiError("the tables have not begun: call reset first")
        return self._pending

    def reset(self, seed: int | None = None) -> Pending:
        """Begin the first game at every table; a ``seed`` replaces the tables' own.

        Raises HaiyomiError for a seed out of range.
        """
        if seed is not None:
            check_core_seed(seed)
            self.seed = seed
        self._numbers = np.arange(self.first, self.first + self.n, dtype=np.uint64)
        seeds = np.full(self.n, self.seed, np.uint64)
        core = new_games(self.rules, seeds, self._numbers, self.hands, self.record)
        return self._begin(core)

    def step(self, actions: Actions | Sequence[int]) -> Step:
        """Take one action for each open decision, in their order.

        Raises HaiyomiError for another number of actions, and naming the first row whose action is
        not legal; nothing is played then.
        """
        pending = self.pending
        core = self._begun()
        taken = _as_array(actions, "actions")
        if not taken.size:
            taken = taken.astype(np.int64)  # NumPy makes an empty list one of floats
        _check(taken, pending)
        core.answer(taken.astype(np.uint8), self.threads)
        facts, scores = core.standings()
        hand_ended = facts[:, _HANDS] != self._hands
        game_ended = (facts[:, _OVER] != 0) & ~self._over
        places = np.zeros((self.n, 4), np.int32)
        places[game_ended] = 1 + places_of(scores[game_ended])
        since = self._scores if self.reward == "hand" else self._begins
        paid = hand_ended if self.reward == "hand" else game_ended
        rewards = np.where(paid[:, None], scores - since, 0).astype(np.float32)
        if self.auto_reset and game_ended.any():
            self._renew(core, np.flatnonzero(game_ended).astype(np.int32))
        self._remember(core)
        return Step(self._list(core), rewards, hand_ended, game_ended, places)

    def records(self) -> Decisions:
        """(m,) of DECISION: what the seat of each open decision sees and may do."""
        return self._begun().records(self.threads).view(DECISION)[:, 0]

    def features(self) -> tuple[Singles, Singles]:
        """(m, 34, 90) and (m, 168) float32: ``play.packed_decision.features`` of the records.
        ``play.packed_decision.KIND_NAMES`` and ``CONTEXT_NAMES`` name the columns."""
        return features(self.records(), self.threads)

    def choose(
        self,
        discards: Singles,
        kans: Singles,
        acts: Singles,
        temperature: float = 1.0,
        uniforms: Floats | None = None,
    ) -> Bytes:
        """(m,) the legal actions that a policy's logits choose.

        ``discards`` and ``kans`` (m, 34), ``acts`` (m, 9) as ``game.decision_record.ACTS`` names
        them. ``temperature`` 0 takes the likeliest, 1 draws from the probabilities. ``uniforms``
        (m, 5) in [0, 1) are the random numbers to draw with, one for each question in its order
        (tsumo or the answer to another's tile, nine terminals, a kan, riichi, the discard); by
        default each seat has a generator of the game's seed. Nothing is played. Raises HaiyomiError
        for arrays that do not fit, a temperature below 0, logits that are +inf or no number, and a
        decision whose legal discards all have -inf.
        """
        core = self._begun()
        if not temperature >= 0:
            raise HaiyomiError(f"temperature {temperature}: expected 0 or more")
        try:
            a, b, c = (np.ascontiguousarray(part, np.float32) for part in (discards, kans, acts))
            rows = len(self.pending)
            if (a.shape, b.shape, c.shape) != ((rows, 34), (rows, 34), (rows, 9)):
                raise ValueError(
                    f"discards {a.shape}, kans {b.shape} and acts {c.shape} of {rows} open "
                    f"decisions: expected ({rows}, 34), ({rows}, 34) and ({rows}, 9)"
                )
            _check_infinite(self.pending.legal, a, b, c)
            if uniforms is None:
                return core.choose(a, b, c, temperature, False, self.threads)
            given = np.ascontiguousarray(uniforms, np.float64)
            if given.shape != (rows, QUESTIONS):
                raise ValueError(f"uniforms of shape {given.shape}: expected ({rows}, {QUESTIONS})")
            if not ((given >= 0) & (given < 1)).all():
                raise ValueError("a uniform number outside [0, 1)")
            return core.choose_with(a, b, c, given, temperature, self.threads)
        except (TypeError, ValueError) as error:
            raise HaiyomiError(f"logits or uniforms that do not fit: {error}") from None

    def decision(self, row: int) -> Decision:
        """An open decision as the value that bots get; ``row`` from 0.

        Needs ``record``; raises HaiyomiError, also for a row that does not exist.
        """
        pending = self.pending
        check_index(row, "open decision", len(pending))
        seat = Seat(int(pending.seat[row]))
        events, _ = self.recorded(int(pending.table[row]))[-1]
        state = SeatState(seat, self.rules)
        for event in events:
            state.apply(visible_to(event, seat))
        options = state.options()
        assert options is not None
        return Decision.of_state(state, options)

    def game(self, table: int) -> Game | None:
        """A table's game, if it has ended and no other has begun; else None.

        Needs ``record``; raises HaiyomiError, also for a table that does not exist.
        """
        self.recorded(table)
        return recorded_game(self._begun(), table, self.rules)

    def recorded(self, table: int) -> list[RecordedHand]:
        """The events and the wall of each hand of a table's game, the one in play among them.

        Needs ``record``; raises HaiyomiError, also for a table that does not exist.
        """
        core = self._begun()
        check_index(table, "table", self.n)
        if not self.record:
            raise HaiyomiError("these tables keep no games: make them with record=True")
        return recorded_hands(core, table)

    def _begun(self) -> Games:
        if self._core is None:
            raise HaiyomiError("the tables have not begun: call reset first")
        return self._core

    def _begin(self, core: Games) -> Pending:
        self._core = core
        self._remember(core)
        self._begins = self._scores
        return self._list(core)

    def _renew(self, core: Games, ended: Ints32) -> None:
        self._numbers[ended] += np.uint64(self.n)
        core.renew(ended, np.full(len(ended), self.seed, np.uint64), self._numbers[ended])

    def _remember(self, core: Games) -> None:
        facts, self._scores = core.standings()
        self._hands, self._over = facts[:, _HANDS], facts[:, _OVER] != 0

    def _list(self, core: Games) -> Pending:
        tables, seats = core.pending()
        self._pending = Pending(tables, seats.astype(np.int32), core.legal())
        return self._pending


def recorded_game(games: Games, table: int, rules: Ruleset) -> Game | None:
    """The game of a table that keeps a record, None before its end."""
    facts, scores = games.standings()
    if not facts[table, _OVER]:
        return None
    hands = tuple(
        Hand(events, copies_of(events, wall, rules.red_fives))
        for events, wall in recorded_hands(games, table)
    )
    a, b, c, d = scores[table].tolist()
    return Game(Header(("", "", "", ""), rules, (a, b, c, d)), hands)


def _words_of(start: HandStart, number: int) -> array[int]:
    """The words of a hand so far. Raises HaiyomiError, with its number, for an event that has none
    and for a wall that is none."""
    if sorted(start.wall) != list(range(136)):
        raise HaiyomiError(f"hand {number}: its wall is no order of the tile ids 0 to 135")
    try:
        return encode(Hand(start.events))
    except IllegalError as error:
        error.hand = number
        raise


def _as_array(numbers: Actions | Sequence[int], what: str) -> Actions:
    try:
        return np.asarray(numbers)
    except ValueError:
        raise ArgumentError(f"{what} has lists of different lengths: expected integers") from None


def _check_infinite(legal: Bools, discards: Singles, kans: Singles, acts: Singles) -> None:
    """Raises ValueError for logits that give no probabilities."""
    if any((logits == np.inf).any() for logits in (discards, kans, acts)):
        raise ValueError("a logit is +inf")
    codes = legal[:, DISCARD:TSUMOGIRI] | legal[:, TSUMOGIRI:KAN]
    kinds = codes[:, :N_KINDS]
    kinds[:, RED_KINDS] |= codes[:, N_KINDS:]
    never = kinds.any(axis=1) & (~kinds | (discards == -np.inf)).all(axis=1)
    if never.any():
        raise ValueError(f"row {int(never.argmax())}: all its legal discards have -inf")


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
