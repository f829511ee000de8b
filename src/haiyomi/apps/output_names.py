"""Names of files that haiyomi writes after names it was given: portable, and each once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

MOST_BYTES = 200
"""Bytes of a name without its ending; file systems take 255."""
_NOT_PORTABLE = re.compile(r'[<>:"/\\|?*]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def portable(name: str) -> str:
    """A name that every system takes for a file: what some refuse becomes ``_``.

    Control characters, ``<>:"/\\|?*``, names of Windows' devices (``CON``), dots and spaces at
    the ends, and more than 200 bytes.
    """
    name = "".join(c if c.isprintable() else "_" for c in name)
    name = _NOT_PORTABLE.sub("_", name).strip(". ")
    name = name.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore").rstrip(". ")
    return f"_{name}" if _DEVICES.fullmatch(name) else name or "record"


class OutputNames:
    """Hands out files in a folder, no two alike on a system that ignores case."""

    def __init__(self, folder: Path, ending: str, dropped: Iterable[str] = ()) -> None:
        self.folder, self.ending, self.dropped = folder, ending, tuple(dropped)
        self._taken: set[str] = set()

    def file(self, name: str) -> Path:
        """A new file after a record's name, whose folders and known endings are left out."""
        stem = Path(name.replace("\\", "/")).name
        for known in self.dropped:
            stem = stem.removesuffix(known)
        stem = first = portable(stem)
        number = 2
        while stem.casefold() in self._taken:
            stem = f"{first}-{number}"
            number += 1
        self._taken.add(stem.casefold())
        return self.folder / (stem + self.ending)
