"""What a decision gave up, of what kind, and what tells such choices apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from haiyomi.kernels.shanten import shanten_of
from haiyomi.review.confirmed_part import (
    CALL,
    CLOSED_WAIT,
    DECLARED,
    NOT_DECLARED,
    SLOW_CALL,
    TYPICAL_WORTH,
    JudgedChoice,
)
from haiyomi.review.gains import gains_of, won
from haiyomi.tiles import kind_counts

if TYPE_CHECKING:
    from haiyomi.game.position import Position
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.review.decisions import ReviewedDecision
    from haiyomi.tiles import Tile

Category: TypeAlias = Literal[
    "pushed",
    "folded",
    "efficiency",
    "value",
    "safer tile",
    "riichi",
    "call",
    "missed call",
    "kan",
    "placement",
]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""What a decision gave up, one word each: dealing in that a fold would have saved; a win that was
folded; the rate of wins; what a win is worth; a safer tile; riichi or damaten; a call that was
made; one that was not; a kan made or not; a place that points do not show."""
Kind: TypeAlias = Literal["discard", "riichi", "call", "kan"]
COMMON: Final = 0.25
"""The share of strong players from which a choice is one that many make."""
NEARLY_ALL: Final = 0.75
"""The share from which it is one that nearly all of them make."""
SAFER: Final = 0.7
"""A hand is folded if it deals in less than this many times as often, and its tile deals in at once
no more often than the other or than AT_ONCE."""
AT_ONCE: Final = 0.03
IN_PLAY: Final = 0.1
"""... and if the other option wins or is tenpai at a draw in at least this share of hands."""
KANS: Final = {"ankan", "kakan", "daiminkan"}


def kind_of(best: Outcome, taken: Outcome) -> Kind:
    """The kind of choice between two options."""
    acts = {best.option.act, taken.option.act}
    if acts & KANS:
        return "kan"
    if acts & {"chi", "pon", "pass"}:
        return "call"
    return "riichi" if acts == {"riichi", "discard"} else "discard"


def category_of(
    decision: ReviewedDecision, best: Outcome, taken: Outcome, forecast: float
) -> Category:
    """What was given up, by what the outcomes show; ``forecast``: how much, in points."""
    acts = {best.option.act, taken.option.act}
    if acts & KANS:
        return "kan"
    if taken.option.act in ("chi", "pon"):
        return "call"
    if best.option.act in ("chi", "pon"):
        return "missed call"
    if best.option.act in ("tsumo", "ron"):
        return "value"
    if forecast > 0 and best.points - taken.points < forecast / 4:
        return "placement"
    if not acts <= {"discard", "riichi"}:
        return "folded" if taken.option.act == "nine terminals" else "efficiency"
    further = (shanten_left(decision, taken) or 0) - (shanten_left(decision, best) or 0)
    safe = taken.deal_in_now <= max(best.deal_in_now, AT_ONCE)
    if further > 0 and safe and taken.deal_in < SAFER * best.deal_in and _in_play(best):
        return "folded"
    # Where the seat draws no more, a hand that neither wins nor is tenpai is not pushed.
    safer = best.deal_in < SAFER * taken.deal_in
    if further < 0 and safer and (decision.position.draws_left >= 4 or _in_play(taken)):
        return "pushed"
    if len(acts) == 2 and further == 0:
        return "riichi"
    parts = gains_of(best, taken)
    if parts.deals >= max(parts.wins, parts.worth):
        return "safer tile"
    return "efficiency" if max(parts.wins, parts.draws) >= parts.worth else "value"


def _in_play(outcome: Outcome) -> bool:
    """Whether the hand still wins or is tenpai at a draw now and then."""
    return outcome.win + outcome.tenpai_draw >= IN_PLAY


def shanten_left(decision: ReviewedDecision, outcome: Outcome) -> int | None:
    """Of the hand that a discard leaves; None where it is not known, and of what is no discard."""
    if decision.analysis.deal_in is None or outcome.option.act not in ("discard", "riichi"):
        return None
    return decision.analysis.risks[outcome.option.tiles[0]].shanten


def no_tile_left(outcome: Outcome) -> bool:
    """Whether the hand is tenpai on tiles that are all seen: it wins only once it has changed."""
    return outcome.wait is not None and outcome.wait.left == 0


def shares(decision: ReviewedDecision, best: Outcome, taken: Outcome) -> tuple[float, float]:
    """How many strong players choose the better option, and the one that was taken; of riichi or
    not with one tile and of a call or none, whatever tiles go with it.

    Of a kan or not, whoever makes none is counted whatever tile goes; but a taken discard that less
    than ``COMMON`` choose is itself: those who make no kan would not choose that tile either. So is
    a call with tiles that few of those who make it would choose, with those who give up as much."""
    kind = kind_of(best, taken)
    if best.option.act == taken.option.act or (kind == "riichi" and not same_tile(best, taken)):
        kind = "discard"
    same = _share(decision, taken, kind)
    if kind == "kan" and taken.option.act == "discard" and (taken.share or 0.0) < COMMON:
        same = taken.share or 0.0
    if kind == "call" and (taken.share or 0.0) < COMMON * same:
        alike = (o for o in decision.options if o.option.act == taken.option.act)
        same = sum(o.share or 0.0 for o in alike if o.preference <= taken.preference)
    return _share(decision, best, kind), same


def same_tile(best: Outcome, taken: Outcome) -> bool:
    """Whether two discards are of one kind."""
    return best.option.tiles[0].kind == taken.option.tiles[0].kind


def _share(decision: ReviewedDecision, outcome: Outcome, kind: Kind) -> float:
    """0 where that is unknown."""
    if kind == "discard":
        return outcome.share or 0.0
    return sum(o.share or 0.0 for o in decision.options if o.option.act == outcome.option.act)


def choice_of(
    decision: ReviewedDecision, best: Outcome, taken: Outcome, category: Category, forecast: float
) -> JudgedChoice:
    """What the confirmed part of a forecast difference in points depends on."""
    group = _group(decision, best, taken, category)
    win = max(best.win, taken.win)
    # A hand that cannot win by ron without riichi is not dear without it.
    silent = taken.wait is None or taken.wait.ron_left > 0
    worth = won(taken) if silent else TYPICAL_WORTH
    return JudgedChoice(group, forecast, *shares(decision, best, taken), win, worth)


def _group(decision: ReviewedDecision, best: Outcome, taken: Outcome, category: Category) -> str:
    """One of ``confirmed_part.GROUPS``."""
    position = decision.position
    if category == "call":
        return CALL if _nearer(position, taken.option.tiles) else SLOW_CALL
    if category in ("riichi", "placement") and best.option.act != "riichi":
        return DECLARED if taken.option.act == "riichi" else category
    if category == "riichi":
        return NOT_DECLARED
    if category == "efficiency" and shanten_left(decision, best) == 0 and not no_tile_left(best):
        return category if position.players[0].open_melds else CLOSED_WAIT
    return category


def _nearer(position: Position, called: Sequence[Tile]) -> bool:
    """Whether a call with these tiles of the hand brings it nearer to tenpai."""
    left = kind_counts(position.hand)
    for tile in called:
        left[tile.kind] -= 1
    return shanten_of(left) < position.shanten
