"""The sums behind players' styles over many records, counted by several processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import Source
from haiyomi.errors import DatasetError, RecordError
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.styles.statistics import Floats
from haiyomi.styles.tallies import Tallies, is_counted, tallies_of
from haiyomi.styles.tally import tally_game

GAMES_A_PIECE = 32
Tallied = list[tuple[str, tuple[str, ...], Floats]]


@dataclass(frozen=True, slots=True)
class Counted:
    """Tallies of all hanchan found, how many games were ``read``, how many of them were no
    hanchan (``other``), and what was ``skipped``."""

    tallies: Tallies
    read: int
    other: int
    skipped: tuple[Skipped, ...]


def count_styles(
    records: Sequence[Source], engine: Jobs = None, progress: Progress | None = None
) -> Counted:
    """Tally every hanchan of some records; the order of games is that of names.

    A record whose name came before is left out. Raises DatasetError where a path does not exist,
    or no record can be read.
    """
    corpus = Corpus(records).distinct()
    parts = corpus.map_pieces(tally_piece, GAMES_A_PIECE, engine, progress)
    games = [game for tallied, _, _ in parts for game in tallied]
    other = sum(count for _, count, _ in parts)
    skipped = (*corpus.skipped, *(line for _, _, lines in parts for line in lines))
    if not games and not other:
        why = f"; the first: {skipped[0].reason}" if skipped else ""
        raise DatasetError(f"no record in {', '.join(map(str, records))} could be read{why}")
    return Counted(tallies_of(games), len(games) + other, other, skipped)


def tally_piece(piece: Corpus) -> tuple[Tallied, int, list[Skipped]]:
    """(name, names by seat, sums) of each hanchan, how many games were none, and what could
    not be read."""
    out: Tallied = []
    other = 0
    skipped: list[Skipped] = []
    for entry, game in piece.outcomes():
        try:
            if isinstance(game, RecordError):
                raise game
            if is_counted(game):
                out.append((entry.game_name, game.header.names, tally_game(game)))
            else:
                other += 1
        except RecordError as error:
            error.file = entry.name
            skipped.append(Skipped(entry.game_name, str(error)))
    return out, other, skipped
