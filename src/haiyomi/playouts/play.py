"""Playing on: the options of a decision, each played to the end of the hand in drawn worlds.

A world is three hidden hands drawn from the reading and a wall that agrees with them and with all
that the seat saw. All options are played in the same worlds, with the same random numbers, and
every seat decides from its own view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.errors import HaiyomiError
from haiyomi.events import Event, Hand
from haiyomi.game.observation import NONE
from haiyomi.kernels.decode import decode
from haiyomi.kernels.tables import Games, Worlds, games_of_worlds, view_words
from haiyomi.outcomes.answer import EndingShare, Outcome, Placement
from haiyomi.outcomes.ending import Ending, HandOutcome, outcome_of
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.places import not_placed
from haiyomi.outcomes.starts import HandEnds
from haiyomi.play.actions import action_of
from haiyomi.play.decision import Decision
from haiyomi.playouts.branches import play_options
from haiyomi.playouts.deals import draw_deals, with_reds
from haiyomi.playouts.race import Standings, race
from haiyomi.styles.policy import Policy

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """What was found so far: an ``outcome`` of each option, in the order of ``options_of``;
    ``worlds`` in which each was played; ``gap`` to the best option in points with its standard
    error, None for the best; whether it is still ``racing``."""

    outcomes: tuple[Outcome, ...]
    worlds: tuple[int, ...]
    gaps: tuple[tuple[float, float] | None, ...]
    racing: tuple[bool, ...]


@dataclass(eq=False)
class PlayingOn:
    """One decision to play on, with the ``events`` of the hand as its seat saw them.

    ``policy`` plays all seats, ``named`` in the outcomes. The same ``seed`` gives the same worlds.
    Raises HaiyomiError where the events are not the hand up to the decision, or no worlds agree
    with them.
    """

    decision: Decision
    events: Sequence[Event]
    policy: Policy
    placement: PlacementModel
    payoff: Payoff
    named: str = "pooled"
    seed: int = 0
    models: Models | None = None
    threads: int = 1
    _ends: dict[tuple[int, int], HandOutcome] = field(default_factory=dict, init=False)
    _worlds: NDArray[np.uint8] = field(init=False)

    def run(self, most: int) -> Iterator[PlayedOn]:
        """What was found after each round of the race, up to ``most`` worlds of an option."""
        self._ends.clear()
        self._worlds = self._draw(most)
        paths = list(options_of(self.decision).values())
        actions = np.full((len(paths), 2), NONE, np.uint8)
        for row, path in enumerate(paths):
            actions[row, : len(path)] = [action_of(choice) for choice in path]

        def play(which: NDArray[np.int64], worlds: range) -> Floats:
            return self._play(which, worlds, actions)

        for standings in race(play, len(paths), min(most, len(self._worlds))):
            yield self._found(standings)

    def _draw(self, n: int) -> NDArray[np.uint8]:
        """(n, 4, 14) the hidden hands of worlds that agree with all that was seen."""
        position = self.decision.position
        deals = draw_deals(position, n, self.seed, self.models)
        hands = with_reds(position, deals, self.seed)
        agree = [i for i in range(n) if self._agrees(hands[i : i + 1])]
        if 2 * len(agree) < n:
            raise HaiyomiError(
                f"{n - len(agree)} of {n} drawn hands contradict what the seat saw of the hand"
            )
        return hands[agree]

    def _agrees(self, hands: NDArray[np.uint8]) -> bool:
        try:
            self._tables(hands, np.zeros(1, np.uint64))
        except ValueError:
            return False
        return True

    def _tables(self, hands: NDArray[np.uint8], numbers: NDArray[np.uint64]) -> Games:
        n = len(hands)
        worlds = Worlds(np.zeros(n, np.int32), hands, np.zeros((n, 0), np.uint8))
        return games_of_worlds(
            self.decision.position.rules, [view_words(self.events)], worlds, self.seed, numbers,
            keep=True, threads=self.threads,
        )  # fmt: skip

    def _play(self, which: NDArray[np.int64], worlds: range, actions: NDArray[np.uint8]) -> Floats:
        """(len(which), len(worlds)) the change of the own score from the decision on."""
        index = np.tile(np.arange(worlds.start, worlds.stop), len(which))
        option = np.repeat(which, len(worlds))
        tables = self._tables(self._worlds[index], index.astype(np.uint64))
        seat = np.full(len(index), self.decision.seat)
        play_options(
            tables, seat, actions[option, 0], actions[option, 1], self.policy, self.threads
        )
        rules = self.decision.position.rules
        own = self.decision.position.players[0].score
        out = np.zeros(len(index))
        for i, (o, world) in enumerate(zip(option.tolist(), index.tolist(), strict=True)):
            end = outcome_of(Hand(decode(tables.recorded(i)[0].tolist())), rules)
            self._ends[o, world] = end
            out[i] = end.end.scores[self.decision.seat] - own
        return out.reshape(len(which), len(worlds))

    def _found(self, standings: Standings) -> PlayedOn:
        options = list(options_of(self.decision))
        best = standings.best
        outcomes = tuple(
            self._outcome(option, row, standings.values[row, : standings.played[row]])
            for row, option in enumerate(options)
        )
        gaps = tuple(None if row == best else standings.gap(row) for row in range(len(options)))
        return PlayedOn(
            outcomes, tuple(standings.played.tolist()), gaps, tuple(standings.racing.tolist())
        )

    def _outcome(self, option: Option, row: int, points: Floats) -> Outcome:
        """Of the ends of one option in the first worlds, with their ``points``."""
        seat, n = self.decision.seat, len(points)
        ends = [self._ends[row, world] for world in range(n)]
        kinds = np.array([end.seen_by(seat) for end in ends])
        shares = []
        for ending in Ending:
            mine = points[kinds == ending]
            if len(mine):
                error = float(mine.std(ddof=1) / np.sqrt(len(mine))) if len(mine) > 1 else None
                shares.append(EndingShare(ending, len(mine) / n, float(mine.mean()), error))
        error = float(points.std(ddof=1) / np.sqrt(n))
        placement = self._placement(ends)
        return Outcome(option, self.named, tuple(shares), error=error, placement=placement)

    def _placement(self, ends: Sequence[HandOutcome]) -> Placement | None:
        position = self.decision.position
        if not_placed(position):
            return None
        found = self.placement.ends(HandEnds.of([end.end for end in ends]), position.rules)
        seat, n = self.decision.seat, len(ends)
        values = self.payoff.value(found.places[:, seat], found.final[:, seat])
        places = found.places[:, seat].mean(axis=0)
        a, b, c, d = (places / places.sum()).tolist()
        return Placement(
            (a, b, c, d), float(found.final[:, seat].mean()), str(self.payoff),
            float(values.mean()), float(values.std(ddof=1) / np.sqrt(n)),
        )  # fmt: skip
