"""Playing on: the options of a decision, each played to the end of the hand in drawn worlds.

A world is three hidden hands drawn from the reading and a wall that agrees with them and with all
that the seat saw. All options are played in the same worlds, with the same random numbers, and
every seat decides from its own view. A win at once on the option's own tile is not drawn: its
probability and points are those of the deal-in model (``once``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.arrays import Bools, Bytes, Floats, Ints
from haiyomi.errors import HaiyomiError
from haiyomi.events import Riichi
from haiyomi.game.observation import NONE
from haiyomi.kernels.tables import Games, Worlds, games_of_worlds, view_words
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome, Placement
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import Placements
from haiyomi.outcomes.places import not_placed
from haiyomi.play.actions import action_of
from haiyomi.play.decision import Decision
from haiyomi.playouts.branches import Chooser, play_options
from haiyomi.playouts.deals import BLOCK, Deals, with_reds
from haiyomi.playouts.ends import PlayedEnds, ends_of_tables
from haiyomi.playouts.once import WonOn, mixed, won_on
from haiyomi.playouts.race import FIRST, Standings, race
from haiyomi.rules import DEPOSIT
from haiyomi.styles.policy import POOLED, Policy

_MOST_REFUSED: Final = 0.9
"""The share of the worlds that may contradict what was seen."""


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """What was found so far: an ``outcome`` of each option, in the order of ``options_of``;
    ``worlds`` in which each was played; ``gaps`` to the best option in points with their standard
    errors, None for the best; whether each is still ``racing``."""

    outcomes: tuple[Outcome, ...]
    worlds: tuple[int, ...]
    gaps: tuple[tuple[float, float] | None, ...]
    racing: tuple[bool, ...]

    def __repr__(self) -> str:
        rows = zip(self.outcomes, self.worlds, strict=True)
        found = ", ".join(f"{o.option} {o.points:+.0f} in {n}" for o, n in rows)
        return f"<PlayedOn: points by option and worlds: {found}>"

    @property
    def best(self) -> Outcome:
        """That of the option with the most points, of those still racing. Another may have a higher
        value under the payoff (``Outcome.preference``)."""
        return self.outcomes[self.gaps.index(None)]


@dataclass(eq=False)
class PlayingOn:
    """One decision to play on, from its history.

    ``policy``, that of all players, plays all seats. The same ``seed`` gives the same worlds.
    ``only``: these options alone, all by default. ``own``: how the seat itself chooses after the
    option, instead of by the policy. Raises HaiyomiError without a history, where it is not the
    hand up to the decision, or where no worlds agree with it.
    """

    decision: Decision
    policy: Policy
    payoff: Payoff
    seed: int = 0
    models: Models = field(default_factory=Models)
    only: tuple[Option, ...] = ()
    own: Chooser | None = None
    standings: Standings | None = field(default=None, init=False)
    _ends: list[list[PlayedEnds]] = field(default_factory=list, init=False)
    _worlds: list[Bytes] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        if not self.decision.history:
            raise HaiyomiError(
                "a position has no history to play on from: give the hand as mjai lines"
            )

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """What is played, in the order of ``options_of``."""
        every = options_of(self.decision)
        return tuple(option for option in every if not self.only or option in self.only)

    def run(self, most: int, first: int = FIRST) -> Iterator[Standings]:
        """The standings of a race of up to ``most`` worlds of an option, every so many worlds;
        ``first`` of the first round, which all options play.

        ``found`` says what came of the options; a race that is left early loses nothing.
        """
        paths = options_of(self.decision)
        actions = np.full((len(self.options), 2), NONE, np.uint8)
        for row, option in enumerate(self.options):
            path = paths[option]
            actions[row, : len(path)] = [action_of(choice) for choice in path]
        self._ends = [[] for _ in self.options]

        def play(which: Ints, worlds: range) -> Floats:
            return self._play(which, worlds, actions)

        for standings in race(play, len(self.options), most, self._known, first):
            self.standings = standings
            yield standings

    def found(self) -> PlayedOn:
        """What came of the options so far. Raises HaiyomiError before any was played."""
        standings = self.standings
        if standings is None:
            raise HaiyomiError("nothing was played yet")
        best = standings.best
        rows = range(len(self.options))
        return PlayedOn(
            tuple(self._outcome(row) for row in rows),
            tuple(standings.played.tolist()),
            tuple(None if row == best else standings.gap(row, best) for row in rows),
            tuple(standings.racing.tolist()),
        )

    def halves(self, worlds: int) -> tuple[Floats, Floats]:
        """(m,) the mean change of score of each option in the first, and in the second half of
        ``worlds``, in all of which every option is played."""
        for _ in self.run(worlds, worlds):
            pass
        assert self.standings is not None
        half = worlds // 2
        return self.standings.means(slice(half)), self.standings.means(slice(half, worlds))

    @cached_property
    def _once(self) -> list[WonOn | None]:
        return won_on(self.decision, self.options, self.models, self.payoff)

    @property
    def _known(self) -> Floats:
        parts = [(0.0, 0.0) if w is None else (w.p, w.outcome.points) for w in self._once]
        return np.array(parts).T

    @cached_property
    def _deals(self) -> Deals:
        return Deals(self.decision.position, self.seed, self.models)

    def _worlds_to(self, n: int) -> Bytes:
        """(at least n, 4, 14) the hidden hands of worlds that agree with all that was seen."""
        while (kept := sum(map(len, self._worlds))) < n:
            number = len(self._worlds)
            deals = self._deals.block(number)
            hands = with_reds(self.decision.position, deals, self.seed, number)
            self._worlds.append(hands[self._agree(hands)])
            kept, drawn = kept + len(self._worlds[-1]), (number + 1) * BLOCK
            if kept < (1 - _MOST_REFUSED) * drawn:
                raise HaiyomiError(
                    f"{drawn - kept} of {drawn} drawn hands contradict what the seat saw of the "
                    "hand, or one another"
                )
        return np.concatenate(self._worlds)

    def _agree(self, hands: Bytes) -> Bools:
        """(n,) which hands agree with what was seen: by halves, as most do."""
        if len(hands) == 0:
            return np.zeros(0, np.bool_)
        try:
            self._tables(hands, np.zeros(len(hands), np.uint64))
        except ValueError:
            if len(hands) == 1:
                return np.zeros(1, np.bool_)
            half = len(hands) // 2
            return np.concatenate([self._agree(hands[:half]), self._agree(hands[half:])])
        return np.ones(len(hands), np.bool_)

    @cached_property
    def _words(self) -> list[int]:
        return view_words(self.decision.history)

    def _tables(self, hands: Bytes, numbers: NDArray[np.uint64]) -> Games:
        n = len(hands)
        worlds = Worlds(np.zeros(n, np.int32), hands, np.zeros((n, 0), np.uint8))
        return games_of_worlds(
            self.decision.position.rules, [self._words], worlds, self.seed, numbers,
            keep=True,
        )  # fmt: skip

    def _play(self, which: Ints, worlds: range, actions: Bytes) -> Floats:
        """(len(which), len(worlds)) the change of the own score from the decision on, nan where
        the option's tile is won on at once."""
        n = len(worlds)
        index = np.tile(np.arange(worlds.start, worlds.stop), len(which))
        option = np.repeat(which, n)
        tables = self._tables(self._worlds_to(worlds.stop)[index], index.astype(np.uint64))
        seat = np.full(len(index), self.decision.seat)
        play_options(
            tables, seat, actions[option, 0], actions[option, 1], self.policy, self.own,
        )  # fmt: skip
        ends = self._ended(tables)
        out = ends.change.astype(np.float64)
        for row in which.tolist():
            mine = option == row
            self._ends[row].append(ends.take(mine))
            if self._once[row] is not None:
                out[mine & ends.ronned] = np.nan
        return out.reshape(len(which), n)

    def _ended(self, tables: Games) -> PlayedEnds:
        position = self.decision.position
        scores = np.roll([player.score for player in position.players], position.seat)
        pool = int(scores.sum()) + DEPOSIT * position.sticks
        # A record counts riichi and its tile as one decision, which stands at the draw.
        events = self.decision.history
        last = len(events) - (2 if isinstance(events[-1], Riichi) else 1)
        return ends_of_tables(
            tables, position.rules, last, position.seat, scores.tolist(), position.kyoku, pool
        )

    def _outcome(self, row: int) -> Outcome:
        """Of one option, in the worlds that it was played in."""
        once = self._once[row]
        ends = PlayedEnds.join(self._ends[row])
        if once is not None and not ends.ronned.all():
            ends = ends.take(~ends.ronned)
        n = len(ends)
        shares = []
        for ending in Ending:
            mine = ends.change[ends.ending == ending]
            if len(mine):
                error = float(mine.std(ddof=1) / np.sqrt(len(mine))) if len(mine) > 1 else None
                shares.append(EndingShare(ending, len(mine) / n, float(mine.mean()), error))
        error = float(ends.change.std(ddof=1) / np.sqrt(n)) if n > 1 else None
        later = Outcome(
            self.options[row], POOLED, Endings(shares), error=error, placement=self._place(ends)
        )
        return mixed(later, once)

    def difference(
        self, one: Option, other: Option
    ) -> tuple[tuple[float, float], tuple[float, float] | None]:
        """By how much one option was better than another, with its standard error: in points, and
        in value under the payoff, None where no placement is known.

        Raises HaiyomiError before any was played, ValueError for an option that is not played.
        """
        points = self.standings
        if points is None:
            raise HaiyomiError("nothing was played yet")
        rows = self.options.index(one), self.options.index(other)
        if not_placed(self.decision.position):
            return points.gap(*rows), None
        values = points.values.copy()
        known = np.zeros((2, len(self.options)))
        for row in rows:
            ends = PlayedEnds.join(self._ends[row])
            values[row, : len(ends)] = np.where(
                np.isfinite(values[row, : len(ends)]), self._worth(ends)[0], np.nan
            )
            once = self._once[row]
            if once is not None and once.outcome.placement is not None:
                known[:, row] = once.p, once.outcome.placement.value
        placed = Standings(points.played, points.racing, values, known)
        return points.gap(*rows), placed.gap(*rows)

    def _worth(self, ends: PlayedEnds) -> tuple[Floats, Placements]:
        """(n,) the value of some ends under the payoff, and their placements."""
        found = self.models.placement.ends(ends.hand, self.decision.position.rules)
        seat = self.decision.seat
        return self.payoff.value(found.places[:, seat], found.final[:, seat]), found

    def _place(self, ends: PlayedEnds) -> Placement | None:
        position = self.decision.position
        if not_placed(position):
            return None
        seat, n = position.seat, len(ends)
        values, found = self._worth(ends)
        places = found.places[:, seat].mean(axis=0)
        a, b, c, d = (places / places.sum()).tolist()
        return Placement(
            (a, b, c, d), float(found.final[:, seat].mean()), str(self.payoff),
            float(values.mean()), float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else None,
        )  # fmt: skip
