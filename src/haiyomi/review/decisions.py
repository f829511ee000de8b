"""A review as frozen values; every output is made of these alone.

A ``ReviewedDecision`` is an Analysis with what was done and what came of it, in the own turn or on
another's tile; a ``Review`` holds the decisions of one seat in one game. Seats are relative to the
reviewed player (0 = that player) except where a name says *absolute*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from haiyomi.analysis.value import Analysis, DiscardRisk
from haiyomi.events import Event, FourScores, Offer, by_place
from haiyomi.game.position import Position
from haiyomi.game.rounds import round_name
from haiyomi.tiles import Kind, Seat, Tile

if TYPE_CHECKING:
    from haiyomi.game.needs import Need
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.outcomes.option import Option
    from haiyomi.review.confirmed import Confirmed

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
class Aftermath:
    """What came of the tile that a decision gave away: it passed, was called by ``caller``, was won
    on (``wins``), or three players claimed it and the hand was aborted. ``none``: there was no
    tile.
    """

    kind: Literal["passed", "called", "dealt-in", "aborted", "none"]
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
    they wait on; no waits means not tenpai. ``held``: the concealed tiles, if they are to be shown.
    """

    ron: tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[Kind, ...]]
    waits: tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[Kind, ...]]
    held: tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[Kind, ...]] = ((), (), ())


@dataclass(frozen=True, slots=True)
class BesideOption:
    """An option as another program judged it: ``action`` by its name in mjai, ``tile`` of a
    discard, ``value`` in that program's unit, ``share`` by its policy (0 to 1)."""

    action: str
    tile: Tile | None
    value: float
    share: float


@dataclass(frozen=True, slots=True)
class Beside:
    """What another program, ``name``, held of a decision: its options, best first."""

    name: str
    options: tuple[BesideOption, ...]

    def of(self, tile: Tile) -> BesideOption | None:
        """The discard of a tile; None where the program does not list it."""
        return next((option for option in self.options if option.tile == tile), None)


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """One decision of the reviewed seat: a discard, riichi, a kan, a win or nine terminals in the
    own turn; a call, a win or a pass on another's tile, the ``offer``.

    ``done`` is the option that was taken. ``analysis`` is of the moment before it: of riichi before
    the declaration. On an offer it has only ``outcomes`` and ``styles``. ``hand`` is 0-based in the
    record; ``event`` the index, among the hand's events, of the discard, kan, call or end that was
    chosen, of a pass that of the offer; ``number`` the discards in the hand before it, over all
    seats; ``turn`` the player's own, from 1. ``forced``: the drawn tile after one's own riichi.
    ``absent``: the player was disconnected. ``beside``: another program's options, where its report
    was given. ``rate``: what a point is worth under the payoff at the start of such a game, None
    where places are not known. ``needs``: in the last hand, what makes the seat finish higher, with
    the deposits so far. ``confirmed``: what playing on says of it, where it was asked.
    """

    hand: int
    event: int
    number: int
    turn: int
    done: Option
    analysis: Analysis
    outcome: Aftermath
    offer: Offer | None = None
    tsumogiri: bool = False
    forced: bool = False
    absent: bool = False
    revealed: Revealed | None = None
    beside: Beside | None = None
    rate: float | None = None
    needs: tuple[Need, ...] = ()
    confirmed: Confirmed | None = None

    def without_riichi(self) -> ReviewedDecision:
        """The same decision as if riichi were not on offer."""
        kept = tuple(o for o in self.analysis.options if o.option.act != "riichi")
        return replace(self, analysis=replace(self.analysis, outcomes=kept))

    @property
    def claimed(self) -> Tile | None:
        """The tile of the offer; None in the own turn."""
        return None if self.offer is None else self.offer.tile

    @property
    def position(self) -> Position:
        """What the player saw."""
        return self.analysis.position

    @property
    def gives(self) -> bool:
        """Whether a tile was given on which another could win: discarded, or added to a pon."""
        return self.done.act in ("discard", "riichi", "kakan")

    @property
    def action(self) -> Literal["discard", "kakan"]:
        """How the tile was given."""
        return "kakan" if self.done.act == "kakan" else "discard"

    @property
    def riichi(self) -> bool:
        """Whether the discard declared riichi."""
        return self.done.act == "riichi"

    @property
    def tile(self) -> Tile:
        """The tile that was given."""
        return self.done.tiles[0]

    @property
    def chosen(self) -> DiscardRisk:
        """The tile that was given, with its risk."""
        risks = self.analysis.risks
        return risks.kan(self.tile) if self.action == "kakan" else risks[self.tile]

    @property
    def choices(self) -> tuple[DiscardRisk, ...]:
        """The tiles of the hand with the risk of discarding them; the added one of a kan with that
        of adding it."""
        chosen = self.chosen
        return tuple(chosen if c.tile == self.tile else c for c in self.analysis.risks.choices)

    @property
    def options(self) -> tuple[Outcome, ...]:
        """What will come of every option, best first; none without a choice, and where outcomes
        were not computed."""
        return self.analysis.outcomes or ()

    @property
    def taken(self) -> Outcome | None:
        """The outcome of the option that was taken; None where ``options`` lack it."""
        return next((each for each in self.options if each.option == self.done), None)


