"""A win table as lines of text no wider than 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haiyomi.counted import counted
from haiyomi.tiles import format_tiles
from haiyomi.winning.question import TURNS
from haiyomi.winning.table import WinRow, WinTable, indicators, wins_as_it_is

CELL = 5
WIDE_CELL = 6
LABEL = 6


def table_lines(table: WinTable) -> Iterator[tuple[str, str]]:
    """(text, style) of each line: the hand, then a block of rows for each quantity."""
    question = table.question
    state = {-1: "complete", 0: "tenpai"}.get(table.shanten, f"{table.shanten}-shanten")
    melds = "".join(f" + {meld}" for meld in question.melds)
    dora = indicators(question, table.convention)
    shown = f"  indicator {format_tiles(dora)}" if dora else ""
    yield f"{format_tiles(question.hand)}{melds}  {state}  turn {question.turn}{shown}", "title"
    yield (
        f"convention {table.convention.name}; {counted(table.nodes, 'hand')}, "
        f"{counted(table.edges, 'change')}",
        "dim",
    )
    if table.shanten < 0:
        now = "wins as it is" if wins_as_it_is(table.question) else "has no yaku, so it cannot win"
        yield f"The hand is complete and {now}; below, what going on would be worth.", "bold"
    if not table.rows:
        return
    if _without_yaku(table):
        yield "No win that these draws can bring has a yaku, which an open hand needs.", "bold"
    first = min(question.turn, TURNS)
    turns = range(first, TURNS + 1)
    yield "", ""
    yield from _block("win %", [(r, r.win) for r in table.rows], turns, 100.0)
    yield "", ""
    yield from _block("tenpai %", [(r, r.tenpai) for r in table.rows], turns, 100.0)
    if all(r.points is not None for r in table.rows):
        yield "", ""
        yield from _block("points", [(r, r.points or ()) for r in table.rows], turns, None)
    else:
        yield "", ""
        yield "Points are left out so far from winning; --convention neko-B computes them.", "dim"


def _without_yaku(table: WinTable) -> bool:
    """Whether an open hand comes to tenpai and has draws left, but no win that counts."""
    question = table.question
    opened = any(meld.kind != "ankan" for meld in question.melds)
    draws = question.turn + max(0, table.shanten) < question.last
    paid = all(row.points is not None for row in table.rows)
    at = question.turn - 1
    return (
        opened
        and draws
        and paid
        and any(row.tenpai[at] > 0 for row in table.rows)
        and not any(max(row.win) > 0 for row in table.rows)
    )


def _block(
    title: str, rows: Sequence[tuple[WinRow, Sequence[float]]], turns: range, scale: float | None
) -> Iterator[tuple[str, str]]:
    wide = scale is None and max((max(v) for _, v in rows), default=0.0) >= 9999.5
    cell = WIDE_CELL if wide else CELL
    shown = turns[::2] if wide else turns
    yield f"{title:<{LABEL + 3}}".rstrip() + "  (columns: the turn of the discard)", "bold"
    yield " " * LABEL + "".join(f"{t:>{cell}}" for t in shown), "dim"
    for row, values in rows:
        cells = "".join(_cell(values[t - 1], scale, cell) for t in shown)
        yield f"{row.name:<{LABEL}}{cells}", ""


def _cell(value: float, scale: float | None, columns: int) -> str:
    if scale is None:
        return f"{value:>{columns}.0f}"
    percent = scale * value
    text = "100" if percent >= 99.95 else f"{percent:.1f}"
    return f"{text:>{columns}}"
