"""``haiyomi review``: every decision of one seat of a record, with the risk of each tile."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from haiyomi.apps.one_record import in_record, is_many, read_one
from haiyomi.apps.options import (
    EngineOption,
    HandOption,
    HandsModelOption,
    JsonOption,
    Lang,
    LangOption,
    ModelOption,
    OutputOption,
    TruthOption,
    refuse,
)
from haiyomi.apps.outputs import (
    PAGE,
    named_as,
    not_an_input,
    not_within,
    try_folders,
    try_outputs,
    write_output,
)
from haiyomi.apps.progress import progress_bar
from haiyomi.apps.review_page import page_analyzer, page_of, revealed
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError, no_player
from haiyomi.events import Game
from haiyomi.reading.models import DEFAULT
from haiyomi.review.categories import CATEGORIES
from haiyomi.review.columns import Line, clean
from haiyomi.review.decisions import Revealed, Review
from haiyomi.review.find import find_hands, find_seat, one_of_both
from haiyomi.review.printing import json_line, print_json, print_lines
from haiyomi.review.reviewer import review_game
from haiyomi.review.summary import EVERY, Shown, mistakes_of
from haiyomi.review.verdicts import MARGIN, Margins, Severity
from haiyomi.review.words import category_named, words_of
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.batch_review import ReviewOptions


_VIEWER = re.compile(r"[?&]tw=([0-3])")


HandsAtOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="With --hand: also show what the opponents may hold before this own discard, "
        "counted from 1 (see `haiyomi hands`).",
    ),
]


BesideOption = Annotated[
    Path | None,
    typer.Option(
        metavar="REPORT.json",
        help="Show Mortal's values beside the review: the JSON of mjai-reviewer for the same seat.",
    ),
]
ConfirmOption = Annotated[
    bool,
    typer.Option(
        "--confirm",
        help="Play the three costliest mistakes on to the end of the hand, many times with other "
        "hidden tiles, and say whether that confirms them: about 10 s.",
    ),
]
GuiOption = Annotated[
    Path | None,
    typer.Option(
        metavar="OUT.json",
        help="Write the review as the JSON that killer_mortal_gui shows, and nothing else.",
    ),
]
MarginOption = Annotated[
    float,
    typer.Option(
        min=0,
        help="Points of expected value from which a decision is a mistake: twice as many where a "
        "quarter of strong players would choose the same, four times where three quarters would, "
        "half as many where hardly any would; how many do so counts less where the tile is merely "
        "riskier.",
    ),
]
SeverityOption = Annotated[
    Severity,
    typer.Option(
        case_sensitive=False,
        help="Least severity to list; they start at 1, 2 and 4 times the margin.",
    ),
]
CategoryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--category",
        metavar="CATEGORY",
        help="List mistakes of this category only, named as in the text or in short: "
        f"{', '.join(CATEGORIES)}; may be repeated.",
    ),
]
WorstOption = Annotated[
    int | None,
    typer.Option(min=1, help="Number of mistakes to list, the costliest first; default: all."),
]


def command(
    record: Annotated[
        str,
        typer.Argument(
            help="A file, a zip, a folder of records, - for standard input, or a pasted "
            "https://tenhou.net/6/#json=... address (in quotes)."
        ),
    ],
    seat: Annotated[
        int | None,
        typer.Option(help="Seat to review: 0 is the first dealer (East of East 1), then 1, 2, 3."),
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="Player to review, by name or part of it.")
    ] = None,
    hand: HandOption = None,
    as_json: JsonOption = False,
    lang: LangOption = Lang.en,
    model: ModelOption = "posterior",
    hands_model: HandsModelOption = "counts",
    truth: TruthOption = False,
    output: OutputOption = None,
    hands_at: HandsAtOption = None,
    beside: BesideOption = None,
    killer_mortal_gui: GuiOption = None,
    confirm: ConfirmOption = False,
    margin: MarginOption = MARGIN,
    severity: SeverityOption = "inaccuracy",
    category: CategoryOption = None,
    worst: WorstOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="For many records: processes; default: one for each processor."),
    ] = None,
    engine: EngineOption = "processes",
) -> None:
    """Review every decision of one player: what each option is worth, risks, mistakes.

    The review begins with the result, a score, the costliest decisions and luck. For each discard
    it shows the hand and, for each tile, the risk (the chance that an opponent wins on it by ron),
    the mean loss of points, the chance to win the hand, the expected change of score (EV) and how
    many strong players would discard it; for calls, kans and wins the options. A mistake is a
    decision that gives up --margin points or more, as far as playing on confirms such differences,
    against the best option that strong players choose; the margin is doubled where many of them
    would choose the same and halved where hardly any would. One plan counts once.

    Terms: tenpai = one tile from winning; genbutsu = a tile that the opponent discarded, on which
    it cannot win; tedashi = a discard from the hand; tsumogiri = a discard of the tile just drawn;
    honba = repeats of a dealership.

    RECORD may be a folder or a zip of many records: with --player alone, the score of each game is
    shown, and what to work on (with --json: as JSON). With --out FOLDER, the folder gets a
    page (with --json: a JSON file) for each seat of each game, or for --seat or --player only, and
    an index.html. If the run is killed, run it again to make the missing pages. Records that cannot
    be read are listed; the exit status is then 1.
    """
    if not record:
        raise HaiyomiError("the record's name is empty")
    from haiyomi.apps.batch_review import ReviewOptions

    form = "json" if as_json else "html"
    shown = Shown(severity, tuple(map(category_named, category or ())), worst)
    how = ReviewOptions(
        seat, player, model, lang.value, truth, form, hands_model, Margins(margin), shown
    )
    of_one = {"--hand": hand is not None, "--hands-at": hands_at, "--beside": beside,
              "--confirm": confirm}  # fmt: skip
    gui = {"--killer-mortal-gui": killer_mortal_gui}
    filters = {"--margin": margin != MARGIN, "--severity": severity != EVERY.severity,
               "--category": category, "--worst": worst}  # fmt: skip
    others = {"--out": output, "--json": as_json, "--truth": truth}
    if is_many(record) and output is None and player is not None:
        refuse({**of_one, **gui}, f"for one record: {record} may hold many")
        refuse({"--truth": truth, "--hands-model": hands_model != DEFAULT},
               "for reviews of games: name a folder for them with --out")  # fmt: skip
        _work_on(record, player, how, Engine.parse(engine, jobs))
    elif is_many(record) and (output is not None or is_many(record, archives=False)):
        refuse({**of_one, **gui}, f"for one record: {record} holds many")
        if output is None:
            raise HaiyomiError(
                f"{record} holds many records: name a folder for the pages with --out, or a player "
                "with --player"
            )
        _review_many(Path(record), output, how, Engine.parse(engine, jobs))
    elif jobs is not None or engine != "processes":
        raise HaiyomiError("--jobs and --engine are for many records at once")
    elif killer_mortal_gui is not None:
        refuse({**others, **of_one, **filters},
               "not for --killer-mortal-gui, which writes the whole game")  # fmt: skip
        _for_killer_mortal_gui(record, how, killer_mortal_gui)
    else:
        _one(record, how, hand, output, hands_at, beside, confirm)


def _one(
    record: str,
    how: ReviewOptions,
    hand: str | None,
    output: Path | None,
    hands_at: int | None,
    beside: Path | None,
    confirm: bool,
) -> None:
    """Review one record; the arguments as of ``show``."""
    as_json = how.form == "json"
    not_an_input(output, [record])
    named_for(output, as_json)
    if output is None and not as_json and hands_at is None:
        refuse({"--hands-model": how.hands_model != DEFAULT},
               "for --hands-at, pages and JSON: other text shows no hands")  # fmt: skip
    try_outputs(output)
    game = read_one(record)
    seat = _seat(record, game, how)
    with in_record(record):
        show(
            game,
            seat,
            how,
            hand=hand,
            output=output,
            hands_at=hands_at,
            beside=beside,
            confirm=confirm,
            name=Path(record).name if len(record) < 500 and Path(record).exists() else "",
        )


def _seat(record: str, game: Game, how: ReviewOptions) -> Seat:
    """The seat to review; an address may name it, too."""
    viewer = _VIEWER.search(record)
    return find_seat(game.header.names, how.seat, how.player, int(viewer[1]) if viewer else None)


def _work_on(record: str, player: str, how: ReviewOptions, engine: Engine) -> None:
    """Print the score of each game of a player, and the categories of mistakes over all games:
    as text, or as JSON where that is the form."""
    from haiyomi.apps.player_games import gather
    from haiyomi.review.stats_out import score_lines, scores_json, work_on_lines

    one_of_both(how.seat, player)
    with progress_bar("reviewing", "games") as progress:
        found = gather([record], player, how.model, engine, progress, how.margins, how.shown)
    if how.form == "json":
        print_json(scores_json(found.stats, how.margins))
    else:
        print_lines(score_lines(found.stats, how.lang))
        print_lines(work_on_lines(found.stats.given_up, how.lang))
    for error in found.skipped:
        print(f"  left out: {clean(str(error))}", file=sys.stderr)
    if found.skipped:
        raise typer.Exit(1)


def _review_many(source: Path, out: Path, options: ReviewOptions, engine: Engine) -> None:
    from haiyomi.apps.batch_review import INDEX, review_all
    from haiyomi.dealin.models import load_model
    from haiyomi.reading.models import load_hand_model

    named_as(out, "a folder of many reviews")
    one_of_both(options.seat, options.player)
    not_within(out, source)
    try_folders(out)
    load_model(options.model)  # raises for a wrong name before any work
    load_hand_model(options.hands_model)
    if options.seat is not None and not 0 <= options.seat <= 3:
        raise HaiyomiError(f"no seat {options.seat}: the seats are 0, 1, 2 and 3")
    fresh = not out.exists()
    with progress_bar("reviewing", "games") as progress:
        report = review_all(source, out, options, engine, progress)
    if report.games and not report.pages:
        if fresh:
            shutil.rmtree(out)  # made by this run for a name that nobody has
        raise no_player(str(options.player), counted(report.games, "game"), report.players)
    more = "" if options.form == "json" else f": open {out / INDEX} in a browser"
    done = f"{counted(report.games, 'game')}, {counted(report.pages, 'review')}"
    print(f"{done} in {out}{more}", file=sys.stderr)
    for name, reason in report.skipped:
        print(f"  left out: {clean(name)}: {clean(reason)}", file=sys.stderr)
    if report.skipped:
        raise typer.Exit(1)


def named_for(output: Path | None, as_json: bool) -> None:
    """Raise HaiyomiError where the output's name and what was asked for do not go together."""
    if as_json:
        named_as(output, "JSON", ", or leave --json")
    else:
        more = output is not None and output.suffix.lower() == ".json"
        named_as(output, "a page", ", or add --json" if more else "")


