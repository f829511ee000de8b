"""What a review says, as frozen values; text and JSON are made from these alone.

An ``Assessment`` is what the model says of one position; a ``Decision`` adds what was done
and what came of it; a ``Review`` holds the decisions of one seat in one game. Seats are
relative to the reviewed player (0 = that player) except where a name says *absolute*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from haiyomi.dealin.answer import DealIn, PointsRow, PointsRows, TileRisk
from haiyomi.events import Event, FourScores
from haiyomi.game.kuikae import swap_kinds
from haiyomi.game.position import Position
from haiyomi.game.rounds import round_name
from haiyomi.review.shape import shanten_after
from haiyomi.tiles import Kind, Seat, Tile, tile_order


@dataclass(frozen=True, slots=True)
class Choice:
    """One tile that could be discarded (or added to a pon).

    ``risks`` against the relative seats 1, 2, 3. ``total`` is the sum of their
    probabilities, as published (it may exceed one); ``any`` is 1 - prod(1 - p), the chance
    that somebody wins on it; ``expected_loss`` in points. ``allowed`` is False where the
    rules forbid the discard right after a call (*kuikae*, swapping a called tile).
    ``shanten`` of the hand that the discard leaves (0 tenpai), None where it is not the
    viewer's turn.
    """

    tile: Tile
    risks: tuple[TileRisk, TileRisk, TileRisk]
    total: float
    any: float
    expected_loss: float
    allowed: bool = True
    shanten: int | None = None

    @property
    def rows(self) -> PointsRows:
        """The points distribution over all opponents, equal outcomes merged: sums to ``total``."""
        merged: dict[tuple[int, int, int], float] = {}
        for risk in self.risks:
            for row in risk.rows:
                key = (row.han, row.fu, row.points)
                merged[key] = merged.get(key, 0.0) + row.p
        return PointsRows(PointsRow(*key, p) for key, p in sorted(merged.items()))

    @property
    def shares(self) -> tuple[float, float, float]:
        """Each opponent's part of ``total``: sums to one, or to 0 where ``total`` is 0."""
        if self.total <= 0:
            return (0.0, 0.0, 0.0)
        a, b, c = (risk.probability / self.total for risk in self.risks)
        return (a, b, c)


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a model says of one position: ``choices`` by tile, ascending; ``tenpai`` each
    opponent's probability to be one tile from winning, by relative seat 1, 2, 3.
    """

    position: Position
    model: str
    tenpai: tuple[float, float, float]
    choices: tuple[Choice, ...]

    def __getitem__(self, tile: Tile) -> Choice:
        for choice in self.choices:
            if choice.tile == tile:
                return choice
        raise KeyError(str(tile))

    @property
    def safest(self) -> Choice:
        """The allowed choice with the least expected loss, then the least risk."""
        allowed = [c for c in self.choices if c.allowed] or list(self.choices)
        return min(allowed, key=_danger)

    @property
    def shanten(self) -> int | None:
        """The least shanten that an allowed discard leaves."""
        left = [c.shanten for c in self.choices if c.allowed and c.shanten is not None]
        return min(left, default=None)

    @property
    def forward(self) -> Choice:
        """The safest of the allowed choices that leave the least shanten."""
        least = self.shanten
        kept = [c for c in self.choices if c.allowed and c.shanten == least]
        return min(kept, key=_danger) if kept else self.safest

    @classmethod
    def of(cls, position: Position, answer: DealIn) -> Assessment:
        """From a model's answer."""
        swaps = swapped_kinds(position)
        choices = []
        tiles = sorted(answer.risks, key=tile_order)
        for tile, left in zip(tiles, shanten_after(position, tiles), strict=True):
            a, b, c = risks = answer.risks[tile]
            p, q, r = a.probability, b.probability, c.probability
            choices.append(
                Choice(
                    tile,
                    risks,
                    p + q + r,
                    1.0 - (1.0 - p) * (1.0 - q) * (1.0 - r),
                    a.expected_loss + b.expected_loss + c.expected_loss,
                    tile.kind not in swaps,
                    left,
                )
            )
        return cls(position, answer.model, answer.tenpai, tuple(choices))


