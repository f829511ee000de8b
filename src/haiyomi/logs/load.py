"""Bytes to games and games to text: the content shows the format, never the name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, Literal, TypeAlias

from haiyomi.errors import (
    FormatError,
    HaiyomiError,
    RecordError,
    SizeError,
    TruncatedError,
    not_json,
)
from haiyomi.events import Game
from haiyomi.logs.containers import MAX_BYTES, gunzip, is_gzip, is_zip
from haiyomi.logs.stated import Stated

Format: TypeAlias = Literal["mjai", "tenhou6", "mjlog"]
"""A format that haiyomi writes."""
ENDINGS: Final[dict[Format, str]] = {"mjai": ".mjson", "tenhou6": ".json", "mjlog": ".mjlog"}
"""How the names of files in each format end."""
_PART = 1 << 16
"""Characters that are split into lines at a time."""


def parse(data: bytes, name: str = "record") -> Game:
    """The one game that some bytes hold (mjlog, Tenhou JSON, mjai or Mahjong Soul's,
    perhaps gzipped).

    ``name`` only serves error texts. Raises RecordError; FormatError if there are several
    games (``parse_all`` gives them all).
    """
    games = parse_all(data, name)
    if len(games) != 1:
        raise FormatError(f"holds {len(games)} games where one is wanted", name)
    return games[0]


def parse_all(
    data: bytes, name: str = "record", stated: list[Stated] | None = None
) -> tuple[Game, ...]:
    """The games that some bytes hold; at least one. Raises RecordError.

    ``stated``, if given, gets for each game what the record states beside its events, for
    ``check_stated``.
    """
    try:
        return _parse(data, name, stated)
    except RecordError as error:
        if error.file is None:
            error.file = name
        raise
    except HaiyomiError as error:
        raise FormatError(str(error), name) from error


def _parse(data: bytes, name: str, stated: list[Stated] | None) -> tuple[Game, ...]:
    if len(data) > MAX_BYTES:
        raise SizeError(f"larger than {MAX_BYTES >> 20} MiB", name)
    start = data[:200].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise FormatError("is a web page, not the record that it shows: save the record", name)
    if is_zip(data):
        raise FormatError("is a zip within a zip: unpack it first", name)
    if is_gzip(data):
        data = gunzip(data, name)
    if b".lq." in data[:MAJSOUL_WITHIN] and data[:1] in _MESSAGE:
        from haiyomi.logs.majsoul_read import read_majsoul

        return (read_majsoul(data, name, _next(stated)),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            "is not text in UTF-8, nor gzip of such text", name, value=data[error.start : error.end]
        ) from None
    if not text or text.isspace():
        raise TruncatedError("is empty", name)
    kind = detect(text)
    if kind == "mjlog":
        from haiyomi.logs.mjlog_read import read_mjlog

        return (read_mjlog(text, name, _next(stated)),)
    if kind == "tenhou6":
        from haiyomi.logs.tenhou6_read import read_tenhou6

        try:
            values = _json_values(text, stated is not None)
            return tuple(read_tenhou6(value, name, _next(stated)) for value in values)
        except ValueError as error:
            raise _no_json(error, text, name) from None
    if kind == "majsoul":
        from haiyomi.logs.fields import decode_json
        from haiyomi.logs.majsoul_read import read_majsoul

        try:
            value = decode_json(text, stated is not None)
        except ValueError as error:
            raise _no_json(error, text, name) from None
        return (read_majsoul(value, name, _next(stated)),)
    if kind == "mjai":
        from haiyomi.logs.mjai_games import read_mjai

        return read_mjai(_lines(text), name, stated)
    raise FormatError(
        "is not an mjlog, Tenhou JSON, mjai or Mahjong Soul record", name, value=text[:40]
    )


def _no_json(error: ValueError, text: str, name: str) -> RecordError:
    """What is wrong with a JSON text: it ends too early, or is none."""
    at_end = getattr(error, "pos", 0) >= len(text.rstrip()) - 1
    at_end = at_end and "Extra data" not in str(error)
    made = TruncatedError if at_end else FormatError
    return made(f"is not complete JSON: {not_json(error)}", name)


def _next(stated: list[Stated] | None) -> Stated | None:
    """A place for the facts of one more game, if they are wanted."""
    if stated is None:
        return None
    stated.append(Stated())
    return stated[-1]


def _json_values(text: str, strict: bool) -> Iterator[object]:
    """The one value of a JSON text, or one a line, each when it is asked for.

    Raises ValueError, SizeError.
    """
    from haiyomi.logs.fields import decode_json

    first, second = (*islice(filter(None, map(str.strip, _lines(text))), 2), "", "")[:2]
    if first[0] == second[:1] == "{" and first[-1] == "}":
        yield from (decode_json(line, strict) for line in _lines(text) if line.strip())
    else:
        yield decode_json(text, strict)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, about a hundred at a time: all at once would take much memory."""
    return chain.from_iterable(part.split("\n") for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = text.find("\n", at + _PART)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 1


_BLANK = re.compile(r"[\ufeff \t\r\n]*")
_MESSAGE = (b"\x0a", b"\x12", b"\x1a")
"""How a protobuf message whose first field is a text or a message begins."""
MAJSOUL_WITHIN = 1 << 16
"""Within how many bytes a binary record of Mahjong Soul names its first message."""
_MAJSOUL = re.compile(
    r"\bRecordNewRound\b|\bGameDetailRecords\b|\bActionNewRound\b|\bActionMJStart\b"
    r"|\"data_url\"\s*:|\"head\"\s*:\s*\{"
)
_LOG = re.compile(r"\"log\"\s*:")
_MJAI_LINE = re.compile(r"\{[^\n]*\"type\"\s*:")


def detect(text: str) -> str | None:
    """``mjlog``, ``tenhou6``, ``mjai`` or ``majsoul`` by content, None if it looks like none.

    Tags are mjlog; JSON that names Mahjong Soul's messages is its own, unless it has a ``log``; one
    JSON object is Tenhou's, unless its first line names a ``type``.
    """
    start = _start(text, 0)
    if text.startswith("<", start):
        return "mjlog"
    if text.startswith(("{", "["), start) and _MAJSOUL.search(text) and not _LOG.search(text):
        return "majsoul"
    if not text.startswith("{", start):
        return None
    end = text.find("\n", start)
    several = end >= 0 and text.startswith("{", _start(text, end))
    if '"log"' in text and not (several and text.find('"type"', start, end) >= 0):
        return "tenhou6"
    return "mjai" if _MJAI_LINE.match(text, start) else None


def _start(text: str, at: int) -> int:
    """Where white space from ``at`` on ends."""
    blank = _BLANK.match(text, at)
    assert blank is not None
    return blank.end()


def write(game: Game, format: Format) -> str:
    """The text of a game in a format that haiyomi writes; what the format has no place for is left
    out, as ``haiyomi convert`` says. Raises FormatError for another format, RecordError for a game
    that cannot be written."""
    if format == "mjlog":
        from haiyomi.logs.mjlog_write import write_mjlog

        return write_mjlog(game)
    if format == "tenhou6":
        from haiyomi.logs.tenhou6_write import write_tenhou6

        return write_tenhou6(game) + "\n"
    if format == "mjai":
        from haiyomi.logs.mjai_write import write_mjai

        return write_mjai(game)
    raise FormatError(f"no format that haiyomi writes ({', '.join(ENDINGS)})", value=format)
