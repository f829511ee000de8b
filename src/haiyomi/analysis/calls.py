"""A chi or a pon is worth what its discards are worth, as often as players make each.

Nothing is learned between a call and the discard that follows it. The network of options sees the
hand before the call, and neither its winning tiles after it nor whether it still has a yaku.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from haiyomi.events import Chi, Discard, Pon
from haiyomi.game.after_call import after_call
from haiyomi.game.kuikae import swapped_kinds
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.mixture import mixture
from haiyomi.outcomes.option import options_of
from haiyomi.play.decision import Decision


@dataclass(frozen=True, slots=True)
class Call:
    """An option that calls: the numbers of its ``decision`` and of the ``option`` among that
    decision's, and the decision ``after`` it."""

    decision: int
    option: int
    after: Decision


def calls_of(decisions: Sequence[Decision]) -> list[Call]:
    """The calls among the options of decisions, open kans left out."""
    return [
        Call(number, place, discard_after(decision, first))
        for number, decision in enumerate(decisions)
        if decision.offer is not None
        for place, (first, *_) in enumerate(options_of(decision).values())
        if isinstance(first, Chi | Pon)
    ]


def discard_after(decision: Decision, call: Chi | Pon) -> Decision:
    """The decision that follows a call."""
    position = after_call(decision.position, call)
    banned = swapped_kinds(position)
    tiles = [tile for tile in position.discards if tile.kind not in banned]
    return Decision(position, tuple(Discard(position.seat, t, False) for t in tiles), None)


def by_discards(
    answers: Sequence[list[Outcome]], calls: Sequence[Call], discards: Sequence[tuple[Outcome, ...]]
) -> None:
    """Put the outcome of each call in its place among the ``answers``, those of decisions, by those
    of its ``discards``. A call stays as it is where nothing says how often players make each."""
    for call, outcomes in zip(calls, discards, strict=True):
        shares = [outcome.share or 0.0 for outcome in outcomes]
        whole = sum(shares)
        if whole > 0:
            of = answers[call.decision][call.option]
            found = mixture(of, [share / whole for share in shares], outcomes)
            answers[call.decision][call.option] = found
