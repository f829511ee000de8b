"""Uploaded bytes become games, within limits; nothing is fetched and no path is opened."""

from __future__ import annotations

from haiyomi.apps.web.limits import Limits
from haiyomi.corpus import Corpus
from haiyomi.errors import FormatError, RecordError, SizeError
from haiyomi.events import Game
from haiyomi.logs.load import parse_all, write

Found = tuple[str, Game, bytes]


def games_of(name: str, data: bytes, limits: Limits) -> tuple[list[Found], list[RecordError]]:
    """(name, game, its bytes) of each game in an upload, and why others were not read.

    Raises SizeError where the upload unpacks to more than the limits allow.
    """
    games: list[Found] = []
    errors: list[RecordError] = []
    try:
        corpus = Corpus.of_bytes(name, data, limits.unpacked)
    except SizeError:
        raise
    except RecordError as error:
        return [], [error]
    for entry in corpus.entries:
        try:
            part = entry.unpacked(corpus.budget)
            found = parse_all(part, entry.name)
        except SizeError:
            raise
        except RecordError as error:
            errors.append(error)
            continue
        for number, game in enumerate(found, 1):
            if len(games) >= limits.games:
                raise SizeError(f"holds more than {limits.games} games", name)
            if len(found) == 1:
                games.append((entry.name, game, part))
            else:
                # One of several in a file is kept by itself, in the format that loses least.
                games.append((f"{entry.name}#{number}", game, write(game, "mjai").encode()))
    if not games and not errors:
        errors.append(FormatError("holds no game", name))
    return games, errors
