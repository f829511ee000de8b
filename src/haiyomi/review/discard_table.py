"""The hand and the outcomes of a decision by the tile that goes, as rows of a review's table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Final

from haiyomi.analysis.value import Analysis
from haiyomi.game.position import Position
from haiyomi.review.columns import chance, percent
from haiyomi.review.decisions import Beside
from haiyomi.review.verdicts import doubted
from haiyomi.review.words import Words
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.outcomes.option import Act, Option

HARDLY: Final = 50
"""An option that is fewer points than this behind the best for the place counts as equally good, in
points at the start of a game."""


def hand_columns(position: Position) -> list[Tile]:
    """The hand's tiles as shown, the drawn one last."""
    tiles = list(position.hand)
    if position.drawn is not None:
        tiles.remove(position.drawn)
        tiles.append(position.drawn)
    return tiles


def by_discard(analysis: Analysis) -> dict[Tile, dict[Act, Outcome]]:
    """The options that discard each tile, by ``discard`` and ``riichi``."""
    found: dict[Tile, dict[Act, Outcome]] = {}
    for outcome in analysis.outcomes or ():
        if outcome.option.act in ("discard", "riichi"):
            found.setdefault(outcome.option.tiles[0], {})[outcome.option.act] = outcome
    return found


def behind_for_the_place(analysis: Analysis, rate: float | None) -> Mapping[Option, float]:
    """How many points, as at the start of a game, each option is from the best for the final place:
    0 or less. ``rate``: what such a point is worth in the placement's value. Empty where the option
    of most points is hardly behind, and where the place is not known."""
    options = analysis.outcomes or ()
    values = {o.option: o.placement.value for o in options if o.placement is not None}
    if not rate or not values or len(values) < len(options):
        return {}
    best = max(values.values())
    most = max(options, key=lambda each: each.points).option
    if best - values[most] < HARDLY * rate:
        return {}
    return {option: (value - best) / rate for option, value in values.items()}


def forecast_rows(
    labels: tuple[str, str, str, str],
    options: Sequence[Outcome | None],
    behind: Mapping[Option, float],
    rare: Set[Option],
) -> Iterator[tuple[str, list[str]]]:
    """The label and the texts of P(win), the expected points, how far ``behind`` the best each is
    for the place, and how many strong players choose it, where these are known, with a question
    mark for those ``rare``; None has no text."""
    win, ev, place, strong = labels
    yield win, ["-" if each is None else chance(each.win) for each in options]
    yield ev, ["-" if each is None else f"{each.points:z.0f}" for each in options]
    if behind:
        yield place, ["-" if each is None else f"{behind[each.option]:z.0f}" for each in options]
    if any(each is not None and each.share is not None for each in options):
        yield strong, ["-" if each is None else share_text(each, rare) for each in options]


def win_rows(
    analysis: Analysis, tiles: Sequence[Tile], rate: float | None, words: Words
) -> Iterator[tuple[str, list[str]]]:
    """The label and the texts of what each discard may win; none where it was not computed
    or there is no choice. ``rate``: what a point is worth."""
    w = words
    own = {each.tile: each for each in analysis.own_wins or ()}
    if own:
        found = [own.get(tile) for tile in tiles]
        yield w.own_win, ["-" if o is None else chance(o.win) for o in found]
    options = by_discard(analysis)
    if options:
        rows = [options.get(tile, {}) for tile in tiles]
        silent = [each.get("discard") or each.get("riichi") for each in rows]
        marks = behind_for_the_place(analysis, rate), doubted(analysis.outcomes or ())
        yield from forecast_rows((w.win, w.ev, w.place, w.strong), silent, *marks)
        if any(len(each) == 2 for each in rows):
            declared = [each.get("riichi") for each in rows]
            labels = w.win_riichi, w.ev_riichi, w.place_riichi, w.strong_riichi
            yield from forecast_rows(labels, declared, *marks)


def beside_rows(beside: Beside, tiles: Sequence[Tile]) -> Iterator[tuple[str, list[str]]]:
    """The label and the texts of another program's shares and values of the discards."""
    found = [beside.of(tile) for tile in tiles]
    yield beside.name, ["-" if o is None else percent(o.share) for o in found]
    yield f"{beside.name} Q", ["-" if o is None else _short(o.value) for o in found]


def _short(value: float) -> str:
    """Another program's value in at most five columns, whatever its unit."""
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f}"


def share_text(outcome: Outcome, rare: Set[Option]) -> str:
    """How many strong players choose an option, with a question mark for one of the ``rare``, whose
    forecast is doubted."""
    if outcome.share is None:
        return "-"
    return f"{100 * outcome.share:.0f}%{'?' * (outcome.option in rare)}"
