"""Output files are tried before long work, not after it."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def try_outputs(*paths: Path | None) -> None:
    """Raise the OSError that writing one of the files would meet; None stands for no file."""
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        try:
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