def _danger(choice: Choice) -> tuple[float, float, Tile]:
    return choice.expected_loss, choice.any, choice.tile


def swapped_kinds(position: Position) -> tuple[Kind, ...]:
    """Kinds that may not be discarded now, right after a call (*kuikae*)."""
    melds = position.players[0].melds
    if not position.to_act or position.drawn is not None or not melds:
        return ()
    meld = melds[-1]
    if meld.called is None or meld.kind not in ("chi", "pon"):
        return ()
    consumed = [tile.kind for tile in meld.tiles]
    consumed.remove(meld.called.kind)
    return tuple(Kind(k) for k in swap_kinds(meld.called.kind, consumed))


CallName: TypeAlias = Literal["chi", "pon", "daiminkan"]


@dataclass(frozen=True, slots=True)
class Won:
    """One win on the tile: by which relative seat, what it cost in points (honba included),
    and its han and fu where the record says them.
    """

    by: Seat
    points: int
    han: int | None
    fu: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a discard: it passed, was called by ``caller``, was won on (``wins``), or
    three players claimed it and the hand was aborted.
    """

    kind: Literal["passed", "called", "dealt-in", "aborted"]
    call: CallName | None = None
    caller: Seat | None = None
    wins: tuple[Won, ...] = ()

    @property
    def points(self) -> int:
        """What it cost, in points."""
        return sum(won.points for won in self.wins)


@dataclass(frozen=True, slots=True)
class Revealed:
    """The hidden truth at one decision, handed in from outside: for the relative seats 1, 2,
    3 the kinds that they could win on by ron now (a yaku, no furiten), and all kinds that
    they wait on; no waits means not tenpai. ``held``: the concealed tiles, if they are told.
    """

    ron: tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[Kind, ...]]
    waits: tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[Kind, ...]]
    held: tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[Kind, ...]] = ((), (), ())


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the reviewed seat.

    ``hand`` is 0-based in the record; ``event`` the index of the discard or kan among the
    hand's events; ``number`` the 0-based index of the discard in the hand over all seats;
    ``turn`` the player's own, from 1. ``action``: a discard or a kan added to a pon, which
    can be won on (*chankan*). ``forced``: the drawn tile after one's own riichi. ``shown``:
    what the sections of a page say of it, by name, where they were asked while the position
    was at hand (its readings are then made once).
    """

    hand: int
    event: int
    number: int
    turn: int
    action: Literal["discard", "kakan"]
    tile: Tile
    tsumogiri: bool
    riichi: bool
    forced: bool
    assessment: Assessment
    outcome: Outcome
    revealed: Revealed | None = None
    shown: Mapping[str, Any] | None = None

    @property
    def chosen(self) -> Choice:
        return self.assessment[self.tile]


@dataclass(frozen=True, slots=True)
class HandReview:
    """One hand: ``index`` 0-based in the record, how it began, the decisions, how it ended
    (``endings``, the events as the record has them; their seats are absolute).
    """

    index: int
    kyoku: int
    honba: int
    sticks: int
    scores: FourScores
    indicator: Tile
    decisions: tuple[Decision, ...]
    endings: tuple[Event, ...]

    @property
    def name(self) -> str:
        """``E1``, or ``E1.2`` with two honba."""
        return round_name(self.kyoku) + (f".{self.honba}" if self.honba else "")


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions of one seat. ``names`` and ``seat`` are absolute."""

    names: tuple[str, str, str, str]
    seat: Seat
    model: str
    hands: tuple[HandReview, ...]

    def name(self, relative: int) -> str:
        """The name of a relative seat; may be empty."""
        return self.names[(self.seat + relative) % 4]

    @property
    def decisions(self) -> Iterator[tuple[HandReview, Decision]]:
        for hand in self.hands:
            for decision in hand.decisions:
                yield hand, decision

    def most_dangerous(self, count: int = 10) -> tuple[tuple[HandReview, Decision], ...]:
        """The discards of highest expected loss, forced ones left out, worst first."""
        free = [(h, d) for h, d in self.decisions if not d.forced]
        free.sort(key=lambda hd: (-hd[1].chosen.expected_loss, hd[0].index, hd[1].event))
        return tuple(free[:count])
