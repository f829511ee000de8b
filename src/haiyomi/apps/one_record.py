"""A record as it is named on the command line, and a decision in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from haiyomi.corpus import Corpus
from haiyomi.corpus.listing import is_address
from haiyomi.counted import counted
from haiyomi.errors import FormatError, HaiyomiError, RecordError
from haiyomi.events import Discard, Game
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.review.find import find_one_hand
from haiyomi.tiles import Seat


def read_one(record: str) -> Game:
    """The one game of a record as named on the command line. Raises RecordError."""
    found = list(islice(Corpus(record, strict=False).games_and_errors(), 2))
    if len(found) != 1:
        what = (
            "holds several games where one is wanted (`haiyomi review` takes many with -o FOLDER)"
            if found
            else "holds no game"
        )
        raise FormatError(what, record[:60])
    game = found[0][1]
    if isinstance(game, RecordError):
        raise game
    return game


def must_exist(records: Iterable[str]) -> None:
    """Raise HaiyomiError where a path among records as named on the command line leads nowhere."""
    for path in records:
        if path != "-" and not is_address(path) and not Path(path).exists():
            raise HaiyomiError(f"{path}: no such file or folder")


@contextmanager
def in_record(record: str) -> Iterator[None]:
    """A RecordError inside names the record, at most by its first letters."""
    try:
        yield
    except RecordError as error:
        if error.file is None:
            error.file = record if len(record) <= 500 else record[:57] + "..."
        raise


def recorded_at(game: Game, seat: Seat, hand: str, turn: int) -> tuple[int, int, Position]:
    """(hand's index, event's index, Position before it) of a seat's ``turn``-th discard."""
    index = find_one_hand(game.hands, hand)
    count = 0
    try:
        for at, event, position in positions(game.hands[index].events, seat, game.header.rules):
            if isinstance(event, Discard):
                count += 1
                if count == turn:
                    return index, at, position
    except RecordError as error:
        error.hand = index
        raise
    raise HaiyomiError(f"seat {seat} has {counted(count, 'discard')} in {hand}: no turn {turn}")


def is_many(record: str, archives: bool = True) -> bool:
    """Whether a record as named on the command line is a folder, or a zip of more than one.
    Without ``archives``, only a folder of more than one is."""
    try:
        is_folder, is_file = Path(record).is_dir(), Path(record).is_file()
    except (OSError, ValueError):
        return False
    if record == "-" or not (is_folder or is_file):
        return False  # standard input and a pipe can be read only once
    if is_folder and archives:
        return True
    return (is_folder or archives) and len(Corpus(record, strict=False)) > 1
