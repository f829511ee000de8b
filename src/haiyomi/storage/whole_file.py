"""Files that appear whole or not at all: written beside their place, then renamed into it.

Whatever stops the writing (a kill, a full disk) leaves the final name as it was. What a kill
leaves behind is a hidden file that ends in ``.part``; ``drop_parts`` clears those away.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PARTS = ".*.part"
"""What half-written files are called."""


def part_name(path: Path) -> Path:
    """A name beside a path for what is to become it, of no other process or machine."""
    return path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")


@contextmanager
def whole_file(path: Path, alone: bool = False) -> Iterator[Path]:
    """Yield a path to write to; it becomes ``path`` if the block ends well, else it is removed.

    A link stays one: what it leads to is written. A device or a pipe is written to itself. An
    OSError from within names ``path``, which is what its user asked for. ``alone``: nobody
    else writes it now, so what a killed run left of it is removed first.
    """
    if alone:
        drop_parts(path.parent, f".{glob.escape(path.name)}.*.part")
    if path.is_symlink():
        path = path.resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path  # a device or a pipe, which is nobody's to replace
        return
    part = part_name(path)
    try:
        yield part
        part.replace(path)
    except OSError as error:
        _remove(part)
        raise _naming(error, path) from None
    except BaseException:
        _remove(part)
        raise


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
    """Remove a folder; killed in the middle, its name is free already."""
    part = part_name(folder)
    folder.rename(part)
    shutil.rmtree(part)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _naming(error: OSError, path: Path) -> OSError:
    if error.errno is None:
        return OSError(f"{path}: {error}")
    # Arrow's own text says the same at greater length.
    return OSError(error.errno, os.strerror(error.errno), str(path))
