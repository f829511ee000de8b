"""One way to walk records: ``for name, game in Corpus("folder")``.

``entry`` one record and how any process reads it; ``listing`` what files, folders, zips, standard
input and pasted addresses hold; ``walk`` the Corpus itself; ``study_folder`` the stored
answers of a function for every game; ``same_game`` which records hold one game.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_LAZY = {
    "Corpus": "haiyomi.corpus.walk",
    "Entry": "haiyomi.corpus.entry",
    "Skipped": "haiyomi.corpus.entry",
}

if TYPE_CHECKING:
    from haiyomi.corpus.entry import Entry as Entry
    from haiyomi.corpus.entry import Skipped as Skipped
    from haiyomi.corpus.walk import Corpus as Corpus

__all__ = ["Corpus", "Entry", "Skipped"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'haiyomi.corpus' has no attribute {name!r}")
