"""``haiyomi win``: how likely a hand is to win by own draws, by turn, for each discard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import JsonOption
from haiyomi.errors import HaiyomiError
from haiyomi.game.rounds import parse_wind
from haiyomi.review.printing import print_json, print_lines
from haiyomi.winning.convention import Convention, find_convention
from haiyomi.winning.question import TURNS, WinQuestion

HandArgument = Annotated[
    str,
    typer.Argument(help="13 or 14 tiles, 3 less for each meld: 234578m1689p357s1z (0 = red five)."),
]
DoraOption = Annotated[str, typer.Option(help="Dora indicators: 3p makes 4p the dora.")]
SeenOption = Annotated[str, typer.Option(help="Other visible tiles: rivers and melds of others.")]
MeldsOption = Annotated[
    str,
    typer.Option(
        help="Own melds, separated by commas: 123m,777z; 1111z is a kan, c1111z a closed one."
    ),
]
TurnOption = Annotated[int, typer.Option(help="Turn of this discard, 1 to 18.")]
LastOption = Annotated[int, typer.Option(help="Turn of the last draw, at most 18.")]
SeatWindOption = Annotated[str, typer.Option(help="E, S, W or N; E is the dealer.")]
RoundWindOption = Annotated[str, typer.Option(help="E, S, W or N.")]
DamaFlag = Annotated[bool, typer.Option("--dama", help="Never declare riichi.")]
ExtraOption = Annotated[
    int | None, typer.Option(help="Exchanges beyond those that the hand needs, 0 to 2.")
]
ConventionOption = Annotated[
    str,
    typer.Option(
        help="default; returns, where discards return to the wall; or that of another program: "
        "tomo-main1, tomo-main2, tomo-main2-extra1 (tomohxx/mahjong-win-prob), neko-A, neko-B, "
        "neko-C, neko-D (nekobean/mahjong-cpp)."
    ),
]


def command(
    hand: HandArgument,
    dora: DoraOption = "",
    seen: SeenOption = "",
    melds: MeldsOption = "",
    turn: TurnOption = 1,
    last: LastOption = TURNS,
    seat_wind: SeatWindOption = "S",
    round_wind: RoundWindOption = "E",
    dama: DamaFlag = False,
    extra: ExtraOption = None,
    convention: ConventionOption = "default",
    as_json: JsonOption = False,
    graph: Annotated[
        Path | None,
        typer.Option(help="Draw the graph of hand changes of a small hand into this SVG file."),
    ] = None,
) -> None:
    """Show how likely a hand wins by its own draws, for each discard and turn.

    Win: the chance to win by own draws (no ron, no calls) until the last turn. Tenpai: the chance
    to come within one tile of winning. Points: the chance to win times the mean points of such a
    win. Each is the maximum over all ways to play. A row is a discard, a column the turn at which
    that discard is made.
    """
    if graph is not None and graph.suffix.lower() != ".svg":
        raise HaiyomiError(f"{graph}: the drawing is SVG: name a file that ends in .svg")
    question = WinQuestion.parse(
        hand,
        melds=melds,
        seen=seen,
        indicators=dora,
        turn=turn,
        last=last,
        round_wind=27 + parse_wind(round_wind),
        seat_wind=27 + parse_wind(seat_wind),
    )
    if question.turn > question.last:
        raise HaiyomiError(f"turn {question.turn} comes after the last turn, {question.last}")
    chosen = convention_of(convention, dama, extra)
    from haiyomi.storage.whole_file import write_text
    from haiyomi.winning.table import win_table

    table = win_table(question, chosen)
    if graph is not None:
        from haiyomi.winning.figure import graph_figure

        write_text(graph, graph_figure(question))
    if as_json:
        print_json(table.to_json())
        return
    from haiyomi.winning.text import table_lines

    print_lines(((line, style),) if line else () for line, style in table_lines(table))


def convention_of(name: str, dama: bool, extra: int | None) -> Convention:
    """The convention of the command line. Raises HaiyomiError."""
    chosen = find_convention(name)
    if dama:
        chosen = chosen.but(riichi=False)
    if extra is None:
        return chosen
    if not 0 <= extra <= 2:
        raise HaiyomiError(f"--extra {extra}: expected 0 to 2")
    return chosen.but(extra=extra, tegawari=extra > 0, back=extra > 0, near=8)
