"""Bytes to Game and back: mjlog XML, Tenhou's JSON, mjai JSON lines.

``parse(data, name)`` reads one game, whatever its format; ``write(game, format)`` is the text of
a game (``haiyomi.corpus`` walks files, folders and zips). ``missing.MISSING`` lists what each
format has no place for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_LAZY = {
    "parse": "haiyomi.logs.load",
    "parse_all": "haiyomi.logs.load",
    "write": "haiyomi.logs.load",
    "mjai_events": "haiyomi.logs.mjai_read",
    "without": "haiyomi.logs.missing",
}

if TYPE_CHECKING:
    from haiyomi.logs.load import parse as parse
    from haiyomi.logs.load import parse_all as parse_all
    from haiyomi.logs.load import write as write
    from haiyomi.logs.missing import without as without
    from haiyomi.logs.mjai_read import mjai_events as mjai_events

__all__ = ["mjai_events", "parse", "parse_all", "without", "write"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'haiyomi.logs' has no attribute {name!r}")
