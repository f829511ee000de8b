"""``haiyomi styles``: a player's statistics and class."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.options import EngineOption, JobsOption, JsonOption
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.errors import printable
from haiyomi.extras import require

if TYPE_CHECKING:
    from haiyomi.styles.answer import PlayerStyle
    from haiyomi.styles.classes import StyleClasses
    from haiyomi.styles.count_records import Counted

command = typer.Typer(no_args_is_help=True)

RecordsArgument = Annotated[
    list[str], typer.Argument(help="Files, folders, zips, or -; East-only games do not count.")
]
PlayerOption = Annotated[str, typer.Option(help="Name of the player, or part of it.")]
ClassesOption = Annotated[
    Path | None, typer.Option("--model", help="File of `styles fit`; default: the shipped classes.")
]


@command.callback()
def _group() -> None:
    """Describe players by 19 statistics, and sort them into classes."""


class ScalingName(StrEnum):
    """How statistics are made comparable before distances are taken."""

    reliable = "reliable"
    standardised = "standardised"
    raw = "raw"


@command.command("fit")
def fit(
    records: Annotated[
        list[Path],
        typer.Argument(
            help="Files, folders or zips; of a corpus folder, its train and valid splits."
        ),
    ],
    games: Annotated[
        int, typer.Option("--least", min=2, help="Least number of hanchan of a player.")
    ] = 20,
    classes: Annotated[
        int | None,
        typer.Option(min=2, max=19, help="Number of classes; default: by silhouette."),
    ] = None,
    scaling: Annotated[
        ScalingName,
        typer.Option(
            help="How statistics are scaled, described in the manual under 'Playing styles'."
        ),
    ] = ScalingName.reliable,
    out: Annotated[Path, typer.Option("--out", "-o", help="Model file to write.")] = Path(
        "classes.json"
    ),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the classes and their manifest as JSON.")
    ] = False,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Sort the players with enough hanchan into classes by k-means++, as the paper does.

    The fit uses nine tenths of each player's games. The file holds means of classes of at least
    three players, and no single player's figures.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.evaluation.styles_curve import with_curve
    from haiyomi.review.printing import print_json
    from haiyomi.styles.count_records import count_styles
    from haiyomi.training.fit_styles import classes_of, learning_records, study_styles

    require("train")
    try_outputs(out)
    sources, what = learning_records(records)
    with progress_bar("counting", "games") as step:
        sums = count_styles(sources, Engine.parse(engine, jobs), step)
    study = study_styles(sums.tallies(), games)
    model = classes_of(study, scaling.value, classes, what)
    with progress_bar("resampling", "sizes") as step:
        model = with_curve(model, study.learning, step)
    model.save(out)
    if as_json:
        print_json({"manifest": model.manifest, "classes": classes_json(model)})
    else:
        m = model.manifest
        print(
            f"{m['players']} players with {games} hanchan or more, {m['player_games']} of their "
            f"games learnt from; {scaling.value} places"
        )
        print("silhouette " + "  ".join(f"k={k} {v:.3f}" for k, v in m["silhouettes"].items()))
        print_classes(model)
        print(f"wrote {out} ({out.stat().st_size:,} bytes)")
    tell_skipped(sums)


@command.command("show")
def show(
    records: RecordsArgument,
    player: PlayerOption,
    classes: ClassesOption = None,
    as_json: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Show a player's 19 statistics, the number of hands or calls of each, and the class.

    Records that cannot be read are listed; the exit status is then 1.
    """
    from haiyomi.review.printing import print_json
    from haiyomi.styles.answer import style_in
    from haiyomi.styles.statistics import VECTOR, definition

    model = chosen_classes(classes)
    sums = count(records, jobs)
    found = style_in(sums.games, player, model)
    if as_json:
        print_json(found.to_json())
    else:
        _print_head(found)
        print("players, spread: mean and standard deviation of the players of the classes; trust:")
        print(
            "how much of the difference is the player's, not luck; last: what is counted / per what"
        )
        print(f"{'statistic':<28} {'value':>10} {'n':>6} {'players':>10} {'spread':>9}  trust")
        for s, function in zip(found.statistics, VECTOR, strict=True):
            value = "-" if s.value is None else _number(s.value)
            print(
                f"{s.name:<28} {value:>10} {s.occasions:>6} {_number(s.mean):>10} "
                f"{_number(s.spread):>9}  {s.trust:>4.0%}   {definition(function)}"
            )
    tell_skipped(sums)


