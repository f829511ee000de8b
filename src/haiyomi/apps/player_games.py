"""The games of one player among many records, reviewed by several processes.

All records are read once for the players' names, before any is reviewed. A game counts once, in
whatever formats and under whatever names it comes. Of a game in which the player does not sit only
its name and a digest are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from haiyomi.apps.careers import career_of
from haiyomi.corpus import Corpus
from haiyomi.corpus.same_game import played_digest
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError, RecordError, UnsupportedError, no_player
from haiyomi.review.stats import GameStats, PlayerStats, game_stats, player_stats
from haiyomi.review.summary import EVERY, Shown
from haiyomi.review.verdicts import USUAL, Margins
from haiyomi.storage.resume import Progress
from haiyomi.styles.answer import full_name
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer

RECORDS_A_PIECE: Final = 4
"""Records that a worker is given at a time: some seconds of work."""


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """One game of a record: a digest of who sat there and of what was played, and the figures of
    the player if they did."""

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
    progress: Progress,
    margins: Margins = USUAL,
    shown: Shown = EVERY,
) -> Gathered:
    """The figures of the player whose name is ``player``, else the only one that contains it.

    ``records``: paths as ``Corpus`` takes them. ``margins`` make a mistake; what to work on is of
    those ``shown``. Raises HaiyomiError where no or more than one such player is found, before any
    game is reviewed.
    """
    if not player:
        raise HaiyomiError("--player is empty: give a name or part of it")
    title = _analyzer(model).models.deal_in.name  # a wrong name ends here, before any work
    found: list[GameStats] = []
    skipped: list[RecordError] = []
    again: list[tuple[str, str]] = []
    first: dict[bytes, str] = {}
    corpus = Corpus(records, strict=False)
    name = _full_name(corpus, player)
    review = partial(review_piece, player=name, model=model, margins=margins, shown=shown)
    for piece in corpus.map_pieces(review, RECORDS_A_PIECE, engine, progress):
        for game in piece:
            if isinstance(game, RecordError):
                skipped.append(game)
            elif game.played in first:
                again.append((game.name, first[game.played]))
            else:
                first[game.played] = game.name
                found += game.found
    if not found:
        raise no_player(player, counted(len(first), "game"), (), skipped)
    return Gathered(player_stats(name, title, found), tuple(skipped), tuple(again))


def _full_name(corpus: Corpus, player: str) -> str:
    """The player's whole name, by the headers of all games. Raises HaiyomiError."""
    games = 0
    names: set[str] = set()
    skipped: list[RecordError] = []
    for entry, game in corpus.games_and_errors():
        if isinstance(game, RecordError):
            game.file = entry.name
            skipped.append(game)
        else:
            games += 1
            names.update(game.header.names)
    return full_name(player, names, counted(games, "game"), skipped)


def review_piece(
    piece: Corpus, player: str, model: str, margins: Margins = USUAL, shown: Shown = EVERY
) -> list[PlayedRecord | RecordError]:
    """Every game of some records, or what is wrong with one; ``player`` is a whole name."""
    from haiyomi.review.reviewer import review_game

    found: list[PlayedRecord | RecordError] = []
    for entry, game in piece.games_and_errors():
        try:
            if isinstance(game, RecordError):
                raise game
            called = entry.game_name or entry.name
            seats = [Seat(s) for s, name in enumerate(game.header.names) if name == player]
            if len(seats) > 1:
                raise UnsupportedError(f"has more than one player who is named {player!r}")
            stats = tuple(
                game_stats(
                    called,
                    review_game(game, seat, _analyzer(model)),
                    career=career_of(game, seat),
                    margins=margins,
                    shown=shown,
                )
                for seat in seats
            )
        except RecordError as error:
            error.file = entry.name
            found.append(error)
            continue
        found.append(PlayedRecord(entry.name, played_digest(game), stats))
    return found


@lru_cache(maxsize=1)
def _analyzer(model: str) -> Analyzer:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models

    return Analyzer(Models(model), ("deal_in", "outcomes"), details=())