@dataclass(frozen=True, slots=True)
class HandReview:
    """One hand: ``index`` 0-based in the record, how it began, the decisions, how it ended
    (``endings``, the events as the record has them; their seats are absolute). ``needs``: in the
    last hand, what makes the seat finish higher, as the hand begins.
    """

    index: int
    kyoku: int
    honba: int
    sticks: int
    scores: FourScores
    indicator: Tile
    decisions: tuple[ReviewedDecision, ...]
    endings: tuple[Event, ...]
    needs: tuple[Need, ...] = ()

    @property
    def name(self) -> str:
        """``E1``, or ``E1.2`` with two honba."""
        return round_name(self.kyoku, self.honba)

    @property
    def discards(self) -> tuple[ReviewedDecision, ...]:
        """The decisions that gave a tile away."""
        return tuple(decision for decision in self.decisions if decision.gives)


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions of one seat. ``names``, ``seat`` and the ``final`` scores of the game, None
    where the record lacks them, are absolute. ``whole``: of all hands of the game."""

    names: tuple[str, str, str, str]
    seat: Seat
    model: str
    hands: tuple[HandReview, ...]
    final: FourScores | None = None
    whole: bool = True

    def __repr__(self) -> str:
        count = sum(len(hand.decisions) for hand in self.hands)
        return f"<Review of {self.name(0)!r}, hands: {len(self.hands)}, decisions: {count}>"

    @property
    def place(self) -> int | None:
        """The place of the seat, 1 to 4; of equal scores the seat earlier in turn is ahead. None
        without final scores."""
        if self.final is None:
            return None
        return by_place(self.final).index(self.seat) + 1

    @property
    def judged(self) -> bool:
        """Whether its decisions are judged; not where the Analyzer left out ``outcomes``."""
        analyses = [decision.analysis for _, decision in self.decisions]
        return not analyses or any(analysis.outcomes is not None for analysis in analyses)

    def name(self, relative: int) -> str:
        """The name of a relative seat; may be empty."""
        return self.names[(self.seat + relative) % 4]

    def _repr_html_(self) -> str:
        from haiyomi.display.analysis import review_html

        return review_html(self)

    @property
    def decisions(self) -> Iterator[tuple[HandReview, ReviewedDecision]]:
        """Each decision with its hand, in the order of the game."""
        for hand in self.hands:
            for decision in hand.decisions:
                yield hand, decision

    @property
    def discards(self) -> Iterator[tuple[HandReview, ReviewedDecision]]:
        """Each decision that gave a tile away, with its hand."""
        return ((hand, decision) for hand, decision in self.decisions if decision.gives)