@command.command("classify")
def classify(
    records: RecordsArgument,
    player: PlayerOption,
    classes: ClassesOption = None,
    as_json: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Show a player's class, and the distance to each class."""
    from haiyomi.review.printing import print_json
    from haiyomi.styles.answer import style_in

    model = chosen_classes(classes)
    sums = count(records, jobs)
    found = style_in(sums.games, player, model)
    if as_json:
        print_json(found.to_json())
    else:
        _print_head(found)
        rates = {c.name: c.rates for c in model.classes}
        print(f"{'class':<16} {'distance':>8}   riichi   call    win  deal-in   (a hand)")
        mine = " ".join("      -" if r is None else f"{r:>7.1%}" for _, r in found.rates)
        for name, distance in sorted(found.distances, key=lambda d: d[1]):
            print(f"{name:<16} {distance:>8.2f}  {' '.join(f'{r:>7.1%}' for r in rates[name])}")
        print(f"{'this player':<16} {'':>8}  {mine}")
    tell_skipped(sums)


def classes_json(model: StyleClasses) -> list[dict[str, object]]:
    """The classes of a model as JSON values."""
    from haiyomi.styles.statistics import NAMES, RATES

    return [
        {
            "name": c.name,
            "players": c.players,
            "games": c.games,
            "statistics": dict(zip(NAMES, c.statistics, strict=True)),
            "rates": dict(zip([f.__name__ for f in RATES], c.rates, strict=True)),
        }
        for c in model.classes
    ]


def print_classes(model: StyleClasses) -> None:
    """A table of the classes with their rates."""
    print(f"{'class':<16} players games   riichi   call    win  deal-in   (a hand)")
    for c in model.classes:
        rates = " ".join(f"{r:>7.1%}" for r in c.rates)
        print(f"{c.name:<16} {c.players:>7} {c.games:>5}  {rates}")


def chosen_classes(path: Path | None) -> StyleClasses:
    """The classes of a file, or the shipped ones."""
    from haiyomi.styles.classes import StyleClasses, shipped_classes

    return shipped_classes() if path is None else StyleClasses.load(path)


def count(records: list[str], jobs: int | None) -> Counted:
    """The tallies of all hanchan of some records."""
    from haiyomi.styles.count_records import count_styles

    with progress_bar("counting", "games") as step:
        return count_styles(records, jobs, step)


def _print_head(found: PlayerStyle) -> None:
    from haiyomi.review.columns import clean

    left = (
        f"; {found.absent_hands} left out, the player being disconnected"
        if found.absent_hands
        else ""
    )
    print(f"{clean(found.player)}: {found.games} hanchan, {counted(found.hands, 'hand')}{left}")
    agreement = ""
    if found.agreement is not None:
        lot = "1 hanchan" if found.games == 1 else f"{found.games} hanchan"
        agreement = (
            f" ({lot} of a player and all others of theirs agree in {found.agreement:.0%} of cases"
        )
        agreement += "; little better than a guess)" if found.agreement < 0.6 else ")"
    print(f"style: {found.style}{agreement}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"


def tell_skipped(records: Counted) -> None:
    """List what was left out on standard error; exit status 1 if a record could not be read."""
    if records.other:
        print(
            f"haiyomi: left out: {counted(records.other, 'game')} that are no hanchan",
            file=sys.stderr,
        )
    for name, reason in records.skipped:
        print(printable(f"haiyomi: {name}: {reason}"), file=sys.stderr)
    if records.skipped:
        raise typer.Exit(1)