def show(
    game: Game,
    seat: Seat,
    how: ReviewOptions,
    *,
    hand: str | None = None,
    output: Path | None = None,
    hands_at: int | None = None,
    beside: Path | None = None,
    confirm: bool = False,
    name: str = "",
) -> None:
    """Review one seat of a game and print it, or write it to ``output``: a page, which shows the
    record's ``name``, or JSON.

    ``hands_at``: a turn of ``hand`` at which the opponents' possible hands are shown, too.
    ``beside``: a file with another program's report on the same seat. ``confirm``: the costliest
    mistakes are played on.
    """
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.review.review_text import TEXT_PARTS, review_lines

    if beside is not None:
        from haiyomi.apps.mortal_report import laid_beside, read_report

        report = read_report(beside)
    models = Models(how.model, how.hands_model)
    margins, shown, as_json = how.margins, how.shown, how.form == "json"
    below = None if hands_at is None else _hands_below(game, seat, hand, hands_at, models, how)
    if below is not None and output is not None and not as_json:
        raise HaiyomiError("--hands-at is for text and --json: a page has no place for it")
    hands = tuple(range(len(game.hands))) if hand is None else find_hands(game.hands, hand)
    words = words_of(how.lang)
    hidden = revealed(game, seat, hands) if how.truth else None
    if as_json:
        analyzer = Analyzer(models)
    elif output is not None:
        analyzer = page_analyzer(models)
    else:
        analyzer = Analyzer(models, TEXT_PARTS, details=())
    review = _with_progress(game, seat, analyzer, hands, hidden, words.progress)
    if confirm:
        review = confirmed_review(game, review, analyzer, margins, shown)
    if beside is not None:
        review = laid_beside(review, report)
    if as_json:
        from haiyomi.review.json_out import review_json

        value = review_json(review, True, margins, shown, how.lang) | (
            {} if below is None else {"opponent_hands": below[1]}
        )
        if output is None:
            print_json(value)
        else:
            write_output(output, json_line(value))
        return
    if output is not None:
        write_output(output, page_of(review, how.lang, name, margins=margins, shown=shown), PAGE)
        return
    print_lines(review_lines(review, words, margins, shown))
    if below is not None:
        print_lines(((), *below[0]))


