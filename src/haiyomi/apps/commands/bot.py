"""``haiyomi bot``: a stand-in that plays one seat, as an mjai process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.input_text import read_input
from haiyomi.apps.options import (
    By,
    ByOption,
    EastOption,
    KuitanOption,
    PolicyOption,
    RedsOption,
    RulesOption,
    rules_chosen,
)
from haiyomi.counted import counted
from haiyomi.errors import HaiyomiError, printable
from haiyomi.rules import TENHOU

if TYPE_CHECKING:
    from haiyomi.apps.bot_zip import BotSettings
    from haiyomi.arrays import Singles
    from haiyomi.styles.bot import Bot
    from haiyomi.styles.policy import Policy


def command(
    by: ByOption = By.policy,
    style: Annotated[
        str | None,
        typer.Option(
            help="A class of players (`open-riichi`, `closed`, `even-damaten`), a program "
            "(`suphx-like`, `luckyj-like`), or `pooled`: the average."
        ),
    ] = None,
    history: Annotated[
        list[Path] | None,
        typer.Option(help="Records of the player to imitate: file, folder or zip; repeatable."),
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="The player's name in these records, or part of it.")
    ] = None,
    so_far: Annotated[
        Path | None,
        typer.Option(
            help="mjai lines of this game, as the seat saw them. The bot continues from there and "
            "adapts to the player's choices in them. It answers the last line if that is sent "
            "again."
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="The seat, if start_game has no id."),
    ] = None,
    temperature: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=2.0,
            help="1 draws each choice from the predicted probabilities; 0 always takes the "
            "likeliest choice.",
        ),
    ] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random choices.")] = 0,
    rules: RulesOption = TENHOU.name,
    east: EastOption = False,
    reds: RedsOption = True,
    kuitan: KuitanOption = True,
    model: PolicyOption = None,
    zipped: Annotated[
        Path | None,
        typer.Option(
            "--zip", help="Play nothing: write the bot as a zip for simulators such as mjai.app's."
        ),
    ] = None,
    runtime: Annotated[
        Path | None,
        typer.Option(
            help="With --zip: folder of a relocatable Python with NumPy, for a simulator whose own "
            "Python is another version."
        ),
    ] = None,
) -> None:
    """Play a seat as an mjai process: messages on standard input, answers on standard output.

    Every message gets one line as its answer, `{"type":"none"}` if there is nothing to do. The
    style is that of a class (`--style`), of a player (`--history` and `--player`), or of the
    average player; with `--by ev` the bot is better than the average player. What start_game states
    (the game's length, red fives, all simples for open hands) counts more than the options of the
    rules. A message that cannot be read, or that cannot follow those before it, gets an error as
    its answer and is skipped; hora and ryukyoku end a hand whatever else they say, since servers
    differ there. Where messages are missing, the bot discards what it draws (fallback answers). At
    the end the number of decisions, the number of fallback answers and the time go to standard
    error.
    """
    if bool(history) != (player is not None):
        raise HaiyomiError("--history and --player need each other: give both")
    if history and style is not None:
        raise HaiyomiError("--style and --history exclude each other: give one of them")
    if by == By.ev and (style or history or so_far or model):
        raise HaiyomiError(
            "--by ev cannot be combined with --style, --history, --so-far or --model"
        )
    from haiyomi.apps.bot_zip import BotSettings
    from haiyomi.styles.policy import POOLED

    settings = BotSettings(
        POOLED if style is None else style, temperature, seed, by.value,
        rules_chosen(rules, east=east, reds=reds, kuitan=kuitan),
    )  # fmt: skip
    if zipped is not None:
        if history or so_far is not None or seat is not None:
            raise HaiyomiError("--history, --so-far and --seat are for playing: not with --zip")
        _write_zip(zipped, settings, model, runtime)
        return
    if runtime is not None:
        raise HaiyomiError("--runtime is for --zip: give both")
    _answer(_bot(settings, seat, model, history, player, so_far))


def _bot(
    settings: BotSettings,
    seat: int | None,
    model: Path | None,
    history: list[Path] | None,
    player: str | None,
    so_far: Path | None,
) -> Bot:
    """The bot of the settings, or in the style of a player; it has seen the game so far."""
    from haiyomi.outcomes.improved_bot import ImprovedBot
    from haiyomi.styles.bot import Bot
    from haiyomi.styles.policy import Policy, shipped_policy

    rules = settings.rules
    if settings.by == By.ev:
        return ImprovedBot(seat, temperature=settings.temperature, seed=settings.seed, rules=rules)
    policy = shipped_policy() if model is None else Policy.load(model)
    vector = policy.style(settings.style)
    if history and player is not None:
        vector = _style_of_player(policy, history, player)
    bot = Bot(
        seat, style=vector, temperature=settings.temperature, seed=settings.seed, policy=policy,
        rules=rules,
    )  # fmt: skip
    if so_far is not None:
        _watch(bot, so_far, policy, vector)
    return bot


def _style_of_player(policy: Policy, history: list[Path], player: str) -> Singles:
    """The style of a player in records, and a line about it on standard error."""
    from haiyomi.apps.style_history import player_history
    from haiyomi.corpus import Corpus

    records = Corpus(history, strict=False)
    games = [game for _, game in records]
    bad = [line.reason for line in records.skipped]
    if not games:
        why = f": {bad[0]}" if bad else ""
        raise HaiyomiError(f"no record of --history could be read{why}")
    if bad:
        _tell(f"{counted(len(bad), 'record')} of --history could not be read, the first: {bad[0]}")
    _tell(f"estimating the style from {counted(len(games), 'game')}, about 1 s a game")
    known = player_history(policy, games, player)
    _tell(
        f"{known.player}: {counted(known.games, 'game')}, "
        f"{counted(known.decisions, 'decision')}, "
        f"style {known.style or 'unknown: no hanchan among the games'}"
    )
    return known.vector


def _watch(bot: Bot, so_far: Path, policy: Policy, style: Singles) -> None:
    """Let the bot see the game so far, and adapt its style to the choices of the seat in it."""
    import json

    from haiyomi.apps.style_history import shown_so_far

    bot.watching = True
    lines = read_input(so_far, str.splitlines)
    for number, line in enumerate(lines, 1):
        answer = json.loads(bot.react(line)) if line.strip() else {}
        if answer.get("type") == "error":
            raise HaiyomiError(f"{so_far}, line {number}: {answer['message']}")
    _tell(f"adapting the style to the choices in {so_far}")
    bot.style, number = shown_so_far(policy, bot.watched, style)
    _tell(f"{counted(number, 'decision')} of this game so far")
    bot.watching = False


def _tell(what: str) -> None:
    """Say on standard error what is being done, at once: standard output is for answers."""
    print(f"haiyomi: {printable(what)}", file=sys.stderr, flush=True)


def _answer(bot: Bot) -> None:
    """Answer each line of standard input; at its end, say how it went on standard error."""
    import statistics

    from haiyomi.play.mjai_seat import lines_of

    for line in lines_of(sys.stdin):
        print(bot.react(line), flush=True)
    took = f", {1000 * statistics.median(bot.seconds):.1f} ms each" if bot.seconds else ""
    _tell(
        f"{counted(len(bot.seconds), 'decision')}{took}; "
        f"{counted(bot.fallbacks, 'fallback')}, {counted(bot.errors, 'message')} not understood"
    )


def _write_zip(out: Path, settings: BotSettings, model: Path | None, runtime: Path | None) -> None:
    """Write the bot as a zip, and say so."""
    from haiyomi.apps.bot_zip import write_bot_zip
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.styles.policy import Policy, shipped_policy

    policy = shipped_policy() if model is None else Policy.load(model)
    policy.style(settings.style)  # an unknown style ends the command here, not the game later
    try_outputs(out)
    write_bot_zip(out, settings, model, runtime)
    version = ".".join(map(str, sys.version_info[:2]))
    print(f"wrote {out} ({out.stat().st_size:,} bytes): bot.py for Python {version} with NumPy")
