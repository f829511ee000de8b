"""The games of one player among many records, reviewed by several processes.

Records are read here, some at a time, and reviewed in workers, so that memory does not grow with
their number. A game counts once, in whatever formats and under whatever names it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from haiyomi.engines.processes import default_jobs
from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.events import Chi, Daiminkan, Deal, Discard, Draw, Game, Kakan, Pon
from haiyomi.review.stats import GameStats, PlayerStats, game_stats, player_stats
from haiyomi.shards import Engine, team

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer

A_ROUND: Final = 4
"""Records a worker is given at a time: some seconds of work."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A record's bytes, whose discards to look at (a name or part of it) and by which model."""

    name: str
    data: bytes
    player: str
    model: str


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a record: a digest of who sat there and what was played, and the figures of
    each player whose name contains what was asked."""

    name: str
    played: bytes
    found: tuple[GameStats, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """A player's figures, the records that could not be read, and (record, the one before it)
    of games that came again."""

    stats: PlayerStats
    skipped: tuple[RecordError, ...]
    again: tuple[tuple[str, str], ...]


def gather(
    records: Sequence[str],
    player: str,
    model: str,
    engine: Engine,
    progress: Callable[[int, int], None],
) -> Gathered:
    """The figures of the player whose name is ``player``, else the only one that contains it.

    Records as ``logs.read_bytes`` takes them. Raises HaiyomiError where no or more than one such
    player is found.
    """
    from haiyomi.logs.sources import count_records, read_bytes

    if not player:
        raise HaiyomiError("--player is empty: give a name or part of it")
    title = _analyzer(model).models.deal_in.name  # a wrong name ends here, before any work
    found: dict[str, list[GameStats]] = {}
    skipped: list[RecordError] = []
    again: list[tuple[str, str]] = []
    first: dict[bytes, str] = {}
    total, read = count_records(records), 0
    held = chain.from_iterable(map(read_bytes, records))
    with team(Engine("processes", 1) if total == 1 else engine) as workers:
        while block := list(islice(held, A_ROUND * (engine.jobs or default_jobs()))):
            asked = [Asked(n, d, player, model) for n, d in block if isinstance(d, bytes)]
            answers = iter(workers(review_record, asked))
            for _, data in block:
                for game in [data] if isinstance(data, RecordError) else next(answers):
                    if isinstance(game, RecordError):
                        skipped.append(game)
                    elif game.played in first:
                        again.append((game.name, first[game.played]))
                    else:
                        first[game.played] = game.name
                        for stats in game.found:
                            found.setdefault(stats.name, []).append(stats)
            read += len(block)
            progress(read, max(total, read))
    chosen = player if player in found else next(iter(found), None)
    if chosen is None:
        raise HaiyomiError(
            f"no player is named {player!r} in {len(first)} games"
            + (f"; {len(skipped)} could not be read, first {skipped[0]}" if skipped else "")
        )
    if chosen != player and len(found) > 1:
        from haiyomi.review.columns import clean

        some = ", ".join(clean(name) for name in list(found)[:8])
        raise HaiyomiError(f"more than one player is named {player!r}: {some}")
    return Gathered(player_stats(chosen, title, found[chosen]), tuple(skipped), tuple(again))


def review_record(asked: Asked) -> list[Played | RecordError]:
    """Every game of a record, or what is wrong with it."""
    from haiyomi.logs.load import parse_all
    from haiyomi.review.reviewer import review_game
    from haiyomi.tiles import Seat
    from haiyomi.training.entries import game_name

    try:
        games = parse_all(asked.data, asked.name)
    except RecordError as error:
        return [error]
    told: list[Played | RecordError] = []
    for number, game in enumerate(games, 1):
        name = asked.name if len(games) == 1 else f"{asked.name}#{number}"
        called = game_name(name) or name
        seats = [
            Seat(seat)
            for seat, sits in enumerate(game.header.names)
            if asked.player.casefold() in sits.casefold()
        ]
        try:
            reviews = [review_game(game, seat, _analyzer(asked.model)) for seat in seats]
        except RecordError as error:
            error.file = name
            told.append(error)
            continue
        told.append(Played(name, _played(game), tuple(game_stats(called, r) for r in reviews)))
    return told


def _played(game: Game) -> bytes:
    """The same for two records of one game, whatever their formats: who sat there, what was dealt
    and what was drawn, discarded and called."""
    told: list[object] = [game.header.names]
    for hand in game:
        for event in hand.events:
            if isinstance(event, Deal):
                told += [sorted(tile.code for tile in tiles) for tiles in event.hands]
            elif isinstance(event, Draw):
                told.append((int(event.seat), event.tile.code))
            elif isinstance(event, Discard | Chi | Pon | Daiminkan | Kakan):
                told.append((type(event).__name__, int(event.seat), event.tile.code))
    return blake2b(repr(told).encode(), digest_size=16).digest()


@lru_cache(maxsize=1)
def _analyzer(model: str) -> Analyzer:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models

    return Analyzer(Models(model), ("deal_in", "balance"))
