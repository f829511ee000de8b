"""One writer at a time in a folder.

A second command stops with an error; otherwise it would delete the first one's half-written files.

The system's own lock on ``FOLDER/.lock``, which ends with its process however that ends; so a
folder is free at once after a kill. Nothing is locked where the system has no such locks (Windows,
some file systems that machines share) or lets nothing be written: as before, no bytes are lost
there, but one of two commands may stop with an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from haiyomi.errors import DatasetError

LOCK = ".lock"


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Be the only one that writes to a folder. Raises DatasetError if another process is."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    path = folder / LOCK
    held = None
    try:
        while held is None:
            held = _opened(path)
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not _is_still(path, held):  # who held it removed the file in between
                os.close(held)
                held = None
    except BlockingIOError:
        os.close(held)  # type: ignore[arg-type]
        raise DatasetError(
            f"{folder}: another haiyomi is writing there; wait for it, or name another folder"
        ) from None
    except OSError:
        pass
    try:
        yield
    finally:
        if held is not None:
            with suppress(OSError):
                path.unlink()
            os.close(held)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:
        # Another user's, in a folder that both may write to: to read is enough for a lock.
        return os.open(path, os.O_RDONLY)


def _is_still(path: Path, held: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(held))
    except FileNotFoundError:
        return False
