"""The text of a position: a file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from haiyomi.errors import HaiyomiError, PositionError

_MAX_TEXT: Final = 16 << 20


def read_input(file: Path | None) -> str:
    """The text of a file, None for standard input. Raises HaiyomiError, PositionError."""
    try:
        if file is None:
            data = sys.stdin.buffer.read(_MAX_TEXT + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(_MAX_TEXT + 1)
    except OSError as error:
        raise HaiyomiError(f"{file}: cannot be read: {error.strerror}") from None
    if len(data) > _MAX_TEXT:
        raise PositionError(f"the position is larger than {_MAX_TEXT >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PositionError("the position is not UTF-8 text") from None
