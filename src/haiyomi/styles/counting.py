"""The sums behind players' styles over many records, counted by several processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import Source
from haiyomi.errors import DatasetError, RecordError
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.styles.statistics import COLUMN, Floats
from haiyomi.styles.tallies import EAST_ONLY, HANCHAN, Tallies, is_counted, tallies_of
from haiyomi.styles.tally import tally_game

GAMES_A_PIECE = 32
Tallied = list[tuple[str, tuple[str, ...], Floats]]


@dataclass(frozen=True, slots=True)
class Counted:
    """Tallies of all games of the length found, how many games were ``read``, how many of them
    were of another length (``other``), and what was ``skipped``."""

    tallies: Tallies
    read: int
    other: int
    skipped: tuple[Skipped, ...]


def count_styles(
    records: Sequence[Source],
    engine: Jobs = None,
    progress: Progress | None = None,
    rounds: int = HANCHAN,
) -> Counted:
    """Tally every game of some records that has ``rounds`` rounds, by default every hanchan; the
    order of games is that of names.

    An East-only game that runs into a South round gives no points of that round: so few games
    do that the statistic counts as missing. A record whose name came before is left out. Raises
    DatasetError where a path does not exist, or no record can be read.
    """
    corpus = Corpus(records).distinct()
    parts = corpus.map_pieces(partial(tally_piece, rounds=rounds), GAMES_A_PIECE, engine, progress)
    games = [game for tallied, _, _ in parts for game in tallied]
    other = sum(count for _, count, _ in parts)
    skipped = (*corpus.skipped, *(line for _, _, lines in parts for line in lines))
    if not games and not other:
        why = f"; the first: {skipped[0].reason}" if skipped else ""
        raise DatasetError(f"no record in {', '.join(map(str, records))} could be read{why}")
    return Counted(tallies_of(games), len(games) + other, other, skipped)


def tally_piece(piece: Corpus, rounds: int = HANCHAN) -> tuple[Tallied, int, list[Skipped]]:
    """(name, names by seat, sums) of each game of the length, how many games were of another, and
    what could not be read."""
    out: Tallied = []
    other = 0
    skipped: list[Skipped] = []
    for entry, game in piece.outcomes():
        try:
            if isinstance(game, RecordError):
                raise game
            if is_counted(game, rounds):
                sums = tally_game(game)
                if rounds == EAST_ONLY:
                    sums[:, [COLUMN["south_hands"], COLUMN["south_points"]]] = 0.0
                out.append((entry.game_name, game.header.names, sums))
            else:
                other += 1
        except RecordError as error:
            error.file = entry.name
            skipped.append(Skipped(entry.game_name, str(error)))
    return out, other, skipped
