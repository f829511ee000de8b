"""The sums behind players' styles over many records, counted by several processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from haiyomi.corpus import Corpus, Skipped
from haiyomi.errors import DatasetError, IllegalError, RecordError
from haiyomi.kernels.mjlog import read_mjlog
from haiyomi.kernels.statistic_sums import tally
from haiyomi.styles.statistics import COLUMN, EAST_ONLY, HANCHAN, TalliedGame

if TYPE_CHECKING:
    from haiyomi.corpus.walk import Source
    from haiyomi.engines.shards import Jobs
    from haiyomi.events import Game
    from haiyomi.storage.resume import Progress
    from haiyomi.styles.sums_table import Tallies

GAMES_A_PIECE = 256


@dataclass(frozen=True, slots=True)
class Counted:
    """All ``games`` of the length found, how many were of another length (``other``), and what
    was ``skipped``."""

    games: list[TalliedGame]
    other: int
    skipped: tuple[Skipped, ...]

    @property
    def read(self) -> int:
        """How many games were read."""
        return len(self.games) + self.other

    def tallies(self) -> Tallies:
        """The tallies of the games."""
        from haiyomi.styles.sums_table import tallies_of

        return tallies_of(self.games)


def count_styles(
    records: Sequence[Source],
    engine: Jobs,
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
    return Counted(games, other, skipped)


class _Summed(NamedTuple):
    """A game of ``rounds`` rounds: the players' names and their sums, by seat."""

    rounds: int
    names: tuple[str, ...]
    sums: list[list[float]]


def _sum_record(record: bytes) -> _Summed | None:
    """A record that the core reads; None for all others, and where the sums find a fault."""
    found = read_mjlog(record)
    if found is None:
        return None
    try:
        sums = tally(found.words, found.hands, found.absent)
    except IllegalError:
        return None
    return _Summed(found.rounds, tuple(map(unquote, found.names)), sums)


def _sum_game(game: Game, rounds: int) -> _Summed:
    """A game; of those of another number of rounds no sums. Raises RecordError."""
    from haiyomi.styles.game_sums import is_counted, sums_of

    header = game.header
    return _Summed(
        header.rules.rounds, header.names, sums_of(game) if is_counted(game, rounds) else []
    )


def tally_piece(
    piece: Corpus, rounds: int = HANCHAN
) -> tuple[list[TalliedGame], int, list[Skipped]]:
    """The games of the length, how many games were of another, and what could not be read."""
    out: list[TalliedGame] = []
    other = 0
    skipped: list[Skipped] = []
    for entry, found in piece.games_and_errors(_sum_record):
        try:
            if isinstance(found, RecordError):
                raise found
            game = found if isinstance(found, _Summed) else _sum_game(found, rounds)
            if game.rounds == rounds:
                if rounds == EAST_ONLY:
                    for row in game.sums:
                        row[COLUMN["south_hands"]] = row[COLUMN["south_points"]] = 0.0
                out.append((entry.game_name, game.names, game.sums))
            else:
                other += 1
        except RecordError as error:
            error.file = entry.name
            skipped.append(Skipped(entry.game_name, str(error)))
    return out, other, skipped
