"""``haiyomi risk``: the risk of every tile in one position, given as JSON or mjai lines."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.input_text import read_input
from haiyomi.apps.options import JsonOption, Lang, LangOption, ModelOption
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import Deal, OwnDeal, visible_to
from haiyomi.game.position import Position, PositionFold
from haiyomi.review.columns import percent
from haiyomi.review.printing import print_json, print_lines
from haiyomi.review.words import Words, words_of
from haiyomi.tiles import Seat, Tile

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer

Names = tuple[str, str, str, str]


def command(
    position: Annotated[
        Path | None, typer.Argument(help="File to read; default, and -: standard input.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="The viewer, if mjai lines show all four hands: 0 is the first dealer."),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = Lang.en,
    model: ModelOption = "posterior",
    tile: Annotated[
        str | None,
        typer.Option(help="Show why this tile is dangerous or safe: the waits and their shares."),
    ] = None,
) -> None:
    """Show the deal-in risk of every tile in one position.

    The position is one JSON object, described in the manual under 'Position as JSON', or mjai
    lines of one hand; of these it is the position after the last line. Risk: the chance that an
    opponent wins on the tile by ron. Tenpai: one tile from winning. Genbutsu: a tile in the
    opponent's own discards, on which it cannot win.
    """
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models

    seen, names = read_input(position, partial(read_text, seat=seat))
    analyzer = Analyzer(Models(model), ("deal_in", "own_wins"))
    words = words_of(lang.value)
    if tile is not None:
        _explain(analyzer, seen, Tile.parse(tile), as_json, words)
        return
    (analysis,) = analyzer.analyze([seen])
    if as_json:
        from haiyomi.review.json_out import risk_json

        print_json(risk_json(analysis, names))
        return
    from haiyomi.review.text import TextReport

    report = TextReport(words, names)
    print_lines(report.legend())
    print_lines(((), *report.position(analysis)))


def _explain(
    analyzer: Analyzer, position: Position, tile: Tile, as_json: bool, words: Words
) -> None:
    from haiyomi.review.json_out import tile_json
    from haiyomi.review.wait_lines import why_line

    risks, waits = analyzer.waits(position, tile)
    if as_json:
        print_json(tile_json(position, risks, waits))
        return
    (choice,) = risks.choices
    for risk, tenpai, shares in zip(
        choice.by_opponent, risks.tenpai, waits.by_opponent, strict=True
    ):
        name = words.winds[position.seat_wind(risk.opponent) - 27]
        print(
            f"{words.tile(tile)} - {name} ({words.tenpai} {tenpai:.0%}): "
            f"{words.total} {percent(risk.probability)}"
        )
        print(f"  {why_line(risk, shares, words)}")


def read_text(text: str, seat: int | None = None) -> tuple[Position, Names]:
    """The position, and the names by absolute seat, of JSON or mjai lines.

    Raises PositionError or RecordError.
    """
    if not text.strip():
        raise PositionError("nothing was given: expected a position as JSON, or mjai lines")
    first = text.lstrip().splitlines()[0]
    try:
        message = json.loads(first)
        is_mjai = isinstance(message, dict) and "type" in message
    except (ValueError, RecursionError):
        is_mjai = False
    if is_mjai:
        return _from_mjai(text, seat)
    if seat is not None:
        raise HaiyomiError("--seat is for mjai lines: a JSON position has its own field seat")
    return Position.from_json(text), ("", "", "", "")


def _from_mjai(text: str, seat: int | None) -> tuple[Position, Names]:
    from haiyomi.logs.mjai_read import mjai_events

    if seat is not None and not 0 <= seat <= 3:
        raise HaiyomiError(f"no seat {seat}: expected 0 to 3")
    lines = text.splitlines()
    viewer = seat
    fold: PositionFold | None = None
    started = None
    for number, event in enumerate(mjai_events(lines, "mjai lines")):
        if isinstance(event, OwnDeal):
            viewer = int(event.seat) if viewer is None else viewer
        if isinstance(event, Deal) and viewer is None:
            raise HaiyomiError(
                "the lines show all four hands: choose the viewer with --seat 0 to 3"
            )
        if viewer is None:
            started = event
            continue
        if fold is None:
            fold = PositionFold(Seat(viewer))
            if started is not None:
                fold.apply(visible_to(started, Seat(viewer)))
        try:
            fold.apply(visible_to(event, Seat(viewer)))
        except PositionError as error:
            raise PositionError(f"mjai lines, event {number}: {error}") from None
    if fold is None:
        raise PositionError("the mjai lines hold no start_kyoku")
    position = fold.position()
    if not position.to_act:
        raise PositionError("after the last mjai line it is not this seat's turn to discard")
    return position, _names(lines)


def _names(lines: list[str]) -> Names:
    try:
        message = json.loads(lines[0])
    except (ValueError, RecursionError):
        return ("", "", "", "")
    names = message.get("names") if isinstance(message, dict) else None
    if isinstance(names, list) and len(names) == 4 and all(isinstance(n, str) for n in names):
        return (names[0], names[1], names[2], names[3])
    return ("", "", "", "")
