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
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import Decision


@dataclass(frozen=True, slots=True)
class Call:
    """An option of a block that calls: the numbers of its ``decision`` and of the ``option`` among
    that decision's, and the decision ``after`` it."""

    decision: int
    option: int
    after: Decision


def calls_of(block: OptionBlock) -> list[Call]:
    """The calls among the options of a block, open kans left out."""
    found = []
    for number, (decision, options) in enumerate(zip(block.decisions, block.options, strict=True)):
        if decision.offer is not None and any(o.act in ("chi", "pon") for o in options):
            paths = options_of(decision)
            for place, option in enumerate(options):
                choice = paths[option][0]
                if isinstance(choice, Chi | Pon):
                    found.append(Call(number, place, discard_after(decision, choice)))
    return found


def discard_after(decision: Decision, call: Chi | Pon) -> Decision:
    """The decision that follows a call."""
    position = after_call(decision.position, call)
    banned = swapped_kinds(position)
    tiles = [tile for tile in position.discards if tile.kind not in banned]
    return Decision(position, tuple(Discard(position.seat, t, False) for t in tiles), None)


def by_discards(
    answers: Sequence[list[Outcome]],
    calls: Sequence[Call],
    discards: Sequence[tuple[Outcome, ...]],
) -> None:
    """Put the outcome of each call in its place among the ``answers`` of a block, by those of its
    ``discards``. A call stays as it is where nothing says how often players make each."""
    for call, outcomes in zip(calls, discards, strict=True):
        shares = [outcome.share or 0.0 for outcome in outcomes]
        whole = sum(shares)
        if whole > 0:
            of = answers[call.decision][call.option]
            found = mixture(of, [share / whole for share in shares], outcomes)
            answers[call.decision][call.option] = found
