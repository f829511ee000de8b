"""Uploaded bytes become games, within limits; nothing is fetched and no path is opened."""

from __future__ import annotations

from haiyomi.apps.web.limits import Limits
from haiyomi.errors import FormatError, RecordError, SizeError
from haiyomi.events import Game
from haiyomi.logs.load import gunzip, parse_all, write
from haiyomi.logs.sources import unpacked

Found = tuple[str, Game, bytes]


def games_of(name: str, data: bytes, limits: Limits) -> tuple[list[Found], list[RecordError]]:
    """(name, game, its bytes) of each game in an upload, and why others were not read.

    Raises SizeError where the upload unpacks to more than the limits allow.
    """
    games: list[Found] = []
    errors: list[RecordError] = []
    left = limits.unpacked
    # An upload has a name of its own, never that of a file here.
    for inner, part in unpacked(name, data):
        if isinstance(part, RecordError):
            errors.append(part)
            continue
        if len(part) > left:
            raise SizeError(f"unpacks to more than {limits.unpacked >> 20} MiB", name)
        try:
            if part[:2] == b"\x1f\x8b":
                part = gunzip(part, inner, left)
            left -= len(part)
            found = parse_all(part, inner)
        except SizeError:
            raise
        except RecordError as error:
            errors.append(error)
            continue
        for number, game in enumerate(found):
            if len(games) >= limits.games:
                raise SizeError(f"holds more than {limits.games} games", name)
            if len(found) == 1:
                games.append((inner, game, part))
            else:
                # One of several in a file is kept by itself, in the format that loses least.
                games.append((f"{inner}#{number + 1}", game, _alone(game)))
    if not games and not errors:
        errors.append(FormatError("holds no game", name))
    return games, errors


def _alone(game: Game) -> bytes:
    return write(game, "mjai").encode()
