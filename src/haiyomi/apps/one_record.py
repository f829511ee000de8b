"""A record as it is named on the command line."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from haiyomi.errors import FormatError, RecordError
from haiyomi.events import Game


def read_one(record: str) -> Game:
    """The one game of a record as named on the command line. Raises RecordError."""
    from haiyomi.logs.sources import read_all

    found = list(islice(read_all([record]), 2))
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


def is_many(record: str, alone: bool = True) -> bool:
    """Whether a record as named on the command line is a folder, or a zip of more than one; unless
    ``alone`` a zip is none, nor is a folder with a single file."""
    import zipfile

    place = Path(record)
    try:
        if place.is_dir():
            return alone or sum(path.is_file() for path in place.rglob("*")) > 1
        if not alone or not zipfile.is_zipfile(place):
            return False
        with zipfile.ZipFile(place) as archive:
            return sum(not name.endswith("/") for name in archive.namelist()) > 1
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return False
