"""Files and folders that appear whole or not at all, and stay when the power fails.

Each is written beside its place, brought to the disk (fsync), renamed into its place, and then
the folder that has the new name is brought to the disk. Whatever stops the writing (a kill, a
full disk, a power cut) leaves the final name as it was. What a kill leaves behind is hidden and
ends in ``.part``; ``drop_parts`` removes those.
"""

from __future__ import annotations

import errno
import glob
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from haiyomi.errors import DatasetError, HaiyomiError

PARTS = ".*.part"
"""What half-written files are called."""


def part_name(path: Path) -> Path:
    """A new name beside a path, which no other process or machine uses, to write its content to."""
    return path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")


@contextmanager
def whole_file(path: Path, single_writer: bool = False) -> Iterator[Path]:
    """Yield a path to write to; it becomes ``path`` if the block ends well, else it is removed.

    A link stays one: what it leads to is written. A device or a pipe is written to itself. An
    OSError from within names ``path``, the file that the user named. ``single_writer``:
    nobody else writes it now, so what a killed run left of it is removed first.
    """
    if single_writer:
        drop_parts(path.parent, f".{glob.escape(path.name)}.*.part")
    if is_stream(path):
        try:
            yield path
        except OSError as error:
            raise _naming(error, path) from None
        return
    if path.is_symlink():
        path = path.resolve()
    part = part_name(path)
    try:
        yield part
        sync_file(part)
        part.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        _remove(part)
        raise _naming(error, path) from None
    except BaseException:
        _remove(part)
        raise


def is_stream(path: Path) -> bool:
    """Whether a path is, or leads to, a device or a pipe, which must not be replaced."""
    # Before a link is followed: that of /dev/stdout to a pipe leads to no name.
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder to fill; it becomes ``path`` if the block ends well, else it is removed.

    Its files are brought to the disk, those of folders within it are not. What is at ``path``
    before is removed; a folder that appears there meanwhile is another process's, which was asked
    for the same, and stays.
    """
    make_folder(path.parent)
    if path.exists():
        remove_folder(path)
    part = part_name(path)
    try:
        part.mkdir()
        yield part
        for file in part.iterdir():
            sync_file(file)
        sync_folder(part)
        try:
            part.rename(path)
        except OSError:
            if not path.is_dir():
                raise
            shutil.rmtree(part, ignore_errors=True)
        sync_folder(path.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def not_within(output: Path, records: Path) -> None:
    """Raise HaiyomiError where a folder or file to write lies in a folder that is read: what is
    written would count as records the next time."""
    if records.is_dir() and output.resolve().is_relative_to(records.resolve()):
        raise HaiyomiError(f"{output} lies in {records}, which is read: name a place outside it")


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, so that they stay. Raises DatasetError
    where one of them is a file."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    there = next((folder for folder in (path, *path.parents) if folder.exists()), None)
    if there is not None and not there.is_dir():
        raise DatasetError(f"{there} is a file: name a folder")
    path.mkdir(parents=True, exist_ok=True)
    for folder in reversed(missing):
        sync_folder(folder.parent)


def sync_file(path: Path) -> None:
    """Bring what a file holds to the disk."""
    # Windows flushes only what may be written to.
    _sync(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)


def sync_folder(path: Path) -> None:
    """Bring the names in a folder to the disk, where the system can do so."""
    if os.name != "posix":
        return
    try:
        _sync(path, os.O_RDONLY)
    except OSError as error:
        # Some file systems cannot; some folders may be written to and not be read.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):
            raise


def _sync(path: Path, flags: int) -> None:
    opened = os.open(path, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write JSON whole or not at all."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def drop_parts(folder: Path, pattern: str = PARTS) -> None:
    """Remove what killed writers left in a folder; a folder in which nothing may be removed is
    left as it is."""
    for left in folder.glob(pattern):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            _remove(left)


def remove_folder(folder: Path) -> None:
    """Remove a folder; stopped in the middle, its name is free already."""
    part = part_name(folder)
    folder.rename(part)
    sync_folder(folder.parent)
    shutil.rmtree(part)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _naming(error: OSError, path: Path) -> OSError:
    if error.errno is None:
        return OSError(f"{path}: {error}")
    # Arrow's own text says the same at greater length.
    return OSError(error.errno, os.strerror(error.errno), str(path))
