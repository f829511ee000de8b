"""JSON files that say what a folder holds: no pipe, no device and no endless file is read."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any, Final

from haiyomi.errors import not_json
from haiyomi.storage.whole_file import is_stream

MOST_BYTES: Final = 1 << 28
"""The manifest of a million games has a tenth of it."""


def file_bytes(path: Path) -> bytes:
    """What a file holds. Raises OSError if it cannot be read, is no file or is too large."""
    if is_stream(path):  # opening a pipe waits for its writer, and a device may never end
        raise OSError(errno.EINVAL, "it is a pipe or a device", str(path))
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES >> 20} MiB", str(path))
    return data


def read_json(path: Path) -> Any:
    """The value of a file. Raises OSError as ``file_bytes``, and ValueError, which says what is
    wrong in few words, for what is no JSON in UTF-8."""
    data = file_bytes(path)
    try:
        return json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(not_json(error)) from None
