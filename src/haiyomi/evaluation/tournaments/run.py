"""A tournament from Python: bots of one's own beside those that the command seats by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from haiyomi.engines.shards import Jobs, check_importable, in_this_process
from haiyomi.errors import ArgumentError, RulesError, check_type
from haiyomi.evaluation.tournaments.entrants import PYTHON, Conditions, Entrant, check_bot
from haiyomi.evaluation.tournaments.tournament import Tournament, play_tournament
from haiyomi.evaluation.tournaments.tournament_report import TournamentResult
from haiyomi.logs.missing import format_for
from haiyomi.play.mjai_process import TimeLimits
from haiyomi.rules import TENHOU, Ruleset, rules_of
from haiyomi.seeds import check_seed
from haiyomi.storage.resume import Progress


def run_tournament(
    entrants: Mapping[str, Entrant],
    games: int = 120,
    *,
    seed: int = 0,
    rules: Ruleset | str = TENHOU,
    temperature: float = 1.0,
    out: str | Path | None = None,
    records: bool = False,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> TournamentResult:
    """Bots play the same walls in all seat orders, as ``haiyomi play --versus`` lets them.

    ``entrants``: two or more by the label that the tables show (letters, digits, ``_``, ``.`` and
    ``-``). Each is a subclass of ``Bot``, a function without arguments that makes a bot, or a name
    that the command takes: "random", "balanced", "policy:pooled", "ev", "model:FILE",
    "cmd:PROGRAM", ... A bot is made anew for each seat of each game, and the tournament sets its
    ``seed``: keep on the class what is slow to load. ``games`` is rounded up to whole walls: 6
    games each for two entrants, 36 for three, 24 for four; of more, every four play.
    ``temperature``, 0 to 2, is that of named policies. ``progress`` is called with the games played
    and all games.

    The same arguments give the same games, whatever ``jobs`` is, where the bots draw from
    ``Bot.generator`` alone. With more than one process, a class or function must be importable
    by name, and a program's own start stands under ``if __name__ == "__main__":``.

    With a folder ``out`` a run that was stopped continues with the walls that it had not finished;
    without one it starts anew. The folder knows a bot of Python by its label alone: take another
    folder where its code has changed. ``records``: the folder also keeps the games, as
    ``haiyomi play --versus --records`` does.

    Raises RulesError for fewer than two entrants and one or a label that is not valid; ModelError
    for a file or style that is not valid; ArgumentError for other numbers and for what is no
    mapping; DatasetError for a folder of another tournament or that cannot be written; HaiyomiError
    for a class that other processes cannot import. An exception of a bot of Python ends the
    tournament; a program that fails forfeits its game.
    """
    check_type(entrants, "run_tournament", Mapping)
    check_seed(seed)
    check_type(games, "run_tournament(games=...)", int)
    check_type(temperature, "run_tournament(temperature=...)", int, float)
    if games < 1:
        raise ArgumentError(f"games is {games}: expected 1 or more")
    if not 0 <= temperature <= 2:
        raise ArgumentError(f"temperature is {temperature}: expected 0 to 2")
    if records and out is None:
        raise ArgumentError("records need a folder: name one with out")
    if len(entrants) < 2:
        raise RulesError(f"a tournament needs two bots or more: there are {len(entrants)}")
    makers = {label: made for label, made in entrants.items() if not isinstance(made, str)}
    bots = tuple(_named(label, entrant) for label, entrant in entrants.items())
    if not in_this_process(jobs):
        for maker in makers.values():
            check_importable(maker)
    conditions = Conditions(rules_of(rules), seed, temperature, TimeLimits(), makers)
    tournament = Tournament.of_games(bots, games, conditions)
    folder = None if out is None else Path(out)
    record_format = format_for(conditions.rules) if records else None
    played = play_tournament(tournament, folder, jobs, progress, record_format)
    return TournamentResult(tournament, tuple(played))


def _named(label: str, entrant: Entrant) -> str:
    """An entrant's name as ``parse_entrants`` gives it. Raises RulesError, ModelError."""
    if not isinstance(label, str) or not re.fullmatch(r"[\w.-]+", label):
        raise RulesError(f"the label {label!r}: expected letters, digits, _, . and -")
    if isinstance(entrant, str):
        check_bot(entrant)
        return f"{label}={entrant}"
    if not callable(entrant):
        raise RulesError(
            f"{label} is {str(entrant)[:60]}: expected a name, a class of bots, or a function that "
            "makes one"
        )
    return f"{label}={PYTHON}{label}"
