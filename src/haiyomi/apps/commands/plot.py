"""``haiyomi plot``: pictures for papers and slides, as SVG or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.commands.win import (
    ConventionOption,
    DamaFlag,
    DoraOption,
    ExtraOption,
    HandArgument,
    MeldsOption,
    RoundWindOption,
    SeatWindOption,
    SeenOption,
    TurnOption,
)
from haiyomi.apps.options import JobsOption, ModelOption
from haiyomi.apps.outputs import try_outputs
from haiyomi.extras import require

if TYPE_CHECKING:
    from haiyomi.plots.picture import Picture

command = typer.Typer(no_args_is_help=True)

PictureOption = Annotated[
    Path, typer.Option("--out", "-o", help="Picture to write: a file that ends in .svg or .pdf.")
]
RecordArgument = Annotated[
    str,
    typer.Argument(help="A file, a zip of one record, - for standard input, or a pasted address."),
]
HandOption = Annotated[str, typer.Option(help="The hand: E1, S3, E1.1 (one honba).")]
SeatOption = Annotated[
    int | None, typer.Option(help="The viewer: 0 is the first dealer (East of East 1).")
]
ViewerOption = Annotated[str | None, typer.Option(help="The viewer, by name or part of it.")]


@command.callback()
def _group() -> None:
    """Draw pictures as SVG or PDF: reliability, risk, waits, styles, chances to win."""


@command.command("reliability")
def reliability(
    rows: Annotated[Path, typer.Argument(help="File of `haiyomi evaluate dealin --rows`.")],
    out: PictureOption,
    opponents: Annotated[
        str | None,
        typer.Option(
            help="Only rows of these opponents: riichi, '3 melds', '2 melds', '1 meld' or closed."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title; default: the rows' number.")] = None,
) -> None:
    """Draw observed against predicted deal-in risk, in twenty bins of equal counts.

    The rows are those of decisions with an opponent in riichi or with an open meld. A line shows
    a bin's 95% interval.
    """
    _begin(out)
    require("data")
    from haiyomi.evaluation.opponents.reliability import bins, threat_rows
    from haiyomi.plots.reliability import reliability_diagram

    predicted, observed = threat_rows(rows, opponents)
    name = title or f"{opponents or 'all opponents'}: {len(predicted):,} rows"
    _end(reliability_diagram(name, bins(predicted, observed)), out)


@command.command("risk")
def risk(
    record: RecordArgument,
    hand: HandOption,
    out: PictureOption,
    seat: SeatOption = None,
    player: ViewerOption = None,
    model: ModelOption = "posterior",
) -> None:
    """Draw the deal-in risk of each discard of one player in one hand, beside the safest tile."""
    _begin(out)
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.one_record import read_one
    from haiyomi.plots.risk_by_turn import risk_by_turn
    from haiyomi.review.find import find_one_hand, find_seat, hand_names
    from haiyomi.review.reviewer import review_hands

    game = read_one(record)
    viewer = find_seat(game.header.names, seat, player, None, "the viewer")
    index = find_one_hand(game.hands, hand)
    (found,) = review_hands(game, [index], viewer, Analyzer(Models(deal_in=model), ["deal_in"]))
    discards = [(d.tile, d.analysis) for d in found.discards if d.action == "discard"]
    name = game.header.names[viewer] or f"seat {viewer}"
    title = f"{hand_names(game.hands)[index]}: deal-in risk of {name}"
    _end(risk_by_turn(title, discards), out)


@command.command("waits")
def waits(
    record: RecordArgument,
    hand: HandOption,
    turn: Annotated[
        int, typer.Option(min=1, help="The decision: the viewer's own discards, counted from 1.")
    ],
    out: PictureOption,
    seat: SeatOption = None,
    player: ViewerOption = None,
    model: ModelOption = "posterior",
) -> None:
    """Draw which tile of the hand is dangerous against whom, and by which shapes of waits."""
    _begin(out)
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.one_record import read_one, recorded_at
    from haiyomi.plots.wait_shapes import FROM, wait_shapes
    from haiyomi.review.find import find_seat, hand_names

    game = read_one(record)
    names = game.header.names
    viewer = find_seat(names, seat, player, None, "the viewer")
    index, _, position = recorded_at(game, viewer, hand, turn)
    analyzer = Analyzer(Models(deal_in=model), ["deal_in", "waits"], waits_from=FROM)
    (analysis,) = analyzer.analyze([position])
    others = [(viewer + r) % 4 for r in (1, 2, 3)]
    place = f"{hand_names(game.hands)[index]}, turn {turn}"
    _end(
        wait_shapes(
            f"{place}: risk of each tile by shape of wait",
            [names[s] or f"seat {s}" for s in others],
            analysis,
        ),
        out,
    )


@command.command("styles")
def styles(
    records: Annotated[
        list[str], typer.Argument(help="Files, folders, zips, or -; East-only games do not count.")
    ],
    player: Annotated[str, typer.Option(help="Name of the player, or part of it.")],
    out: PictureOption,
    games: Annotated[
        int,
        typer.Option(
            "--least",
            min=1,
            help="Also draw every player with at least this number of hanchan, without names.",
        ),
    ] = 20,
    classes: Annotated[
        Path | None,
        typer.Option("--model", help="File of `styles fit`; default: the shipped classes."),
    ] = None,
    jobs: JobsOption = None,
) -> None:
    """Draw a player among the classes, on the two axes on which players differ most."""
    _begin(out)
    from haiyomi.apps.commands.styles import chosen_classes, count, tell_skipped
    from haiyomi.plots.style_map import style_map
    from haiyomi.styles.answer import style_in

    model = chosen_classes(classes)
    counted = count(records, jobs)
    found = style_in(counted.games, player, model)
    _end(style_map(found, counted.tallies(), model, games), out)
    tell_skipped(counted)


@command.command("win")
def win(
    hand: HandArgument,
    out: PictureOption,
    dora: DoraOption = "",
    seen: SeenOption = "",
    melds: MeldsOption = "",
    turn: TurnOption = 1,
    seat_wind: SeatWindOption = "S",
    round_wind: RoundWindOption = "E",
    dama: DamaFlag = False,
    extra: ExtraOption = None,
    convention: ConventionOption = "default",
) -> None:
    """Draw the chance to win by turn, one line a discard, as `haiyomi win` computes it."""
    _begin(out)
    from haiyomi.apps.commands.win import convention_of
    from haiyomi.game.rounds import parse_wind
    from haiyomi.plots.win_curves import win_curves
    from haiyomi.winning.question import WinQuestion
    from haiyomi.winning.table import win_table

    question = WinQuestion.parse(
        hand,
        melds=melds,
        seen=seen,
        indicators=dora,
        turn=turn,
        round_wind=27 + parse_wind(round_wind),
        seat_wind=27 + parse_wind(seat_wind),
    )
    _end(win_curves(win_table(question, convention_of(convention, dama, extra))), out)


def _begin(out: Path) -> None:
    """Raise what drawing into the file would meet, before any work."""
    require("plot")
    from haiyomi.plots.picture import check_name

    check_name(out)
    try_outputs(out)


def _end(picture: Picture, out: Path) -> None:
    picture.write(out)
    print(f"wrote {out} ({out.stat().st_size:,} bytes)")