def confirmed_review(
    game: Game, review: Review, analyzer: Analyzer, margins: Margins, shown: Shown
) -> Review:
    """The review with the costliest of the mistakes shown played on, by the analyzer's models and
    payoff."""
    from haiyomi.apps.confirming import confirm
    from haiyomi.review.review_text import COSTLIEST

    chosen = shown.of(mistakes_of(review, margins))[:COSTLIEST]
    if not chosen:
        print("haiyomi: --confirm: no mistake to play on", file=sys.stderr)
        return review
    with progress_bar("playing on", "hands") as step:
        return confirm(game, review, chosen, analyzer.payoff, models=analyzer.models, step=step)


def _for_killer_mortal_gui(record: str, how: ReviewOptions, output: Path) -> None:
    """Write the review of one record as killer_mortal_gui reads it."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.mortal_json import PARTS, mortal_json

    not_an_input(output, [record])
    try_outputs(output)
    game = read_one(record)
    seat = _seat(record, game, how)
    hands = tuple(range(len(game.hands)))
    analyzer = Analyzer(Models(how.model, how.hands_model), PARTS, details=())
    with in_record(record):
        review = _with_progress(game, seat, analyzer, hands, None, words_of("en").progress)
        write_output(output, json_line(mortal_json(game, review)))


def _hands_below(
    game: Game,
    seat: Seat,
    hand: str | None,
    turn: int,
    models: Models,
    how: ReviewOptions,
) -> tuple[list[Line], dict[str, Any]]:
    """What ``haiyomi hands`` shows of one decision, as lines and as JSON."""
    from haiyomi.apps.commands.hands import hands_at

    if hand is None:
        raise HaiyomiError("--hands-at counts within one hand: name it with --hand")
    return hands_at(game, seat, hand, turn, models, 5, 0, how.truth, how.lang)


def _with_progress(
    game: Game,
    seat: Seat,
    analyzer: Analyzer,
    hands: tuple[int, ...],
    hidden: Mapping[tuple[int, int], Revealed] | None,
    title: str,
) -> Review:

    done = count(1)
    with progress_bar(title, "", transient=True) as step:
        step(0, len(hands))
        return review_game(
            game, seat, analyzer, hands, hidden, lambda _: step(next(done), len(hands))
        )
