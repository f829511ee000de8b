"""The options of many decisions under one rule set: as objects, and as arrays for one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, get_args

import numpy as np

from haiyomi.arrays import Bools, Bytes, Ints
from haiyomi.game.decision_record import Decisions
from haiyomi.game.observation import NONE
from haiyomi.kernels.shanten import shanten
from haiyomi.outcomes.option import Act, Option, options_of
from haiyomi.outcomes.option_actions import OptionActions
from haiyomi.play.actions import action_of
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.tiles import kind_counts

ACTS: Final[tuple[Act, ...]] = get_args(Act)
_NUMBER: Final = {act: number for number, act in enumerate(ACTS)}
_BIT: Final = {act: 1 << number for act, number in _NUMBER.items()}
MOST_USEFUL: Final = 43
"""The most useful tiles that a record states of a hand one tile from tenpai; one hand in a thousand
has more. Those are triplets and pairs that lack a seventh kind for seven pairs. Records hardly hold
such hands, and the networks expected far more of them than came."""


@dataclass(frozen=True, eq=False)
class OptionBlock:
    """n decisions with b options, those of a decision side by side in the order of ``options``.

    ``records`` (n,) of DECISION, with useful tiles up to MOST_USEFUL; ``actions`` the options as
    actions; ``act`` (b,) the number of each option's act in ACTS; ``begins`` (n,) the first option
    of each decision.
    """

    decisions: tuple[Decision, ...]
    options: tuple[tuple[Option, ...], ...]
    records: Decisions
    actions: OptionActions
    act: Ints
    begins: Ints

    @classmethod
    def of(
        cls,
        decisions: Sequence[Decision],
        options: Sequence[Sequence[Option]] | None = None,
        observations: Sequence[bytes | None] | None = None,
    ) -> OptionBlock:
        """Of decisions, with some of the options of each, by default all of ``options_of``.
        ``observations``: those of the positions as ``game.observation.pack`` gives them, None where
        they are not at hand."""
        paths = [options_of(decision) for decision in decisions]
        named: Sequence[Sequence[Option]]
        if options is None:
            named = [tuple(path) for path in paths]
            chosen = [(i, o, path) for i, each in enumerate(paths) for o, path in each.items()]
        else:
            named = options
            chosen = [(i, o, paths[i][o]) for i, each in enumerate(named) for o in each]
        steps = [(action_of(p[0]), NONE if len(p) == 1 else action_of(p[1])) for _, _, p in chosen]
        packed = [None] * len(decisions) if observations is None else observations
        records = unpack_decisions(b"".join(map(pack_decision, decisions, packed)))
        for useful in (records["efficiency"], records["calls"]):
            useful[..., 1][(useful[..., 0] == 1) & (useful[..., 1] > MOST_USEFUL)] = MOST_USEFUL
        row = np.array([i for i, _, _ in chosen], np.int64)
        first, second = np.array(steps, np.int64).reshape(-1, 2).T
        return cls(
            tuple(decisions),
            tuple(map(tuple, named)),
            records,
            OptionActions.of(records, row, first, second),
            np.array([_NUMBER[option.act] for _, option, _ in chosen], np.int64),
            np.searchsorted(row, np.arange(len(decisions))),
        )

    def first(self, n: int) -> OptionBlock:
        """The first n decisions."""
        some = self.row < n
        return OptionBlock(
            self.decisions[:n], self.options[:n], self.records[:n], self.actions.take(some),
            self.act[some], self.begins[:n],
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def row(self) -> Ints:
        """(b,) the decision of each option."""
        return self.actions.row

    @property
    def ends(self) -> Ints:
        """(n,) where the options of each decision end."""
        return np.append(self.begins[1:], len(self.act))

    @property
    def kuitan(self) -> bool:
        """Whether open tanyao is a yaku."""
        return self.decisions[0].position.rules.kuitan

    @cached_property
    def flat(self) -> list[Option]:
        """The b options."""
        return [option for each in self.options for option in each]

    @cached_property
    def draws_left(self) -> Ints:
        """(b,) the draws left in the wall."""
        return np.array([decision.position.draws_left for decision in self.decisions])[self.row]

    @cached_property
    def shanten(self) -> Ints:
        """(b,) the shanten without the tile that is discarded, or added to a triplet, or the four
        tiles of a closed kan; NONE of other options."""
        kind = np.where(self.actions.kind == NONE, 0, self.actions.kind)
        found = self.records["efficiency"][self.row, kind, 0]
        out = np.where(self.does("discard", "riichi", "kakan"), found, NONE).astype(np.int64)
        kans = np.flatnonzero(self.does("ankan"))
        if len(kans):
            hands = self.records["hand"][self.row[kans]].copy()
            hands[np.arange(len(kans)), kind[kans]] = 0
            out[kans] = shanten(hands)
        return out

    @cached_property
    def opened(self) -> Bools:
        """(n,) whether the hand has an open meld."""
        return np.array([d.position.players[0].open_melds > 0 for d in self.decisions], np.bool_)

    @cached_property
    def melded(self) -> Bytes:
        """(n, 34) the tiles of the own melds by kind."""
        melds = [decision.position.players[0].melds for decision in self.decisions]
        counts = [kind_counts([tile for meld in each for tile in meld.tiles]) for each in melds]
        return np.array(counts, np.uint8)

    def does(self, *acts: Act) -> Bools:
        """(b,) whether an option is one of these acts."""
        mask = 0
        for act in acts:
            mask |= _BIT[act]
        out: Bools = (self._bits & mask) != 0
        return out

    @cached_property
    def _bits(self) -> Ints:
        return np.left_shift(1, self.act)
