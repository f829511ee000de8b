"""Which records a source holds: a file, a folder, a zip, standard input, a pasted address."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZipInfo

from haiyomi.corpus.entry import Entry, as_unicode, shorten
from haiyomi.errors import FormatError, RecordError, SizeError, UnsupportedError, unreadable
from haiyomi.logs.containers import MAX_BYTES, Budget, is_zip, open_zip, zip_entries, zip_entry

STANDARD_INPUT = "-"
_IN_MEMORY = 4 * MAX_BYTES
"""The most bytes that a zip from standard input or a pipe may unpack to: its entries are held in
memory."""
_JSON_MARK = "#json="
_NO_RECORDS = (".md", ".csv", ".html", ".htm", ".pdf", ".png", ".jpg", ".svg", ".parquet")
"""Endings of files that lie beside records, and that no program writes a record to."""
OWN_FILES = (
    "split.json", "plan.json", "manifest.json", "shard.json", "_shard.json", "review.json",
    "benchmark.json",
)  # fmt: skip
"""What haiyomi writes beside records and pages about its own work."""
_SCHEMES = ("https://", "http://")
_ADDRESSES = (*_SCHEMES, "tenhou.net/", "mahjongsoul.", "game.mahjongsoul.")


def is_address(source: str | Path) -> bool:
    """Whether a source is a pasted address: it begins as one, and without ``http`` it is no path
    that exists, such as the folder ``tenhou.net/0/log``."""
    if not isinstance(source, str) or not source.strip().startswith(_ADDRESSES):
        return False
    if not source.strip().startswith(_SCHEMES):
        with suppress(OSError, ValueError):  # a pasted record is too long for a path
            return not Path(source).exists()
    return True


def entries_of(source: str | Path) -> list[Entry]:
    """The records of one source in the order of their places, each file's and each zip's.

    Of a folder and a zip, hidden files (``.name``), files that are named as something else
    (``README.md``, ``index.csv``) and ``OWN_FILES`` are left out. A zip within a folder is opened.
    What cannot be opened within a folder is an entry with a fault. A pipe is read here, because it
    can be read only once. Raises RecordError where the source itself cannot be opened or holds no
    record.
    """
    text = str(source)
    if is_address(source):
        return [_address(text.strip())]
    if text == STANDARD_INPUT:
        return _stream("standard input", sys.stdin.buffer)
    try:
        if not text or not Path(source).exists():
            raise FormatError("no such file or folder", shorten(as_unicode(text)) or "''")
        is_folder, is_file = Path(source).is_dir(), Path(source).is_file()
        if not (is_folder or is_file):
            with Path(source).open("rb") as stream:
                return _stream(text, stream)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be opened: {error}", shorten(as_unicode(text))) from None
    found = _folder(text.rstrip("/") or "/") if is_folder else _file(text, "")
    return sorted(found, key=lambda entry: entry.place)


def entries_in(name: str, data: bytes, budget: Budget) -> list[Entry]:
    """The records in some bytes: that of a pasted address, each of a zip, or the bytes themselves.

    Raises RecordError: SizeError where they unpack to more than the budget.
    """
    if len(data) > MAX_BYTES:
        raise SizeError(f"larger than {MAX_BYTES >> 20} MiB", name)
    if is_zip(data):
        with open_zip(io.BytesIO(data), name) as archive:
            out = []
            for info in _records(zip_entries(archive, len(data), name, budget), name):
                entry = Entry(name, inner=info.filename)
                try:
                    out.append(
                        Entry(name, "", entry.inner, 0, zip_entry(archive, info, entry.name))
                    )
                except RecordError as error:
                    out.append(Entry(name, "", entry.inner, fault=error))
            return out
    if data[:200].lstrip().startswith(tuple(a.encode() for a in _ADDRESSES)):
        return [_address(data.decode("utf-8", "replace").strip())]
    budget.spend(len(data), name)
    return [Entry(name, data=data)]


def _stream(name: str, stream: BinaryIO) -> list[Entry]:
    """The records in what a stream holds, whose bytes are kept. Raises RecordError."""
    return entries_in(name, stream.read(MAX_BYTES + 1), Budget(_IN_MEMORY, 0))


def _folder(source: str) -> Iterator[Entry]:
    closed: list[str] = []
    empty = True
    for place, inner, names in os.walk(source, onerror=lambda e: closed.append(str(e.filename))):
        inner[:] = [name for name in inner if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            if not may_be_a_record(name) or not _is_file(path):
                continue
            empty = False
            file = path.relative_to(source).as_posix()
            try:
                yield from _file(source, file)
            except RecordError as error:
                yield Entry(source, file, fault=error)
    for folder in closed:
        fault = FormatError("is a folder that cannot be read", as_unicode(folder))
        if folder == source:
            raise fault
        yield Entry(source, Path(folder).relative_to(source).as_posix(), fault=fault)
    if empty and not closed:
        raise FormatError("is a folder without records", as_unicode(source))


def _is_file(path: Path) -> bool:
    """Also where that may not be asked: to open it says why."""
    try:
        return path.is_file()
    except OSError:
        return True


def _file(source: str, file: str) -> list[Entry]:
    entry = Entry(source, file)
    try:
        with entry.path.open("rb") as stream:
            if not is_zip(stream.read(4)):
                return [entry]
            size = stream.seek(0, os.SEEK_END)
            stream.seek(0)
            with open_zip(stream, entry.name) as archive:
                infos = _records(zip_entries(archive, size, entry.name, Budget()), entry.name)
    except OSError as error:
        raise FormatError(unreadable(error), shorten(entry.name)) from None
    found = {i.filename: Entry(source, file, i.filename, packed=i.compress_size) for i in infos}
    if len(found) < len(infos):
        raise FormatError("is a damaged zip: two entries have the same name", entry.name)
    return list(found.values())


def _records(infos: list[ZipInfo], name: str) -> list[ZipInfo]:
    """The entries of a zip that may be records. Raises FormatError where there is none."""
    found = [info for info in infos if all(map(may_be_a_record, info.filename.split("/")))]
    if not found:
        raise FormatError("is a zip without records", name)
    return found


def may_be_a_record(name: str) -> bool:
    """Whether a file, or a folder, of this name is looked at; macOS adds __MACOSX to its zips."""
    hidden = (name.startswith(".") and name not in (".", "..")) or name == "__MACOSX"
    return not (hidden or name in OWN_FILES or name.lower().endswith(_NO_RECORDS))


def _address(text: str) -> Entry:
    """The record inside a pasted ``tenhou.net/6/#json=`` address; nothing is fetched."""
    name = shorten(text, 60)
    place, mark, encoded = text.partition(_JSON_MARK)
    if mark and "tenhou.net/6" in place:
        decoded = unquote(encoded, errors="replace")
        end = decoded.rfind("}")
        if end >= 0:
            return Entry(name, data=decoded[: end + 1].encode())
        what = f"is a link with no JSON object after {_JSON_MARK}"
        return Entry(name, fault=FormatError(what, name, value=decoded[:40]))
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
    fault = UnsupportedError(f"haiyomi fetches nothing from the network: {how}", name)
    return Entry(name, fault=fault)
