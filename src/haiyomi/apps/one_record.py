"""A record as it is named on the command line."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from haiyomi.corpus import Corpus
from haiyomi.errors import FormatError, RecordError
from haiyomi.events import Game


def read_one(record: str) -> Game:
    """The one game of a record as named on the command line. Raises RecordError."""
    found = list(islice(Corpus(record, strict=False).outcomes(), 2))
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


def is_many(record: str, archives: bool = True) -> bool:
    """Whether a record as named on the command line is a folder, or a zip of more than one.
    Without ``archives``, only a folder of more than one is."""
    if record == "-":
        return False  # it can be read only once
    corpus = Corpus(record, strict=False)
    try:
        is_folder = Path(record).is_dir()
    except (OSError, ValueError):
        return False
    if is_folder:
        return archives or len(corpus) > 1
    return archives and len(corpus) > 1
