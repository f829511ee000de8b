"""A corpus of games by the project's own players, in train, valid and test zips."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players


def made_corpus(
    folder: Path, train: Iterable[int], valid: Iterable[int], test: Iterable[int]
) -> Path:
    """The folder, made, with games of these numbers; a split without games has no zip."""
    folder.mkdir()
    for split, numbers in (("train", list(train)), ("valid", list(valid)), ("test", list(test))):
        if not numbers:
            continue
        with zipfile.ZipFile(folder / f"{split}.zip", "w") as archive:
            for number in numbers:
                archive.writestr(
                    f"{number}.mjlog", write(simulate_rule_players(3, number), "mjlog")
                )
    return folder
