"""The outcomes of a decision's options, forecast or played on, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Final

from haiyomi.review.discard_table import share_text
from haiyomi.review.verdicts import CHOSEN, doubted

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.outcomes.option import Option
    from haiyomi.playouts.play import PlayedOn


COLUMNS: Final = (
    "others' tsumo, ron: another wins by own draw, or off a third player; draw: nobody wins;",
    "chosen: how often strong players choose it; value: of the final place, by the payoff.",
)
"""What the columns of ``outcome_lines`` say."""


def outcome_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """A table of the options in their order: value and places where they are known, points, how the
    hand ends, and how many strong players choose each, with a question mark where the forecast is
    doubted."""
    rare = doubted(outcomes)
    placed = any(outcome.placement is not None for outcome in outcomes)
    width = max((len(str(outcome.option)) for outcome in outcomes), default=6)
    head = f"{'option':<{width}}"
    if placed:
        head += "   value    1st   2nd   3rd   4th"
    head += "  points    win deal-in others' tsumo   ron   draw chosen"
    lines = [head, *(_line(outcome, width, placed, rare) for outcome in outcomes)]
    if rare:
        lines.append(
            f"? fewer than {CHOSEN:.0%} choose it: doubt that it is worth more than all that more "
            "players choose."
        )
    return lines + [_wait(outcome) for outcome in outcomes if outcome.wait is not None]


def _wait(outcome: Outcome) -> str:
    wait = outcome.wait
    assert wait is not None
    line = f"waits after {outcome.option}: {' '.join(map(str, wait.on))}, {wait.left} left"
    if wait.furiten:
        return f"{line}, furiten"
    if wait.ron == wait.on:
        return line
    if not wait.ron:
        return f"{line}, no yaku by ron"
    return f"{line}, a yaku by ron on {' '.join(map(str, wait.ron))} alone"


def _line(outcome: Outcome, width: int, placed: bool, rare: Set[Option]) -> str:
    line = f"{outcome.option!s:<{width}}"
    if placed:
        placement = outcome.placement
        assert placement is not None  # all options of a decision have one, or none
        shares = " ".join(f"{p:5.1%}" for p in placement.places)
        line += f" {placement.value:z7.2f}  {shares}"
    line += f" {outcome.points:+z7.0f} {outcome.win:6.1%} {outcome.deal_in:7.1%}"
    line += f" {outcome.others_tsumo:13.1%} {outcome.others_ron:5.1%}"
    return line + f" {outcome.draw:6.1%} {share_text(outcome, rare):>6}"


def outcomes_json(
    outcomes: Sequence[Outcome], payoff: str, not_placed: str | None
) -> dict[str, object]:
    """The value that ``haiyomi value FILE --json`` prints; ``not_placed`` says why there are no
    placements."""
    return {
        "schema": "haiyomi-options",
        "version": 1,
        "policy": outcomes[0].policy if outcomes else None,
        "payoff": payoff,
        "not_placed": not_placed,
        "options": options_json(outcomes),
    }


def options_json(outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
    """The options, best first; ``doubted`` as the question mark of ``outcome_lines``."""
    rare = doubted(outcomes)
    return [outcome.to_json() | {"doubted": outcome.option in rare} for outcome in outcomes]


def played_lines(found: PlayedOn) -> list[str]:
    """A table of the options that were played on, the best in points first."""
    width = max(len(str(outcome.option)) for outcome in found.outcomes)
    lines = [
        f"{'option':<{width}}  worlds  points          behind the best    win deal-in    value"
    ]
    for row in _order(found):
        outcome, gap = found.outcomes[row], found.gaps[row]
        behind = "" if gap is None else f"{gap[0]:+z.0f} ± {gap[1]:.0f}"
        placement = outcome.placement
        value = "" if placement is None else f"{placement.value:z8.2f}"
        lines.append(
            f"{outcome.option!s:<{width}} {found.worlds[row]:7} {outcome.points:+z7.0f} "
            f"± {outcome.error or 0:4.0f} {behind:>18} {outcome.win:6.1%} "
            f"{outcome.deal_in:7.1%} {value}"
        )
    return [*lines, "± is one standard error; an option three of them behind is played no further."]


def played_json(found: PlayedOn, payoff: str, not_placed: str | None) -> dict[str, object]:
    """The value that ``haiyomi value --playouts --json`` prints: the options, the best in points
    first; ``not_placed`` as above."""
    options = []
    for row in _order(found):
        gap = found.gaps[row]
        options.append(
            found.outcomes[row].to_json()
            | {
                "worlds": found.worlds[row],
                "behind": None if gap is None else gap[0],
                "behind_error": None if gap is None else gap[1],
                "racing": found.racing[row],
            }
        )
    return {
        "schema": "haiyomi-options-played",
        "version": 1,
        "policy": found.outcomes[0].policy,
        "payoff": payoff,
        "not_placed": not_placed,
        "options": options,
    }


def _order(found: PlayedOn) -> list[int]:
    """The options by their points; those that left the race come last."""
    rows = range(len(found.outcomes))
    return sorted(rows, key=lambda row: (not found.racing[row], -found.outcomes[row].points))
