"""Answers as tables: chances to win, hidden hands, a player's style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haiyomi.counted import counted
from haiyomi.display.page import Html, bar, heading, page, percent, table, tiles
from haiyomi.display.position import SEATS
from haiyomi.display.tile_row import Placed, upright
from haiyomi.tiles import TILES, kind_name

if TYPE_CHECKING:
    from haiyomi.reading.answer import HandReading
    from haiyomi.styles.answer import PlayerStyle
    from haiyomi.winning.table import WinTable

LIKELY_KINDS = 8
"""How many kinds an opponent's hand is described by."""


def win_table_html(answer: WinTable) -> str:
    """Each discard with its values at the turn of the question, the likeliest to win first."""
    turn = answer.question.turn
    rows = []
    for row in answer.rows:
        shown = "draw" if row.tile is None else tiles(upright([row.tile]))
        points = "-" if row.points is None else f"{row.points[turn - 1]:,.0f}"
        rows.append((shown, bar(row.win[turn - 1]), percent(row.tenpai[turn - 1]), points))
    state = "complete" if answer.shanten < 0 else f"{answer.shanten}-shanten"
    return page(
        heading("Win by own draws", f"{state}, turn {turn}, convention {answer.convention.name}"),
        tiles(upright(answer.question.hand), 44),
        table(("discard", "wins by the last turn", "tenpai by then", "expected points"), rows),
    )


def readings_table(readings: Sequence[HandReading]) -> Html:
    """For each opponent the likeliest kinds and the best guess."""
    rows = []
    for reading in readings:
        kinds = sorted(range(34), key=lambda k: -float(reading.holds[k]))[:LIKELY_KINDS]
        holds = ", ".join(f"{kind_name(k)} {100 * reading.holds[k]:.0f}%" for k in kinds)
        given = f" (given {reading.given})" if reading.given else ""
        rows.append(
            (
                SEATS[reading.opponent] + given,
                holds,
                tiles(_of_counts(reading.best.tolist())),
                percent(reading.agreement),
            )
        )
    heads = ("opponent", "holds at least one", "best guess", "tiles expected to be right")
    return table(heads, rows)


def reading_html(reading: HandReading) -> str:
    """One opponent's hand, with the hands that were drawn."""
    drawn = [
        (tiles(_of_counts(counts)), _shanten(number))
        for counts, number in zip(reading.samples.tolist(), reading.shanten.tolist(), strict=True)
    ]
    given = f"given {reading.given}; " if reading.given else ""
    return page(
        heading(f"Hidden hand of the player {_where(reading.opponent)}"),
        table(
            ("kind", "holds at least one"),
            [
                (tiles(upright([TILES[k]])), bar(float(reading.holds[k])))
                for k in sorted(range(34), key=lambda k: -float(reading.holds[k]))[:LIKELY_KINDS]
            ],
        ),
        heading("Hands drawn", f"{given}model {reading.model}"),
        table(("hand", "shanten"), drawn),
    )


def style_html(style: PlayerStyle) -> str:
    """The nearest class, the distances to all, and the statistics behind them."""
    distances = sorted(style.distances, key=lambda pair: pair[1])
    rows = [
        (
            s.name,
            "-" if s.value is None else f"{s.value:,.3f}",
            s.occasions,
            f"{s.mean:,.3f}",
            percent(s.trust),
        )
        for s in style.statistics
    ]
    return page(
        heading(
            f"{style.player}: {style.style}",
            f"{style.games} hanchan, {counted(style.hands, 'hand')}",
        ),
        table(("class", "distance"), [(name, f"{d:.2f}") for name, d in distances]),
        table(("statistic", "value", "occasions", "mean of players", "trust"), rows),
    )


def _where(seat: int) -> str:
    return "across" if seat == 2 else f"to the {SEATS[seat]}"


def _shanten(number: int) -> str:
    return "tenpai" if number == 0 else str(number)


def _of_counts(counts: Sequence[int]) -> list[Placed]:
    return upright(TILES[kind] for kind, n in enumerate(counts) for _ in range(n))
