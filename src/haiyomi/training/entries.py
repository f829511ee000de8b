"""The records that a source holds, by name, so that any process can read any one of them.

A source is a file, a zip, or a folder of both; an entry is named by its place inside.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from haiyomi.errors import DatasetError, FormatError, PositionError, RecordError, SizeError
from haiyomi.events import Game
from haiyomi.logs.containers import MAX_BYTES
from haiyomi.logs.load import parse
from haiyomi.logs.sources import files_below, zip_entry

T = TypeVar("T")
REPEATED = "another record before it has the same name"
"""Why an entry is left out: rows name their game by it, so a name stands for one record."""


def game_name(entry: str) -> str:
    """The name a record goes by in the tables: its file name without folders and suffixes."""
    name = Path(entry).name
    for suffix in (".gz", ".mjlog", ".json", ".mjson", ".jsonl", ".xml"):
        name = name.removesuffix(suffix)
    return name


def entries_of(source: Path) -> list[str]:
    """Names of the records in a zip or folder, sorted; ``.`` for a plain file.

    A zip within a folder is opened: ``folder/games.zip/one.mjlog`` is ``games.zip/one.mjlog``.
    Raises DatasetError where the source itself is a damaged zip or cannot be read.
    """
    if not source.is_dir():
        return _zip_names(source) if _is_zip(source) else ["."]
    found: list[str] = []
    files, closed = files_below(source)
    if closed:
        raise DatasetError(f"{closed[0]}: a folder that cannot be read")
    for path in files:
        name = path.relative_to(source).as_posix()
        try:
            name.encode()
        except UnicodeEncodeError:
            # It would stand in manifests and tables, which are text.
            said = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            raise DatasetError(f"{source}: {said}: a name that is no UTF-8; rename it") from None
        try:
            found += [f"{name}/{inner}" for inner in _zip_names(path)] if _is_zip(path) else [name]
        except DatasetError:
            found.append(name)  # reading it will say what is wrong; the others go on
    return sorted(found)


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError as error:
        raise DatasetError(f"{path}: {error.strerror or error}") from None


def _zip_names(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(n for n in archive.namelist() if not n.endswith("/"))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DatasetError(f"{path} is a damaged zip: {error}") from None
    if "" in names:
        raise DatasetError(f"{path} is a damaged zip: an entry has no name")
    return names


def first_of_each_name(
    entries: Iterable[str], seen: set[str], source: Path
) -> tuple[list[str], list[str]]:
    """(entries whose game name is new, the others); the new names are added to ``seen``."""
    kept: list[str] = []
    repeated: list[str] = []
    for entry in entries:
        name = game_name(source.name if entry == "." else entry)
        (repeated if name in seen else kept).append(entry)
        seen.add(name)
    return kept, repeated


def entry_bytes(source: Path, entry: str) -> bytes:
    """The raw bytes of one entry of ``entries_of``.

    Raises RecordError where it is damaged, cannot be read, or is past the size limit.
    """
    place, inner = (source, entry) if not source.is_dir() else _within(source, entry)
    if inner == ".":
        try:
            if place.stat().st_size > MAX_BYTES:
                raise SizeError(f"larger than {MAX_BYTES >> 20} MiB", place.name)
            return place.read_bytes()
        except OSError as error:
            reason = error.strerror or error
            raise FormatError(f"cannot be read: {reason}", place.name) from None
    try:
        archive = _archive(place)
        data = zip_entry(archive, archive.getinfo(inner), entry)
    except (zipfile.BadZipFile, OSError, KeyError) as error:
        raise FormatError(f"cannot be read: {error}", entry) from None
    if isinstance(data, RecordError):
        raise data
    return data


_OPEN: dict[Path, tuple[tuple[int, int], zipfile.ZipFile]] = {}


def _archive(place: Path) -> zipfile.ZipFile:
    """The zip, left open for its next entry: to open it reads the names of all its entries."""
    stat = place.stat()
    version = stat.st_mtime_ns, stat.st_size
    kept = _OPEN.pop(place, None)
    if kept is not None:
        if kept[0] == version:
            _OPEN[place] = kept
            return kept[1]
        kept[1].close()
    while len(_OPEN) >= 4:
        _OPEN.pop(next(iter(_OPEN)))[1].close()
    archive = zipfile.ZipFile(place)
    _OPEN[place] = version, archive
    return archive


def _within(folder: Path, entry: str) -> tuple[Path, str]:
    """The file that an entry of a folder lies in, and its name there."""
    for parent in reversed(PurePosixPath(entry).parents):
        if (folder / parent).is_file():
            return folder / parent, entry[len(str(parent)) + 1 :]
    return folder / entry, "."


def source_hash(source: Path, names: list[str]) -> str:
    """A digest of what a source holds: of a file its bytes, of a folder the files of some entries,
    by name. A file that cannot be read counts as such: another answer is due once it can be."""
    digest = hashlib.sha256()
    folder = source.is_dir()
    places = {_within(source, name)[0]: name for name in names} if folder else {source: ""}
    for place, name in places.items():
        if folder:
            digest.update(f"{name}\0".encode())
        try:
            with place.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
        except OSError:
            digest.update(b"\0unreadable\0")
    return digest.hexdigest()


def rows_of_entries(
    source: Path, entries: Sequence[str], rows: Callable[[str, Game], T]
) -> tuple[list[T], tuple[tuple[str, str], ...]]:
    """What ``rows`` makes of each game (its name, the game) of some entries of a source, and
    (name, reason) of the records that do not replay."""
    parts: list[T] = []
    skipped: list[tuple[str, str]] = []
    for entry in entries:
        file = entry if entry != "." else source.name
        name = game_name(file)
        try:
            parts.append(rows(name, parse(entry_bytes(source, entry), file)))
        except (RecordError, PositionError) as error:
            skipped.append((name, str(error)))
    return parts, tuple(skipped)
