"""A tournament: bots play the same walls in all seat orders (duplicates).

The seats of a *wall* (all the hands' walls of one game, by seed and number) are taken in every
order, so that each bot holds each seat's tiles equally often. A run in a folder resumes after a
kill::

    OUT/plan.json                what is played
    OUT/wall-00000.json          the games of one wall, or of BATCH from this one, sealed
    OUT/records/wall-00000.zip   their records, where these are kept
    OUT/failed/wall-00000.zip    of games in which a program failed, what it was sent

**forfeit** is the rule for a program that fails (an illegal answer, a crash, no answer in time,
too much output): the game ends, the hand under way is annulled with its deposits, the seat that
failed is placed last, and its points above zero go to the other three in equal parts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any, Final

import haiyomi
from haiyomi.engines.shards import Jobs, map_in_order
from haiyomi.errors import DatasetError, RulesError
from haiyomi.evaluation.networks_used import networks_of
from haiyomi.evaluation.tournaments.batched_games import can_batch, play_batch
from haiyomi.evaluation.tournaments.entrants import (
    Conditions,
    Seating,
    bot_of,
    files_of,
    label_of,
)
from haiyomi.events import Game, by_place
from haiyomi.logs.containers import write_zip
from haiyomi.logs.load import ENDINGS, Format, write
from haiyomi.logs.mjai_write import lines
from haiyomi.play.match import play_game
from haiyomi.play.seat_failure import SeatFailure
from haiyomi.rules import DEPOSIT
from haiyomi.seeds import MOST_OF_CORE
from haiyomi.storage.resume import PlannedFolder, Progress, Task, is_done
from haiyomi.storage.seal import read_seal, write_seal
from haiyomi.storage.whole_file import make_folder, whole_file
from haiyomi.styles.game_sums import tally_game
from haiyomi.styles.statistics import COLUMN
from haiyomi.tiles import Seat

FORMAT: Final = 3
BATCH: Final = 16
"""Walls that bots who answer batches play together."""
RECORDS: Final = "records"
FAILED: Final = "failed"
"""The folders of records, and of what programs that failed were sent, within a run's own."""
TALLIED: Final = ("hands", "wins", "deal_ins", "riichi", "opened")
"""What is counted of each seat, of games that were played to their end."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: ``seats`` are indices of the tournament's names by absolute seat.

    ``points`` are the final scores, which sum to 100,000, also in a forfeited game;
    ``TournamentResult.figure`` has points above those at the start instead. ``places`` are 1 to 4.
    ``tallies[seat]`` are five counts, those of TALLIED: hands, wins, deal-ins, riichi, and hands
    opened by a call; zeros in a forfeited game. ``failed`` is the seat that forfeited, ``failure``
    its kind and ``detail`` one sentence.
    """

    wall: int
    seats: tuple[int, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    tallies: tuple[tuple[int, ...], ...]
    failed: int | None = None
    failure: str | None = None
    detail: str | None = None

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> PlayedGame:
        """The game that ``dataclasses.asdict`` and JSON made of one."""
        tallies = tuple(tuple(row) for row in value["tallies"])
        lists = {key: tuple(value[key]) for key in ("seats", "points", "places")}
        return cls(**(value | lists | {"tallies": tallies}))


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays, under which conditions, and how many walls. Raises RulesError for one bot, or
    two of the same name among three or more than four."""

    bots: tuple[str, ...]
    walls: int
    conditions: Conditions
    lineups: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lineups", lineups(self.bots))

    @classmethod
    def of_games(cls, bots: tuple[str, ...], games: int, conditions: Conditions) -> Tournament:
        """The tournament of the fewest walls with at least ``games`` games."""
        one = cls(bots, 1, conditions)
        return replace(one, walls=-(-games // len(one.orders)))

    @property
    def names(self) -> tuple[str, ...]:
        """The different bots."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def labels(self) -> tuple[str, ...]:
        """How the tables call them."""
        return tuple(map(label_of, self.names))

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The seatings of each wall: indices of ``names`` by absolute seat, each once."""
        found = {order for lineup in self.lineups for order in permutations(lineup)}
        return tuple(sorted(found))

    @property
    def networks(self) -> dict[str, str]:
        """The networks that the bots play by, as ``networks_of``."""
        return networks_of(*(file for bot in self.names for file in files_of(bot_of(bot))))

    @property
    def games(self) -> int:
        return self.walls * len(self.orders)


def lineups(bots: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Who sits together: four bots as they are (a name may come several times); two or three with
    some of them twice, so that all play equally often; of more, every four. Indices ascend.

    Raises RulesError.
    """
    distinct = list(dict.fromkeys(bots))
    if len(distinct) == 1:
        raise RulesError(f"a tournament needs two different bots: {bots[0]} is the only one")
    if len(bots) == 4:
        return (tuple(sorted(distinct.index(bot) for bot in bots)),)
    if len(distinct) < len(bots):
        raise RulesError("a bot may be named twice only among four, one for each seat")
    if len(bots) > 4:
        return tuple(combinations(range(len(bots)), 4))
    most = 5 - len(bots) if len(bots) == 3 else 2
    every = combinations_with_replacement(range(len(bots)), 4)
    return tuple(
        chosen
        for chosen in every
        if len(set(chosen)) == len(bots) and max(map(chosen.count, chosen)) <= most
    )


@dataclass(frozen=True, slots=True)
class _Walls:
    """One shard: all games of some walls; ``file`` is where they are sealed, None to keep them in
    memory. ``record_format``: that of the records that are written beside it, None for none."""

    tournament: Tournament
    walls: range
    file: Path | None = None
    record_format: Format | None = None

    @property
    def games(self) -> int:
        """How many: each wall in every order."""
        return len(self.tournament.orders) * len(self.walls)


def _shards(
    tournament: Tournament, out: Path | None, record_format: Format | None = None
) -> list[_Walls]:
    """One wall each, or BATCH where all bots answer batches."""
    size = BATCH if can_batch(list(map(bot_of, tournament.names))) else 1
    firsts = range(0, tournament.walls, size)
    return [
        _Walls(
            tournament,
            range(first, min(first + size, tournament.walls)),
            None if out is None else out / f"wall-{first:05d}.json",
            record_format,
        )
        for first in firsts
    ]


def play_tournament(
    tournament: Tournament,
    out: Path | None = None,
    engine: Jobs = None,
    progress: Progress | None = None,
    record_format: Format | None = None,
) -> list[PlayedGame]:
    """Every game, by wall and order. In a folder ``out`` what is there already is not played again;
    ``record_format``: the format of the records of games that are kept there, None for none.

    Raises DatasetError if the folder holds something else, HaiyomiError where a program cannot be
    started.
    """
    if out is None:
        shards = _shards(tournament, None)
        found = map_in_order(play_walls, shards, engine, progress, lambda shard: shard.games)
        return [game for games in found for game in games]
    given = tournament.conditions
    plan = {
        "format": FORMAT,
        "haiyomi": haiyomi.__version__,
        "bots": list(tournament.bots),
        "networks": tournament.networks,
        "walls": tournament.walls,
        "seed": given.seed,
        "temperature": given.temperature,
        "rules": repr(given.rules),
        "limits": [given.limits.start, given.limits.answer],
        "records": record_format,
    }
    tasks = [
        Task(shard, shard.file, shard.games)
        for shard in _shards(tournament, out, record_format)
        if shard.file is not None
    ]
    PlannedFolder(out, plan, "a tournament").finish(tasks, play_walls, engine, progress)
    games = []
    for task in tasks:
        if not is_done(task.seal):
            raise DatasetError(f"{task.seal} is gone: another process changed the folder")
        games += [PlayedGame.from_json(game) for game in read_seal(task.seal)["games"]]
    return games


def play_walls(shard: _Walls) -> list[PlayedGame]:
    """The games of some walls in every order; sealed in the shard's file if it has one."""
    tournament = shard.tournament
    by_lineup: dict[tuple[int, ...], list[tuple[int, tuple[int, ...]]]] = {}
    for number, order in enumerate(tournament.orders):
        by_lineup.setdefault(tuple(sorted(order)), []).append((number, order))
    games: list[tuple[int, int, PlayedGame]] = []
    texts: dict[str, list[tuple[str, bytes]]] = {RECORDS: [], FAILED: []}

    def keep(folder: str, wall: int, number: int, text: str, to: Format) -> None:
        name = f"wall-{wall:05d}-{number + 1:0{len(str(len(tournament.orders)))}d}{ENDINGS[to]}"
        texts[folder].append((name, text.encode()))

    def count(wall: int, number: int, order: tuple[int, ...], game: Game) -> None:
        games.append((wall, number, _counted(wall, order, game)))
        if to := shard.record_format:
            keep(RECORDS, wall, number, write(_named(game, tournament, number), to), to)

    for lineup, orders in by_lineup.items():
        bots = [tournament.names[bot] for bot in lineup]
        every = [(wall, number, order) for wall in shard.walls for number, order in orders]
        if can_batch(bots) and tournament.conditions.seed <= MOST_OF_CORE:
            at = [_chairs(lineup, order) for _, _, order in every]
            batch = play_batch(bots, at, [wall for wall, *_ in every], tournament.conditions)
            for asked, game in zip(every, batch, strict=True):
                count(*asked, game)
            continue
        with Seating(bots, tournament.conditions) as seating:
            for wall, number, order in every:
                found = _play(tournament, wall, seating, lineup, number, order)
                if isinstance(found, Game):
                    count(wall, number, order, found)
                    continue
                games.append((wall, number, forfeited(wall, order, found)))
                keep(FAILED, wall, number, lines(found.sent), "mjai")
    played = [game for _, _, game in sorted(games, key=lambda each: each[:2])]
    if shard.file is not None:
        facts = {"games": json.loads(json.dumps([_plain(game) for game in played]))}
        files = []
        for folder in (folder for folder, some in texts.items() if some):
            files.append(shard.file.parent / folder / f"{shard.file.stem}.zip")
            make_folder(files[-1].parent)
            with whole_file(files[-1], single_writer=True) as part:
                write_zip(part, sorted(texts[folder]))
        with whole_file(shard.file, single_writer=True) as part:
            write_seal(part, files, facts)
    return played


def _named(game: Game, tournament: Tournament, number: int) -> Game:
    """A game of the order ``number`` whose players have their labels as names. Where a bot sits
    more than once, ``#2`` and so on stand behind all but one, another one in each order."""
    order = tournament.orders[number]
    names = []
    for seat, bot in enumerate(order):
        n = 1 + (order[:seat].count(bot) + number) % order.count(bot)
        names.append(tournament.labels[bot] + (f"#{n}" if n > 1 else ""))
    a, b, c, d = names
    return replace(game, header=replace(game.header, names=(a, b, c, d)))


def _plain(game: PlayedGame) -> dict[str, Any]:
    return {name: getattr(game, name) for name in PlayedGame.__dataclass_fields__}


def _play(
    tournament: Tournament,
    wall: int,
    seating: Seating,
    lineup: tuple[int, ...],
    number: int,
    order: tuple[int, ...],
) -> Game | SeatFailure:
    """One game of players of any kind, or the failure that ended it."""
    given = tournament.conditions
    failed: Seat | None = None
    try:
        players = seating.players(_chairs(lineup, order), wall, number)
        return play_game(players, given.seed, wall, rules=given.rules)
    except SeatFailure as failure:
        failed = failure.seat
        return failure
    except Exception as error:  # of a bot of Python
        names = ", ".join(tournament.names[bot] for bot in order)
        error.add_note(f"in a game of wall {wall}; from the first dealer on sit {names}")
        raise
    finally:
        seating.end_game(failed)


def _chairs(lineup: Sequence[int], order: Sequence[int]) -> list[int]:
    """The place in the lineup of each seat's bot; of two of the same bot, the first sits first."""
    left = list(enumerate(lineup))
    chairs = []
    for bot in order:
        chair = next(pair for pair in left if pair[1] == bot)
        left.remove(chair)
        chairs.append(chair[0])
    return chairs


def _counted(wall: int, order: tuple[int, ...], game: Game) -> PlayedGame:
    """What is kept of a game that was played to its end."""
    points, places = game.header.final, game.header.places
    assert points is not None
    assert places is not None
    sums = tally_game(game)
    tallies = tuple(tuple(int(sums[s, COLUMN[name]]) for name in TALLIED) for s in range(4))
    return PlayedGame(wall, order, points, places, tallies)


def forfeited(wall: int, order: tuple[int, ...], failure: SeatFailure) -> PlayedGame:
    """A game that ends by the rule *forfeit*."""
    scores = list(failure.scores)
    others = [(failure.seat + i) % 4 for i in (1, 2, 3)]
    pool = max(scores[failure.seat], 0)
    scores[failure.seat] -= pool
    for i, seat in enumerate(others):
        scores[seat] += pool // 300 * 100 + (pool % 300 if i == 0 else 0)
    ranked = [*(seat for seat in by_place(scores) if seat != failure.seat), failure.seat]
    scores[ranked[0]] += DEPOSIT * failure.sticks
    places = tuple(ranked.index(Seat(seat)) + 1 for seat in range(4))
    nothing = ((0,) * len(TALLIED),) * 4
    text = str(failure)
    return PlayedGame(wall, order, tuple(scores), places, nothing, failure.seat, failure.kind, text)
