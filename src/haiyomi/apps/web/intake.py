"""Uploaded bytes become games, within limits; nothing is fetched and no path is opened."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from typing import Any, cast

from haiyomi.apps.web.frames import pack, unpack
from haiyomi.apps.web.limits import LONGEST_NAME
from haiyomi.corpus import Corpus
from haiyomi.errors import FormatError, RecordError, SizeError
from haiyomi.events import Game
from haiyomi.logs.load import parse_all, write

Found = tuple[str, Game, bytes]


@dataclass(frozen=True, slots=True)
class Packed:
    """A game as the library keeps it: ``names`` by seat, the number of ``hands``, the SHA-256
    of its bytes, and those bytes compressed with zlib.
    """

    name: str
    names: tuple[str, ...]
    hands: int
    digest: str
    body: bytes

    @classmethod
    def of(cls, name: str, game: Game, body: bytes) -> Packed:
        digest = hashlib.sha256(body).hexdigest()
        return cls(name, game.header.names, len(game.hands), digest, zlib.compress(body))


def read_upload(name: str, data: bytes, unpacked: int, games: int) -> bytes:
    """A frame for ``found``: the games of an upload, and why others were not read.

    ``unpacked`` and ``games`` are as in Limits. Raises RecordError where the upload has no game,
    or unpacks to more.
    """
    found, errors = games_of(name, data, unpacked, games)
    if not found:
        raise errors.pop(0)  # which this frame does not hold: it would keep the upload
    packed = [Packed.of(*one) for one in found]
    heads = [(p.name, p.names, p.hands, p.digest) for p in packed]
    return pack((heads, [str(error) for error in errors], *(p.body for p in packed)))


def found(frame: bytes) -> tuple[list[Packed], list[str]]:
    """What ``read_upload`` found, by its frame."""
    heads, errors, *bodies = cast(Any, unpack(frame))
    games = [
        Packed(name, tuple(names), hands, digest, body)
        for (name, names, hands, digest), body in zip(heads, bodies, strict=True)
    ]
    return games, errors


def prepare() -> None:
    """Load the readers of all formats before the first upload comes."""
    from haiyomi.logs import majsoul_read, mjai_games, mjlog_read, tenhou6_read  # noqa: F401


def games_of(
    name: str, data: bytes, unpacked: int, most: int
) -> tuple[list[Found], list[RecordError]]:
    """(name, game, its bytes) of each game in an upload, and why others were not read.

    Raises SizeError where the upload unpacks to more than the limits allow.
    """
    games: list[Found] = []
    errors: list[RecordError] = []
    try:
        corpus = Corpus.of_bytes(name, data, unpacked)
    except SizeError:
        raise
    except RecordError as error:
        return [], [error.with_traceback(None)]
    for entry in corpus.entries:
        try:
            part = entry.unpacked(corpus.budget)
            found = parse_all(part, entry.name)
        except SizeError:
            raise
        except RecordError as error:
            errors.append(error.with_traceback(None))  # whose frames hold the upload
            continue
        for number, game in enumerate(found, 1):
            if len(games) >= most:
                raise SizeError(f"holds more than {most} games", name)
            # One of several in a file is kept by itself, in the format that loses least.
            several = len(found) > 1
            called = (f"{entry.name}#{number}" if several else entry.name)[-LONGEST_NAME:]
            longest = max(map(len, game.header.names))
            if longest > LONGEST_NAME:
                why = f"a player's name has {longest:,} characters: at most {LONGEST_NAME} are kept"
                errors.append(FormatError(why, called))
            else:
                body = write(game, "mjai").encode() if several else part
                games.append((called, game, body))
    if not games and not errors:
        errors.append(FormatError("holds no game", name))
    return games, errors
