"""Which split a game belongs to: train to fit, valid to choose, test to report."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final, Literal, TypeAlias

from haiyomi.errors import DatasetError

Split: TypeAlias = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = ("train", "valid", "test")


def split_by_name(game: str) -> Split:
    """8 : 1 : 1 by a hash of the game's name, for records that come without splits."""
    bucket = hashlib.sha256(game.encode()).digest()[0] % 10
    return "test" if bucket == 0 else "valid" if bucket == 1 else "train"


SPLIT_FIRST: Final = "haiyomi corpus split makes such a folder of any records"
"""What errors say where a folder of records is no corpus."""


def corpus_files(corpus: Path) -> dict[Split, list[Path]]:
    """The files of each split of a corpus folder that holds ``train.zip`` (or a folder
    ``train``), and so on; none for a folder or file of any other shape.
    """
    found: dict[Split, list[Path]] = {}
    for split in SPLITS:
        for path in (corpus / f"{split}.zip", corpus / split):
            if path.exists():
                found.setdefault(split, []).append(path)
    return found


def find_corpus(given: Path | None) -> Path:
    """The corpus folder: as given, else the environment's HAIYOMI_CORPUS. Raises DatasetError."""
    named = given or os.environ.get("HAIYOMI_CORPUS")
    if not named:
        raise DatasetError("no corpus: name a folder of train, valid and test zips by --corpus")
    folder = Path(named)
    if not corpus_files(folder):
        raise DatasetError(
            f"{folder}: no folder with train.zip, valid.zip or test.zip; {SPLIT_FIRST}"
        )
    return folder
