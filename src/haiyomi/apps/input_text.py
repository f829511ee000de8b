"""What a text states, of a file or standard input: a position, or a decision."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from haiyomi.errors import HaiyomiError, PositionError, RecordError, unreadable

T = TypeVar("T")
_MAX_TEXT: Final = 16 << 20


def read_input(file: Path | None, read: Callable[[str], T]) -> T:
    """What ``read`` finds in the text of a file; None or ``-`` is standard input.

    Raises HaiyomiError; the errors about the text begin with the file's name.
    """
    if file == Path("-"):
        file = None
    name = "standard input" if file is None else str(file)
    try:
        if file is None:
            data = sys.stdin.buffer.read(_MAX_TEXT + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(_MAX_TEXT + 1)
    except OSError as error:
        raise HaiyomiError(f"{name}: {unreadable(error)}") from None
    if len(data) > _MAX_TEXT:
        raise PositionError(f"{name}: is larger than {_MAX_TEXT >> 20} MiB")
    try:
        return read(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PositionError(f"{name}: is not UTF-8 text") from None
    except (PositionError, RecordError) as error:
        raise PositionError(f"{name}: {error}") from None
