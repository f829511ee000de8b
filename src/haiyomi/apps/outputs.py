"""Output files: tried before long work, and written whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from haiyomi.errors import HaiyomiError
from haiyomi.whole import whole_file


def try_outputs(*paths: Path | None) -> None:
    """Raise the OSError that writing one of the files would meet; None stands for no file."""
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        _try(path.parent, path)


def try_folders(*paths: Path | None) -> None:
    """The same of folders, which are made when something is written to them."""
    for path in paths:
        if path is None:
            continue
        there = next((p for p in (path, *path.absolute().parents) if p.exists()), path)
        if not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(there))
        _try(there, path)


def _try(folder: Path, asked: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(asked)) from None


def not_an_input(output: Path | None, records: Iterable[str]) -> None:
    """Raise HaiyomiError if writing ``output`` would overwrite a record that is read."""
    for record in records if output is not None and output.is_file() else ():
        with suppress(OSError, ValueError):
            if Path(record).samefile(output):  # type: ignore[arg-type]
                raise HaiyomiError(f"{output} is the record itself: name another file")


def write_output(output: Path, text: str, more: str = "") -> None:
    """Write what was asked for to a file, whole or not at all, and say so on standard error, with
    ``more`` behind. Raises HaiyomiError where it cannot be written."""
    data = text.encode()
    if output.is_dir():
        raise HaiyomiError(f"{output} is a folder: name the file to write")
    try:
        with whole_file(output, alone=True) as part:
            part.write_bytes(data)
    except OSError as error:
        raise HaiyomiError(f"{output} cannot be written: {error.strerror or error}") from None
    print(f"{output}: {len(data) / 1e6:.2f} MB{more}", file=sys.stderr)


PAGE = ", open it in a browser"
"""What is said behind a page."""
