"""``haiyomi risk``: the risk of every tile in one position, given as JSON or mjai lines."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.input_text import read_input
from haiyomi.apps.options import (
    EastOption,
    JsonOption,
    Lang,
    LangOption,
    LinesRulesOption,
    ModelOption,
    rules_of_lines,
)
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.game.position import Position
from haiyomi.logs.fields import is_mjai
from haiyomi.review.columns import percent
from haiyomi.review.printing import print_json, print_lines
from haiyomi.review.words import Words, words_of
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.rules import Ruleset

Names = tuple[str, str, str, str]


def command(
    position: Annotated[
        Path | None, typer.Argument(help="File to read; default, and -: standard input.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="The viewer, if mjai lines show all four hands: 0 is the first dealer."),
    ] = None,
    rules: LinesRulesOption = None,
    east: EastOption = False,
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
    lines of one hand up to a discard that the viewer is to choose. Risk: the chance that an
    opponent wins on the tile by ron. Tenpai: one tile from winning. Genbutsu: a tile in the
    opponent's own discards, on which it cannot win.
    """
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models

    read = partial(read_text, seat=seat, rules=rules_of_lines(rules, east))
    seen, names = read_input(position, read)
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

    print_lines(((text, "dim"),) for text in words.position_legend.splitlines())
    print_lines(((), *TextReport(words, names).position(analysis)))


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
        name = words.hands.winds[position.seat_wind(risk.opponent) - 27]
        print(
            f"{words.tile(tile)} - {name} ({words.tenpai} {tenpai:.0%}): "
            f"{words.total} {percent(risk.probability)}"
        )
        print(f"  {why_line(risk, shares, words)}")


def read_text(
    text: str, seat: int | None = None, rules: Ruleset | None = None
) -> tuple[Position, Names]:
    """The position, and the names by absolute seat, of JSON or mjai lines; ``rules`` as of
    ``read_decision``.

    Raises PositionError or RecordError.
    """
    if not text.strip():
        raise PositionError("nothing was given: expected a position as JSON, or mjai lines")
    if is_mjai(text):
        return _from_mjai(text, seat, rules)
    position = Position.from_json(text)
    if seat is not None:
        raise HaiyomiError("--seat is for mjai lines: a JSON position has its own field seat")
    if rules is not None:
        raise HaiyomiError(
            "--rules and --east are for mjai lines: a JSON position has its own field rules"
        )
    return position, ("", "", "", "")


def _from_mjai(text: str, seat: int | None, rules: Ruleset | None) -> tuple[Position, Names]:
    from haiyomi.play.stated_decision import read_decision

    position = read_decision(text, seat, rules).position
    if not position.to_act:
        raise PositionError("after the last mjai line it is not this seat's turn to discard")
    return position, _names(text.splitlines())


def _names(lines: list[str]) -> Names:
    try:
        message = json.loads(lines[0])
    except (ValueError, RecursionError):
        return ("", "", "", "")
    names = message.get("names") if isinstance(message, dict) else None
    if isinstance(names, list) and len(names) == 4 and all(isinstance(n, str) for n in names):
        return (names[0], names[1], names[2], names[3])
    return ("", "", "", "")
