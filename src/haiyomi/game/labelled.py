"""Every discard of a game with what its seat saw and what was hidden: the one walk for labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes
from haiyomi.errors import check_type
from haiyomi.events import Discard, Game, Hand, visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.game.truth import DiscardTruths, truths_of
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat

Wanted = Callable[[DiscardTruths], Bools]
"""Which discards of a hand are wanted, by what was hidden: a mask (n,)."""


class LabelledDiscard(NamedTuple):
    """One discard, what its seat saw before it, and what was hidden then.

    ``hand`` is the hand's number in the game from 0, ``decision`` the number of the discard in the
    hand (forced ones counted), ``event`` its index in the hand's events. ``labels`` are the columns
    of all discards of the hand, of which row ``decision`` is this one's. ``after`` is the
    seat's state after the discard; it is valid until the next discard is yielded.
    """

    hand: int
    decision: int
    event: int
    discard: Discard
    position: Position
    labels: DiscardTruths
    after: PositionFold

    def __repr__(self) -> str:
        where = f"hand {self.hand}, event {self.event}: seat {self.seat}"
        return f"<LabelledDiscard: {where} discards {self.discard.tile}>"

    @property
    def seat(self) -> Seat:
        """The absolute seat of who discards."""
        return self.discard.seat

    @property
    def forced(self) -> bool:
        """Whether the seat is in riichi already and had no choice."""
        return bool(self.labels.forced[self.decision])

    @property
    def hands(self) -> Bytes:
        """(4, 34) concealed tiles of each absolute seat by kind, with the tile just drawn."""
        out: Bytes = self.labels.concealed[self.decision]
        return out

    @property
    def tenpai(self) -> tuple[bool, ...]:
        """By absolute seat whether the hand waits; the decider's after the discard."""
        return tuple(self.labels.tenpai[self.decision].tolist())


def labelled(game: Game, wanted: Wanted | None = None) -> Iterator[LabelledDiscard]:
    """Every discard of a game in order with its labels; only those that are ``wanted``.

    The labels are for training and evaluation: nothing that answers for a seat may see them.
    Raises RecordError where the record does not replay, before the first discard, and
    ArgumentError for what is no Game.
    """
    check_type(game, "labelled", Game)
    for number, truth in enumerate(truths_of(game)):
        mask = None if wanted is None else wanted(truth.discards)
        if mask is None or mask.any():
            yield from _of_hand(number, game.hands[number], game.header.rules, truth.discards, mask)


def _of_hand(
    number: int, hand: Hand, rules: Ruleset, labels: DiscardTruths, mask: NDArray[Any] | None
) -> Iterator[LabelledDiscard]:
    chosen = [True] * len(labels) if mask is None else mask.tolist()
    folds = [PositionFold(Seat(s), rules) for s in range(4)]
    done = 0
    for index, event in enumerate(hand.events):
        if type(event) is not Discard:
            for fold in folds:
                fold.apply(visible_to(event, fold.seat))
            continue
        own = folds[event.seat]
        position = own.position() if chosen[done] else None
        for fold in folds:
            fold.apply(visible_to(event, fold.seat))
        if position is not None:
            yield LabelledDiscard(number, done, index, event, position, labels, own)
        done += 1
