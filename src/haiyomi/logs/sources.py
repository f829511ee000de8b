"""Where records come from: files, folders, zips, standard input, pasted addresses.

``read_all`` goes on past what it cannot read: each source yields a game or the error that
says why not, under a name that leads back to it (``games.zip/one.mjlog``).
"""

from __future__ import annotations

import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from haiyomi.errors import (
    FormatError,
    RecordError,
    SizeError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import Game
from haiyomi.logs.containers import MAX_BYTES
from haiyomi.logs.load import parse_all

MAX_ENTRIES = 1_000_000
"""The most entries of a zip."""
_JSON_MARK = "#json="
_ADDRESSES = ("https://", "http://", "tenhou.net/", "mahjongsoul.", "game.mahjongsoul.")

Outcome = tuple[str, Game | RecordError]


def read_all(paths: Iterable[str | Path]) -> Iterator[Outcome]:
    """(name, game) or (name, error) for every record of every path, in order.

    A path is a file, a folder (walked in name order, hidden files left out), a zip (each
    entry), ``-`` for standard input, or a pasted ``https://tenhou.net/6/#json=...``. Only
    errors of the records are yielded; nothing is raised for a bad one.
    """
    for path in paths:
        for name, data in read_bytes(path):
            if isinstance(data, RecordError):
                yield name, data
            else:
                yield from _games(name, data)


def _games(name: str, data: bytes) -> Iterator[Outcome]:
    try:
        games = parse_all(data, name)
    except RecordError as error:
        yield name, error
        return
    for number, game in enumerate(games):
        yield (name if len(games) == 1 else f"{name}#{number + 1}"), game


def count_records(paths: Iterable[str]) -> int:
    """About how many records there are: for the progress bar alone."""
    total = 0
    for path in paths:
        place = Path(path)
        try:
            if place.is_dir():
                total += sum(1 for p in place.rglob("*") if p.is_file())
            elif zipfile.is_zipfile(place):
                with zipfile.ZipFile(place) as archive:
                    total += sum(not name.endswith("/") for name in archive.namelist())
            else:
                total += 1
        except (OSError, ValueError, zipfile.BadZipFile):
            total += 1
    return total


def read_bytes(path: str | Path) -> Iterator[tuple[str, bytes | RecordError]]:
    """(name, bytes) of every record that a path holds, or the error that says why not."""
    text = str(path)
    if isinstance(path, str) and text.strip().startswith(_ADDRESSES):
        yield _address(text.strip())
        return
    if text == "-":
        yield from unpacked("standard input", sys.stdin.buffer.read(MAX_BYTES + 1))
        return
    place = Path(path)
    try:
        is_folder = place.is_dir()
    except (OSError, ValueError) as error:
        yield _shorten(text, 500), FormatError(f"cannot be opened: {error}", _shorten(text, 500))
        return
    if not is_folder:
        yield from _file(place, _said(text))
        return
    files, closed = files_below(place)
    for inner in files:
        yield from _file(inner, _said(str(inner)))
    for folder in closed:
        name = _said(str(folder))
        yield name, FormatError("is a folder that cannot be read", name)
    if not files and not closed:
        yield _said(text), FormatError("is a folder without files", _said(text))


def files_below(folder: Path) -> tuple[list[Path], list[Path]]:
    """(the files of a folder and of those in it, sorted, the folders that cannot be read); what
    is hidden (``.name``) is left out."""
    closed: list[Path] = []
    files: list[Path] = []
    for place, inner, names in os.walk(folder, onerror=lambda e: closed.append(Path(e.filename))):
        inner[:] = [name for name in inner if not name.startswith(".")]
        files += [Path(place, name) for name in names if not name.startswith(".")]
    return sorted(path for path in files if path.is_file()), sorted(closed)


def _said(path: str) -> str:
    """A path as text: bytes of a name that are no UTF-8 become U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _file(place: Path, name: str) -> Iterator[tuple[str, bytes | RecordError]]:
    try:
        with place.open("rb") as file:
            if file.read(4) == b"PK\x03\x04":
                yield from _zip(place, name)
                return
            file.seek(0)
            yield name, file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        yield _shorten(name, 500), FormatError(f"cannot be read: {reason}", _shorten(name, 500))


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes | RecordError]]:
    """What some bytes hold: the record of a pasted address, each entry of a zip, or themselves."""
    import io

    if data[:4] == b"PK\x03\x04":
        yield from _zip(io.BytesIO(data), name)
    elif data[:200].lstrip().startswith(tuple(a.encode() for a in _ADDRESSES)):
        yield _address(data.decode("utf-8", "replace").strip())
    else:
        yield name, data


def _zip(place: object, name: str) -> Iterator[tuple[str, bytes | RecordError]]:
    try:
        archive = zipfile.ZipFile(place)  # type: ignore[call-overload]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        yield name, FormatError(f"is a damaged zip: {error}", name)
        return
    with archive:
        entries = [e for e in archive.infolist() if not e.filename.endswith("/")]
        if not all(e.filename for e in entries):
            yield name, FormatError("is a damaged zip: an entry has no name", name)
            return
        if len(entries) > MAX_ENTRIES:
            yield name, SizeError(f"is a zip of more than {MAX_ENTRIES} entries", name)
            return
        for entry in entries:
            inner = f"{name}/{entry.filename}"
            yield inner, zip_entry(archive, entry, inner)


def zip_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes | RecordError:
    """One entry of a zip; it is unpacked only as far as the limit, whatever it claims."""
    try:
        with archive.open(entry) as file:
            data = file.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError) as error:
        return FormatError(f"is damaged in its zip: {error}", name)
    except EOFError:
        return TruncatedError("ends too early in its zip", name)
    except (OSError, ValueError, NotImplementedError, RuntimeError) as error:
        return FormatError(f"cannot be unpacked: {error}", name)
    if len(data) > MAX_BYTES:
        return SizeError(f"unpacks to more than {MAX_BYTES >> 20} MiB", name)
    return data


def _address(text: str) -> tuple[str, bytes | RecordError]:
    """The record inside a pasted ``tenhou.net/6/#json=`` address; nothing is fetched."""
    name = _shorten(text)
    place, mark, encoded = text.partition(_JSON_MARK)
    if mark and "tenhou.net/6" in place:
        decoded = unquote(encoded, errors="replace")
        end = decoded.rfind("}")
        if end < 0:
            return name, FormatError(
                f"is a link with no JSON object after {_JSON_MARK}", name, value=decoded[:40]
            )
        return name, decoded[: end + 1].encode()
    if "tenhou.net" in text:
        how = (
            "save what https://tenhou.net/0/log/? serves for the id after log= to a file, or "
            "copy the tenhou.net/6/#json= link of its editor, and give that"
        )
    elif "mahjongsoul" in text or "maj-soul" in text or "majsoul" in text:
        how = (
            "save the game as Tenhou JSON with a converter such as tensoul and give the saved file"
        )
    else:
        how = "save the record to a file and give that"
    return name, UnsupportedError(f"haiyomi fetches nothing from the network: {how}", name)


def _shorten(text: str, limit: int = 60) -> str:
    """An address is mostly payload; a path keeps its end unless it is absurd."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
